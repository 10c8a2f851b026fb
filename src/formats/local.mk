libgpudumpfs_a_SOURCES += \
	src/formats/format.h

include src/formats/psx/local.mk

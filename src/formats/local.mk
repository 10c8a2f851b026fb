libgpudumpfs_a_SOURCES += \
	src/formats/format.c \
	src/formats/format.h

include src/formats/aerogpu/local.mk
include src/formats/apitrace/local.mk
include src/formats/gapir/local.mk
include src/formats/psx/local.mk
include src/formats/vma/local.mk

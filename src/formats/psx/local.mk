libgpudumpfs_a_SOURCES += \
	src/formats/psx/draw.h \
	src/formats/psx/gp0.h \
	src/formats/psx/gpu.h \
	src/formats/psx/packet.h \
	src/formats/psx/registers.h \
	src/formats/psx/scanout.h

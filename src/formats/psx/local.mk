libgpudumpfs_a_SOURCES += \
	src/formats/psx/draw.c \
	src/formats/psx/draw.h \
	src/formats/psx/gp0.c \
	src/formats/psx/gp0.h \
	src/formats/psx/gpu.h \
	src/formats/psx/packet.c \
	src/formats/psx/packet.h \
	src/formats/psx/registers.c \
	src/formats/psx/registers.h \
	src/formats/psx/scanout.h \
	src/formats/psx/state.c \
	src/formats/psx/state.h

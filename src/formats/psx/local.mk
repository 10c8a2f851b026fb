libgpudumpfs_a_SOURCES += \
	src/formats/psx/deep.c \
	src/formats/psx/deep.h \
	src/formats/psx/defects.c \
	src/formats/psx/defects.h \
	src/formats/psx/draw.c \
	src/formats/psx/draw.h \
	src/formats/psx/gp0.c \
	src/formats/psx/gp0.h \
	src/formats/psx/gpu.h \
	src/formats/psx/index.c \
	src/formats/psx/index.h \
	src/formats/psx/packet.c \
	src/formats/psx/packet.h \
	src/formats/psx/places.c \
	src/formats/psx/places.h \
	src/formats/psx/registers.c \
	src/formats/psx/registers.h \
	src/formats/psx/scanout.h \
	src/formats/psx/skim.c \
	src/formats/psx/skim.h \
	src/formats/psx/state.c \
	src/formats/psx/state.h \
	src/formats/psx/walk.c \
	src/formats/psx/walk.h

libgpudumpfs_a_SOURCES += \
	src/formats/aerogpu/abi.c \
	src/formats/aerogpu/abi.h \
	src/formats/aerogpu/commands.def \
	src/formats/aerogpu/dxbc.c \
	src/formats/aerogpu/dxbc.h \
	src/formats/aerogpu/dxbc_dialect.c \
	src/formats/aerogpu/dxbc_dialect.h \
	src/formats/aerogpu/layout.c \
	src/formats/aerogpu/layout.h \
	src/formats/aerogpu/packets.c \
	src/formats/aerogpu/packets.h \
	src/formats/aerogpu/texels.c \
	src/formats/aerogpu/texels.h \
	src/formats/aerogpu/texels_bc.c

libgpudumpfs_a_SOURCES += \
	src/formats/aerogpu/abi.c \
	src/formats/aerogpu/abi.h \
	src/formats/aerogpu/commands.def \
	src/formats/aerogpu/layout.c \
	src/formats/aerogpu/layout.h \
	src/formats/aerogpu/packets.c \
	src/formats/aerogpu/packets.h

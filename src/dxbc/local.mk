# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/dxbc/disassemble.c \
	src/dxbc/dxbc.c \
	src/dxbc/dxbc.h \
	src/dxbc/genuine.c

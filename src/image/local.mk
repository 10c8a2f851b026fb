# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/image/astc.c \
	src/image/board.c \
	src/image/board.h \
	src/image/bptc.c \
	src/image/canvas.c \
	src/image/canvas.h \
	src/image/draw_ids.c \
	src/image/draw_ids.h \
	src/image/etc.c \
	src/image/fingerprint.c \
	src/image/fingerprint.h \
	src/image/font.c \
	src/image/gl_format.c \
	src/image/gl_format.h \
	src/image/heat.c \
	src/image/heat.h \
	src/image/picture.c \
	src/image/picture.h \
	src/image/picture_decode.c \
	src/image/picture_parts.c \
	src/image/picture_parts.h \
	src/image/picture_stored.c \
	src/image/picture_stored.h \
	src/image/pixel_format.c \
	src/image/pixel_format.h \
	src/image/reel.c \
	src/image/reel.h \
	src/image/shrink.c \
	src/image/shrink.h

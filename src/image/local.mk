libgpudumpfs_a_SOURCES += \
	src/image/astc.c \
	src/image/astc.h \
	src/image/bptc.c \
	src/image/bptc.h \
	src/image/canvas.c \
	src/image/canvas.h \
	src/image/font.c \
	src/image/font.h \
	src/image/font_glyphs.c \
	src/image/font_glyphs.h \
	src/image/picture.c \
	src/image/picture.h

libgpudumpfs_a_SOURCES += \
	src/tree/about.c \
	src/tree/ask.c \
	src/tree/common.c \
	src/tree/common.h \
	src/tree/content.c \
	src/tree/content.h \
	src/tree/dump.h \
	src/tree/file.c \
	src/tree/inode.h \
	src/tree/internal.h \
	src/tree/link.c \
	src/tree/list.c \
	src/tree/listing.c \
	src/tree/listing.h \
	src/tree/lookup.c \
	src/tree/names.c \
	src/tree/names.h \
	src/tree/picture.c \
	src/tree/question.c \
	src/tree/question.h \
	src/tree/readme.c \
	src/tree/rule.h \
	src/tree/rules.c \
	src/tree/stat.c \
	src/tree/tree.c \
	src/tree/tree.h

# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/tree/about.c \
	src/tree/allowance.c \
	src/tree/allowance.h \
	src/tree/attributes.c \
	src/tree/common.c \
	src/tree/content.c \
	src/tree/create.c \
	src/tree/dump.c \
	src/tree/dump.h \
	src/tree/file.c \
	src/tree/inode.h \
	src/tree/internal.h \
	src/tree/limits.c \
	src/tree/limits.h \
	src/tree/lookup.c \
	src/tree/names.c \
	src/tree/names.h \
	src/tree/options.c \
	src/tree/options.h \
	src/tree/outcome.c \
	src/tree/outcome.h \
	src/tree/pieces.c \
	src/tree/pieces.h \
	src/tree/pixel_files.c \
	src/tree/pixel_files.h \
	src/tree/readahead.c \
	src/tree/readahead.h \
	src/tree/readdir.c \
	src/tree/readme.c \
	src/tree/request.c \
	src/tree/rule.h \
	src/tree/rules.c \
	src/tree/tables.c \
	src/tree/tables.h \
	src/tree/tree.h

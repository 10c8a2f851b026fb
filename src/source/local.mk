# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/source/disk_cache.c \
	src/source/disk_cache.h \
	src/source/edited.c \
	src/source/edited.h \
	src/source/expand.h \
	src/source/expand_gzip.c \
	src/source/expand_xz.c \
	src/source/expand_zstd.c \
	src/source/expanders.c \
	src/source/filewatch.c \
	src/source/filewatch.h \
	src/source/growing_source.c \
	src/source/growing_source.h \
	src/source/internal.h \
	src/source/kept.h \
	src/source/kept_contents.c \
	src/source/kept_file.c \
	src/source/seekable.c \
	src/source/seekable.h \
	src/source/sigbus_guard.c \
	src/source/sigbus_guard.h \
	src/source/source.c \
	src/source/source.h \
	src/source/source_check.c \
	src/source/source_expansion.c \
	src/source/spool.c \
	src/source/spool.h \
	src/source/stream.c \
	src/source/stream.h

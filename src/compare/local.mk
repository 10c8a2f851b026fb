# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/compare/align.c \
	src/compare/align.h \
	src/compare/compare.h \
	src/compare/compare_details.c \
	src/compare/compare_dump.c \
	src/compare/compare_dump.h \
	src/compare/compare_figures.c \
	src/compare/compare_listing.c \
	src/compare/compare_listing.h \
	src/compare/compare_objects.c \
	src/compare/compare_pairs.c \
	src/compare/compare_parts.h \
	src/compare/compare_reports.c \
	src/compare/compare_sides.c \
	src/compare/compare_text.c \
	src/compare/compare_textures.c \
	src/compare/comparison.c \
	src/compare/comparison.h \
	src/compare/contents.c \
	src/compare/contents.h \
	src/compare/found.c \
	src/compare/found.h \
	src/compare/objects.c \
	src/compare/objects.h \
	src/compare/pixels.c \
	src/compare/pixels.h \
	src/compare/text_diff.c \
	src/compare/text_diff.h \
	src/compare/tsv.c \
	src/compare/tsv.h

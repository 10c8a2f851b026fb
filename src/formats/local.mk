# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/formats/edit_packet.c \
	src/formats/edit_place.c \
	src/formats/format.c \
	src/formats/format.h
EXTRA_DIST += src/formats/gl_registry.awk

# What each format brings: its local.mk, its man page, its types (m4/gpudumpfs.m4), and which of
# these have pictures.
format_types =
format_tables =
pictured_types =
include src/formats/formats.mk

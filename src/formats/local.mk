# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/formats/edit_packet.c \
	src/formats/edit_place.c \
	src/formats/format.c \
	src/formats/format.h
EXTRA_DIST += src/formats/gl_registry.awk

# The parts of each format: its local.mk, its man page, its file types (m4/gpudumpfs.m4), and which
# of these types have pictures.
format_types =
format_tables =
pictured_types =
include src/formats/formats.mk

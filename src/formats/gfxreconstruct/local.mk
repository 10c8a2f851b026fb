# SPDX-License-Identifier: MIT
if HAVE_GFXRECONSTRUCT
libgpudumpfs_a_SOURCES += \
	src/formats/gfxreconstruct/container.c \
	src/formats/gfxreconstruct/container.h \
	src/formats/gfxreconstruct/dump.h \
	src/formats/gfxreconstruct/format.c \
	src/formats/gfxreconstruct/index.c \
	src/formats/gfxreconstruct/index.h \
	src/formats/gfxreconstruct/rules.c \
	src/formats/gfxreconstruct/decode/arrays.c \
	src/formats/gfxreconstruct/decode/calls.c \
	src/formats/gfxreconstruct/decode/decode.h \
	src/formats/gfxreconstruct/decode/meta.c \
	src/formats/gfxreconstruct/decode/scalars.c \
	src/formats/gfxreconstruct/decode/strings.c \
	src/formats/gfxreconstruct/decode/structures.c \
	src/formats/gfxreconstruct/decode/vulkan_data.c \
	src/formats/gfxreconstruct/decode/walk.c \
	src/formats/gfxreconstruct/decode/walk.h \
	src/formats/gfxreconstruct/views/commands.c \
	src/formats/gfxreconstruct/views/frames.c \
	src/formats/gfxreconstruct/views/memory.c \
	src/formats/gfxreconstruct/views/metadata.c \
	src/formats/gfxreconstruct/views/packets.c \
	src/formats/gfxreconstruct/views/views.h
endif

EXTRA_DIST += \
	src/formats/gfxreconstruct/decode/tables.awk \
	src/formats/gfxreconstruct/decode/vulkan.tsv \
	src/formats/gfxreconstruct/decode/vulkan_tables.py

# Generated, but contained in a released source archive.
src/formats/gfxreconstruct/decode/vulkan_data.c: src/formats/gfxreconstruct/decode/tables.awk \
		src/formats/gfxreconstruct/decode/vulkan.tsv
	$(AM_V_GEN)$(MKDIR_P) src/formats/gfxreconstruct/decode && \
	$(AWK) -f $(srcdir)/src/formats/gfxreconstruct/decode/tables.awk \
		$(srcdir)/src/formats/gfxreconstruct/decode/vulkan.tsv >$@.tmp && mv $@.tmp $@
MAINTAINERCLEANFILES += src/formats/gfxreconstruct/decode/vulkan_data.c

# SPDX-License-Identifier: MIT
if HAVE_APITRACE
libgpudumpfs_a_SOURCES += \
	src/formats/apitrace/collections.c \
	src/formats/apitrace/collections.h \
	src/formats/apitrace/container/brotli.c \
	src/formats/apitrace/container/chunk_list.c \
	src/formats/apitrace/container/chunk_read.c \
	src/formats/apitrace/container/container.h \
	src/formats/apitrace/container/elements.h \
	src/formats/apitrace/container/expander.c \
	src/formats/apitrace/container/parts.h \
	src/formats/apitrace/container/probe.c \
	src/formats/apitrace/container/recent.c \
	src/formats/apitrace/container/snappy.c \
	src/formats/apitrace/container/sparse.c \
	src/formats/apitrace/container/stream.c \
	src/formats/apitrace/cut/blocks.c \
	src/formats/apitrace/cut/cursor.c \
	src/formats/apitrace/cut/cut.h \
	src/formats/apitrace/cut/files.c \
	src/formats/apitrace/cut/files.h \
	src/formats/apitrace/cut/sizes.c \
	src/formats/apitrace/cut/window.c \
	src/formats/apitrace/decode/definitions.c \
	src/formats/apitrace/decode/definitions.h \
	src/formats/apitrace/decode/events.c \
	src/formats/apitrace/decode/events.h \
	src/formats/apitrace/decode/gl_calls.c \
	src/formats/apitrace/decode/gl_calls.h \
	src/formats/apitrace/decode/gl_calls_data.c \
	src/formats/apitrace/decode/guids_data.c \
	src/formats/apitrace/decode/literals.c \
	src/formats/apitrace/decode/literals.h \
	src/formats/apitrace/decode/pixels.c \
	src/formats/apitrace/decode/pixels.h \
	src/formats/apitrace/decode/reader.c \
	src/formats/apitrace/decode/reader.h \
	src/formats/apitrace/decode/texture_targets.c \
	src/formats/apitrace/decode/texture_targets.h \
	src/formats/apitrace/dump.c \
	src/formats/apitrace/dump.h \
	src/formats/apitrace/early.c \
	src/formats/apitrace/follow.c \
	src/formats/apitrace/format.c \
	src/formats/apitrace/index/bound_contexts.c \
	src/formats/apitrace/index/bound_contexts.h \
	src/formats/apitrace/index/call.c \
	src/formats/apitrace/index/call.h \
	src/formats/apitrace/index/call_pages.h \
	src/formats/apitrace/index/calls.c \
	src/formats/apitrace/index/calls.h \
	src/formats/apitrace/index/d3d_arguments.c \
	src/formats/apitrace/index/d3d_copies.c \
	src/formats/apitrace/index/d3d_formats.c \
	src/formats/apitrace/index/d3d_index.c \
	src/formats/apitrace/index/d3d_known.c \
	src/formats/apitrace/index/d3d_resources.h \
	src/formats/apitrace/index/d3d_shapes.c \
	src/formats/apitrace/index/d3d_uploads.c \
	src/formats/apitrace/index/index.c \
	src/formats/apitrace/index/index.h \
	src/formats/apitrace/index/kept_build.c \
	src/formats/apitrace/index/kept_calls.c \
	src/formats/apitrace/index/kept_index.c \
	src/formats/apitrace/index/kept_index.h \
	src/formats/apitrace/index/lister.c \
	src/formats/apitrace/index/lister.h \
	src/formats/apitrace/index/object_index.c \
	src/formats/apitrace/index/object_index.h \
	src/formats/apitrace/index/pass.c \
	src/formats/apitrace/index/shader_index.c \
	src/formats/apitrace/index/texture_bindings.c \
	src/formats/apitrace/index/texture_bindings.h \
	src/formats/apitrace/index/texture_index.c \
	src/formats/apitrace/replay/context_state.c \
	src/formats/apitrace/replay/context_state.h \
	src/formats/apitrace/replay/d3d_contents.c \
	src/formats/apitrace/replay/d3d_contents.h \
	src/formats/apitrace/replay/draw_targets.c \
	src/formats/apitrace/replay/drawables.c \
	src/formats/apitrace/replay/mark.c \
	src/formats/apitrace/replay/mark.h \
	src/formats/apitrace/replay/pixel_watch.c \
	src/formats/apitrace/replay/pixel_watch.h \
	src/formats/apitrace/replay/player.c \
	src/formats/apitrace/replay/player.h \
	src/formats/apitrace/replay/presentation.c \
	src/formats/apitrace/replay/presentation.h \
	src/formats/apitrace/replay/readout.c \
	src/formats/apitrace/replay/readout.h \
	src/formats/apitrace/replay/replay_feed.c \
	src/formats/apitrace/replay/replay_feed.h \
	src/formats/apitrace/replay/request.c \
	src/formats/apitrace/replay/request.h \
	src/formats/apitrace/replay/rewind.c \
	src/formats/apitrace/replay/rewind.h \
	src/formats/apitrace/replay/route.c \
	src/formats/apitrace/replay/route.h \
	src/formats/apitrace/replay/shader_prewarm.c \
	src/formats/apitrace/replay/shader_prewarm.h \
	src/formats/apitrace/replay/shader_translator.c \
	src/formats/apitrace/replay/shader_translator.h \
	src/formats/apitrace/replay/startup.c \
	src/formats/apitrace/replay/startup.h \
	src/formats/apitrace/replay/wanted_frames.c \
	src/formats/apitrace/replay/wanted_frames.h \
	src/formats/apitrace/rules.c \
	src/formats/apitrace/views/blobs.c \
	src/formats/apitrace/views/commands.c \
	src/formats/apitrace/views/coverage.c \
	src/formats/apitrace/views/cuts.c \
	src/formats/apitrace/views/d3d_contents.c \
	src/formats/apitrace/views/d3d_images.c \
	src/formats/apitrace/views/d3d_uploads.c \
	src/formats/apitrace/views/draw_parts.c \
	src/formats/apitrace/views/draw_texts.c \
	src/formats/apitrace/views/draws.h \
	src/formats/apitrace/views/frames.c \
	src/formats/apitrace/views/metadata.c \
	src/formats/apitrace/views/packets.c \
	src/formats/apitrace/views/pictures.c \
	src/formats/apitrace/views/pixels.c \
	src/formats/apitrace/views/print.c \
	src/formats/apitrace/views/print.h \
	src/formats/apitrace/views/print_pass.c \
	src/formats/apitrace/views/print_values.c \
	src/formats/apitrace/views/printer.h \
	src/formats/apitrace/views/resources.c \
	src/formats/apitrace/views/shaders.c \
	src/formats/apitrace/views/state.c \
	src/formats/apitrace/views/tables.c \
	src/formats/apitrace/views/textures.c \
	src/formats/apitrace/views/views.h
endif

EXTRA_DIST += \
	src/formats/apitrace/decode/gl_calls.awk \
	src/formats/apitrace/decode/gl_calls.tsv \
	src/formats/apitrace/decode/guids.awk \
	src/formats/apitrace/decode/guids.tsv

# Generated, but contained in a released source archive.
src/formats/apitrace/decode/gl_calls_data.c: src/formats/apitrace/decode/gl_calls.awk \
		src/formats/apitrace/decode/gl_calls.tsv
	$(AM_V_GEN)$(MKDIR_P) src/formats/apitrace/decode && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/apitrace/decode/gl_calls.awk \
		$(srcdir)/src/formats/apitrace/decode/gl_calls.tsv >$@.tmp && mv $@.tmp $@
src/formats/apitrace/decode/guids_data.c: src/formats/apitrace/decode/guids.awk \
		src/formats/apitrace/decode/guids.tsv
	$(AM_V_GEN)$(MKDIR_P) src/formats/apitrace/decode && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/formats/apitrace/decode/guids.awk \
		$(srcdir)/src/formats/apitrace/decode/guids.tsv >$@.tmp && mv $@.tmp $@
MAINTAINERCLEANFILES += \
	src/formats/apitrace/decode/gl_calls_data.c \
	src/formats/apitrace/decode/guids_data.c

# The sources on which an index depends. A kept index that was made by sources with another checksum
# is not used.
apitrace_index_sources = \
	src/formats/apitrace/collections.c \
	src/formats/apitrace/collections.h \
	src/formats/apitrace/container/brotli.c \
	src/formats/apitrace/container/chunk_list.c \
	src/formats/apitrace/container/chunk_read.c \
	src/formats/apitrace/container/container.h \
	src/formats/apitrace/container/parts.h \
	src/formats/apitrace/container/probe.c \
	src/formats/apitrace/container/snappy.c \
	src/formats/apitrace/container/sparse.c \
	src/formats/apitrace/container/stream.c \
	src/formats/apitrace/decode/definitions.c \
	src/formats/apitrace/decode/definitions.h \
	src/formats/apitrace/decode/events.c \
	src/formats/apitrace/decode/events.h \
	src/formats/apitrace/decode/gl_calls.awk \
	src/formats/apitrace/decode/gl_calls.c \
	src/formats/apitrace/decode/gl_calls.h \
	src/formats/apitrace/decode/gl_calls.tsv \
	src/formats/apitrace/decode/reader.c \
	src/formats/apitrace/decode/reader.h \
	src/formats/apitrace/index/call_pages.h \
	src/formats/apitrace/index/calls.c \
	src/formats/apitrace/index/calls.h \
	src/formats/apitrace/index/index.c \
	src/formats/apitrace/index/index.h \
	src/formats/apitrace/index/kept_calls.c \
	src/formats/apitrace/index/kept_index.c \
	src/formats/apitrace/index/kept_index.h \
	src/formats/apitrace/index/lister.c \
	src/formats/apitrace/index/lister.h \
	src/formats/apitrace/index/pass.c

src/formats/apitrace/index/kept_build.c: $(apitrace_index_sources)
	$(AM_V_GEN)$(MKDIR_P) src/formats/apitrace/index && \
	sum=`for file in $(apitrace_index_sources); do cat $(srcdir)/$$file; done | cksum` && \
	printf '/* SPDX-License-Identifier: MIT */\nextern const char apitrace_index_build[];\nconst char apitrace_index_build[] = "%s";\n' \
		"$$sum" >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/formats/apitrace/index/kept_build.c

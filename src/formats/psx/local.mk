# SPDX-License-Identifier: MIT
dist_doc_DATA += docs/psx-assembly.md docs/psx-dump.md docs/psx-gpu.md

libgpudumpfs_a_SOURCES += \
	src/formats/psx/assembly/assemble.c \
	src/formats/psx/assembly/assembly.h \
	src/formats/psx/assembly/disassemble.c \
	src/formats/psx/assembly/edit.c \
	src/formats/psx/assembly/encode.c \
	src/formats/psx/assembly/encode.h \
	src/formats/psx/assembly/encode_shape.c \
	src/formats/psx/assembly/encoding.h \
	src/formats/psx/assembly/scan.c \
	src/formats/psx/assembly/scan.h \
	src/formats/psx/assembly/texture_edit.c \
	src/formats/psx/assembly/texture_edit.h \
	src/formats/psx/container.c \
	src/formats/psx/container.h \
	src/formats/psx/cut/cut.c \
	src/formats/psx/cut/cut.h \
	src/formats/psx/cut/restore.c \
	src/formats/psx/cut/restore.h \
	src/formats/psx/diagnostics.c \
	src/formats/psx/diagnostics.h \
	src/formats/psx/dump.h \
	src/formats/psx/early.c \
	src/formats/psx/follow.c \
	src/formats/psx/format.c \
	src/formats/psx/frame/command_finder.c \
	src/formats/psx/frame/coverage.c \
	src/formats/psx/frame/coverage.h \
	src/formats/psx/frame/frame.h \
	src/formats/psx/frame/frame_cost.c \
	src/formats/psx/frame/frame_cost.h \
	src/formats/psx/frame/frame_player.c \
	src/formats/psx/frame/frame_textures.c \
	src/formats/psx/frame/frame_trace.c \
	src/formats/psx/frame/pixel_history.c \
	src/formats/psx/frame/pixel_history.h \
	src/formats/psx/frame/texture_catalog.c \
	src/formats/psx/frame/texture_identity.c \
	src/formats/psx/frame/texture_use.c \
	src/formats/psx/frame/textures.h \
	src/formats/psx/gpu/clut.c \
	src/formats/psx/gpu/cost.c \
	src/formats/psx/gpu/cost.h \
	src/formats/psx/gpu/draw.c \
	src/formats/psx/gpu/draw.h \
	src/formats/psx/gpu/gp0.c \
	src/formats/psx/gpu/gp0.h \
	src/formats/psx/gpu/gpu.c \
	src/formats/psx/gpu/gpu.h \
	src/formats/psx/gpu/pixel.h \
	src/formats/psx/gpu/raster.c \
	src/formats/psx/gpu/raster.h \
	src/formats/psx/gpu/raster_cached.c \
	src/formats/psx/gpu/raster_gather.inc \
	src/formats/psx/gpu/raster_lanes.inc \
	src/formats/psx/gpu/raster_line.c \
	src/formats/psx/gpu/raster_pixels.inc \
	src/formats/psx/gpu/raster_pixels.inc \
	src/formats/psx/gpu/raster_polygon.c \
	src/formats/psx/gpu/raster_rows.inc \
	src/formats/psx/gpu/raster_shade.c \
	src/formats/psx/gpu/raster_table.inc \
	src/formats/psx/gpu/raster_texel.h \
	src/formats/psx/gpu/registers.c \
	src/formats/psx/gpu/registers.h \
	src/formats/psx/gpu/scanout.c \
	src/formats/psx/gpu/scanout.h \
	src/formats/psx/gpu/state.c \
	src/formats/psx/gpu/state.h \
	src/formats/psx/gpu/texel_cache.c \
	src/formats/psx/gpu/texel_cache.h \
	src/formats/psx/gpu/texel_reach.c \
	src/formats/psx/gpu/texel_reach.h \
	src/formats/psx/gpu/texel_trace.c \
	src/formats/psx/gpu/texel_trace.h \
	src/formats/psx/gpu/transfer.c \
	src/formats/psx/index/command_index.c \
	src/formats/psx/index/command_pass.h \
	src/formats/psx/index/effects.c \
	src/formats/psx/index/effects.h \
	src/formats/psx/index/origin.c \
	src/formats/psx/index/origin.h \
	src/formats/psx/index/frame_reuse.c \
	src/formats/psx/index/gpu_ops.c \
	src/formats/psx/index/gpu_ops.h \
	src/formats/psx/index/index.c \
	src/formats/psx/index/index.h \
	src/formats/psx/index/indexing.c \
	src/formats/psx/index/indexing.h \
	src/formats/psx/index/kept_build.c \
	src/formats/psx/index/kept_index.c \
	src/formats/psx/index/kept_index.h \
	src/formats/psx/index/packet_index.c \
	src/formats/psx/index/packet_pass.h \
	src/formats/psx/index/packet_reuse.c \
	src/formats/psx/index/parser_state.c \
	src/formats/psx/index/repeats.c \
	src/formats/psx/index/sketch.c \
	src/formats/psx/index/sketch.h \
	src/formats/psx/index/sketch_join.c \
	src/formats/psx/index/sketch_pass.h \
	src/formats/psx/index/sketch_run.c \
	src/formats/psx/index/sketch_texels.c \
	src/formats/psx/index/stale_runs.c \
	src/formats/psx/index/stale_runs.h \
	src/formats/psx/index/stretch_writes.c \
	src/formats/psx/index/stretch_writes.h \
	src/formats/psx/index/tile_summary.c \
	src/formats/psx/index/tile_summary.h \
	src/formats/psx/index/tile_summary_store.c \
	src/formats/psx/index/tile_summary_store.h \
	src/formats/psx/index/tiles.h \
	src/formats/psx/index/upload_list.c \
	src/formats/psx/index/upload_list.h \
	src/formats/psx/index/walk.c \
	src/formats/psx/index/walk.h \
	src/formats/psx/information.c \
	src/formats/psx/information.h \
	src/formats/psx/options.c \
	src/formats/psx/options.h \
	src/formats/psx/reduce/items.c \
	src/formats/psx/reduce/items.h \
	src/formats/psx/reduce/pairing.c \
	src/formats/psx/reduce/pairing.h \
	src/formats/psx/reduce/play.c \
	src/formats/psx/reduce/play.h \
	src/formats/psx/reduce/reduce.c \
	src/formats/psx/reduce/reduce.h \
	src/formats/psx/replay/ahead.c \
	src/formats/psx/replay/ahead.h \
	src/formats/psx/replay/gpu_instance.c \
	src/formats/psx/replay/gpu_instance.h \
	src/formats/psx/replay/keyframe_builder.c \
	src/formats/psx/replay/keyframe_builder.h \
	src/formats/psx/replay/keyframe_store.c \
	src/formats/psx/replay/keyframe_store.h \
	src/formats/psx/replay/pixel_cover.c \
	src/formats/psx/replay/pixel_cover.h \
	src/formats/psx/replay/replay.c \
	src/formats/psx/replay/replay.h \
	src/formats/psx/replay/slice.c \
	src/formats/psx/replay/slice.h \
	src/formats/psx/replay/tile_liveness.c \
	src/formats/psx/replay/tile_liveness.h \
	src/formats/psx/rules.c \
	src/formats/psx/views/buffers.c \
	src/formats/psx/views/buffers.h \
	src/formats/psx/views/command_table.c \
	src/formats/psx/views/commands.c \
	src/formats/psx/views/commands.h \
	src/formats/psx/views/cuts.c \
	src/formats/psx/views/draw_ids.c \
	src/formats/psx/views/draws.c \
	src/formats/psx/views/format_command.c \
	src/formats/psx/views/frames.c \
	src/formats/psx/views/metadata.c \
	src/formats/psx/views/overdraw.c \
	src/formats/psx/views/packets.c \
	src/formats/psx/views/pictures.c \
	src/formats/psx/views/pixel_table.c \
	src/formats/psx/views/rows.c \
	src/formats/psx/views/rows.h \
	src/formats/psx/views/samples.c \
	src/formats/psx/views/statistics.c \
	src/formats/psx/views/texture_places.c \
	src/formats/psx/views/textures.c \
	src/formats/psx/views/uploads.c \
	src/formats/psx/views/views.h \
	src/formats/psx/views/wireframe.c

noinst_LIBRARIES += src/formats/psx/gpu/liblanes.a
src_formats_psx_gpu_liblanes_a_SOURCES = \
	src/formats/psx/gpu/raster_lanes.c
src_formats_psx_gpu_liblanes_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_gpu_liblanes_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_gpu_liblanes_a_OBJECTS)
if HAVE_AVX2
noinst_LIBRARIES += src/formats/psx/gpu/libavx2.a
src_formats_psx_gpu_libavx2_a_SOURCES = \
	src/formats/psx/gpu/raster_avx2.c
src_formats_psx_gpu_libavx2_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX2_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_gpu_libavx2_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_gpu_libavx2_a_OBJECTS)
endif
if HAVE_AVX512
noinst_LIBRARIES += src/formats/psx/gpu/libavx512.a
src_formats_psx_gpu_libavx512_a_SOURCES = src/formats/psx/gpu/raster_avx512.c
src_formats_psx_gpu_libavx512_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX512_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_gpu_libavx512_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_gpu_libavx512_a_OBJECTS)
endif

# Generated: a checksum of these sources. A kept index can be used only by the code that made it.
psx_index_sources = \
	src/base/bytes.h \
	src/formats/psx/container.c \
	src/formats/psx/container.h \
	src/formats/psx/diagnostics.c \
	src/formats/psx/diagnostics.h \
	src/formats/psx/gpu/clut.c \
	src/formats/psx/gpu/draw.c \
	src/formats/psx/gpu/draw.h \
	src/formats/psx/gpu/gp0.c \
	src/formats/psx/gpu/gp0.h \
	src/formats/psx/gpu/registers.c \
	src/formats/psx/gpu/registers.h \
	src/formats/psx/gpu/scanout.c \
	src/formats/psx/gpu/scanout.h \
	src/formats/psx/gpu/state.c \
	src/formats/psx/gpu/state.h \
	src/formats/psx/gpu/texel_reach.c \
	src/formats/psx/gpu/texel_reach.h \
	src/formats/psx/index/command_index.c \
	src/formats/psx/index/command_pass.h \
	src/formats/psx/index/effects.c \
	src/formats/psx/index/effects.h \
	src/formats/psx/index/index.c \
	src/formats/psx/index/index.h \
	src/formats/psx/index/indexing.c \
	src/formats/psx/index/indexing.h \
	src/formats/psx/index/kept_index.c \
	src/formats/psx/index/kept_index.h \
	src/formats/psx/index/packet_index.c \
	src/formats/psx/index/parser_state.c \
	src/formats/psx/index/repeats.c \
	src/formats/psx/index/stale_runs.c \
	src/formats/psx/index/stale_runs.h \
	src/formats/psx/index/stretch_writes.c \
	src/formats/psx/index/stretch_writes.h \
	src/formats/psx/index/tile_summary.c \
	src/formats/psx/index/tile_summary.h \
	src/formats/psx/index/tile_summary_store.c \
	src/formats/psx/index/tile_summary_store.h \
	src/formats/psx/index/tiles.h \
	src/formats/psx/index/upload_list.c \
	src/formats/psx/index/upload_list.h \
	src/formats/psx/index/walk.c \
	src/formats/psx/index/walk.h \
	src/formats/psx/information.c \
	src/formats/psx/information.h

src/formats/psx/index/kept_build.c: $(psx_index_sources)
	$(AM_V_GEN)$(MKDIR_P) src/formats/psx/index && \
	sum=`for file in $(psx_index_sources); do cat $(srcdir)/$$file; done | cksum` && \
	printf '/* SPDX-License-Identifier: MIT */\nextern const char psx_index_build[];\nconst char psx_index_build[] = "%s";\n' \
		"$$sum" >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/formats/psx/index/kept_build.c

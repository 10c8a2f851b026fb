dist_noinst_DATA += docs/psx-dump.md docs/psx-gpu.md

libgpudumpfs_a_SOURCES += \
	src/formats/psx/container.c \
	src/formats/psx/container.h \
	src/formats/psx/diagnostics.c \
	src/formats/psx/diagnostics.h \
	src/formats/psx/dump.h \
	src/formats/psx/follow.c \
	src/formats/psx/follow.h \
	src/formats/psx/format.c \
	src/formats/psx/frame/command_finder.c \
	src/formats/psx/frame/command_finder.h \
	src/formats/psx/frame/frame.c \
	src/formats/psx/frame/frame.h \
	src/formats/psx/frame/frame_inputs.c \
	src/formats/psx/frame/frame_inputs.h \
	src/formats/psx/frame/frame_player.c \
	src/formats/psx/frame/frame_player.h \
	src/formats/psx/frame/frame_textures.c \
	src/formats/psx/frame/frame_textures.h \
	src/formats/psx/frame/frame_trace.c \
	src/formats/psx/frame/frame_trace.h \
	src/formats/psx/frame/sampling.c \
	src/formats/psx/frame/sampling.h \
	src/formats/psx/frame/texel.h \
	src/formats/psx/frame/texture_catalog.c \
	src/formats/psx/frame/texture_catalog.h \
	src/formats/psx/frame/texture_identity.c \
	src/formats/psx/frame/texture_identity.h \
	src/formats/psx/frame/write_log.c \
	src/formats/psx/frame/write_log.h \
	src/formats/psx/gpu/device.h \
	src/formats/psx/gpu/draw.c \
	src/formats/psx/gpu/draw.h \
	src/formats/psx/gpu/field.c \
	src/formats/psx/gpu/field.h \
	src/formats/psx/gpu/gp0.c \
	src/formats/psx/gpu/gp0.h \
	src/formats/psx/gpu/gpu.c \
	src/formats/psx/gpu/gpu.h \
	src/formats/psx/gpu/halfwords.h \
	src/formats/psx/gpu/pixel.c \
	src/formats/psx/gpu/pixel.h \
	src/formats/psx/gpu/raster.c \
	src/formats/psx/gpu/raster.h \
	src/formats/psx/gpu/raster_gather.inc \
	src/formats/psx/gpu/raster_lanes.inc \
	src/formats/psx/gpu/raster_line.c \
	src/formats/psx/gpu/raster_polygon.c \
	src/formats/psx/gpu/raster_rectangle.c \
	src/formats/psx/gpu/raster_rows.inc \
	src/formats/psx/gpu/raster_shade.c \
	src/formats/psx/gpu/raster_table.inc \
	src/formats/psx/gpu/raster_texel.h \
	src/formats/psx/gpu/registers.c \
	src/formats/psx/gpu/registers.h \
	src/formats/psx/gpu/runs.c \
	src/formats/psx/gpu/runs.h \
	src/formats/psx/gpu/runs_lanes.inc \
	src/formats/psx/gpu/scanout.c \
	src/formats/psx/gpu/scanout.h \
	src/formats/psx/gpu/state.c \
	src/formats/psx/gpu/state.h \
	src/formats/psx/gpu/transfer.c \
	src/formats/psx/gpu/transfer.h \
	src/formats/psx/index/command_index.c \
	src/formats/psx/index/command_index.h \
	src/formats/psx/index/effects.c \
	src/formats/psx/index/effects.h \
	src/formats/psx/index/gpu_ops.c \
	src/formats/psx/index/gpu_ops.h \
	src/formats/psx/index/index.c \
	src/formats/psx/index/index.h \
	src/formats/psx/index/indexing.c \
	src/formats/psx/index/indexing.h \
	src/formats/psx/index/information.c \
	src/formats/psx/index/information.h \
	src/formats/psx/index/packet_index.c \
	src/formats/psx/index/packet_index.h \
	src/formats/psx/index/parser_state.c \
	src/formats/psx/index/parser_state.h \
	src/formats/psx/index/tile_summary.c \
	src/formats/psx/index/tile_summary.h \
	src/formats/psx/index/tile_summary_store.c \
	src/formats/psx/index/tile_summary_store.h \
	src/formats/psx/index/tiles.h \
	src/formats/psx/index/walk.c \
	src/formats/psx/index/walk.h \
	src/formats/psx/options.c \
	src/formats/psx/options.h \
	src/formats/psx/replay/gpu_instance.c \
	src/formats/psx/replay/gpu_instance.h \
	src/formats/psx/replay/gpu_instance_pool.c \
	src/formats/psx/replay/gpu_instance_pool.h \
	src/formats/psx/replay/keyframe_builder.c \
	src/formats/psx/replay/keyframe_builder.h \
	src/formats/psx/replay/keyframe_store.c \
	src/formats/psx/replay/keyframe_store.h \
	src/formats/psx/replay/replay.c \
	src/formats/psx/replay/replay.h \
	src/formats/psx/replay/slice.c \
	src/formats/psx/replay/slice.h \
	src/formats/psx/replay/tile_liveness.c \
	src/formats/psx/replay/tile_liveness.h \
	src/formats/psx/replay/vram_request.c \
	src/formats/psx/replay/vram_request.h \
	src/formats/psx/rules.c \
	src/formats/psx/rules.h \
	src/formats/psx/views/command_lines.c \
	src/formats/psx/views/command_lines.h \
	src/formats/psx/views/commands.c \
	src/formats/psx/views/commands.h \
	src/formats/psx/views/draw_table.c \
	src/formats/psx/views/draws.c \
	src/formats/psx/views/flips.c \
	src/formats/psx/views/flips.h \
	src/formats/psx/views/format_command.c \
	src/formats/psx/views/format_command.h \
	src/formats/psx/views/frame_files.h \
	src/formats/psx/views/frame_info.c \
	src/formats/psx/views/frame_state.c \
	src/formats/psx/views/frames.c \
	src/formats/psx/views/frames.h \
	src/formats/psx/views/metadata.c \
	src/formats/psx/views/metadata.h \
	src/formats/psx/views/overdraw.c \
	src/formats/psx/views/packets.c \
	src/formats/psx/views/packets.h \
	src/formats/psx/views/paint.c \
	src/formats/psx/views/paint.h \
	src/formats/psx/views/pictures.c \
	src/formats/psx/views/pictures.h \
	src/formats/psx/views/statistics.c \
	src/formats/psx/views/texture_tables.c \
	src/formats/psx/views/textures.c \
	src/formats/psx/views/uploads.c \
	src/formats/psx/views/wireframe.c

noinst_LIBRARIES += src/formats/psx/gpu/liblanes.a
src_formats_psx_gpu_liblanes_a_SOURCES = \
	src/formats/psx/gpu/raster_lanes.c \
	src/formats/psx/gpu/runs_lanes.c
src_formats_psx_gpu_liblanes_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_gpu_liblanes_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_gpu_liblanes_a_OBJECTS)
if HAVE_AVX2
noinst_LIBRARIES += src/formats/psx/gpu/libavx2.a
src_formats_psx_gpu_libavx2_a_SOURCES = \
	src/formats/psx/gpu/raster_avx2.c \
	src/formats/psx/gpu/runs_avx2.c
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

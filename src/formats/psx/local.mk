libgpudumpfs_a_SOURCES += \
	src/formats/psx/acts.c \
	src/formats/psx/acts.h \
	src/formats/psx/commands.c \
	src/formats/psx/commands.h \
	src/formats/psx/deep.c \
	src/formats/psx/deep.h \
	src/formats/psx/defects.c \
	src/formats/psx/defects.h \
	src/formats/psx/draw.c \
	src/formats/psx/draw.h \
	src/formats/psx/effects.c \
	src/formats/psx/effects.h \
	src/formats/psx/field.c \
	src/formats/psx/field.h \
	src/formats/psx/follow.c \
	src/formats/psx/follow.h \
	src/formats/psx/format_command.c \
	src/formats/psx/format_command.h \
	src/formats/psx/frame_info.c \
	src/formats/psx/frame_state.c \
	src/formats/psx/frame_text.c \
	src/formats/psx/frame_text.h \
	src/formats/psx/gp0.c \
	src/formats/psx/gp0.h \
	src/formats/psx/gpu.c \
	src/formats/psx/gpu.h \
	src/formats/psx/halfwords.h \
	src/formats/psx/index.c \
	src/formats/psx/index.h \
	src/formats/psx/information.c \
	src/formats/psx/information.h \
	src/formats/psx/inside/census.c \
	src/formats/psx/inside/census.h \
	src/formats/psx/inside/draw_table.c \
	src/formats/psx/inside/draws.c \
	src/formats/psx/inside/find.c \
	src/formats/psx/inside/find.h \
	src/formats/psx/inside/flips.c \
	src/formats/psx/inside/flips.h \
	src/formats/psx/inside/inside.c \
	src/formats/psx/inside/inside.h \
	src/formats/psx/inside/needs.c \
	src/formats/psx/inside/needs.h \
	src/formats/psx/inside/overdraw.c \
	src/formats/psx/inside/paint.c \
	src/formats/psx/inside/paint.h \
	src/formats/psx/inside/player.c \
	src/formats/psx/inside/player.h \
	src/formats/psx/inside/sampling.c \
	src/formats/psx/inside/sampling.h \
	src/formats/psx/inside/statistics.c \
	src/formats/psx/inside/survey.c \
	src/formats/psx/inside/survey.h \
	src/formats/psx/inside/tables.c \
	src/formats/psx/inside/texel.h \
	src/formats/psx/inside/textures.c \
	src/formats/psx/inside/trail.c \
	src/formats/psx/inside/trail.h \
	src/formats/psx/inside/uploads.c \
	src/formats/psx/inside/versions.c \
	src/formats/psx/inside/versions.h \
	src/formats/psx/inside/watch.c \
	src/formats/psx/inside/watch.h \
	src/formats/psx/inside/wireframe.c \
	src/formats/psx/keyframer.c \
	src/formats/psx/keyframer.h \
	src/formats/psx/keyframes.c \
	src/formats/psx/keyframes.h \
	src/formats/psx/lines.c \
	src/formats/psx/lines.h \
	src/formats/psx/machine.c \
	src/formats/psx/machine.h \
	src/formats/psx/machines.c \
	src/formats/psx/machines.h \
	src/formats/psx/metadata.c \
	src/formats/psx/metadata.h \
	src/formats/psx/observer.h \
	src/formats/psx/options.c \
	src/formats/psx/options.h \
	src/formats/psx/packet.c \
	src/formats/psx/packet.h \
	src/formats/psx/pixel.c \
	src/formats/psx/pixel.h \
	src/formats/psx/places.c \
	src/formats/psx/places.h \
	src/formats/psx/plan.c \
	src/formats/psx/plan.h \
	src/formats/psx/psx.c \
	src/formats/psx/psx.h \
	src/formats/psx/raster.c \
	src/formats/psx/raster.h \
	src/formats/psx/raster_gather.inc \
	src/formats/psx/raster_lanes.inc \
	src/formats/psx/raster_line.c \
	src/formats/psx/raster_polygon.c \
	src/formats/psx/raster_rectangle.c \
	src/formats/psx/raster_rows.inc \
	src/formats/psx/raster_shade.c \
	src/formats/psx/raster_table.inc \
	src/formats/psx/raster_texel.h \
	src/formats/psx/registers.c \
	src/formats/psx/registers.h \
	src/formats/psx/replay.c \
	src/formats/psx/replay.h \
	src/formats/psx/rules.c \
	src/formats/psx/rules.h \
	src/formats/psx/runs.c \
	src/formats/psx/runs.h \
	src/formats/psx/runs_lanes.inc \
	src/formats/psx/scanout.c \
	src/formats/psx/scanout.h \
	src/formats/psx/skim.c \
	src/formats/psx/skim.h \
	src/formats/psx/state.c \
	src/formats/psx/state.h \
	src/formats/psx/summaries.c \
	src/formats/psx/summaries.h \
	src/formats/psx/summary.c \
	src/formats/psx/summary.h \
	src/formats/psx/tables.c \
	src/formats/psx/tables.h \
	src/formats/psx/tile_liveness.c \
	src/formats/psx/tile_liveness.h \
	src/formats/psx/tiles.h \
	src/formats/psx/transfer.c \
	src/formats/psx/transfer.h \
	src/formats/psx/views.c \
	src/formats/psx/views.h \
	src/formats/psx/walk.c \
	src/formats/psx/walk.h \
	src/formats/psx/want.c \
	src/formats/psx/want.h

noinst_LIBRARIES += src/formats/psx/liblanes.a
src_formats_psx_liblanes_a_SOURCES = src/formats/psx/raster_lanes.c src/formats/psx/runs_lanes.c
src_formats_psx_liblanes_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_liblanes_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_liblanes_a_OBJECTS)
if HAVE_AVX2
noinst_LIBRARIES += src/formats/psx/libavx2.a
src_formats_psx_libavx2_a_SOURCES = src/formats/psx/raster_avx2.c src/formats/psx/runs_avx2.c
src_formats_psx_libavx2_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX2_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_libavx2_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_libavx2_a_OBJECTS)
endif
if HAVE_AVX512
noinst_LIBRARIES += src/formats/psx/libavx512.a
src_formats_psx_libavx512_a_SOURCES = src/formats/psx/raster_avx512.c
src_formats_psx_libavx512_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX512_CFLAGS)
libgpudumpfs_a_LIBADD += $(src_formats_psx_libavx512_a_OBJECTS)
libgpudumpfs_a_DEPENDENCIES += $(src_formats_psx_libavx512_a_OBJECTS)
endif

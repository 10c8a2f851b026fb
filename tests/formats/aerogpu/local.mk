# SPDX-License-Identifier: MIT
# Tests of the AeroGPU format.
unit_tests += \
	tests/formats/aerogpu/test_cancel \
	tests/formats/aerogpu/test_conformance \
	tests/formats/aerogpu/test_drawn \
	tests/formats/aerogpu/test_fixtures \
	tests/formats/aerogpu/test_follow \
	tests/formats/aerogpu/test_format \
	tests/formats/aerogpu/test_layout \
	tests/formats/aerogpu/test_packets \
	tests/formats/aerogpu/test_random \
	tests/formats/aerogpu/test_streams \
	tests/formats/aerogpu/test_texels \
	tests/formats/aerogpu/test_trace
if HAVE_WORKER
unit_tests += \
	tests/formats/aerogpu/test_cut \
	tests/formats/aerogpu/test_cut_handles \
	tests/formats/aerogpu/test_draw_files \
	tests/formats/aerogpu/test_history \
	tests/formats/aerogpu/test_scenes
endif
test_scripts += \
	tests/formats/aerogpu/mount.tap \
	tests/formats/aerogpu/mutations.tap
thread_tests += \
	tests/formats/aerogpu/test_follow
valgrind_tests += \
	tests/formats/aerogpu/test_format \
	tests/formats/aerogpu/test_layout \
	tests/formats/aerogpu/test_packets \
	tests/formats/aerogpu/test_streams \
	tests/formats/aerogpu/test_texels \
	tests/formats/aerogpu/test_trace
fuzz_targets += \
	tests/fuzz/fuzz_aerogpu_commands \
	tests/fuzz/fuzz_aerogpu_container \
	tests/fuzz/fuzz_aerogpu_dump \
	tests/fuzz/fuzz_aerogpu_shaders
tests_fuzz_fuzz_aerogpu_dump_SOURCES = tests/fuzz/fuzz_aerogpu_dump.c $(fuzz_tree)

tests_formats_aerogpu_test_cut_SOURCES = \
	$(cut_sources) \
	$(open_sources) \
	$(scene_sources) \
	tests/formats/aerogpu/random.c \
	tests/formats/aerogpu/random.h \
	tests/formats/aerogpu/test_cut.c
tests_formats_aerogpu_test_cut_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_cut_handles_SOURCES = \
	$(cut_sources) \
	$(open_sources) \
	tests/formats/aerogpu/test_cut_handles.c
tests_formats_aerogpu_test_cut_handles_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_drawn_SOURCES = $(open_sources) tests/formats/aerogpu/test_drawn.c
tests_formats_aerogpu_test_drawn_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_fixtures_SOURCES = $(open_sources) tests/formats/aerogpu/test_fixtures.c
tests_formats_aerogpu_test_fixtures_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_follow_SOURCES = $(scene_sources) tests/formats/aerogpu/test_follow.c
tests_formats_aerogpu_test_follow_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_format_SOURCES = \
	$(frame_sources) \
	$(open_sources) \
	tests/formats/aerogpu/test_format.c
tests_formats_aerogpu_test_format_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_draw_files_SOURCES = \
	$(open_sources) \
	$(scene_sources) \
	tests/formats/aerogpu/test_draw_files.c
tests_formats_aerogpu_test_draw_files_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_history_SOURCES = \
	$(open_sources) \
	$(scene_sources) \
	tests/formats/aerogpu/random.c \
	tests/formats/aerogpu/random.h \
	tests/formats/aerogpu/test_history.c
tests_formats_aerogpu_test_history_LDADD = examples/libtracewriter.a $(LDADD)
cut_sources = \
	$(frame_sources) \
	tests/formats/aerogpu/cuts.c \
	tests/formats/aerogpu/cuts.h
frame_sources = \
	tests/formats/aerogpu/frames.c \
	tests/formats/aerogpu/frames.h
open_sources = \
	tests/formats/aerogpu/open.c \
	tests/formats/aerogpu/open.h
tests_formats_aerogpu_test_random_SOURCES = \
	$(open_sources) \
	tests/formats/aerogpu/random.c \
	tests/formats/aerogpu/random.h \
	tests/formats/aerogpu/test_random.c
tests_formats_aerogpu_test_random_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_streams_SOURCES = \
	$(frame_sources) \
	$(open_sources) \
	tests/formats/aerogpu/test_streams.c
tests_formats_aerogpu_test_streams_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_trace_LDADD = examples/libtracewriter.a $(LDADD)
tests_formats_aerogpu_test_scenes_SOURCES = $(scene_sources) tests/formats/aerogpu/test_scenes.c
tests_formats_aerogpu_test_scenes_LDADD = examples/libtracewriter.a $(LDADD)

tests_formats_aerogpu_test_conformance_SOURCES = \
	$(open_sources) \
	$(scene_sources) \
	tests/formats/aerogpu/test_conformance.c
tests_formats_aerogpu_test_conformance_LDADD = examples/libtracewriter.a $(LDADD)

# Writes traces of all commands, with the results that are expected of them.
if HAVE_CMOCKA
check_PROGRAMS += tests/formats/aerogpu/mkaerogpu
bench_makers = tests/formats/aerogpu/mkaerogpu
tests_formats_aerogpu_mkaerogpu_SOURCES = $(scene_sources) tests/formats/aerogpu/mkaerogpu.c
tests_formats_aerogpu_mkaerogpu_LDADD = examples/libtracewriter.a $(support_libs)
endif
scene_sources = \
	tests/formats/aerogpu/make.c \
	tests/formats/aerogpu/make.h \
	tests/formats/aerogpu/paint.c \
	tests/formats/aerogpu/paint.h \
	tests/formats/aerogpu/scenes_data.c \
	tests/formats/aerogpu/scenes_raster.c \
	tests/formats/aerogpu/scenes_shaders.c

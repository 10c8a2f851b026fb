# Tests of the AeroGPU format.
unit_tests += \
	tests/test_conformance_aerogpu \
	tests/test_aerogpu_drawn \
	tests/test_aerogpu_dxbc \
	tests/test_aerogpu_fixtures \
	tests/test_aerogpu_follow \
	tests/test_aerogpu_format \
	tests/test_aerogpu_layout \
	tests/test_aerogpu_packets \
	tests/test_aerogpu_random \
	tests/test_aerogpu_texels \
	tests/test_aerogpu_trace
if HAVE_WORKER
unit_tests += tests/test_aerogpu_scenes
endif
fuzz_targets += \
	tests/fuzz_aerogpu_dump
test_scripts += \
	tests/aerogpu_mount.tap \
	tests/aerogpu_mutations.tap

tests_fuzz_aerogpu_dump_SOURCES = tests/fuzz_aerogpu_dump.c tests/fuzz_tree.c tests/fuzz_tree.h
tests_test_aerogpu_drawn_SOURCES = $(open_sources) tests/test_aerogpu_drawn.c
tests_test_aerogpu_drawn_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_fixtures_SOURCES = $(open_sources) tests/test_aerogpu_fixtures.c
tests_test_aerogpu_fixtures_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_follow_SOURCES = $(scene_sources) tests/test_aerogpu_follow.c
tests_test_aerogpu_follow_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_format_SOURCES = $(open_sources) tests/test_aerogpu_format.c
tests_test_aerogpu_format_LDADD = examples/libtracewriter.a $(LDADD)
open_sources = \
	tests/aerogpu_open.c \
	tests/aerogpu_open.h
tests_test_aerogpu_random_SOURCES = \
	tests/aerogpu_random.c \
	tests/aerogpu_random.h \
	tests/test_aerogpu_random.c
tests_test_aerogpu_random_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_trace_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_scenes_SOURCES = $(scene_sources) tests/test_aerogpu_scenes.c
tests_test_aerogpu_scenes_LDADD = examples/libtracewriter.a $(LDADD)

tests_test_conformance_aerogpu_SOURCES = \
	$(open_sources) \
	$(scene_sources) \
	tests/test_conformance_aerogpu.c
tests_test_conformance_aerogpu_LDADD = examples/libtracewriter.a $(LDADD)

# Traces of all commands, and what they show.
if HAVE_CMOCKA
check_PROGRAMS += tests/mkaerogpu
bench_makers = tests/mkaerogpu
tests_mkaerogpu_SOURCES = $(scene_sources) tests/mkaerogpu.c
tests_mkaerogpu_LDADD = examples/libtracewriter.a $(support_libs)
endif
scene_sources = \
	tests/aerogpu_make.c \
	tests/aerogpu_make.h \
	tests/aerogpu_paint.c \
	tests/aerogpu_paint.h \
	tests/aerogpu_scenes_data.c \
	tests/aerogpu_scenes_raster.c \
	tests/aerogpu_scenes_shaders.c

# Tests of apitrace traces, which need a library that may be absent.
if HAVE_APITRACE
unit_tests += \
	tests/test_conformance_apitrace \
	tests/test_apitrace_corpus \
	tests/test_apitrace_follow \
	tests/test_apitrace_parts \
	tests/test_apitrace_player \
	tests/test_apitrace_screens \
	tests/test_apitrace_traces \
	tests/test_apitrace_turns

thread_tests += \
	tests/apitrace_follow.tap \
	tests/test_apitrace_follow \
	tests/test_apitrace_player \
	tests/test_apitrace_traces \
	tests/test_apitrace_turns
valgrind_tests += \
	tests/test_apitrace_corpus \
	tests/test_apitrace_parts \
	tests/test_apitrace_traces

fuzz_targets += \
	tests/fuzz_apitrace_dump
tests_fuzz_apitrace_dump_SOURCES = tests/fuzz_apitrace_dump.c tests/fuzz_tree.c tests/fuzz_tree.h

test_scripts += \
	tests/apitrace_follow.tap \
	tests/apitrace_mount.tap \
	tests/apitrace_random.tap

apitrace_open = tests/apitrace_open.c tests/apitrace_open.h
tests_test_apitrace_corpus_SOURCES = tests/test_apitrace_corpus.c $(apitrace_open)
tests_test_conformance_apitrace_SOURCES = tests/test_conformance_apitrace.c $(apitrace_open)
apitrace_script = tests/apitrace_script.c tests/apitrace_script.h
tests_test_apitrace_player_SOURCES = tests/test_apitrace_player.c $(apitrace_script) $(apitrace_open)
tests_test_apitrace_player_LDADD = examples/libapitracewriter.a $(LDADD)
check_PROGRAMS += tests/fakeretracer
tests_fakeretracer_SOURCES = tests/fakeretracer.c
tests_fakeretracer_LDADD = $(GPUDUMPFS_LIBS)
tests_test_apitrace_follow_SOURCES = tests/test_apitrace_follow.c $(apitrace_script) $(apitrace_open)
tests_test_apitrace_follow_LDADD = examples/libapitracewriter.a $(LDADD)
tests_test_apitrace_screens_SOURCES = tests/test_apitrace_screens.c $(apitrace_script) $(apitrace_open)
tests_test_apitrace_screens_LDADD = examples/libapitracewriter.a $(LDADD)
tests_test_apitrace_traces_SOURCES = tests/test_apitrace_traces.c $(apitrace_open)
tests_test_apitrace_traces_LDADD = examples/libapitracewriter.a $(LDADD)
tests_test_apitrace_turns_SOURCES = tests/test_apitrace_turns.c $(apitrace_script) $(apitrace_open)
tests_test_apitrace_turns_LDADD = examples/libapitracewriter.a $(LDADD)

# What writes the traces that bench_apitrace measures.
bench_programs += \
	tests/apitrace_generate \
	tests/bench/bench_apitrace
tests_apitrace_generate_SOURCES = tests/apitrace_generate.c
tests_apitrace_generate_LDADD = examples/libapitracewriter.a
tests_bench_bench_apitrace_LDADD = $(GPUDUMPFS_LIBS)
endif

# Measures against `apitrace dump`, on generated traces of a million calls and of 500 MB.
.PHONY: bench-apitrace
bench-apitrace: bench-programs
	tests/apitrace_generate calls 1000000 bench-calls.trace
	tests/apitrace_generate raw 500 bench-raw.trace
	tests/bench/bench_apitrace bench-calls.trace bench-raw.trace
	rm -f bench-calls.trace bench-raw.trace

dist_noinst_SCRIPTS += tests/apitrace_random.py

# Traces replayed by the worker.
if HAVE_RETRACER
unit_tests += \
	tests/test_conformance_pictures \
	tests/test_apitrace_frames \
	tests/test_worker_apitrace \
	tests/test_worker_calls \
	tests/test_worker_scenes
test_scripts += \
	tests/apitrace_frames.tap \
	tests/shader_cache.tap
check_PROGRAMS += tests/pngdiffer
tests_pngdiffer_LDADD = $(CORE_LIBS)
tests_test_conformance_pictures_SOURCES = tests/test_conformance_pictures.c $(apitrace_script) $(apitrace_open)
tests_test_conformance_pictures_LDADD = examples/libapitracewriter.a $(LDADD)
tests_test_apitrace_frames_SOURCES = tests/test_apitrace_frames.c $(apitrace_script) $(apitrace_open)
tests_test_apitrace_frames_LDADD = examples/libapitracewriter.a $(LDADD)
retrace_play = tests/retrace_play.c tests/retrace_play.h $(apitrace_open)
tests_test_worker_apitrace_SOURCES = tests/test_worker_apitrace.c $(retrace_play)
tests_test_worker_calls_SOURCES = tests/test_worker_calls.c $(retrace_play)
tests_test_worker_calls_LDADD = examples/libapitracewriter.a $(LDADD)
tests_test_worker_scenes_SOURCES = tests/test_worker_scenes.c $(retrace_play)

fuzz_targets += tests/fuzz_worker_retrace
tests_fuzz_worker_retrace_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_worker_retrace_LDADD = libglworker.a $(LDADD) $(FFI_LIBS)

# What it traces: no sanitizer would let a tracer stand before it.
check_PROGRAMS += tests/gl_scenes
tests_gl_scenes_SOURCES = \
	tests/gl_scenes.c \
	tests/gl_scenes.h \
	tests/gl_scenes_fixed.c \
	tests/gl_scenes_newer.c \
	tests/gl_scenes_tools.c \
	tests/gl_scenes_tools.h
tests_gl_scenes_CFLAGS = -std=gnu11 $(WARNING_CFLAGS) $(HARDENING_CFLAGS) -pthread \
	$(GRAPHICS_CFLAGS)
tests_gl_scenes_LDADD = $(GRAPHICS_LIBS)
endif

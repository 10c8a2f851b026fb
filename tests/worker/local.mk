# SPDX-License-Identifier: MIT
# Tests of src/worker/, and of src/glworker/, which src/worker/ starts.
unit_tests += \
	tests/worker/test_faults \
	tests/worker/test_message \
	tests/worker/test_session \
	tests/worker/test_shader_disk_cache \
	tests/worker/test_worker \
	tests/worker/test_worker_process
if HAVE_WORKER
unit_tests += \
	tests/worker/test_aerogpu \
	tests/worker/test_confine \
	tests/worker/test_d3d9 \
	tests/worker/test_drawing \
	tests/worker/test_hostile \
	tests/worker/test_shaders \
	tests/worker/test_stages \
	tests/worker/test_textures
endif
thread_tests += \
	tests/worker/test_session \
	tests/worker/test_worker \
	tests/worker/test_worker_process
valgrind_tests += \
	tests/worker/test_message \
	tests/worker/test_session

support_sources += \
	tests/worker/play.c \
	tests/worker/play.h \
	tests/worker/scene.c \
	tests/worker/scene.h \
	tests/worker/shaders.c \
	tests/worker/shaders.h

# A worker that misbehaves on demand.
check_PROGRAMS += tests/worker/fakeworker
tests_worker_fakeworker_SOURCES = tests/worker/fakeworker.c tests/worker/fakeworker.h
tests_worker_fakeworker_LDADD = $(GPUDUMPFS_LIBS)
tests_worker_test_faults_SOURCES = \
	$(fault_sources) \
	tests/worker/fakeworker.h \
	tests/worker/test_faults.c
tests_worker_test_faults_LDADD = $(LDADD) $(FAULT_WRAPPERS)
tests_worker_test_session_SOURCES = tests/worker/test_session.c tests/worker/fakeworker.h
fakeworker_calls = tests/worker/fakeworker.h tests/worker/fakeworker_calls.c tests/worker/fakeworker_calls.h
tests_worker_test_worker_SOURCES = tests/worker/test_worker.c $(fakeworker_calls)
tests_worker_test_worker_process_SOURCES = tests/worker/test_worker_process.c $(fakeworker_calls)

# A program that tries to escape from the worker's confinement.
if HAVE_WORKER
check_PROGRAMS += tests/worker/escapee
tests_worker_escapee_SOURCES = \
	src/glworker/core/confine.c \
	tests/worker/escapee.c \
	tests/worker/escapee.h
tests_worker_escapee_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_worker_escapee_LDADD = libglworker.a $(GPUDUMPFS_LIBS) $(GLWORKER_LIBS)
tests_worker_test_confine_SOURCES = tests/worker/test_confine.c tests/worker/escapee.h
tests_worker_test_confine_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
endif

# Traces replayed by the worker.
if HAVE_RETRACER
unit_tests += \
	tests/worker/test_apitrace \
	tests/worker/test_assembly_shader \
	tests/worker/test_call_limits \
	tests/worker/test_call_lists \
	tests/worker/test_call_streams \
	tests/worker/test_call_textures \
	tests/worker/test_calls \
	tests/worker/test_lengths \
	tests/worker/test_mark \
	tests/worker/test_mipmaps \
	tests/worker/test_scenes \
	tests/worker/test_spirv_capture \
	tests/worker/test_watch
test_scripts += \
	tests/worker/shader_cache.tap
retrace_play = tests/worker/retrace_play.c tests/worker/retrace_play.h $(apitrace_open)
tests_worker_test_apitrace_SOURCES = tests/worker/test_apitrace.c $(retrace_play)
tests_worker_test_assembly_shader_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_worker_test_assembly_shader_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
hostile_trace = tests/worker/hostile_trace.c tests/worker/hostile_trace.h $(retrace_play)
tests_worker_test_call_limits_SOURCES = tests/worker/test_call_limits.c $(hostile_trace)
tests_worker_test_call_limits_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_call_lists_SOURCES = tests/worker/test_call_lists.c $(hostile_trace)
tests_worker_test_call_lists_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_call_streams_SOURCES = tests/worker/test_call_streams.c $(retrace_play)
tests_worker_test_call_textures_SOURCES = tests/worker/test_call_textures.c $(hostile_trace)
tests_worker_test_call_textures_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_calls_SOURCES = tests/worker/test_calls.c $(hostile_trace)
tests_worker_test_calls_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_lengths_SOURCES = src/glworker/core/confine.c tests/worker/test_lengths.c
tests_worker_test_lengths_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_worker_test_lengths_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
tests_worker_test_mark_SOURCES = tests/worker/test_mark.c $(apitrace_script) $(retrace_play)
tests_worker_test_mark_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_mipmaps_SOURCES = tests/worker/test_mipmaps.c $(hostile_trace)
tests_worker_test_mipmaps_LDADD = examples/libapitracewriter.a $(LDADD)
tests_worker_test_scenes_SOURCES = tests/worker/test_scenes.c $(retrace_play)
tests_worker_test_spirv_capture_SOURCES = \
	src/glworker/gl/spirv_capture.c \
	tests/worker/test_spirv_capture.c \
	$(apitrace_modules)
tests_worker_test_watch_SOURCES = tests/worker/test_watch.c $(retrace_play)
tests_worker_test_watch_LDADD = $(LDADD) -lm

# The program that is traced. It has no sanitizers, since these tolerate no tracer that is loaded
# before them.
check_PROGRAMS += tests/worker/gl_scenes
tests_worker_gl_scenes_SOURCES = \
	tests/worker/gl_scenes.c \
	tests/worker/gl_scenes.h \
	tests/worker/gl_scenes_fixed.c \
	tests/worker/gl_scenes_newer.c \
	tests/worker/gl_scenes_tools.c \
	tests/worker/gl_scenes_tools.h
tests_worker_gl_scenes_CFLAGS = -std=gnu11 $(WARNING_CFLAGS) $(HARDENING_CFLAGS) -pthread \
	$(GRAPHICS_CFLAGS)
tests_worker_gl_scenes_LDADD = $(GRAPHICS_LIBS)
endif

plain_scripts += \
	tests/worker/lengths.tap

# SPDX-License-Identifier: MIT
# Tests of GAPIR, for which a library may be missing.
if HAVE_GAPIR
unit_tests += \
	tests/formats/gapir/test_cases \
	tests/formats/gapir/test_conformance \
	tests/formats/gapir/test_driver \
	tests/formats/gapir/test_encodings \
	tests/formats/gapir/test_lengths \
	tests/formats/gapir/test_payload \
	tests/formats/gapir/test_payloads \
	tests/formats/gapir/test_pixels \
	tests/formats/gapir/test_run \
	tests/formats/gapir/test_tree \
	tests/formats/gapir/test_vk_calls
thread_tests += \
	tests/formats/gapir/test_run \
	tests/formats/gapir/test_tree
valgrind_tests += \
	tests/formats/gapir/test_cases \
	tests/formats/gapir/test_driver \
	tests/formats/gapir/test_encodings \
	tests/formats/gapir/test_payload \
	tests/formats/gapir/test_run
fuzz_targets += \
	tests/fuzz/fuzz_gapir_dump \
	tests/fuzz/fuzz_gapir_payload \
	tests/fuzz/fuzz_gapir_words
tests_fuzz_fuzz_gapir_dump_SOURCES = tests/fuzz/fuzz_gapir_dump.c $(fuzz_tree)
test_scripts += \
	tests/formats/gapir/mount.tap \
	tests/formats/gapir/payloads.tap \
	tests/formats/gapir/random.tap
plain_scripts += tests/formats/gapir/vk_layouts.tap
EXTRA_DIST += tests/formats/gapir/vk_layouts.awk

gapir_machine = tests/formats/gapir/machine.c tests/formats/gapir/machine.h
gapir_cases = tests/formats/gapir/cases.c tests/formats/gapir/cases.h
tests_formats_gapir_test_cases_SOURCES = tests/formats/gapir/test_cases.c $(gapir_cases) $(gapir_machine)
tests_formats_gapir_test_encodings_SOURCES = tests/formats/gapir/test_encodings.c $(gapir_cases) $(gapir_machine)
tests_formats_gapir_test_encodings_LDADD = examples/libgapirbuild.a $(LDADD)
tests_formats_gapir_test_payload_LDADD = examples/libgapirbuild.a $(LDADD)
tests_formats_gapir_test_conformance_SOURCES = tests/formats/gapir/test_conformance.c $(gapir_machine)
tests_formats_gapir_test_conformance_LDADD = examples/libgapirbuild.a $(LDADD)
gapir_run = tests/formats/gapir/run.c tests/formats/gapir/run.h
tests_formats_gapir_test_driver_SOURCES = tests/formats/gapir/test_driver.c $(gapir_run)
tests_formats_gapir_test_driver_LDADD = examples/libgapirbuild.a $(LDADD)
tests_formats_gapir_test_run_SOURCES = tests/formats/gapir/test_run.c $(gapir_run)
tests_formats_gapir_test_run_LDADD = examples/libgapirbuild.a $(LDADD)
gapir_shown = tests/formats/gapir/shown.c tests/formats/gapir/shown.h
tests_formats_gapir_test_lengths_SOURCES = tests/formats/gapir/test_lengths.c $(gapir_shown)
tests_formats_gapir_test_lengths_LDADD = examples/libgapirbuild.a $(LDADD)
gapir_vk_scene = tests/formats/gapir/vk_scene.c tests/formats/gapir/vk_scene.h
tests_formats_gapir_test_vk_calls_SOURCES = tests/formats/gapir/test_vk_calls.c \
	$(gapir_shown) $(gapir_vk_scene)
tests_formats_gapir_test_vk_calls_LDADD = examples/libgapirbuild.a $(LDADD)
tests_formats_gapir_test_tree_LDADD = examples/libgapirbuild.a $(LDADD)

# Tests of the pictures that the graphics worker draws.
if HAVE_RETRACER
unit_tests += tests/formats/gapir/test_drawn
tests_formats_gapir_test_drawn_SOURCES = \
	tests/formats/gapir/test_drawn.c \
	tests/formats/gapir/scene.c tests/formats/gapir/scene.h $(gapir_shown) \
	$(apitrace_pictures) $(apitrace_script) $(apitrace_open)
tests_formats_gapir_test_drawn_LDADD = \
	examples/libapitracewriter.a examples/libgapirbuild.a $(LDADD)
endif

if HAVE_VULKAN
unit_tests += tests/formats/gapir/test_vk_drawn
tests_formats_gapir_test_vk_drawn_SOURCES = \
	tests/formats/gapir/test_vk_drawn.c $(gapir_shown) $(gapir_vk_scene) \
	tests/formats/gapir/vk_draws.c tests/formats/gapir/vk_draws.h \
	$(apitrace_pictures) $(apitrace_open)
tests_formats_gapir_test_vk_drawn_LDADD = \
	examples/libapitracewriter.a examples/libgapirbuild.a $(LDADD)
endif

# The program that random.tap runs.
if !FUZZERS
if HAVE_CMOCKA
check_PROGRAMS += tests/formats/gapir/random_programs
endif
endif
tests_formats_gapir_random_programs_SOURCES = tests/formats/gapir/random_programs.c $(gapir_machine)
endif

dist_noinst_SCRIPTS += tests/formats/gapir/expected.py tests/formats/gapir/random_programs.py

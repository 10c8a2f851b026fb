# Tests of GAPIR, which needs a library that may be absent.
if HAVE_GAPIR
unit_tests += \
	tests/test_conformance_gapir \
	tests/test_gapir_cases \
	tests/test_gapir_driver \
	tests/test_gapir_encodings \
	tests/test_gapir_payload \
	tests/test_gapir_payloads \
	tests/test_gapir_pixels \
	tests/test_gapir_run \
	tests/test_gapir_tree
thread_tests += \
	tests/test_gapir_run \
	tests/test_gapir_tree
valgrind_tests += \
	tests/test_gapir_cases \
	tests/test_gapir_driver \
	tests/test_gapir_encodings \
	tests/test_gapir_payload \
	tests/test_gapir_run
fuzz_targets += \
	tests/fuzz_gapir_dump \
	tests/fuzz_gapir_payload \
	tests/fuzz_gapir_words
test_scripts += \
	tests/gapir_mount.tap \
	tests/gapir_payloads.tap \
	tests/gapir_random.tap

tests_fuzz_gapir_dump_SOURCES = tests/fuzz_gapir_dump.c tests/fuzz_tree.c tests/fuzz_tree.h
gapir_machine = tests/gapir_machine.c tests/gapir_machine.h
gapir_cases = tests/gapir_cases.c tests/gapir_cases.h
tests_test_gapir_cases_SOURCES = tests/test_gapir_cases.c $(gapir_cases) $(gapir_machine)
tests_test_gapir_encodings_SOURCES = tests/test_gapir_encodings.c $(gapir_cases) $(gapir_machine)
tests_test_gapir_encodings_LDADD = examples/libgapirbuild.a $(LDADD)
tests_test_gapir_payload_LDADD = examples/libgapirbuild.a $(LDADD)
tests_test_conformance_gapir_SOURCES = tests/test_conformance_gapir.c $(gapir_machine)
tests_test_conformance_gapir_LDADD = examples/libgapirbuild.a $(LDADD)
gapir_run = tests/gapir_run.c tests/gapir_run.h
tests_test_gapir_driver_SOURCES = tests/test_gapir_driver.c $(gapir_run)
tests_test_gapir_driver_LDADD = examples/libgapirbuild.a $(LDADD)
tests_test_gapir_run_SOURCES = tests/test_gapir_run.c $(gapir_run)
tests_test_gapir_run_LDADD = examples/libgapirbuild.a $(LDADD)
tests_test_gapir_tree_LDADD = examples/libgapirbuild.a $(LDADD)

# What gapir_random.tap runs.
if !FUZZERS
if HAVE_CMOCKA
check_PROGRAMS += tests/gapir_random
endif
endif
bench_programs += tests/bench/bench_gapir
tests_bench_bench_gapir_LDADD = $(GPUDUMPFS_LIBS)
tests_gapir_random_SOURCES = tests/gapir_random.c $(gapir_machine)
endif

dist_noinst_SCRIPTS += tests/gapir_expected.py tests/gapir_random.py

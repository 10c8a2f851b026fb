# Tests of apitrace traces, which need a library that may be absent.
if HAVE_APITRACE
unit_tests += \
	tests/test_apitrace_corpus \
	tests/test_apitrace_parts \
	tests/test_apitrace_traces

fuzz_targets += \
	tests/fuzz_apitrace_dump
tests_fuzz_apitrace_dump_SOURCES = tests/fuzz_apitrace_dump.c tests/fuzz_tree.c tests/fuzz_tree.h

test_scripts += \
	tests/apitrace_mount.tap \
	tests/apitrace_random.tap

apitrace_open = tests/apitrace_open.c tests/apitrace_open.h
tests_test_apitrace_corpus_SOURCES = tests/test_apitrace_corpus.c $(apitrace_open)
tests_test_apitrace_traces_SOURCES = tests/test_apitrace_traces.c $(apitrace_open)
tests_test_apitrace_traces_LDADD = examples/libapitracewriter.a $(LDADD)

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

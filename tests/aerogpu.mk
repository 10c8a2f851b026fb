# Tests of the AeroGPU format.
unit_tests += \
	tests/test_aerogpu_dxbc \
	tests/test_aerogpu_format \
	tests/test_aerogpu_layout \
	tests/test_aerogpu_packets \
	tests/test_aerogpu_random \
	tests/test_aerogpu_texels \
	tests/test_aerogpu_trace
fuzz_targets += \
	tests/fuzz_aerogpu_dump
test_scripts += \
	tests/aerogpu_mount.tap

tests_fuzz_aerogpu_dump_SOURCES = tests/fuzz_aerogpu_dump.c tests/fuzz_tree.c tests/fuzz_tree.h
tests_test_aerogpu_format_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_random_SOURCES = \
	tests/aerogpu_random.c \
	tests/aerogpu_random.h \
	tests/test_aerogpu_random.c
tests_test_aerogpu_random_LDADD = examples/libtracewriter.a $(LDADD)
tests_test_aerogpu_trace_LDADD = examples/libtracewriter.a $(LDADD)

# Tests of apitrace traces, which need a library that may be absent.
if HAVE_APITRACE
unit_tests += \
	tests/test_apitrace_corpus \
	tests/test_apitrace_parts

apitrace_open = tests/apitrace_open.c tests/apitrace_open.h
tests_test_apitrace_corpus_SOURCES = tests/test_apitrace_corpus.c $(apitrace_open)
endif

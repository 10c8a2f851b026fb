# SPDX-License-Identifier: MIT
# Fuzz targets, but for those of formats, which stand in tests/formats/NAME/; their seeds are in
# tests/fuzz/seeds/TARGET/, the words of their formats in tests/fuzz/dictionaries/.
fuzz_targets += \
	tests/fuzz/fuzz_source \
	tests/fuzz/fuzz_worker_reply
if HAVE_RETRACER
fuzz_targets += tests/fuzz/fuzz_worker_retrace
endif
if HAVE_WORKER
fuzz_targets += tests/fuzz/fuzz_worker_request tests/fuzz/fuzz_worker_translate
endif

# What fuzz targets of whole dumps share.
fuzz_tree = tests/fuzz/tree.c tests/fuzz/tree.h
tests_fuzz_fuzz_worker_request_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_request_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
tests_fuzz_fuzz_worker_translate_SOURCES = \
	src/glworker/d3d/translate.c \
	tests/fuzz/fuzz_worker_translate.c
tests_fuzz_fuzz_worker_translate_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_translate_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
tests_fuzz_fuzz_worker_retrace_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_retrace_LDADD = libglworker.a $(LDADD) $(FFI_LIBS)

# What replays the seeds where there is no libFuzzer.
fuzz_main = \
	tests/fuzz/dictionary.c \
	tests/fuzz/dictionary.h \
	tests/fuzz/main.c

EXTRA_DIST += \
	tests/fuzz/dictionaries \
	tests/fuzz/seeds

# Fuzzes each target for FUZZ_SECONDS, from its seeds and with its format's dictionary, as many
# at a time as make has jobs; findings are left in ./fuzz/, beside what each target said.
FUZZ_SECONDS = 60
fuzz_runs = $(fuzz_targets:=.run)
.PHONY: fuzz $(fuzz_runs)
if FUZZERS
fuzz: $(fuzz_runs)
$(fuzz_runs): $(check_PROGRAMS)
	@target=$(@:.run=); name=$${target##*/fuzz_}; $(MKDIR_P) "fuzz/$$name"; \
	echo "fuzzing $$name"; \
	./$$target -max_total_time=$(FUZZ_SECONDS) -artifact_prefix="fuzz/$$name-" \
		-dict=$(srcdir)/tests/fuzz/dictionaries/$${name%%_*}.dict \
		"fuzz/$$name" $(srcdir)/tests/fuzz/seeds/$$name >"fuzz/$$name.log" 2>&1 || \
		{ tail -n 60 "fuzz/$$name.log"; exit 1; }
else
fuzz:
	@echo "make fuzz: configure with --enable-fuzzers CC=clang first" >&2; exit 1
endif

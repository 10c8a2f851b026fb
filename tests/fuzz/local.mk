# SPDX-License-Identifier: MIT
# Fuzz targets, except those of formats, which are in tests/formats/NAME/. Their seeds are in
# tests/fuzz/seeds/TARGET/, and dictionaries for the formats in tests/fuzz/dictionaries/.
fuzz_targets += \
	tests/fuzz/fuzz_image_texels \
	tests/fuzz/fuzz_options_parse \
	tests/fuzz/fuzz_paths_match \
	tests/fuzz/fuzz_source \
	tests/fuzz/fuzz_source_expand \
	tests/fuzz/fuzz_text_escapes \
	tests/fuzz/fuzz_worker_message \
	tests/fuzz/fuzz_worker_reply
if HAVE_RETRACER
fuzz_targets += \
	tests/fuzz/fuzz_assembly_program \
	tests/fuzz/fuzz_spirv_capture \
	tests/fuzz/fuzz_worker_retrace
endif
if HAVE_VULKAN
fuzz_targets += tests/fuzz/fuzz_worker_vulkan
endif
if HAVE_WORKER
fuzz_targets += tests/fuzz/fuzz_worker_request tests/fuzz/fuzz_worker_translate
endif

# The common part of fuzz targets for complete dumps.
fuzz_tree = tests/fuzz/tree.c tests/fuzz/tree.h
fuzz_kept = tests/fuzz/kept.c tests/fuzz/kept.h $(fuzz_tree)
# Parts of the programs that are not in the library.
tests_fuzz_fuzz_options_parse_SOURCES = tests/fuzz/fuzz_options_parse.c src/cli/option_table.c
tests_fuzz_fuzz_paths_match_SOURCES = tests/fuzz/fuzz_paths_match.c src/cli/paths.c
tests_fuzz_fuzz_assembly_program_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_assembly_program_LDADD = libglworker.a $(LDADD)
tests_fuzz_fuzz_spirv_capture_SOURCES = \
	src/glworker/gl/spirv_capture.c \
	tests/fuzz/fuzz_spirv_capture.c
tests_fuzz_fuzz_worker_request_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_request_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
tests_fuzz_fuzz_worker_translate_SOURCES = \
	$(translators) \
	tests/fuzz/fuzz_worker_translate.c
tests_fuzz_fuzz_worker_translate_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_translate_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)
tests_fuzz_fuzz_worker_retrace_SOURCES = tests/fuzz/fuzz_worker_retrace.c tests/fuzz/idle_driver.c
tests_fuzz_fuzz_worker_retrace_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_retrace_LDADD = libglworker.a $(LDADD) $(FFI_LIBS)
tests_fuzz_fuzz_worker_vulkan_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_fuzz_worker_vulkan_LDADD = libglworker.a $(LDADD) $(FFI_LIBS)

# Replays the seeds if there is no libFuzzer.
fuzz_main = \
	tests/fuzz/dictionary.c \
	tests/fuzz/dictionary.h \
	tests/fuzz/main.c

EXTRA_DIST += \
	tests/fuzz/dictionaries \
	tests/fuzz/seeds
dist_noinst_SCRIPTS += \
	tests/fuzz/coverage.sh \
	tests/fuzz/run.sh

# fuzz-programs builds only the targets, fuzz-list prints their names (oss-fuzz/build.sh).
EXTRA_DIST += \
	oss-fuzz/Dockerfile \
	oss-fuzz/README \
	oss-fuzz/build.sh \
	oss-fuzz/project.yaml
.PHONY: fuzz-programs fuzz-list
fuzz-programs: $(fuzz_targets)
fuzz-list:
	@echo $(fuzz_targets)

# Fuzzes each target for FUZZ_SECONDS, from its seeds and with its format's dictionary. As many
# targets run at a time as make has jobs. Findings are left in ./fuzz/, with the output of each
# target.
FUZZ_SECONDS = 60
fuzz_runs = $(fuzz_targets:=.run)
.PHONY: fuzz fuzz-long fuzz-merge $(fuzz_runs)
if FUZZERS
fuzz: $(fuzz_runs)
$(fuzz_runs): $(check_PROGRAMS)
	@target=$(@:.run=); name=$${target##*/fuzz_}; $(MKDIR_P) "fuzz/$$name"; \
	echo "fuzzing $$name"; \
	./$$target -max_total_time=$(FUZZ_SECONDS) -artifact_prefix="fuzz/$$name-" \
		-dict=$(srcdir)/tests/fuzz/dictionaries/$${name%%_*}.dict \
		"fuzz/$$name" $(srcdir)/tests/fuzz/seeds/$$name >"fuzz/$$name.log" 2>&1 || \
		{ tail -n 60 "fuzz/$$name.log"; exit 1; }

# Fuzzes each target, or those in FUZZ_TARGETS, one after the other, until it has had FUZZ_RUNS
# inputs in this call and earlier ones. `make fuzz-merge` then adds the inputs that reach more to
# the seeds.
FUZZ_RUNS = 10000000
FUZZ_TARGETS = $(fuzz_targets)
fuzz-long: $(check_PROGRAMS)
	top_srcdir='$(abs_top_srcdir)' $(srcdir)/tests/fuzz/run.sh -n $(FUZZ_RUNS) \
		$(FUZZ_FLAGS) $(FUZZ_TARGETS)
fuzz-merge: $(check_PROGRAMS)
	top_srcdir='$(abs_top_srcdir)' $(srcdir)/tests/fuzz/run.sh -m $(FUZZ_TARGETS)
else
fuzz fuzz-long fuzz-merge:
	@echo "make $@: configure with --enable-fuzzers CC=clang first" >&2; exit 1
endif

# Prints which branches of the parsers fuzz targets reach, alone and with module tests
# (coverage.sh).
.PHONY: coverage-parsers
coverage-parsers: $(check_PROGRAMS)
	top_srcdir='$(abs_top_srcdir)' $(srcdir)/tests/fuzz/coverage.sh $(fuzz_targets) -- $(unit_tests)

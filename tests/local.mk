# SPDX-License-Identifier: MIT
# Tests of three kinds. tests/README describes how to run and to add them. Each folder lists its own
# tests, sorted, in its local.mk; a source has the name of its test.
TEST_EXTENSIONS = .sh .tap

# Module tests: cmocka, one program per module, linked with the whole library.
unit_tests =
# Fuzz targets: each processes one input in memory.
fuzz_targets =
# Scripts: the result of a .sh script is its exit status (77 means skipped), .tap scripts print TAP.
# plain_scripts only read sources and files, and run hardly any program, so sanitizers are of no use
# there.
test_scripts =
plain_scripts =
# Tests for ThreadSanitizer: modules and mounts in which threads interact.
thread_tests =
# Tests that take about a minute under valgrind: of the folders below the tree, the tree, and the
# parsers.
valgrind_tests =

include tests/support/local.mk
include tests/bench/local.mk
include tests/fuzz/local.mk
include tests/base/local.mk
include tests/source/local.mk
include tests/cache/local.mk
include tests/image/local.mk
include tests/dxbc/local.mk
include tests/page/local.mk
include tests/tree/local.mk
include tests/formats/local.mk
include tests/fuse/local.mk
include tests/worker/local.mk
include tests/cli/local.mk
include tests/compat/local.mk
include tests/compare/local.mk
include tests/lib/local.mk
include tests/programs/local.mk
include tests/hostile/local.mk
include tests/house/local.mk

if HAVE_CMOCKA
support_libraries = tests/libsupport.a
support_libs = tests/libsupport.a $(GPUDUMPFS_LIBS) $(CMOCKA_LIBS) $(TEST_WRAPPERS)
tests_libsupport_a_SOURCES = $(support_sources)
tests_libsupport_a_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
endif

if FUZZERS
# With libFuzzer a target never ends, so only targets are built, and `make fuzz` runs them.
LDADD = $(FUZZER_LIBS) $(GPUDUMPFS_LIBS)
check_PROGRAMS += $(fuzz_targets)
else
# A fuzz target's main function, which replays the seeds, is in this archive.
check_LIBRARIES = tests/libfuzz-main.a $(support_libraries)
tests_libfuzz_main_a_SOURCES = $(fuzz_main)
LDADD = tests/libfuzz-main.a $(GPUDUMPFS_LIBS) $(support_libs)
check_PROGRAMS += $(fuzz_targets)
TESTS += $(fuzz_targets)
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
TESTS += $(test_scripts)
if !SANITIZE
TESTS += $(plain_scripts)
endif
endif

dist_noinst_SCRIPTS += $(plain_scripts) $(test_scripts)
EXTRA_DIST += \
	tests/README \
	tests/conformance

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	XDG_CACHE_HOME=/dev/null; export XDG_CACHE_HOME; \
	CC='$(CC)'; export CC; \
	GPUDUMPFS_GLWORKER='$(abs_top_builddir)/gpudumpfs-glworker'; export GPUDUMPFS_GLWORKER; \
	TEST_CPPFLAGS='$(AM_CPPFLAGS) $(CORE_CFLAGS) $(FUSE_CFLAGS) $(MOJOSHADER_CFLAGS) $(VKD3D_CFLAGS)'; export TEST_CPPFLAGS;
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
LOG_COMPILER = $(srcdir)/tests/support/run-program.sh
TAP_LOG_DRIVER = $(TAP_DRIVER)

# Prints the last lines of `make check`: how many tests were skipped, and why.
check-local: check-TESTS
	@$(srcdir)/tests/support/left-out.sh $(TEST_LOGS)

# Module tests that take more than three seconds of processor time each, and more together than all
# others. Those of followed dumps compare each state of a stream with the complete dump, those of
# the worker and of pictures draw the corpus's dumps of real programs, and the others try all
# orders, all textures, all writes, or every allocation that can fail.
SLOW_TESTS = \
	tests/formats/aerogpu/test_follow \
	tests/formats/aerogpu/test_scenes \
	tests/formats/apitrace/test_follow \
	tests/formats/apitrace/test_frames \
	tests/formats/psx/test_cut \
	tests/formats/psx/test_every_pixel \
	tests/formats/psx/test_follow \
	tests/formats/psx/test_format \
	tests/formats/psx/test_history \
	tests/formats/psx/test_slices \
	tests/formats/psx/test_textures \
	tests/formats/psx/test_without \
	tests/formats/psx/test_writes \
	tests/formats/test_starved \
	tests/formats/vma/test_follow \
	tests/source/test_expansion_limits \
	tests/worker/test_apitrace \
	tests/worker/test_call_limits \
	tests/worker/test_scenes

.PHONY: print-tests
print-tests:
	@echo '$(TESTS)'

# Runs what should be run after each change: module tests except the slow ones, without mounts or
# installation.
.PHONY: check-fast
check-fast:
	@left=' $(SLOW_TESTS) $(fuzz_targets) '; programs=; tests=; \
	for program in $(check_PROGRAMS); do \
		case "$$left" in *" $$program "*) continue ;; esac; \
		programs="$$programs $$program"; \
		case $$program in */test_*) tests="$$tests $$program" ;; esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) check check_PROGRAMS="$$programs" TESTS="$$tests"

CLEANFILES += $(valgrind_tests:=.memory) tsan-report.*

# Needs a tree that was configured with --enable-sanitize=thread. Reports of a daemon in the
# background are also written to a file.
.PHONY: tsan
tsan:
	@case '$(SANITIZE_CFLAGS)' in \
	*-fsanitize=thread*) ;; \
	*) echo "make tsan: configure with --enable-sanitize=thread first" >&2; exit 1 ;; \
	esac; \
	rm -f tsan-report.*; status=0; \
	TSAN_OPTIONS="log_path=$(abs_top_builddir)/tsan-report $$TSAN_OPTIONS"; export TSAN_OPTIONS; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(thread_tests)' || status=1; \
	for report in tsan-report.*; do \
		test ! -s "$$report" || { cat "$$report"; status=1; }; \
	done; \
	exit $$status

VALGRIND = valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=$(srcdir)/tests/support/valgrind.supp
valgrind_runs = $(valgrind_tests:=.valgrind)
.PHONY: valgrind $(valgrind_runs)
valgrind: $(valgrind_runs)
$(valgrind_runs): $(valgrind_tests)
	@test=$(@:.valgrind=); echo "$$test"; $(AM_TESTS_ENVIRONMENT) \
	$(VALGRIND) ./$$test >"$$test.memory" 2>&1 || { cat "$$test.memory"; exit 1; }; \
	rm -f "$$test.memory"

# Uses mounts of each format, with faults, for SOAK_SECONDS.
SOAK_SECONDS = 3600
.PHONY: soak
soak: all
	@SOAK_SECONDS=$(SOAK_SECONDS); export SOAK_SECONDS; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/fuse/soak.tap

# Reads a dump for LIVE_SECONDS while it is recorded: the newest picture must be in time.
LIVE_SECONDS = 600
.PHONY: live
live: all
	@LIVE_SECONDS=$(LIVE_SECONDS); LIVE_PART=0.99; export LIVE_SECONDS LIVE_PART; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/fuse/live.tap

# Tests of three kinds; tests/README tells how to run and to add them. Each is
# listed once, sorted, and its source carries its name.
TEST_EXTENSIONS = .sh .tap

# Module tests: cmocka, one program per module, linked with the whole library.
unit_tests = \
	tests/test_blob \
	tests/test_block_formats \
	tests/test_bytes \
	tests/test_cache \
	tests/test_cache_halves \
	tests/test_cache_look \
	tests/test_cache_stress \
	tests/test_canvas \
	tests/test_conformance_psx \
	tests/test_conformance_vma \
	tests/test_dump_writer \
	tests/test_format \
	tests/test_instance_pool \
	tests/test_growing_source \
	tests/test_log \
	tests/test_memory \
	tests/test_metadata \
	tests/test_mount \
	tests/test_mountpoint \
	tests/test_mounts \
	tests/test_options \
	tests/test_index_task \
	tests/test_paths \
	tests/test_busy_poll \
	tests/test_picture \
	tests/test_pool \
	tests/test_problems \
	tests/test_process \
	tests/test_psx_area \
	tests/test_psx_commands \
	tests/test_psx_corpus \
	tests/test_psx_draw \
	tests/test_psx_field \
	tests/test_psx_follow \
	tests/test_psx_format \
	tests/test_psx_gp0 \
	tests/test_psx_index \
	tests/test_psx_inside \
	tests/test_psx_keyframes \
	tests/test_psx_line \
	tests/test_psx_machines \
	tests/test_psx_packet \
	tests/test_psx_problems \
	tests/test_psx_raster \
	tests/test_psx_registers \
	tests/test_psx_runs \
	tests/test_psx_scanout \
	tests/test_psx_shaders \
	tests/test_psx_slices \
	tests/test_psx_texts \
	tests/test_psx_textures \
	tests/test_psx_transfer \
	tests/test_psx_triangle \
	tests/test_psx_without \
	tests/test_psx_writes \
	tests/test_source \
	tests/test_source_changed \
	tests/test_starved \
	tests/test_tables \
	tests/test_text \
	tests/test_tree \
	tests/test_tree_ahead \
	tests/test_tree_ahead_texts \
	tests/test_tree_ask \
	tests/test_cancellable_mutex \
	tests/test_tree_contents \
	tests/test_tree_names \
	tests/test_tree_pieces \
	tests/test_unified \
	tests/test_vma_allocator \
	tests/test_vma_call \
	tests/test_vma_escape \
	tests/test_vma_follow \
	tests/test_vma_format \
	tests/test_vma_golden \
	tests/test_vma_hostile \
	tests/test_vma_line \
	tests/test_vma_moving \
	tests/test_vma_recording \
	tests/test_vma_replay \
	tests/test_worker \
	tests/test_worker_message \
	tests/test_worker_session \
	tests/test_worker_shelf
if HAVE_WORKER
unit_tests += \
	tests/test_worker_aerogpu \
	tests/test_worker_d3d9 \
	tests/test_worker_drawing \
	tests/test_worker_hostile \
	tests/test_worker_shaders \
	tests/test_worker_stages \
	tests/test_worker_textures
endif

# Dumps of any length, as `make bench` measures them.
load_sources = tests/bench/load.c tests/bench/load.h examples/fixed.c examples/fixed.h

# Dumps whose sums the conformance set has, and what draws them a second time.
psx_streams = \
	tests/psx_model.c \
	tests/psx_model.h \
	tests/psx_streams.c \
	tests/psx_streams.h

# What they share. It also puts its own functions in place of the allocators, so
# that a test can make any allocation of ours fail.
if HAVE_CMOCKA
support_libraries = tests/libsupport.a
support_libs = tests/libsupport.a $(GPUDUMPFS_LIBS) $(CMOCKA_LIBS) $(TEST_WRAPPERS)
tests_libsupport_a_SOURCES = \
	tests/conformance.c \
	tests/conformance.h \
	tests/fake.c \
	tests/fake.h \
	tests/piped.c \
	tests/piped.h \
	tests/psx_build.c \
	tests/psx_build.h \
	tests/psx_feedback.c \
	tests/psx_feedback.h \
	tests/psx_play.c \
	tests/psx_play.h \
	tests/psx_truth.c \
	tests/psx_truth.h \
	tests/psx_view.c \
	tests/psx_view.h \
	tests/support.c \
	tests/support.h \
	tests/tree_play.c \
	tests/tree_play.h \
	tests/vma_calls.h \
	tests/vma_play.c \
	tests/vma_play.h \
	tests/walk.c \
	tests/walk.h \
	tests/worker_play.c \
	tests/worker_play.h \
	tests/worker_scene.c \
	tests/worker_scene.h \
	tests/worker_shaders.c \
	tests/worker_shaders.h
tests_libsupport_a_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
endif

# Modules of the programs alone.
tests_test_mount_SOURCES = tests/test_mount.c $(fuse_sources)
tests_test_mount_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_test_mountpoint_SOURCES = tests/test_mountpoint.c src/mountpoint.c
tests_test_mounts_SOURCES = tests/test_mounts.c src/mounts.c
tests_test_paths_SOURCES = tests/test_paths.c src/gpudump/paths.c
tests_test_busy_poll_SOURCES = tests/test_busy_poll.c src/fuse/busy_poll.c
tests_test_unified_SOURCES = tests/test_unified.c src/gpudump/unified.c

tests_fuzz_psx_dump_SOURCES = tests/fuzz_psx_dump.c tests/fuzz_tree.c tests/fuzz_tree.h
tests_fuzz_vma_dump_SOURCES = tests/fuzz_vma_dump.c tests/fuzz_tree.c tests/fuzz_tree.h

# It has an allocator of its own.
tests_test_starved_SOURCES = tests/test_starved.c tests/starve.c tests/starve.h
tests_test_starved_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'

# Fuzz targets; their seeds are in tests/seeds/TARGET/.
fuzz_targets = \
	tests/fuzz_psx_dump \
	tests/fuzz_psx_gp0 \
	tests/fuzz_source \
	tests/fuzz_vma_dump \
	tests/fuzz_vma_recording \
	tests/fuzz_worker_reply
if HAVE_WORKER
fuzz_targets += tests/fuzz_worker_request
endif
tests_fuzz_worker_request_CFLAGS = $(AM_CFLAGS) $(GLWORKER_CFLAGS)
tests_fuzz_worker_request_LDADD = libglworker.a $(LDADD) $(GLWORKER_LIBS)

# Programs that measure, and what they need; `make bench` runs them all.
bench_programs = \
	tests/bench/bench_psx_draws \
	tests/bench/bench_psx_index \
	tests/bench/bench_psx_moves \
	tests/bench/bench_psx_pictures \
	tests/bench/bench_psx_random \
	tests/bench/bench_psx_replay \
	tests/bench/bench_storm \
	tests/bench/bench_vma_replay \
	tests/bench/memoryfs \
	tests/bench/mkload

# Scripts: .sh tells its result by the exit status (77: skipped), .tap in TAP. Those that look
# at sources and files, and run next to nothing: a sanitizer has no business there.
still_scripts = \
	tests/citations.tap \
	tests/completion.tap \
	tests/harness.tap \
	tests/cycles.tap \
	tests/install.tap \
	tests/layers.tap \
	tests/locks.tap \
	tests/man_lint.tap
test_scripts = \
	tests/demo.tap \
	tests/desktop.tap \
	tests/example.tap \
	tests/folder.tap \
	tests/follow.tap \
	tests/gpudump.tap \
	tests/live.tap \
	tests/man_examples.tap \
	tests/man_options.tap \
	tests/man_tree.tap \
	tests/metadata.tap \
	tests/mount_files.tap \
	tests/mount_formats.tap \
	tests/mount_fstab.tap \
	tests/mount_life.tap \
	tests/mount_load.tap \
	tests/mount_malformed.tap \
	tests/mount_start.tap \
	tests/overwrite.tap \
	tests/readme.tap \
	tests/realclients.tap \
	tests/soak.tap \
	tests/tables.tap \
	tests/vma_mount.tap

# Where threads meet, for ThreadSanitizer: modules, and mounts.
thread_tests = \
	tests/folder.tap \
	tests/follow.tap \
	tests/mount_life.tap \
	tests/mount_load.tap \
	tests/overwrite.tap \
	tests/test_aerogpu_follow \
	tests/test_cache \
	tests/test_cache_halves \
	tests/test_cache_stress \
	tests/test_growing_source \
	tests/test_instance_pool \
	tests/test_mount \
	tests/test_index_task \
	tests/test_pool \
	tests/test_problems \
	tests/test_psx_follow \
	tests/test_psx_format \
	tests/test_psx_index \
	tests/test_psx_keyframes \
	tests/test_tree \
	tests/test_tree_ahead \
	tests/test_tree_ahead_texts \
	tests/test_tree_ask \
	tests/test_tree_names \
	tests/test_cancellable_mutex \
	tests/test_vma_follow \
	tests/test_vma_format \
	tests/test_vma_replay \
	tests/test_worker \
	tests/test_worker_session

# What runs under valgrind in a minute or so each: the core, the tree, and the parsers.
valgrind_tests = \
	tests/test_aerogpu_dxbc \
	tests/test_aerogpu_format \
	tests/test_aerogpu_layout \
	tests/test_aerogpu_packets \
	tests/test_aerogpu_texels \
	tests/test_aerogpu_trace \
	tests/test_blob \
	tests/test_block_formats \
	tests/test_bytes \
	tests/test_cache \
	tests/test_cache_halves \
	tests/test_canvas \
	tests/test_format \
	tests/test_growing_source \
	tests/test_instance_pool \
	tests/test_log \
	tests/test_metadata \
	tests/test_options \
	tests/test_index_task \
	tests/test_paths \
	tests/test_picture \
	tests/test_pool \
	tests/test_problems \
	tests/test_process \
	tests/test_psx_commands \
	tests/test_psx_gp0 \
	tests/test_psx_index \
	tests/test_psx_inside \
	tests/test_psx_packet \
	tests/test_psx_problems \
	tests/test_psx_registers \
	tests/test_psx_runs \
	tests/test_psx_scanout \
	tests/test_psx_shaders \
	tests/test_psx_texts \
	tests/test_source \
	tests/test_source_changed \
	tests/test_tables \
	tests/test_text \
	tests/test_tree \
	tests/test_tree_ahead \
	tests/test_tree_ahead_texts \
	tests/test_tree_ask \
	tests/test_tree_contents \
	tests/test_tree_names \
	tests/test_tree_pieces \
	tests/test_cancellable_mutex \
	tests/test_unified \
	tests/test_vma_allocator \
	tests/test_vma_call \
	tests/test_vma_escape \
	tests/test_vma_format \
	tests/test_vma_hostile \
	tests/test_vma_line \
	tests/test_vma_moving \
	tests/test_vma_recording \
	tests/test_vma_replay \
	tests/test_worker_message \
	tests/test_worker_session

include tests/aerogpu.mk
include tests/apitrace.mk
include tests/gapir.mk

# A worker that misbehaves on demand.
check_PROGRAMS += tests/fakeworker
tests_fakeworker_SOURCES = tests/fakeworker.c tests/fakeworker.h
tests_fakeworker_LDADD = $(GPUDUMPFS_LIBS)

if FUZZERS
# With libFuzzer a target runs for ever: they alone are built, and `make fuzz` runs them.
LDADD = $(FUZZER_LIBS) $(GPUDUMPFS_LIBS)
check_PROGRAMS += $(fuzz_targets)
else
# A fuzz target finds its main function, which replays the seeds, in the archive.
check_LIBRARIES = tests/libfuzz-main.a $(support_libraries)
tests_libfuzz_main_a_SOURCES = \
	tests/fuzz_dictionary.c \
	tests/fuzz_dictionary.h \
	tests/fuzz_main.c
LDADD = tests/libfuzz-main.a $(GPUDUMPFS_LIBS) $(support_libs)
check_PROGRAMS += $(fuzz_targets)
TESTS += $(fuzz_targets)
if HAVE_CMOCKA
tests_test_worker_SOURCES = tests/test_worker.c tests/fakeworker.h
tests_test_worker_session_SOURCES = tests/test_worker_session.c tests/fakeworker.h
tests_test_dump_writer_LDADD = examples/libdumpwriter.a $(LDADD)
tests_test_mount_LDADD = $(LDADD) $(FUSE_LIBS)
tests_test_conformance_psx_SOURCES = tests/test_conformance_psx.c $(psx_streams)
tests_test_psx_slices_SOURCES = tests/test_psx_slices.c $(load_sources)
tests_test_psx_slices_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/examples
tests_test_psx_slices_LDADD = examples/libdumpwriter.a $(LDADD) -lm
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
TESTS += $(test_scripts)
if !SANITIZE
TESTS += $(still_scripts)
endif
endif

EXTRA_PROGRAMS += $(bench_programs)
tests_bench_bench_psx_draws_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_random_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_replay_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_vma_replay_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_index_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_index_SOURCES = tests/bench/bench_psx_index.c tests/bench/bench.h
tests_bench_bench_psx_moves_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_pictures_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_storm_LDADD =
tests_bench_memoryfs_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_bench_memoryfs_LDADD = $(FUSE_LIBS)
tests_bench_mkload_SOURCES = tests/bench/mkload.c $(load_sources)
tests_bench_mkload_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/examples
tests_bench_mkload_LDADD = examples/libdumpwriter.a -lm
.PHONY: bench bench-programs
bench-programs: $(bench_programs) $(bench_makers)

# Measures, some five minutes long; tests/bench/bench.py says with what. BENCH: parts of it.
bench: all bench-programs
	@top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
		PEER='$(PEER)' LOADS='$(LOADS)' RUNS='$(RUNS)' \
		$(srcdir)/tests/bench/bench.py $(BENCH)

dist_noinst_SCRIPTS += \
	$(still_scripts) \
	$(test_scripts) \
	tests/bench/bench.py \
	tests/left-out.sh \
	tests/run-program.sh
EXTRA_DIST += \
	tests/README \
	tests/conformance \
	tests/dictionaries \
	tests/mountlib.py \
	tests/seeds \
	tests/tap.sh \
	tests/valgrind.supp

AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	XDG_CACHE_HOME=/dev/null; export XDG_CACHE_HOME; \
	CC='$(CC)'; export CC; \
	GPUDUMPFS_GLWORKER='$(abs_top_builddir)/gpudumpfs-glworker'; export GPUDUMPFS_GLWORKER; \
	TEST_CPPFLAGS='$(AM_CPPFLAGS) $(CORE_CFLAGS) $(FUSE_CFLAGS)'; export TEST_CPPFLAGS;
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
LOG_COMPILER = $(srcdir)/tests/run-program.sh
TAP_LOG_DRIVER = $(TAP_DRIVER)

# The last lines of `make check`: how many tests were left out, and why.
check-local: check-TESTS
	@$(srcdir)/tests/left-out.sh $(TEST_LOGS)

CLEANFILES += tests/*.memory tsan-report.*

# In a tree that was configured with --enable-sanitize=thread. What a daemon in the background
# has to say is in a file, too.
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
	--suppressions=$(srcdir)/tests/valgrind.supp
valgrind_runs = $(valgrind_tests:=.valgrind)
.PHONY: valgrind $(valgrind_runs)
valgrind: $(valgrind_runs)
$(valgrind_runs): $(valgrind_tests)
	@test=$(@:.valgrind=); echo "$$test"; $(AM_TESTS_ENVIRONMENT) \
	$(VALGRIND) ./$$test >"$$test.memory" 2>&1 || { cat "$$test.memory"; exit 1; }; \
	rm -f "$$test.memory"

# Uses mounts of each format for SOAK_SECONDS, with mishaps.
SOAK_SECONDS = 3600
.PHONY: soak
soak: all
	@SOAK_SECONDS=$(SOAK_SECONDS); export SOAK_SECONDS; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/soak.tap

# Watches a dump as it is recorded for LIVE_SECONDS: the newest picture must be in time.
LIVE_SECONDS = 600
.PHONY: live
live: all
	@LIVE_SECONDS=$(LIVE_SECONDS); LIVE_PART=0.99; export LIVE_SECONDS LIVE_PART; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/live.tap

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
		-dict=$(srcdir)/tests/dictionaries/$${name%%_*}.dict \
		"fuzz/$$name" $(srcdir)/tests/seeds/$$name >"fuzz/$$name.log" 2>&1 || \
		{ tail -n 60 "fuzz/$$name.log"; exit 1; }
else
fuzz:
	@echo "make fuzz: configure with --enable-fuzzers CC=clang first" >&2; exit 1
endif

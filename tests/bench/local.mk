# SPDX-License-Identifier: MIT
# Generates dumps of any length, for `make bench`.
load_sources = tests/bench/load.c tests/bench/load.h examples/fixed.c examples/fixed.h

# Programs that measure, and what they need. `make bench` runs them all.
bench_programs = \
	tests/bench/bench_psx_draws \
	tests/bench/bench_psx_history \
	tests/bench/bench_psx_index \
	tests/bench/bench_psx_moves \
	tests/bench/bench_psx_pictures \
	tests/bench/bench_psx_random \
	tests/bench/bench_psx_replay \
	tests/bench/bench_storm \
	tests/bench/bench_vma_replay \
	tests/bench/memoryfs \
	tests/bench/mkload
if HAVE_APITRACE
bench_programs += \
	tests/bench/apitrace_generate \
	tests/bench/bench_apitrace
tests_bench_apitrace_generate_LDADD = examples/libapitracewriter.a
tests_bench_bench_apitrace_LDADD = $(GPUDUMPFS_LIBS)
endif
if HAVE_GAPIR
bench_programs += tests/bench/bench_gapir
tests_bench_bench_gapir_LDADD = $(GPUDUMPFS_LIBS)
endif
EXTRA_PROGRAMS += $(bench_programs)
tests_bench_bench_psx_draws_LDADD = $(GPUDUMPFS_LIBS)
tests_bench_bench_psx_history_LDADD = $(GPUDUMPFS_LIBS)
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
tests_bench_mkload_LDADD = examples/libdumpwriter.a -lm
.PHONY: bench bench-programs
bench-programs: $(bench_programs) $(bench_makers)

# Measures for about five minutes; tests/bench/bench.py describes how. BENCH names the parts, in bench_*.py.
bench: all bench-programs
	@top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
		PEER='$(PEER)' LOADS='$(LOADS)' RUNS='$(RUNS)' SCALE='$(SCALE)' \
		$(srcdir)/tests/bench/bench.py $(BENCH)

# Compares with `apitrace dump`, on generated traces of a million calls and of 500 MB.
.PHONY: bench-apitrace
bench-apitrace: bench-programs
	tests/bench/apitrace_generate calls 1000000 bench-calls.trace
	tests/bench/apitrace_generate raw 500 bench-raw.trace
	tests/bench/bench_apitrace bench-calls.trace bench-raw.trace
	rm -f bench-calls.trace bench-raw.trace

dist_noinst_SCRIPTS += tests/bench/bench.py
dist_noinst_DATA += \
	tests/bench/bench_aerogpu.py \
	tests/bench/bench_apitrace.py \
	tests/bench/bench_apitrace_text.py \
	tests/bench/bench_hostile.py \
	tests/bench/bench_index.py \
	tests/bench/bench_mount.py \
	tests/bench/bench_overlay.py \
	tests/bench/bench_page.py \
	tests/bench/bench_readers.py \
	tests/bench/bench_replay.py \
	tests/bench/bench_scale.py \
	tests/bench/loads.py \
	tests/bench/machine.py \
	tests/bench/measure.py \
	tests/bench/mounts.py
test_scripts += tests/bench/machine.tap

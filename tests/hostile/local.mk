# SPDX-License-Identifier: MIT
# Hostile dumps (docs/hostile.md): what writes them, and what judges the program by them.
test_scripts += \
	tests/hostile/flicker.tap \
	tests/hostile/hostile.tap
check_PROGRAMS += tests/hostile/flicker
tests_hostile_flicker_LDADD = $(GPUDUMPFS_LIBS)
dist_noinst_SCRIPTS += \
	tests/hostile/make.py \
	tests/hostile/run.py
EXTRA_DIST += \
	tests/hostile/clock.c \
	tests/hostile/aerogpu.py \
	tests/hostile/apitrace.py \
	tests/hostile/case.py \
	tests/hostile/container.py \
	tests/hostile/gapir.py \
	tests/hostile/gfxreconstruct.py \
	tests/hostile/pack.py \
	tests/hostile/psx.py \
	tests/hostile/todo.tsv \
	tests/hostile/vma.py

# A library that is preloaded into a daemon.
check_DATA += tests/hostile/clock.so
CLEANFILES += tests/hostile/clock.so
tests/hostile/clock.so: tests/hostile/clock.c
	@$(MKDIR_P) tests/hostile
	$(AM_V_GEN)$(CC) $(CPPFLAGS) -std=gnu11 -O2 -Wall -fPIC -shared -o $@ $(srcdir)/tests/hostile/clock.c

# Writes all figures as a table.
.PHONY: hostile
hostile: all
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/hostile/run.py -o hostile.tsv $(HOSTILE)

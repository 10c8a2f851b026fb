# SPDX-License-Identifier: MIT
# Hostile dumps (docs/hostile.md): what writes them, and what judges.
test_scripts += tests/hostile/hostile.tap
dist_noinst_SCRIPTS += \
	tests/hostile/make.py \
	tests/hostile/run.py
EXTRA_DIST += \
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

# All figures, as a table.
.PHONY: hostile
hostile: all
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/hostile/run.py -o hostile.tsv $(HOSTILE)

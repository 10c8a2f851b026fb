# SPDX-License-Identifier: MIT
# What must not change: a list for each format, and one for the programs.
plain_scripts += tests/compat/compat.tap
EXTRA_DIST += \
	tests/compat/aerogpu.txt \
	tests/compat/apitrace.txt \
	tests/compat/gapir.txt \
	tests/compat/gfxreconstruct.txt \
	tests/compat/programs.txt \
	tests/compat/psx.txt \
	tests/compat/vma.txt

# SPDX-License-Identifier: MIT
# Tests of GFXReconstruct, for which a library may be missing.
if HAVE_GFXRECONSTRUCT
unit_tests += \
	tests/formats/gfxreconstruct/test_calls \
	tests/formats/gfxreconstruct/test_container
valgrind_tests += \
	tests/formats/gfxreconstruct/test_calls \
	tests/formats/gfxreconstruct/test_container
fuzz_targets += \
	tests/fuzz/fuzz_gfxreconstruct_blocks \
	tests/fuzz/fuzz_gfxreconstruct_calls \
	tests/fuzz/fuzz_gfxreconstruct_dump
tests_fuzz_fuzz_gfxreconstruct_dump_SOURCES = tests/fuzz/fuzz_gfxreconstruct_dump.c $(fuzz_tree)
test_scripts += \
	tests/formats/gfxreconstruct/mount.tap
endif

support_sources += \
	tests/formats/gfxreconstruct/bytes.h

dist_noinst_SCRIPTS += tests/formats/gfxreconstruct/compare.py

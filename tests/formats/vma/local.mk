# SPDX-License-Identifier: MIT
# Tests of the VMA format.
unit_tests += \
	tests/formats/vma/test_allocator \
	tests/formats/vma/test_call \
	tests/formats/vma/test_conformance \
	tests/formats/vma/test_escape \
	tests/formats/vma/test_failures \
	tests/formats/vma/test_follow \
	tests/formats/vma/test_format \
	tests/formats/vma/test_golden \
	tests/formats/vma/test_hostile \
	tests/formats/vma/test_line \
	tests/formats/vma/test_moving \
	tests/formats/vma/test_pictures \
	tests/formats/vma/test_recording \
	tests/formats/vma/test_replay \
	tests/formats/vma/test_snapshots \
	tests/formats/vma/test_what_if
test_scripts += \
	tests/formats/vma/mount.tap
thread_tests += \
	tests/formats/vma/test_follow \
	tests/formats/vma/test_format \
	tests/formats/vma/test_replay
valgrind_tests += \
	tests/formats/vma/test_allocator \
	tests/formats/vma/test_call \
	tests/formats/vma/test_escape \
	tests/formats/vma/test_format \
	tests/formats/vma/test_hostile \
	tests/formats/vma/test_line \
	tests/formats/vma/test_moving \
	tests/formats/vma/test_pictures \
	tests/formats/vma/test_recording \
	tests/formats/vma/test_replay
fuzz_targets += \
	tests/fuzz/fuzz_vma_dump \
	tests/fuzz/fuzz_vma_lines \
	tests/fuzz/fuzz_vma_recording \
	tests/fuzz/fuzz_vma_snapshots
tests_fuzz_fuzz_vma_dump_SOURCES = tests/fuzz/fuzz_vma_dump.c $(fuzz_tree)

support_sources += \
	tests/formats/vma/calls.h \
	tests/formats/vma/play.c \
	tests/formats/vma/play.h

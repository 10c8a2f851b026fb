# SPDX-License-Identifier: MIT
# Tests of src/source/.
unit_tests += \
	tests/source/test_edited \
	tests/source/test_expansion \
	tests/source/test_expansion_limits \
	tests/source/test_growing_source \
	tests/source/test_sigbus_guard \
	tests/source/test_source \
	tests/source/test_source_changed
thread_tests += \
	tests/source/test_growing_source \
	tests/source/test_sigbus_guard
valgrind_tests += \
	tests/source/test_expansion \
	tests/source/test_expansion_limits \
	tests/source/test_growing_source \
	tests/source/test_source \
	tests/source/test_source_changed

source_play = tests/source/source_play.c tests/source/source_play.h
tests_source_test_expansion_SOURCES = tests/source/test_expansion.c $(source_play)
tests_source_test_expansion_limits_SOURCES = tests/source/test_expansion_limits.c $(source_play)
tests_source_test_source_SOURCES = tests/source/test_source.c $(source_play)

# SPDX-License-Identifier: MIT
# Tests of src/source/.
unit_tests += \
	tests/source/test_edited \
	tests/source/test_growing_source \
	tests/source/test_source \
	tests/source/test_source_changed
thread_tests += \
	tests/source/test_growing_source
valgrind_tests += \
	tests/source/test_growing_source \
	tests/source/test_source \
	tests/source/test_source_changed

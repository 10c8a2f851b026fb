# SPDX-License-Identifier: MIT
# Tests of src/base/.
unit_tests += \
	tests/base/test_blob \
	tests/base/test_array \
	tests/base/test_bytes \
	tests/base/test_cancellable_mutex \
	tests/base/test_decimal \
	tests/base/test_json_memory \
	tests/base/test_json_reader \
	tests/base/test_landlock \
	tests/base/test_log \
	tests/base/test_memory \
	tests/base/test_memory_limit \
	tests/base/test_metadata \
	tests/base/test_minimise \
	tests/base/test_privileges \
	tests/base/test_problems \
	tests/base/test_process \
	tests/base/test_sha256 \
	tests/base/test_shortest_edit \
	tests/base/test_string \
	tests/base/test_syscall_filter \
	tests/base/test_text \
	tests/base/test_wide
thread_tests += \
	tests/base/test_cancellable_mutex \
	tests/base/test_problems
valgrind_tests += \
	tests/base/test_blob \
	tests/base/test_array \
	tests/base/test_bytes \
	tests/base/test_cancellable_mutex \
	tests/base/test_json_memory \
	tests/base/test_log \
	tests/base/test_metadata \
	tests/base/test_minimise \
	tests/base/test_problems \
	tests/base/test_process \
	tests/base/test_shortest_edit \
	tests/base/test_string \
	tests/base/test_text

# Tests of src/gpudump/.
unit_tests += \
	tests/gpudump/test_paths \
	tests/gpudump/test_unified
test_scripts += \
	tests/gpudump/gpudump.tap
valgrind_tests += \
	tests/gpudump/test_paths \
	tests/gpudump/test_unified

tests_gpudump_test_paths_SOURCES = tests/gpudump/test_paths.c src/gpudump/paths.c
tests_gpudump_test_unified_SOURCES = tests/gpudump/test_unified.c src/gpudump/unified.c

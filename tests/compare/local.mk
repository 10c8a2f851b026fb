# SPDX-License-Identifier: MIT
# Tests of src/compare/.
unit_tests += \
	tests/compare/test_align \
	tests/compare/test_text_diff
valgrind_tests += \
	tests/compare/test_align \
	tests/compare/test_text_diff

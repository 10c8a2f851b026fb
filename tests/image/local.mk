# SPDX-License-Identifier: MIT
# Tests of src/image/.
unit_tests += \
	tests/image/test_block_formats \
	tests/image/test_canvas \
	tests/image/test_draw_ids \
	tests/image/test_fingerprint \
	tests/image/test_gl_format \
	tests/image/test_heat \
	tests/image/test_picture \
	tests/image/test_reel
valgrind_tests += \
	tests/image/test_block_formats \
	tests/image/test_canvas \
	tests/image/test_draw_ids \
	tests/image/test_fingerprint \
	tests/image/test_gl_format \
	tests/image/test_heat \
	tests/image/test_picture \
	tests/image/test_reel

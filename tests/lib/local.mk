# SPDX-License-Identifier: MIT
# Tests of libpsxgpudump.
unit_tests += tests/lib/test_psxgpudump
tests_lib_test_psxgpudump_LDADD = lib/libpsxgpudump.a $(LDADD)
valgrind_tests += tests/lib/test_psxgpudump
test_scripts += tests/lib/psxgpudump.tap
fuzz_targets += tests/fuzz/fuzz_psx_reader
tests_fuzz_fuzz_psx_reader_LDADD = lib/libpsxgpudump.a $(LDADD)

# SPDX-License-Identifier: MIT
# Tests of src/dxbc/.
unit_tests += tests/dxbc/test_dxbc
valgrind_tests += tests/dxbc/test_dxbc

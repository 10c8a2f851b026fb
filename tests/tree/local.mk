# SPDX-License-Identifier: MIT
# Tests of src/tree/, and of its files for dumps of every format.
unit_tests += \
	tests/tree/test_ahead \
	tests/tree/test_ahead_texts \
	tests/tree/test_request \
	tests/tree/test_request_withdrawn \
	tests/tree/test_contents \
	tests/tree/test_find \
	tests/tree/test_limits \
	tests/tree/test_names \
	tests/tree/test_options \
	tests/tree/test_overview \
	tests/tree/test_pieces \
	tests/tree/test_pixel_files \
	tests/tree/test_scripts \
	tests/tree/test_tables \
	tests/tree/test_told_sizes \
	tests/tree/test_tree
test_scripts += \
	tests/tree/metadata.tap
plain_scripts += tests/tree/tables.tap
thread_tests += \
	tests/tree/test_find \
	tests/tree/test_limits \
	tests/tree/test_ahead \
	tests/tree/test_ahead_texts \
	tests/tree/test_request \
	tests/tree/test_request_withdrawn \
	tests/tree/test_names \
	tests/tree/test_tree
valgrind_tests += \
	tests/tree/test_ahead \
	tests/tree/test_ahead_texts \
	tests/tree/test_request \
	tests/tree/test_request_withdrawn \
	tests/tree/test_contents \
	tests/tree/test_find \
	tests/tree/test_names \
	tests/tree/test_options \
	tests/tree/test_overview \
	tests/tree/test_pieces \
	tests/tree/test_pixel_files \
	tests/tree/test_scripts \
	tests/tree/test_tables \
	tests/tree/test_tree

# The test parses the programs' table of options.
tests_tree_test_options_SOURCES = tests/tree/test_options.c src/cli/option_table.c

# Tests that make requests to a tree, and wait for the results.
tests_tree_test_request_SOURCES = tests/tree/test_request.c tests/tree/caller.c tests/tree/caller.h
tests_tree_test_request_withdrawn_SOURCES = tests/tree/test_request_withdrawn.c tests/tree/caller.c tests/tree/caller.h

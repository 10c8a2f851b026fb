# Tests of the programs' own files, and of what is installed with them: pages, examples,
# completion, the desktop's files.
unit_tests += \
	tests/programs/test_mountpoint \
	tests/programs/test_mounts
still_scripts += \
	tests/programs/completion.tap \
	tests/programs/install.tap \
	tests/programs/man_lint.tap
test_scripts += \
	tests/programs/demo.tap \
	tests/programs/desktop.tap \
	tests/programs/example.tap \
	tests/programs/man_examples.tap \
	tests/programs/man_options.tap \
	tests/programs/man_tree.tap \
	tests/programs/readme.tap

tests_programs_test_mountpoint_SOURCES = tests/programs/test_mountpoint.c src/mountpoint.c
tests_programs_test_mounts_SOURCES = tests/programs/test_mounts.c src/mounts.c

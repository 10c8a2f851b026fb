# SPDX-License-Identifier: MIT
# Tests of src/cli/.
unit_tests += \
	tests/cli/test_child \
	tests/cli/test_condition \
	tests/cli/test_confine \
	tests/cli/test_daemon \
	tests/cli/test_dataset_masks \
	tests/cli/test_keeper \
	tests/cli/test_launcher \
	tests/cli/test_mountpoint \
	tests/cli/test_mounts \
	tests/cli/test_paths
test_scripts += \
	tests/cli/assemble.tap \
	tests/cli/assert.tap \
	tests/cli/compare.tap \
	tests/cli/confined.tap \
	tests/cli/database.tap \
	tests/cli/dataset.tap \
	tests/cli/gpudump.tap \
	tests/cli/interrupted.tap \
	tests/cli/reduce.tap
valgrind_tests += \
	tests/cli/test_condition \
	tests/cli/test_paths

tests_cli_test_child_SOURCES = tests/cli/test_child.c src/cli/child.c
tests_cli_test_condition_SOURCES = tests/cli/test_condition.c src/cli/condition.c
tests_cli_test_confine_SOURCES = tests/cli/test_confine.c src/cli/confine.c
tests_cli_test_daemon_SOURCES = tests/cli/test_daemon.c src/cli/daemon.c
tests_cli_test_dataset_masks_SOURCES = tests/cli/test_dataset_masks.c src/cli/dataset_masks.c
tests_cli_test_dataset_masks_LDFLAGS = \
	$(AM_LDFLAGS) -Wl,--wrap=tree_find -Wl,--wrap=tree_list -Wl,--wrap=pixels_read
tests_cli_test_keeper_SOURCES = tests/cli/test_keeper.c src/cli/helpers.c src/cli/keeper.c
tests_cli_test_launcher_SOURCES = tests/cli/test_launcher.c src/cli/helpers.c
tests_cli_test_mountpoint_SOURCES = \
	tests/cli/test_mountpoint.c src/cli/mount_table.c src/cli/mountpoint.c
tests_cli_test_mounts_SOURCES = \
	tests/cli/test_mounts.c src/cli/mount_table.c src/cli/mountpoint.c src/cli/mounts.c
tests_cli_test_paths_SOURCES = tests/cli/test_paths.c src/cli/paths.c

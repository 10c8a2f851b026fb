# SPDX-License-Identifier: MIT
# Tests of what is installed with the programs: man pages, examples, completion, desktop files.
plain_scripts += \
	tests/programs/clusters.tap \
	tests/programs/completion.tap \
	tests/programs/demo.tap \
	tests/programs/descriptions.tap \
	tests/programs/desktop.tap \
	tests/programs/example.tap \
	tests/programs/install.tap \
	tests/programs/man_examples.tap \
	tests/programs/man_lint.tap \
	tests/programs/man_options.tap \
	tests/programs/man_tree.tap \
	tests/programs/manual.tap \
	tests/programs/packaging.tap \
	tests/programs/python.tap \
	tests/programs/readme.tap \
	tests/programs/release.tap \
	tests/programs/upgrading.tap \
	tests/programs/version.tap
dist_noinst_DATA += tests/programs/kaitai.py

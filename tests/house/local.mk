# SPDX-License-Identifier: MIT
# What holds for the sources themselves, and for the tests' own harness.
plain_scripts += \
	tests/house/citations.tap \
	tests/house/cycles.tap \
	tests/house/formats.tap \
	tests/house/habits.tap \
	tests/house/harness.tap \
	tests/house/layers.tap \
	tests/house/locks.tap \
	tests/house/words.tap

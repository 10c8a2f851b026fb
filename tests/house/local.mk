# SPDX-License-Identifier: MIT
# Checks of the sources themselves, and of the test harness.
plain_scripts += \
	tests/house/citations.tap \
	tests/house/cycles.tap \
	tests/house/formats.tap \
	tests/house/habits.tap \
	tests/house/harness.tap \
	tests/house/layers.tap \
	tests/house/locks.tap \
	tests/house/parameters.tap \
	tests/house/words.tap

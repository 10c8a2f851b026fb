# SPDX-License-Identifier: MIT
# What the formats share, and all of them under the same mishap.
unit_tests += \
	tests/formats/test_format \
	tests/formats/test_starved
valgrind_tests += \
	tests/formats/test_format

# It has an allocator of its own.
tests_formats_test_starved_SOURCES = \
	tests/formats/starve.c \
	tests/formats/starve.h \
	tests/formats/test_starved.c
tests_formats_test_starved_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'

# The tests of each (m4/gpudumpfs.m4).
include tests/formats/formats.mk

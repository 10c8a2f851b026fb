# SPDX-License-Identifier: MIT
# Tests that apply to all formats, and tests of all formats with the same fault.
unit_tests += \
	tests/formats/test_faults \
	tests/formats/test_format \
	tests/formats/test_starved
valgrind_tests += \
	tests/formats/test_format

# These have an allocator of their own, and one of them also wraps system calls.
starve_sources = \
	tests/formats/starve.c \
	tests/formats/starve.h \
	tests/formats/use.c \
	tests/formats/use.h
tests_formats_test_starved_SOURCES = $(starve_sources) tests/formats/test_starved.c
tests_formats_test_starved_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_formats_test_faults_SOURCES = $(starve_sources) $(fault_sources) tests/formats/test_faults.c
tests_formats_test_faults_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'
tests_formats_test_faults_LDADD = $(LDADD) $(FAULT_WRAPPERS)
tests_formats_test_format_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"'

# The tests of each format (m4/gpudumpfs.m4).
include tests/formats/formats.mk

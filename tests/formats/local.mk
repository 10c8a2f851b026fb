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

include tests/formats/aerogpu/local.mk
include tests/formats/apitrace/local.mk
include tests/formats/gapir/local.mk
include tests/formats/psx/local.mk
include tests/formats/vma/local.mk

# SPDX-License-Identifier: MIT
# libpsxgpudump, for programs that record dumps. It is self-contained: it includes no other header
# of ours.
lib_LIBRARIES = lib/libpsxgpudump.a
lib_libpsxgpudump_a_SOURCES = \
	lib/psxgpudump.c \
	lib/psxgpudump.h
lib_libpsxgpudump_a_CPPFLAGS =
include_HEADERS = lib/psxgpudump.h

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/psxgpudump.pc

# SPDX-License-Identifier: MIT
# libpsxgpudump, for programs that record: it stands alone, and includes nothing of ours.
lib_LIBRARIES = lib/libpsxgpudump.a
lib_libpsxgpudump_a_SOURCES = \
	lib/psxgpudump.c \
	lib/psxgpudump.h
lib_libpsxgpudump_a_CPPFLAGS =
include_HEADERS = lib/psxgpudump.h

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = lib/psxgpudump.pc
EXTRA_DIST += lib/psxgpudump.pc.in
CLEANFILES += lib/psxgpudump.pc
lib/psxgpudump.pc: lib/psxgpudump.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) lib && sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' \
		-e 's|@includedir@|$(includedir)|' -e 's|@VERSION@|$(VERSION)|' \
		$(srcdir)/lib/psxgpudump.pc.in >$@.tmp && mv $@.tmp $@

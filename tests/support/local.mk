# SPDX-License-Identifier: MIT
# What tests share. It also replaces the allocators by functions of its own, so that a test can make
# any allocation of ours fail. Folders add to this what they share with other folders.
support_sources = \
	tests/support/conformance.c \
	tests/support/conformance.h \
	tests/support/fake.c \
	tests/support/fake.h \
	tests/support/options.c \
	tests/support/options.h \
	tests/support/piped.c \
	tests/support/piped.h \
	tests/support/support.c \
	tests/support/support.h \
	tests/support/tree_play.c \
	tests/support/tree_play.h \
	tests/support/walk.c \
	tests/support/walk.h

# System calls that fail, for programs that are linked with $(FAULT_WRAPPERS).
fault_sources = \
	tests/support/faults.c \
	tests/support/faults.h

# What runs the tests, and what scripts in shell and Python share.
dist_noinst_SCRIPTS += \
	tests/support/left-out.sh \
	tests/support/run-program.sh
EXTRA_DIST += \
	tests/support/keptlib.py \
	tests/support/mountlib.py \
	tests/support/schemas.py \
	tests/support/tap.sh \
	tests/support/valgrind.supp

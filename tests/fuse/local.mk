# SPDX-License-Identifier: MIT
# Tests of src/fuse/, and of mounts.
unit_tests += \
	tests/fuse/test_busy_poll \
	tests/fuse/test_folder \
	tests/fuse/test_mount \
	tests/fuse/test_request
test_scripts += \
	tests/fuse/budgets.tap \
	tests/fuse/compare_mount.tap \
	tests/fuse/confined.tap \
	tests/fuse/folder.tap \
	tests/fuse/follow.tap \
	tests/fuse/live.tap \
	tests/fuse/modes.tap \
	tests/fuse/mount_files.tap \
	tests/fuse/mount_formats.tap \
	tests/fuse/mount_fstab.tap \
	tests/fuse/mount_life.tap \
	tests/fuse/mount_load.tap \
	tests/fuse/mount_malformed.tap \
	tests/fuse/mount_start.tap \
	tests/fuse/old_kernel.tap \
	tests/fuse/overlay.tap \
	tests/fuse/overwrite.tap \
	tests/fuse/soak.tap \
	tests/fuse/spool.tap \
	tests/fuse/starved.tap
plain_scripts += tests/fuse/realclients.tap
thread_tests += \
	tests/fuse/folder.tap \
	tests/fuse/follow.tap \
	tests/fuse/mount_life.tap \
	tests/fuse/mount_load.tap \
	tests/fuse/overlay.tap \
	tests/fuse/overwrite.tap \
	tests/fuse/test_mount

# Modules of the programs alone.
tests_fuse_test_busy_poll_SOURCES = tests/fuse/test_busy_poll.c src/fuse/busy_poll.c
tests_fuse_test_folder_SOURCES = tests/fuse/test_folder.c $(fuse_sources)
tests_fuse_test_folder_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_fuse_test_folder_LDADD = $(LDADD) $(FUSE_LIBS)
tests_fuse_test_mount_SOURCES = tests/fuse/test_mount.c $(fuse_sources)
tests_fuse_test_mount_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_fuse_test_mount_LDADD = $(LDADD) $(FUSE_LIBS)
tests_fuse_test_request_SOURCES = tests/fuse/test_request.c $(fuse_sources)
tests_fuse_test_request_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_fuse_test_request_LDADD = $(LDADD) $(FUSE_LIBS)

# A program that runs another one as if the kernel were older than 5.1.
check_PROGRAMS += tests/support/old_kernel
tests_support_old_kernel_LDADD =

# A file system that returns a file's bytes up to an offset, and EIO after it.
check_PROGRAMS += tests/fuse/faultyfs
tests_fuse_faultyfs_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
tests_fuse_faultyfs_LDADD = $(FUSE_LIBS)

# A library that is preloaded into a daemon.
EXTRA_DIST += tests/fuse/starve.c
check_DATA += tests/fuse/starve.so
CLEANFILES += tests/fuse/starve.so
tests/fuse/starve.so: tests/fuse/starve.c
	@$(MKDIR_P) tests/fuse
	$(AM_V_GEN)$(CC) $(CPPFLAGS) -std=gnu11 -O2 -Wall -fPIC -shared -o $@ $(srcdir)/tests/fuse/starve.c

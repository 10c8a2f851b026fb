# SPDX-License-Identifier: MIT
# The programs. Their common part is in program.c.
bin_PROGRAMS += gpudump gpudumpfs
gpudumpfs_SOURCES = \
	src/cli/command.c \
	src/cli/command.h \
	src/cli/confine.c \
	src/cli/confine.h \
	src/cli/daemon.c \
	src/cli/daemon.h \
	src/cli/folder.c \
	src/cli/folder.h \
	src/cli/gpudumpfs.c \
	src/cli/helper_roles.c \
	src/cli/helper_roles.h \
	src/cli/helpers.c \
	src/cli/helpers.h \
	src/cli/keeper.c \
	src/cli/keeper.h \
	src/cli/mount_helpers.c \
	src/cli/mount_session.h \
	src/cli/mount_table.c \
	src/cli/mount_table.h \
	src/cli/mounting.c \
	src/cli/mountpoint.c \
	src/cli/mountpoint.h \
	src/cli/mounts.c \
	src/cli/mounts.h \
	src/cli/opening.c \
	src/cli/opening.h \
	src/cli/option_table.c \
	src/cli/overlay.c \
	src/cli/overlay.h \
	src/cli/overlay_files.c \
	src/cli/pair.c \
	src/cli/pair.h \
	src/cli/program.c \
	src/cli/program.h
gpudumpfs_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
gpudumpfs_LDADD = $(GPUDUMPFS_LIBS) $(FUSE_LIBS)
gpudump_SOURCES = \
	src/cli/assert.c \
	src/cli/assert.h \
	src/cli/assemble.c \
	src/cli/cat.c \
	src/cli/child.c \
	src/cli/child.h \
	src/cli/compare.c \
	src/cli/condition.c \
	src/cli/condition.h \
	src/cli/confine.c \
	src/cli/confine.h \
	src/cli/confined.c \
	src/cli/contents.c \
	src/cli/copy.c \
	src/cli/cp.c \
	src/cli/cut.c \
	src/cli/database.c \
	src/cli/database.h \
	src/cli/dataset.c \
	src/cli/dataset.h \
	src/cli/dataset_dump.c \
	src/cli/dataset_file.c \
	src/cli/dataset_frame.c \
	src/cli/dataset_inputs.c \
	src/cli/dataset_manifest.c \
	src/cli/dataset_masks.c \
	src/cli/dataset_problems.c \
	src/cli/dataset_sums.c \
	src/cli/dataset_tables.c \
	src/cli/diff.c \
	src/cli/export.c \
	src/cli/flags.c \
	src/cli/gpudump.c \
	src/cli/gpudump.h \
	src/cli/helper_roles.c \
	src/cli/helper_roles.h \
	src/cli/helpers.c \
	src/cli/helpers.h \
	src/cli/junit.c \
	src/cli/keeper.c \
	src/cli/keeper.h \
	src/cli/ls.c \
	src/cli/option_table.c \
	src/cli/paths.c \
	src/cli/program.c \
	src/cli/program.h \
	src/cli/schema.c \
	src/cli/schema.h \
	src/cli/schema_data.c \
	src/cli/suite.c \
	src/cli/reduce.c \
	src/cli/replace.c \
	src/cli/thumbnail.c \
	src/cli/usage.c
gpudump_LDADD = $(GPUDUMPFS_LIBS) $(SQLITE_LIBS)
if HAVE_SQLITE
gpudump_SOURCES += src/cli/database_file.c src/cli/database_finish.c
endif

# Generated from docs/tables: the tables of all formats.
EXTRA_DIST += src/cli/schema.awk
dist_tables_DATA += $(format_tables)
src/cli/schema_data.c: src/cli/schema.awk $(format_tables)
	$(AM_V_GEN)$(MKDIR_P) src/cli && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/cli/schema.awk \
		`for file in $(format_tables); do echo $(srcdir)/$$file; done` >$@.tmp && mv $@.tmp $@
MAINTAINERCLEANFILES += src/cli/schema_data.c

# Everything but the programs' main functions: programs, tests, fuzz targets and
# benchmarks link it.
noinst_LIBRARIES += libgpudumpfs.a
libgpudumpfs_a_SOURCES =
# Code for processors that have more is compiled for them, and joins the library.
libgpudumpfs_a_LIBADD =
libgpudumpfs_a_DEPENDENCIES =
GPUDUMPFS_LIBS = libgpudumpfs.a $(CORE_LIBS) -lm

# The programs. What both do alike is in program.c.
bin_PROGRAMS += gpudump gpudumpfs
gpudumpfs_SOURCES = \
	src/command.c \
	src/command.h \
	src/daemon.c \
	src/daemon.h \
	src/folder.c \
	src/folder.h \
	src/gpudumpfs.c \
	src/helper.c \
	src/helper.h \
	src/mountpoint.c \
	src/mountpoint.h \
	src/mounts.c \
	src/mounts.h \
	src/notify.c \
	src/notify.h \
	src/program.c \
	src/program.h \
	src/progress.c \
	src/progress.h
gpudumpfs_CFLAGS = $(AM_CFLAGS) $(FUSE_CFLAGS)
gpudumpfs_LDADD = $(GPUDUMPFS_LIBS) $(FUSE_LIBS)
gpudump_SOURCES = \
	src/gpudump.c \
	src/gpudump/cat.c \
	src/gpudump/contents.c \
	src/gpudump/contents.h \
	src/gpudump/copy.c \
	src/gpudump/copy.h \
	src/gpudump/cp.c \
	src/gpudump/diff.c \
	src/gpudump/export.c \
	src/gpudump/gpudump.h \
	src/gpudump/ls.c \
	src/gpudump/paths.c \
	src/gpudump/paths.h \
	src/gpudump/thumbnail.c \
	src/gpudump/unified.c \
	src/gpudump/unified.h \
	src/program.c \
	src/program.h \
	src/progress.c \
	src/progress.h
gpudump_LDADD = $(GPUDUMPFS_LIBS)

include src/base/local.mk
include src/source/local.mk
include src/cache/local.mk
include src/image/local.mk
include src/tree/local.mk
include src/formats/local.mk
include src/fuse/local.mk
include src/glworker/local.mk
include src/worker/local.mk

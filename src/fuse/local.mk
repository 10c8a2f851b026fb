# SPDX-License-Identifier: MIT
# The FUSE adapter. Only gpudumpfs and the adapter's test are linked with it.
fuse_sources = \
	src/fuse/busy_poll.c \
	src/fuse/busy_poll.h \
	src/fuse/dump_operations.c \
	src/fuse/files.c \
	src/fuse/folder.c \
	src/fuse/folder.h \
	src/fuse/folder_operations.c \
	src/fuse/generations.c \
	src/fuse/generations.h \
	src/fuse/handshake.c \
	src/fuse/idle_unmount.c \
	src/fuse/idle_unmount.h \
	src/fuse/internal.h \
	src/fuse/libfuse.h \
	src/fuse/libfuse_log.c \
	src/fuse/loop.c \
	src/fuse/loop.h \
	src/fuse/modes.c \
	src/fuse/mount.c \
	src/fuse/mount.h \
	src/fuse/mount_options.h \
	src/fuse/nodes.c \
	src/fuse/notifier.c \
	src/fuse/notifier.h \
	src/fuse/read.c \
	src/fuse/refuse_writes.c \
	src/fuse/request.c \
	src/fuse/request.h \
	src/fuse/serve.c \
	src/fuse/serve.h \
	src/fuse/xattr.c
gpudumpfs_SOURCES += $(fuse_sources)

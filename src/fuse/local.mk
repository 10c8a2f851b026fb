# The FUSE adapter is linked by gpudumpfs and by its test alone.
fuse_sources = \
	src/fuse/adapter.h \
	src/fuse/mount.c \
	src/fuse/mount.h \
	src/fuse/operations.c \
	src/fuse/read.c \
	src/fuse/request.c
gpudumpfs_SOURCES += $(fuse_sources)

# The FUSE adapter is linked by gpudumpfs alone.
gpudumpfs_SOURCES += \
	src/fuse/adapter.h \
	src/fuse/mount.c \
	src/fuse/mount.h \
	src/fuse/operations.c \
	src/fuse/read.c \
	src/fuse/request.c

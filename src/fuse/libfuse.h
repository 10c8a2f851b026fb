/* SPDX-License-Identifier: MIT */
/* libfuse's low-level interface, of the version that all files of fuse/ see alike. */
#ifndef GPUDUMPFS_FUSE_LIBFUSE_H
#define GPUDUMPFS_FUSE_LIBFUSE_H

#define FUSE_USE_VERSION 35

#include <fuse_lowlevel.h>

#endif

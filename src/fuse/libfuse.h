/* SPDX-License-Identifier: MIT */
/* libfuse's low-level interface, in the same version for all files of fuse/. */
#ifndef GPUDUMPFS_FUSE_LIBFUSE_H
#define GPUDUMPFS_FUSE_LIBFUSE_H

#define FUSE_USE_VERSION 35

#include <fuse_lowlevel.h>

#endif

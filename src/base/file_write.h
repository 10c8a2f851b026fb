/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor until all is written. Any thread. */
#ifndef GPUDUMPFS_BASE_FILE_WRITE_H
#define GPUDUMPFS_BASE_FILE_WRITE_H

#include <stddef.h>

/* Goes on after signals and partial writes. 0 or -errno; what was written before stays. */
int file_write_all(int fd, const void *bytes, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads from a descriptor until everything is read. Any thread. */
#ifndef GPUDUMPFS_BASE_FILE_READ_H
#define GPUDUMPFS_BASE_FILE_READ_H

#include <stddef.h>

/*
 * Reads `size` bytes, continuing after signals and partial reads. Returns 0, -EBADMSG if the file
 * ends before that, or another -errno.
 */
int file_read_all(int fd, void *bytes, size_t size);

#endif

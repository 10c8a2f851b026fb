/* SPDX-License-Identifier: MIT */
/* Writes to a descriptor until everything is written. Any thread. */
#ifndef GPUDUMPFS_BASE_FILE_WRITE_H
#define GPUDUMPFS_BASE_FILE_WRITE_H

#include <stddef.h>

/*
 * Writes all bytes, continuing after signals and partial writes. Returns 0 or -errno; what was
 * written before a failure stays written.
 */
int file_write_all(int fd, const void *bytes, size_t size);

#endif

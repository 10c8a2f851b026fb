/* SPDX-License-Identifier: MIT */
#include "base/file_write.h"

#include <errno.h>
#include <unistd.h>

int file_write_all(int fd, const void *bytes, size_t size)
{
    const char *next = bytes;

    while (size > 0) {
        ssize_t written = write(fd, next, size);

        if (written < 0 && errno != EINTR)
            return -errno;
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

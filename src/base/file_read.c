/* SPDX-License-Identifier: MIT */
#include "base/file_read.h"

#include <errno.h>
#include <unistd.h>

int file_read_all(int fd, void *bytes, size_t size)
{
    char *next = bytes;

    while (size > 0) {
        ssize_t got = read(fd, next, size);

        if (got == 0)
            return -EBADMSG;
        if (got < 0 && errno != EINTR)
            return -errno;
        if (got > 0) {
            next += got;
            size -= (size_t)got;
        }
    }
    return 0;
}

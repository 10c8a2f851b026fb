/* SPDX-License-Identifier: MIT */
/* Descriptors that a new process has of another, and that it is to have no more. One thread. */
#ifndef GPUDUMPFS_BASE_DESCRIPTORS_H
#define GPUDUMPFS_BASE_DESCRIPTORS_H

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Closes those from `first` to `last`; one by one before Linux 5.9, as far as any may be open. */
static inline void descriptors_close(unsigned first, unsigned last)
{
    struct rlimit limit;

    if (syscall(SYS_close_range, first, last, 0) == 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    for (unsigned fd = first; fd <= last && fd < limit.rlim_cur; fd++)
        close((int)fd);
}

#endif

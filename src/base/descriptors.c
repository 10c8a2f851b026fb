/* SPDX-License-Identifier: MIT */
#include "base/descriptors.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLENTY = 65536 }; /* upper bound if the open descriptors cannot be listed */

static void close_listed(DIR *listed, unsigned first, unsigned last)
{
    const struct dirent *entry;

    while ((entry = readdir(listed)) != NULL) {
        unsigned fd = (unsigned)strtoul(entry->d_name, NULL, 10);

        if (entry->d_name[0] != '.' && fd >= first && fd <= last && (int)fd != dirfd(listed))
            close((int)fd);
    }
    closedir(listed);
}

void descriptors_close(unsigned first, unsigned last)
{
    DIR *listed;

    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
    listed = opendir("/proc/self/fd");
    if (listed != NULL) {
        close_listed(listed, first, last);
        return;
    }
    for (unsigned fd = first; fd <= last && fd < PLENTY; fd++)
        close((int)fd);
}

/* Returns the lowest kept descriptor from `first` on, or UINT_MAX if there is none. */
static unsigned next_kept(unsigned first, const int *kept, size_t count)
{
    unsigned next = UINT_MAX;

    for (size_t i = 0; i < count; i++)
        if (kept[i] >= 0 && (unsigned)kept[i] >= first && (unsigned)kept[i] < next)
            next = (unsigned)kept[i];
    return next;
}

void descriptors_close_others(unsigned first, const int *kept, size_t count)
{
    unsigned next;

    while ((next = next_kept(first, kept, count)) != UINT_MAX) {
        if (next > first)
            descriptors_close(first, next - 1);
        first = next + 1;
    }
    descriptors_close(first, UINT_MAX);
}

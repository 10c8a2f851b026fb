/* SPDX-License-Identifier: MIT */
#include "base/descriptors.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLENTY = 65536 }; /* where it cannot be seen which are open */

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

/* SPDX-License-Identifier: MIT */
#include "glworker/core/breadcrumb_page.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct breadcrumb unread, *breadcrumb = &unread;

int breadcrumb_open(int fd)
{
    void *page = mmap(NULL, sizeof(*breadcrumb), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (page == MAP_FAILED)
        return -errno;
    breadcrumb = page;
    close(fd);
    return 0;
}

void breadcrumb_set(enum breadcrumb_activity activity, const uint64_t subjects[BREADCRUMB_SUBJECTS])
{
    breadcrumb->activity = activity;
    if (subjects != NULL)
        memcpy(breadcrumb->subjects, subjects, sizeof(breadcrumb->subjects));
    else
        memset(breadcrumb->subjects, 0, sizeof(breadcrumb->subjects));
}

void breadcrumb_set_one(enum breadcrumb_activity activity, uint64_t subject)
{
    breadcrumb_set(activity, (const uint64_t[BREADCRUMB_SUBJECTS]){subject});
}

void breadcrumb_move(uint32_t offset)
{
    breadcrumb->offset = offset;
}

bool breadcrumb_is_withdrawn(uint32_t serial)
{
    return __atomic_load_n(&breadcrumb->withdrawn, __ATOMIC_RELAXED) == serial && serial != 0;
}

bool breadcrumb_tell_memory(uint64_t held)
{
    uint64_t max = __atomic_load_n(&breadcrumb->max_held, __ATOMIC_RELAXED);

    __atomic_store_n(&breadcrumb->held, held, __ATOMIC_RELAXED);
    if (max == 0 || held <= max)
        return false;
    __atomic_store_n(&breadcrumb->greedy, 1, __ATOMIC_RELEASE);
    return true;
}

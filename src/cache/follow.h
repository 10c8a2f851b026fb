/* SPDX-License-Identifier: MIT */
/*
 * What a dump shows while it grows (follow.md), whatever its format: counts that only rise, and
 * the moment, which rises with every change of them. What is made of a dump at one moment is not
 * given away at another; so a format tells of all that it shows by follow_show() alone. A dump that
 * does not grow shows all of it, and has ended, from its opening on. One thread shows, the index
 * pass's; any thread may read.
 */
#ifndef GPUDUMPFS_CACHE_FOLLOW_H
#define GPUDUMPFS_CACHE_FOLLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct follow {
    _Atomic uint64_t packets, frames; /* those below the counts are shown */
    _Atomic uint64_t moment;
    _Atomic bool ended; /* nothing more will be shown */
    /* Called at every moment, by the thread that shows; or NULL. */
    void (*grew)(void *context);
    void *context;
};

/* Before the pass is started. */
void follow_listen(struct follow *follow, void (*grew)(void *context), void *context);

/* Shows so many, which are known to their last figure; nothing after it once it has ended. */
void follow_show(struct follow *follow, uint64_t packets, uint64_t frames, bool ended);

/* Whether more may be shown later. */
static inline bool follow_grows(const struct follow *follow)
{
    return !follow->ended;
}

#endif

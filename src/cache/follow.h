/* SPDX-License-Identifier: MIT */
/*
 * What is shown of a dump that grows (follow.md), for all formats: counts of packets and frames,
 * which only increase, and the moment, a number that increases with every change of the counts.
 *
 * What is made from a dump at one moment is not served at another, so a format may publish what it
 * shows only by follow_show(). A dump that does not grow shows everything, and has ended, from the
 * time that it is opened. One thread, that of the index pass, calls follow_show(); any thread may
 * read.
 */
#ifndef GPUDUMPFS_CACHE_FOLLOW_H
#define GPUDUMPFS_CACHE_FOLLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct follow {
    _Atomic uint64_t packets, frames; /* packets and frames below these numbers are shown */
    _Atomic uint64_t moment;
    _Atomic bool ended; /* nothing more will be shown */
    /* Called at every moment by the thread that shows; may be NULL. */
    void (*grew)(void *context);
    void *context;
};

/* Sets the listener. Must be called before the pass is started. */
void follow_listen(struct follow *follow, void (*grew)(void *context), void *context);

/*
 * Shows this many packets and frames, which must be known completely. Must not be called again once
 * it has been called with `ended`.
 */
void follow_show(struct follow *follow, uint64_t packets, uint64_t frames, bool ended);

/* Returns whether more may be shown later. */
static inline bool follow_grows(const struct follow *follow)
{
    return !follow->ended;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The worker's end of the breadcrumb (worker/breadcrumb.h): records what the worker is doing, in
 * the page that it shares with the daemon. For the process's main thread; breadcrumb_tell_memory()
 * may be called from any other thread at the same time, as the thread of confine_watch() does.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_BREADCRUMB_PAGE_H
#define GPUDUMPFS_GLWORKER_CORE_BREADCRUMB_PAGE_H

#include "worker/breadcrumb.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Maps the page that the daemon reads, and closes `fd` unless mapping fails. What was recorded
 * before is lost, so call this before any other thread records anything. Returns 0 or -errno.
 */
int breadcrumb_open(int fd);

/*
 * Records `activity` and its subjects (NULL: none) as what the worker does from here on, until the
 * next call.
 */
void breadcrumb_set(enum breadcrumb_activity activity,
                    const uint64_t subjects[BREADCRUMB_SUBJECTS]);

/* As breadcrumb_set(), with one subject. */
void breadcrumb_set_one(enum breadcrumb_activity activity, uint64_t subject);

/* Records the command that runs, by its offset in the stream. */
void breadcrumb_move(uint32_t offset);

/* Returns whether the daemon has withdrawn the message of that serial; false for serial 0. */
bool breadcrumb_is_withdrawn(uint32_t serial);

/*
 * Records how many bytes of memory the process holds. Returns whether that exceeds the daemon's
 * limit, and then records this in the page, too. Any thread.
 */
bool breadcrumb_tell_memory(uint64_t held);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The worker's end of the breadcrumb (worker/breadcrumb.h): what it is about, in the page that it
 * shares with the daemon. The process's main thread, and beside it any other one for
 * breadcrumb_tell_memory(), as the one that watches does (confine_watch()).
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_BREADCRUMB_PAGE_H
#define GPUDUMPFS_GLWORKER_CORE_BREADCRUMB_PAGE_H

#include "worker/breadcrumb.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Maps the page that the daemon reads; what was told before is lost. Before any other thread tells
 * something. 0 or a negative errno.
 */
int breadcrumb_open(int fd);

/* From here on this, about these (NULL: nothing), until the next call. */
void breadcrumb_set(enum breadcrumb_activity activity,
                    const uint64_t subjects[BREADCRUMB_SUBJECTS]);

/* The same about one. */
void breadcrumb_set_one(enum breadcrumb_activity activity, uint64_t subject);

/* The command that is run, by its offset in the stream. */
void breadcrumb_move(uint32_t offset);

/* Whether the daemon wants the message of that serial left off; never of serial 0. */
bool breadcrumb_is_withdrawn(uint32_t serial);

/* Tells how much memory is held; whether it is more than it may be, which is told as well. Any
 * thread. */
bool breadcrumb_tell_memory(uint64_t held);

#endif

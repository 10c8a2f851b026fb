/* SPDX-License-Identifier: MIT */
/*
 * Polling before sleeping: how long the reader thread polls for the next request before it sleeps.
 * On a virtual machine a request costs 80 to 200 us, most of it for waking a thread whose processor
 * had halted; a reader thread that polls is awake when the next request comes. The gain for users:
 * without polling, `cat` of many small files takes 1.4 to 2.2 times as long; listings and drawing
 * take the same time (medians of five, two idle processors; fuse.md, "Busy polling"). Polling
 * occupies a processor, so it is done only while requests come in quick succession, and while no
 * other thread needs the processor to make an answer. For the reader thread alone; the caller
 * supplies the times.
 */
#ifndef GPUDUMPFS_FUSE_BUSY_POLL_H
#define GPUDUMPFS_FUSE_BUSY_POLL_H

#include <stddef.h>
#include <stdint.h>

struct busy_poll {
    unsigned processors;
    unsigned dense; /* requests in a row that came soon after the one before */
};

/* Initializes the state for a process that may use that many processors. */
void busy_poll_init(struct busy_poll *poll, unsigned processors);

/*
 * Returns how many nanoseconds to poll while other threads make that many answers, or pictures
 * ahead of their readers; 0: sleep at once.
 */
int64_t busy_poll_now(const struct busy_poll *poll, size_t making);

/*
 * Notes the result of waiting. `gap`: nanoseconds from when the last request was processed until
 * the next one came, or until a sleep ended without one. `looked`: for how long the thread was to
 * poll, as busy_poll_now() returned.
 */
void busy_poll_learn(struct busy_poll *poll, int64_t gap, int64_t looked);

#endif

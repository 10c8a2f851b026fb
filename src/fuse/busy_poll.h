/* SPDX-License-Identifier: MIT */
/*
 * Polling before sleeping: how long the reader thread looks for the next request before it
 * sleeps. On a virtual machine a request costs 80 to 200 us, most of it to wake a thread whose
 * processor had halted; a reader thread that polls is there when the next request comes. What
 * users get for it: `cat` of many small files takes 1.4 to 2.2 times as long without, listings
 * and what is drawn take the same (medians of five, two idle processors; fuse.md, "Busy polling").
 * Polling takes the processor, so it is done only while requests come densely, and while no
 * other thread of ours makes an answer that needs it. The reader thread; the clock is the caller's.
 */
#ifndef GPUDUMPFS_FUSE_BUSY_POLL_H
#define GPUDUMPFS_FUSE_BUSY_POLL_H

#include <stddef.h>
#include <stdint.h>

struct busy_poll {
    unsigned processors;
    unsigned dense; /* requests in a row that came soon */
};

/* The processors that this process may use. */
void busy_poll_init(struct busy_poll *poll, unsigned processors);

/*
 * Nanoseconds to look for while other threads make so many answers, or pictures ahead of their
 * readers; 0: sleep at once.
 */
int64_t busy_poll_now(const struct busy_poll *poll, size_t making);

/*
 * What came of it: so long after the last request was done with, the next one came, or a
 * sleep ended without one; and how long was looked for, as busy_poll_now() said.
 */
void busy_poll_learn(struct busy_poll *poll, int64_t gap, int64_t looked);

#endif

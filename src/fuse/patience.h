/*
 * How long the thread that reads requests looks for the next one before it sleeps.
 * On a virtual machine a request costs 80 to 200 us, most of it to wake a thread whose
 * processor had halted: a reader that looks on for a moment is there when the next request
 * comes, and `cat` of many small files takes half the time (fuse.md, "Looking on"). Looking
 * takes the processor, so it is done only while requests come densely, and while no other
 * thread of ours makes an answer that wants it. The thread that reads requests; the clock is the
 * caller's.
 */
#ifndef GPUDUMPFS_FUSE_PATIENCE_H
#define GPUDUMPFS_FUSE_PATIENCE_H

#include <stddef.h>
#include <stdint.h>

struct patience {
    unsigned processors;
    unsigned dense; /* requests in a row that came soon */
};

/* The processors that this process may use. */
void patience_init(struct patience *patience, unsigned processors);

/* Nanoseconds to look for while other threads make so many answers; 0: sleep at once. */
int64_t patience_now(const struct patience *patience, size_t making);

/*
 * What came of it: so long after the last request was done with, the next one came, or a
 * sleep ended without one; and how long was looked for, as patience_now() said.
 */
void patience_learn(struct patience *patience, int64_t gap, int64_t looked);

#endif

/*
 * What all that looks inside a frame begins with: the frame's counts, and the keys of
 * its draws and uploads. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_H
#define GPUDUMPFS_PSX_FRAME_FRAME_H

#include "formats/psx/dump.h"

enum { DRAW_BITS = 24 }; /* of a draw's or upload's number in a key, below its frame */

/* The frame's counts: 0, -ENOENT when there is no such frame, -EAGAIN. */
int psx_frame_counts_get(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out);

/* The same in a maker, which may wait. */
int psx_frame_counts_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct psx_frame_counts **out);

/* The parts of a draw's or upload's key. */
static inline uint64_t frame_of_key(uint64_t key)
{
    return key >> DRAW_BITS;
}

static inline uint64_t number_of_key(uint64_t key)
{
    return key & ((UINT64_C(1) << DRAW_BITS) - 1);
}

#endif

/*
 * A frame carried out from its start to its end under a trail's eyes: what it
 * wrote where, and how many pixels each of its draws wrote. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_TRACE_H
#define GPUDUMPFS_PSX_FRAME_FRAME_TRACE_H

#include "formats/psx/dump.h"
#include "formats/psx/frame/write_log.h"

struct watched {
    struct trail trail;
    struct blob *pixels; /* by draw: 32-bit counts, UINT32_MAX at most; of writes in this frame */
};

/* The frame's counts are known. To be cleared in any case. 0, -ENOMEM, -EINTR, -EIO. */
int psx_watch_frame(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct watched *out);
void psx_watched_clear(struct watched *watched);

/* `pixels` alone, which the cache keeps. */
int psx_watch_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct blob **out);

#endif

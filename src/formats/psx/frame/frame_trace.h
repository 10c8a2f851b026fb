/*
 * A frame carried out from its start to its end with its writes logged: what it
 * wrote where, and how many pixels each of its draws wrote. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_TRACE_H
#define GPUDUMPFS_PSX_FRAME_FRAME_TRACE_H

#include "formats/psx/dump.h"
#include "formats/psx/frame/write_log.h"

struct frame_trace {
    struct write_log write_log;
    struct blob *pixels; /* by draw: 32-bit counts, UINT32_MAX at most; of writes in this frame */
};

/* The frame's counts are known. To be cleared in any case. 0, -ENOMEM, -EINTR, -EIO. */
int psx_frame_trace_make(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct frame_trace *out);
void psx_frame_trace_clear(struct frame_trace *trace);

/* `pixels` alone, which the cache keeps. */
int psx_frame_trace_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);

#endif

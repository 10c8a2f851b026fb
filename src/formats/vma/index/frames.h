/* SPDX-License-Identifier: MIT */
/*
 * How lines of calls make frames (vma.md 4.2): by the frame index, with late
 * lines of other threads kept apart from counters set back; or, where the index never
 * changes, by groups of allocating calls. Part of indexing, one thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_INDEX_FRAMES_H
#define GPUDUMPFS_FORMATS_VMA_INDEX_FRAMES_H

#include "formats/vma/index/recording.h"
#include "formats/vma/map.h"

/* The end of a pseudo-frame: an allocating call. */
struct vma_mark {
    uint32_t packet;
    uint64_t milliseconds;
};

enum { VMA_FRAMER_SEEN = 32 };

struct vma_framer {
    struct vma_recording *recording;     /* its array of frames is written */
    struct vma_diagnostics *diagnostics; /* borrowed */
    uint32_t frame_count, frame_room;
    struct vma_counts counts;
    struct vma_counts whole; /* the same before the current frame began */
    bool any_call, any_index;
    uint32_t index;         /* of the current frame */
    uint64_t milliseconds;  /* of the latest call */
    struct vma_map threads; /* to 1 + the frame whose index each saw last, or VMA_NO_FRAME */
    struct vma_map pools;   /* live ones, by pointer … */
    uint32_t kept_pools;    /* … and those whose pointer was created again */
    struct vma_seen {
        uint32_t thread, frame; /* what `threads` has of some, to be found sooner */
    } seen[VMA_FRAMER_SEEN];

    bool may_group, fixed;   /* pseudo-frames are allowed; their size is given */
    uint32_t calls_per_mark; /* a power of two, unless given */
    struct vma_mark *marks;
    uint32_t mark_count, mark_room;
    bool joined; /* frames beyond VMA_FRAMES_MAX were joined */
};

int vma_framer_init(struct vma_framer *framer, struct vma_recording *recording,
                    const struct vma_recording_params *params, struct vma_diagnostics *diagnostics);
void vma_framer_clear(struct vma_framer *framer);

/* Takes one line behind the configuration. 0 or -ENOMEM. */
int vma_framer_line(struct vma_framer *framer, const struct vma_line *line, uint32_t packet);

/*
 * All lines were taken, so many packets: settles the frames, and what is known of the
 * recording. 0 or -ENOMEM.
 */
int vma_framer_finish(struct vma_framer *framer, uint32_t packets);

#endif

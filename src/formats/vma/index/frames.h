/* SPDX-License-Identifier: MIT */
/*
 * Groups the lines of calls into frames (vma.md 4.2): by the frame index, where late lines of other
 * threads are distinguished from a counter that is set back; or, if the index never changes, by
 * groups of allocating calls. Part of indexing, one thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_INDEX_FRAMES_H
#define GPUDUMPFS_FORMATS_VMA_INDEX_FRAMES_H

#include "formats/vma/index/recording.h"
#include "formats/vma/map.h"

/* An allocating call at which a pseudo-frame may end. */
struct vma_mark {
    uint32_t packet;
    uint64_t milliseconds;
};

enum { VMA_FRAMER_SEEN = 32 };

struct vma_framer {
    struct vma_recording *recording;     /* the framer writes its array of frames */
    struct vma_diagnostics *diagnostics; /* borrowed */
    uint32_t frame_count, frame_room;
    struct vma_counts counts;
    struct vma_counts whole; /* `counts` as they were before the current frame began */
    bool any_call, any_index;
    uint32_t index;        /* of the current frame */
    uint64_t milliseconds; /* of the latest call */
    /* thread to 1 + the last frame whose index it has seen, or VMA_NO_FRAME */
    struct vma_map threads;
    struct vma_map pools; /* live pools, by pointer */
    /* Number of further live pools, whose pointer was created again, so that it names another. */
    uint32_t kept_pools;
    struct vma_seen {
        uint32_t thread, frame; /* a copy of some entries of `threads`, found faster */
    } seen[VMA_FRAMER_SEEN];

    bool may_group, fixed;   /* pseudo-frames are allowed; their size is given */
    uint32_t calls_per_mark; /* a power of two, unless the size is given */
    struct vma_mark *marks;
    uint32_t mark_count, mark_room;
    bool joined; /* frames beyond VMA_FRAMES_MAX were joined to the last one */
};

/*
 * Makes a framer before the first line. `recording` and `diagnostics` must outlive it. Returns 0.
 */
int vma_framer_init(struct vma_framer *framer, struct vma_recording *recording,
                    const struct vma_recording_params *params, struct vma_diagnostics *diagnostics);
void vma_framer_clear(struct vma_framer *framer);

/* Takes one line after the configuration. Returns 0 or -ENOMEM. */
int vma_framer_line(struct vma_framer *framer, const struct vma_line *line, uint32_t packet);

/*
 * Completes the frames and counts after all lines, `packets` of them, were taken. Returns 0 or
 * -ENOMEM.
 */
int vma_framer_finish(struct vma_framer *framer, uint32_t packets);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The state of the command pass (indexing.h), for the files that carry it out; and how the pass
 * takes over frames from the index of the dump before it was edited. One thread at a time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_COMMAND_PASS_H
#define GPUDUMPFS_PSX_INDEX_COMMAND_PASS_H

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/origin.h"
#include "formats/psx/index/stretch_writes.h"
#include "formats/psx/index/walk.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What is known, at a frame's start, of whether this dump and its origin (origin.h) are the same
 * there. Only the texel cache needs to be remembered: what was sampled in the run in progress is in
 * no checkpoint.
 */
struct psx_frame_reuse {
    const struct psx_kept *kept; /* the run of kept bytes that the last frame began in; or NULL */
    /*
     * Whether the texel cache's run in progress is known to have begun in both dumps in the same
     * way. If not, and has_run is set, this is true of all runs after `run`.
     */
    bool runs_meet, has_run;
    uint32_t run;
};

struct psx_command_index {
    struct psx_index *index;
    struct psx_walk walk;
    uint64_t interval;                 /* cost between checkpoints */
    uint64_t cost;                     /* the cost since the last checkpoint */
    uint64_t inner, max_inner;         /* growing dump: checkpoints within frames; their limit */
    uint64_t frame;                    /* the one being counted; PSX_INITIAL before frame 0 */
    struct psx_frame_counts now;       /* counts of `frame` */
    struct psx_frame_counts initial;   /* counts of commands that began before frame 0 */
    bool writes;                       /* whether this frame writes VRAM */
    struct psx_stretch_writes stretch; /* since the last checkpoint */
    struct psx_texel_reach reach;      /* the reach of the texel cache's run in progress */
    uint64_t command_frame, command_offset; /* where the last command began: frame, packet */
    uint64_t read_offset;                   /* of the packet where the open read began */
    bool starts_frame;                      /* no step of `frame` was followed yet */
    struct psx_frame_reuse reuse;
};

/*
 * What a packet adds to the cost of its words, in which the distance between checkpoints is
 * measured.
 */
enum { PSX_PACKET_COST = 8 };

/*
 * Follows primitives that are complete in their packets, and E1 to E6, with the same result as
 * steps. Stops before any other command, where a checkpoint is due, or at about `max_cost`. Returns
 * the cost of what was followed.
 */
uint64_t psx_repeats_follow(struct psx_command_index *command_index, uint64_t max_cost);

/* Prepares for taking over frames. Must be called before the first step. */
void psx_frame_reuse_begin(struct psx_command_index *command_index);

/*
 * Called at a frame's start, after its checkpoint has been added. Takes over frames from there on,
 * some hundreds at most, as if they had been followed; the pass is then at another frame's start.
 * Sets *taken to their number if there are any. Returns 0 or -ENOMEM.
 */
int psx_frame_reuse_take(struct psx_command_index *command_index, uint64_t *taken);

/* Adds to a counter, which stops at its largest value. */
static inline void psx_frame_count(uint32_t *counter, uint32_t more)
{
    *counter = more > UINT32_MAX - *counter ? UINT32_MAX : *counter + more;
}

/*
 * Sets same_vram of a frame that writes nothing to VRAM, and same_picture if the display is
 * unchanged as well, from the counts of the frame before. `frame` is greater than 0.
 */
void psx_frame_counts_same(const struct psx_index *index, uint64_t frame,
                           struct psx_frame_counts *counts);

#endif

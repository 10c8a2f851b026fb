/* SPDX-License-Identifier: MIT */
/*
 * The command pass under way (indexing.h), for the files that carry it out, and how it takes
 * frames over from the index of the dump that was edited. One thread at a time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_COMMAND_PASS_H
#define GPUDUMPFS_PSX_INDEX_COMMAND_PASS_H

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/origin.h"
#include "formats/psx/index/stretch_writes.h"
#include "formats/psx/index/walk.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known at a frame's start of how far this stream is what the origin's was. */
struct psx_frame_reuse {
    const struct psx_kept *kept; /* that the last frame began in */
    /* The texel cache's run in progress began in both dumps alike; or will have when `run` ends. */
    bool runs_meet, has_run;
    uint32_t run;
};

struct psx_command_index {
    struct psx_index *index;
    struct psx_walk walk;
    uint64_t interval;         /* cost between checkpoints */
    uint64_t cost;             /* since the last checkpoint */
    uint64_t inner, max_inner; /* checkpoints within frames; of a dump that grows: at most */
    uint64_t frame;            /* being counted; PSX_INITIAL */
    struct psx_frame_counts now;
    struct psx_frame_counts initial;   /* of commands that began before frame 0 */
    bool writes;                       /* VRAM, in this frame */
    struct psx_stretch_writes stretch; /* since the last checkpoint */
    struct psx_texel_reach reach;      /* of the run in progress */
    uint64_t command_frame, command_offset;
    uint64_t read_offset;
    bool starts_frame; /* of `frame` nothing was followed yet */
    struct psx_frame_reuse reuse;
};

/* A packet counts as so many words more where the distance between checkpoints is told. */
enum { PSX_PACKET_COST = 8 };

/*
 * Goes on over primitives that are whole in their packets, and E1 to E6, as steps would, up to any
 * other command, to where a checkpoint is due, or to about that cost. The cost of them.
 */
uint64_t psx_repeats_follow(struct psx_command_index *command_index, uint64_t max_cost);

/* Before the first step. */
void psx_frame_reuse_begin(struct psx_command_index *command_index);

/*
 * At a frame's start, whose checkpoint has been added: takes over frames from there on, as if they
 * had been followed, and stands at another frame's start then. *taken: how many; some hundreds at
 * most. 0 or -ENOMEM.
 */
int psx_frame_reuse_take(struct psx_command_index *command_index, uint64_t *taken);

/* Counts stop at their largest value. */
static inline void psx_frame_count(uint32_t *counter, uint32_t more)
{
    *counter = more > UINT32_MAX - *counter ? UINT32_MAX : *counter + more;
}

/* Whether VRAM or also the picture of a frame in which nothing is written is the origin's. */
void psx_frame_counts_same(const struct psx_index *index, uint64_t frame,
                           struct psx_frame_counts *counts);

#endif

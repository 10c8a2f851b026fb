/* SPDX-License-Identifier: MIT */
/*
 * Slices: the part of a dump that video memory at one point depends on, found by
 * walking back from there with the set of tiles that are still needed (psx-dump.md
 * 3.7), and carried out forwards. Where a keyframe holds needed tiles they are
 * taken from it. One thread per slice; index and keyframes are only read.
 *
 *     needed, backwards over the ops:  skip an op that writes none of it;
 *     else take it, and  needed = (needed - full) + read
 *
 * Where the texel cache can be seen (index/stale_runs.h) an op that is taken needs, as one
 * more latch, what the cache holds: all textured ops from its last drop on are taken, and read.
 *
 * After its execution VRAM is right on the requested tiles and nowhere
 * else: the rest may hold anything.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_SLICE_H
#define GPUDUMPFS_PSX_REPLAY_SLICE_H

#include "formats/psx/index/gpu_ops.h"
#include "formats/psx/index/tiles.h"

struct psx_keyframe_store;
struct psx_keyframe;

struct psx_slice_params {
    const struct psx_index *index;
    /* Known as far as the point. */
    struct psx_stretches stretches;
    struct psx_keyframe_store *keyframes; /* of the index's checkpoints; may be NULL */
    uint64_t packet;                      /* the point: before word `word` of that packet */
    uint32_t word;
    struct psx_tiles tiles; /* the requested ones */
    bool stops;             /* whether the slice tells what it has right on its way */
};

/* Tiles that are set before an op is carried out. */
struct psx_slice_load {
    struct psx_keyframe *keyframe; /* NULL: zero, as at power-on */
    struct psx_tiles tiles;
    uint32_t ops; /* how many of the slice's ops come after it */
    bool settles; /* ops before it have filled the texel cache for ops behind it */
};

/* A checkpoint on the way, behind ops of the slice, and what is right there. */
struct psx_slice_stop {
    uint64_t checkpoint;
    struct psx_tiles tiles;
    uint32_t ops; /* how many of the slice's ops come after it */
};

/* In all lists the last one comes first. */
struct psx_slice {
    struct psx_gpu_op *ops;
    struct psx_setting *settings;
    struct psx_slice_load *loads;
    struct psx_slice_stop *stops;
    uint32_t count, room, setting_count, setting_room;
    uint32_t load_count, load_room, stop_count, stop_room;
    struct psx_parser_state end; /* at the point */
    /* The texel cache is right there, too; else but for the run in progress, which nothing that
     * was known of the dump when the slice was made tells as stale. */
    bool texels;
};

/* The largest number of ops of a slice: 18 MiB of memory. */
enum { PSX_SLICE_OPS = 256 * 1024 };

/*
 * Makes a slice, to be cleared in any case. 0, -ENOMEM, -EINTR, or -E2BIG when it
 * would have more ops than PSX_SLICE_OPS: then replaying everything serves.
 */
int psx_slice_make(const struct psx_slice_params *params, const struct cancel *cancel,
                   struct psx_slice *slice);
void psx_slice_clear(struct psx_slice *slice);

/* `at` is called with the GPU at each stop of a slice. */
struct psx_slice_watch {
    int (*at)(void *context, const struct psx_slice_stop *stop, const struct psx_gpu *gpu);
    void *context;
};

/*
 * Carries it out. The GPU's state is then that at the point, its VRAM and latches
 * are right as far as was requested. 0, -EINTR, or what `watch`, which may be NULL,
 * returns.
 */
int psx_slice_run(const struct psx_slice *slice, const struct psx_index *index, struct psx_gpu *gpu,
                  const struct psx_slice_watch *watch, const struct cancel *cancel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Slices: the part of a dump that video memory at one point depends on. A slice is found by walking
 * back from the point with the set of tiles that are still needed (psx-dump.md 3.7), and is then
 * carried out forwards. Needed tiles that a keyframe holds are taken from the keyframe. One thread
 * per slice; index and keyframes are only read.
 *
 *     needed, backwards over the ops:  skip an op that writes none of it;
 *     else take it, and  needed = (needed - full) + read
 *
 * where `full` are the tiles that the op is certain to overwrite, and `read` those that it reads
 * (index/effects.h). For example, if tile 1 is requested:
 *
 *     op                         needed after it   before it
 *     fill tile 3                3                 nothing     taken; the walk ends here
 *     draw on tile 2             3                 3           skipped
 *     copy tile 3 to tile 1      1                 3           taken
 *     draw on tile 2             1                 1           skipped
 *
 * Where the contents of the texel cache can be seen (index/stale_runs.h), they are one more latch
 * that a taken op needs: all textured ops since the cache was last dropped are then taken, with
 * what they read.
 *
 * After a slice has been carried out, VRAM is valid on the requested tiles only: the rest may hold
 * anything.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_SLICE_H
#define GPUDUMPFS_PSX_REPLAY_SLICE_H

#include "formats/psx/index/gpu_ops.h"
#include "formats/psx/index/tiles.h"

struct psx_keyframe_store;
struct psx_keyframe;

struct psx_slice_params {
    const struct psx_index *index;
    /* Must be known as far as the point. */
    struct psx_stretches stretches;
    struct psx_keyframe_store *keyframes; /* at checkpoints of the index; may be NULL */
    uint64_t packet;                      /* the point: before word `word` of this packet */
    uint32_t word;
    struct psx_tiles tiles; /* the requested tiles */
    bool stops;             /* whether to record stops: what is valid at checkpoints on the way */
};

/* Tiles that are set before an op is carried out. */
struct psx_slice_load {
    struct psx_keyframe *keyframe; /* NULL for zeros, as at power-on */
    struct psx_tiles tiles;
    uint32_t ops; /* how many of the slice's ops are carried out after it */
    bool settles; /* earlier ops have filled the texel cache for later ops */
};

/* A checkpoint on the way, after some ops of the slice, and the tiles that are valid there. */
struct psx_slice_stop {
    uint64_t checkpoint;
    struct psx_tiles tiles;
    uint32_t ops; /* how many of the slice's ops are carried out after it */
};

/* All lists are in reverse order: the last one comes first. */
struct psx_slice {
    struct psx_gpu_op *ops;
    struct psx_setting *settings;
    struct psx_slice_load *loads;
    struct psx_slice_stop *stops;
    uint32_t count, room, setting_count, setting_room;
    uint32_t load_count, load_room, stop_count, stop_room;
    struct psx_parser_state end; /* the state at the point */
    /*
     * Whether the texel cache is valid at the point, too: if it was requested, and the run in
     * progress was known to be stale when the slice was made. Otherwise the cache may lack what
     * that run has sampled, which can be seen only if the run turns out to be stale.
     */
    bool texels;
};

/* The largest number of ops in a slice: 18 MiB of memory. */
enum { PSX_SLICE_OPS = 256 * 1024 };

/*
 * Builds a slice. Call psx_slice_clear() on it even if this fails. Returns 0, -ENOMEM, -EINTR, or
 * -E2BIG if the slice would have more than PSX_SLICE_OPS ops; the caller can then replay everything
 * instead.
 */
int psx_slice_make(const struct psx_slice_params *params, const struct cancel *cancel,
                   struct psx_slice *slice);
void psx_slice_clear(struct psx_slice *slice);

/* `at` is called with the GPU at each stop of a slice. A result other than 0 ends the slice. */
struct psx_slice_watch {
    int (*at)(void *context, const struct psx_slice_stop *stop, const struct psx_gpu *gpu);
    void *context;
};

/*
 * Carries out a slice. Afterwards the GPU has the state of the point, and its VRAM and latches are
 * valid as far as requested. Returns 0, -EINTR, or what `watch`, which may be NULL, returned.
 */
int psx_slice_run(const struct psx_slice *slice, const struct psx_index *index, struct psx_gpu *gpu,
                  const struct psx_slice_watch *watch, const struct cancel *cancel);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A GPU and how far into the dump it has come; what is requested of one; and the pool
 * where idle ones wait. An instance belongs to one thread at a time; the index is only read.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_H
#define GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_H

#include "cache/instance_pool.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"
#include "formats/psx/replay/ahead.h"
#include "formats/psx/replay/slice.h"

/* What of an instance's memory is as a replay of everything would have it. */
enum psx_gpu_instance_part {
    PSX_GPU_INSTANCE_TILES, /* `tiles`; it cannot go on from where it stands */
    PSX_GPU_INSTANCE_SHOWN, /* all that pictures depend on, here and wherever it goes on to */
    PSX_GPU_INSTANCE_WHOLE,
};

struct psx_gpu_instance {
    struct instance_pool_item idle;
    struct psx_gpu *gpu;
    uint64_t packet; /* all before it are carried out */
    uint64_t offset; /* of that packet */
    uint64_t frame;  /* the first that starts at that packet or later */
    enum psx_gpu_instance_part part;
    struct psx_tiles tiles; /* PSX_GPU_INSTANCE_TILES: these */
    /*
     * The GPU's texel cache is right, but for the run `hollow_run` (psx_state.texel_run) if
     * it `is_hollow`. That cannot be seen unless the run is stale, which the index, or the
     * sketch that has come further, may tell later on.
     */
    const struct psx_stale_runs *stale_runs;
    uint32_t hollow_run;
    bool is_hollow;
};

/* At power-on, whole. 0 or -ENOMEM. */
int psx_gpu_instance_create(const struct psx_index *index, struct psx_gpu_instance **out);
void psx_gpu_instance_destroy(struct psx_gpu_instance **instance);

/* Bytes that it may take. */
uint64_t psx_gpu_instance_bytes(const struct psx_gpu_instance *instance);

/* Back to power-on. */
void psx_gpu_instance_rewind(struct psx_gpu_instance *instance, const struct psx_index *index);

/* Carries out one packet. 0, -ENOENT at the end, -EINTR: the instance is of no more use. */
int psx_gpu_instance_step(struct psx_gpu_instance *instance, const struct psx_index *index,
                          const struct cancel *cancel);

/*
 * Goes on to before that packet. 0; -EINTR: it stands before another one, where it
 * is of use, unless *lost is set; -EIO: there is no such packet.
 */
int psx_gpu_instance_run(struct psx_gpu_instance *instance, const struct psx_index *index,
                         uint64_t packet, const struct cancel *cancel, bool *lost);

/*
 * Carries out a slice, wherever the instance stood; it is then right on the slice's
 * tiles `tiles`, and nowhere else. 0 or -EINTR: then it is right nowhere.
 */
int psx_gpu_instance_run_slice(struct psx_gpu_instance *instance, const struct psx_index *index,
                               const struct psx_slice *slice, const struct psx_tiles *tiles,
                               const struct cancel *cancel);

/*
 * What a replay is to give: the pixels of an area at a position in the dump, and
 * what may serve in its place. Pure functions over the index.
 */
struct psx_vram_request {
    uint64_t packet;     /* the state before this packet … */
    uint64_t upto;       /* … or before any other up to this one, which have the same VRAM */
    struct psx_box area; /* the pixels that are needed, with wraps; others may hold anything */
    bool shown;          /* they are what the display shows there, at a frame's end */
    bool read;           /* the open read's data is needed too */
    const struct psx_tiles *tiles; /* NULL, or what is needed instead of the area */
};

/*
 * The end of a frame, of which all of VRAM is wanted; without `counted` that does not need the
 * frame's counts.
 */
void psx_vram_request_frame(const struct psx_index *index, uint64_t frame, bool counted,
                            struct psx_vram_request *out);

/* The same, of which the picture is wanted. */
void psx_vram_request_picture(const struct psx_index *index, uint64_t frame, bool counted,
                              struct psx_vram_request *out);

/* Whether all of VRAM is wanted, which has so many lines. */
bool psx_vram_request_is_all(const struct psx_vram_request *request, uint32_t lines);

/* The tiles, and the latches, that the wanted pixels stand in. */
void psx_vram_request_tiles(const struct psx_vram_request *request, uint32_t lines,
                            struct psx_tiles *out);

/*
 * Idle instances, for the next request: at the requested position, near
 * it, or for its memory alone. They count in the cache's budget. Any thread.
 */
struct psx_gpu_instance_pool {
    struct instance_pool idle;
    const struct psx_ahead *ahead; /* NULL, or what instances are made of, beside the index */
};

/* What an instance is to serve for. */
enum psx_gpu_instance_use {
    PSX_INSTANCE_THERE,  /* it stands where it is wanted, and is right there */
    PSX_INSTANCE_BEFORE, /* it can go on to there; the one that is nearest */
    PSX_INSTANCE_MEMORY, /* no matter where it stands: one that cannot go on anyway */
};

/* Keeps at most so many, which `*cache` pays for as struct instance_pool_params says. */
void psx_gpu_instance_pool_init(struct psx_gpu_instance_pool *instances, unsigned max,
                                struct cache *const *cache);
void psx_gpu_instance_pool_clear(struct psx_gpu_instance_pool *instances);

/*
 * The idle instance that serves best, which is the caller's then; NULL: none. `tiles`
 * are those of `request`; both may be NULL for PSX_INSTANCE_MEMORY.
 */
struct psx_gpu_instance *psx_gpu_instance_pool_take(struct psx_gpu_instance_pool *instances,
                                                    enum psx_gpu_instance_use use,
                                                    const struct psx_vram_request *request,
                                                    const struct psx_tiles *tiles);

/* Keeps an instance, or an older one in its place, and clears the caller's pointer. */
void psx_gpu_instance_pool_give(struct psx_gpu_instance_pool *instances,
                                struct psx_gpu_instance **instance);

#endif

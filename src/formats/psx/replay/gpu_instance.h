/* SPDX-License-Identifier: MIT */
/*
 * GPU instances, each of which knows how far into the dump it has come; requests, which say what is
 * needed of an instance; and the pool of idle instances. An instance belongs to one thread at a
 * time. The index is only read.
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

/* Which part of an instance's memory is equal to that of a replay of everything. */
enum psx_gpu_instance_part {
    PSX_GPU_INSTANCE_TILES, /* `tiles`; the instance cannot go on from its position */
    PSX_GPU_INSTANCE_SHOWN, /* all that pictures depend on, here and at any later position */
    PSX_GPU_INSTANCE_WHOLE,
};

struct psx_gpu_instance {
    struct instance_pool_item idle;
    struct psx_gpu *gpu;
    uint64_t packet; /* all packets before this one have been carried out */
    uint64_t offset; /* of that packet, in bytes */
    uint64_t frame;  /* the first frame that starts at that packet or later */
    enum psx_gpu_instance_part part;
    struct psx_tiles tiles; /* the valid tiles, for PSX_GPU_INSTANCE_TILES */
    /*
     * The GPU's texel cache is valid, except for the run `hollow_run` (psx_state.texel_run) if
     * `is_hollow`. The difference cannot be seen unless that run is stale. The index, or the sketch
     * if that has come further, may find out only later that it is.
     */
    const struct psx_stale_runs *stale_runs;
    uint32_t hollow_run;
    bool is_hollow;
};

/*
 * Creates an instance in the state at power-on, with PSX_GPU_INSTANCE_WHOLE. Returns 0 or -ENOMEM.
 */
int psx_gpu_instance_create(const struct psx_index *index, struct psx_gpu_instance **out);
void psx_gpu_instance_destroy(struct psx_gpu_instance **instance);

/* Returns the largest number of bytes that the instance may take. */
uint64_t psx_gpu_instance_bytes(const struct psx_gpu_instance *instance);

/* Resets the instance to power-on. */
void psx_gpu_instance_rewind(struct psx_gpu_instance *instance, const struct psx_index *index);

/*
 * Carries out one packet. Returns 0, -ENOENT at the end of the dump, or -EINTR if cancelled, after
 * which the instance is unusable.
 */
int psx_gpu_instance_step(struct psx_gpu_instance *instance, const struct psx_index *index,
                          const struct cancel *cancel);

/*
 * Goes on until the instance is before `packet`. Returns 0, -EINTR if cancelled, or -EIO if there
 * is no such packet. After -EINTR the instance is before an earlier packet and still usable, unless
 * *lost is set.
 */
int psx_gpu_instance_run(struct psx_gpu_instance *instance, const struct psx_index *index,
                         uint64_t packet, const struct cancel *cancel, bool *lost);

/*
 * Carries out a slice, whatever the instance's position. Afterwards VRAM is valid on `tiles`, the
 * tiles of the slice, and nowhere else. Returns 0, or -EINTR, after which VRAM is valid nowhere.
 */
int psx_gpu_instance_run_slice(struct psx_gpu_instance *instance, const struct psx_index *index,
                               const struct psx_slice *slice, const struct psx_tiles *tiles,
                               const struct cancel *cancel);

/*
 * What a replay has to provide: the pixels of an area at a position in the dump, and which other
 * positions serve as well. The functions on requests are pure functions of the index.
 */
struct psx_vram_request {
    uint64_t packet;     /* the state before this packet is requested */
    uint64_t upto;       /* VRAM is the same before any packet from `packet` to this one */
    struct psx_box area; /* the pixels that are needed, with wraps; all others may hold anything */
    bool shown;          /* the area is what the display shows, at a frame's end */
    bool read;           /* the open read's data is needed, too */
    /* The tiles that are needed, added to those of the area; NULL: none. */
    const struct psx_tiles *tiles;
};

/*
 * Builds the request for all of VRAM at the end of a frame. `counted` says that the counts of the
 * frame are known; the request can then be met at earlier positions, too.
 */
void psx_vram_request_frame(const struct psx_index *index, uint64_t frame, bool counted,
                            struct psx_vram_request *out);

/* The same for the pixels of the frame's picture. */
void psx_vram_request_picture(const struct psx_index *index, uint64_t frame, bool counted,
                              struct psx_vram_request *out);

/* Returns whether all of VRAM, which has `lines` lines, is requested. */
bool psx_vram_request_is_all(const struct psx_vram_request *request, uint32_t lines);

/* Computes the tiles and latches that the requested pixels need. */
void psx_vram_request_tiles(const struct psx_vram_request *request, uint32_t lines,
                            struct psx_tiles *out);

/*
 * Idle instances, kept for the next request: one that is at the requested position, one near it, or
 * one of which only the memory is used. They count in the cache's budget. Any thread.
 */
struct psx_gpu_instance_pool {
    struct instance_pool idle;
    /* The sketch, which instances are made from as well as from the index; may be NULL. */
    const struct psx_ahead *ahead;
};

/* What an instance is taken for. */
enum psx_gpu_instance_use {
    PSX_INSTANCE_THERE,  /* it is at the requested position, and valid there */
    PSX_INSTANCE_BEFORE, /* it can go on to the requested position; the nearest such one is taken */
    /* Its memory alone: an instance that cannot go on anyway, at any position. */
    PSX_INSTANCE_MEMORY,
};

/*
 * Initialises a pool of at most `max` idle instances, charged to `*cache` (see struct
 * instance_pool_params).
 */
void psx_gpu_instance_pool_init(struct psx_gpu_instance_pool *instances, unsigned max,
                                struct cache *const *cache);
void psx_gpu_instance_pool_clear(struct psx_gpu_instance_pool *instances);

/*
 * Takes the idle instance that serves best out of the pool; the caller owns it then. Returns NULL
 * if none serves. `tiles` are those of `request` and are used only for PSX_INSTANCE_THERE.
 * `request` may be NULL for PSX_INSTANCE_MEMORY.
 */
struct psx_gpu_instance *psx_gpu_instance_pool_take(struct psx_gpu_instance_pool *instances,
                                                    enum psx_gpu_instance_use use,
                                                    const struct psx_vram_request *request,
                                                    const struct psx_tiles *tiles);

/*
 * Gives an instance to the pool, which may destroy it or an older one to keep within its limits,
 * and clears the caller's pointer.
 */
void psx_gpu_instance_pool_give(struct psx_gpu_instance_pool *instances,
                                struct psx_gpu_instance **instance);

#endif

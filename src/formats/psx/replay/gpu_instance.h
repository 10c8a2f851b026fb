/*
 * A GPU and how far into the dump it has come. One thread at a time; the index
 * is only read.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_H
#define GPUDUMPFS_PSX_REPLAY_GPU_INSTANCE_H

#include "cache/instance_pool.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"
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

#endif

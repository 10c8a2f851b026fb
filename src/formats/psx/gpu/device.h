/*
 * What a GPU is made of, for the files that carry commands out (gpu.h has what they
 * are used through). One thread at a time per GPU.
 */
#ifndef GPUDUMPFS_PSX_GPU_DEVICE_H
#define GPUDUMPFS_PSX_GPU_DEVICE_H

#include "formats/psx/gpu/state.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_observer;
struct raster_ops;

struct psx_gpu {
    struct psx_state state;
    uint16_t *vram;                /* 1024 * lines halfwords */
    uint32_t lines;                /* 512, or 1024 with 2 MiB */
    uint16_t clut[258];            /* the latched palette; two that a wide load may touch */
    uint16_t *read_data;           /* what the last C0 saw: two halfwords a word */
    uint64_t pixels;               /* covered by drawing commands since creation, masked ones too */
    uint64_t moved;                /* halfwords that copies and uploads wrote, likewise */
    bool never_skip;               /* field=both */
    const struct raster_ops *ops;  /* how pixels are made: plain C, or a faster twin of it */
    struct psx_observer *observer; /* told of all pixels before they are written; NULL: nobody */
};

#endif

/*
 * Who looks on while a GPU writes pixels: told of every write before it is done,
 * so that even a pixel that is written with the value it had is noticed. A GPU
 * without an observer loses one test a primitive or row. The thread of the GPU.
 */
#ifndef GPUDUMPFS_PSX_GPU_OBSERVER_H
#define GPUDUMPFS_PSX_GPU_OBSERVER_H

#include "formats/psx/gpu/raster.h"

struct psx_observer {
    /* A polygon's or rectangle's job; false when it shall not be drawn, or is already. */
    bool (*job)(struct psx_observer *observer, const struct psx_gpu *gpu, raster_shader *shade,
                const struct raster_job *job);
    /*
     * `count` pixels of a row, from `index` of VRAM on, of a line, fill, copy or upload;
     * with `check` those that have bit 15 set are not written.
     */
    void (*run)(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                uint32_t count, bool check, bool blended);
    const struct psx_draw *draw; /* that the jobs come from */
};

static inline void psx_observe_run(const struct psx_gpu *gpu, const uint16_t *pixels,
                                   uint32_t count, bool check, bool blended)
{
    gpu->observer->run(gpu->observer, gpu, (uint32_t)(pixels - gpu->vram), count, check, blended);
}

#endif

/*
 * Which texels a draw samples, told without VRAM: the draw is set up into rows and
 * planes, and nothing is drawn. One thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_SAMPLING_H
#define GPUDUMPFS_PSX_FRAME_SAMPLING_H

#include "formats/psx/gpu/raster.h"
#include "formats/psx/index/walk.h"

struct sampling {
    struct psx_observer observer;
    struct psx_gpu gpu;     /* registers alone */
    uint64_t pixels;        /* that the draw covers */
    uint8_t u0, v0, u1, v1; /* of the texels, inclusive, behind the window */
};

/* 0 or -ENOMEM. */
int psx_sampling_create(struct sampling **out);
void psx_sampling_destroy(struct sampling **sampling);

/*
 * Whether a step, not yet applied, is a textured draw that covers any pixel; if so
 * it is taken apart, and the sampling says which texels it is about.
 */
bool psx_sampling_of(struct sampling *sampling, const struct psx_walk *walk,
                     const struct psx_step *step, struct psx_draw *draw);

#endif

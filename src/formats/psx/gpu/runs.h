/*
 * Runs of pixels that are moved without drawing: filled, copied under what E6 says,
 * shown as RGB. Plain C is the reference of its vector twins; which are used is
 * chosen with the shaders (raster.h). Pure functions.
 */
#ifndef GPUDUMPFS_PSX_GPU_RUNS_H
#define GPUDUMPFS_PSX_GPU_RUNS_H

#include <stdint.h>

struct psx_runs {
    void (*fill)(uint16_t *to, uint32_t count, uint16_t pixel);
    /*
     * Copies pixels with the bits of `set` added; where `to` has a bit of `check`, it
     * stays as it is. Both are 0 or 8000h. `from`: halfwords of this machine at any
     * address, which do not overlap `to`.
     */
    void (*move)(uint16_t *to, const void *from, uint32_t count, uint16_t set, uint16_t check);
    /* Halfwords to RGB bytes, (v << 3) | (v >> 2) of each channel. */
    void (*expand)(const uint16_t *pixels, uint32_t count, uint8_t *rgb);
};

extern const struct psx_runs psx_runs_c;     /* plain C */
extern const struct psx_runs psx_runs_lanes; /* 16-byte vectors, on every machine */
extern const struct psx_runs psx_runs_avx2;  /* where HAVE_AVX2, and the processor has it */

#endif

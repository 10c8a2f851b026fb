/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer, inside the replay core. A primitive is set up into a job (rows, attribute planes,
 * texture), and one of many shaders, made for its combination of features, draws the job's pixels.
 * A shader sees nothing except the job, so that a vector shader can be compared with its plain C
 * twin. One thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_RASTER_H
#define GPUDUMPFS_PSX_GPU_RASTER_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An attribute over VRAM, with 12 fractional bits: its value at pixel (x, y) is bits 12 to 19 of
 * origin + x * dx + y * dy (psx-gpu.md 5). At every pixel that a triangle covers, that sum is in
 * [0, 2^20). The pixel is inside the triangle, so the exact plane is between the vertices' values
 * there, and the error of the truncated gradients is less than the half that is added.
 */
struct psx_raster_plane {
    int64_t origin;
    int32_t dx, dy;
};

enum { RASTER_FRACTION = 12 };

/* Rows after the last line of VRAM that the set-up may write; no shader reads them. */
enum { RASTER_SPARE_ROWS = 8 };

struct psx_raster_job {
    uint16_t *vram;

    uint8_t flat[3];                  /* R G B of RASTER_FLAT */
    struct psx_raster_plane plane[3]; /* R G B of RASTER_GOURAUD */

    /* Textured: the window's u' = (u & and_u) | or_u, the page's corner, the palette. */
    struct psx_raster_plane u, v; /* v >= 0 at every pixel; u modulo 2^32 */
    uint8_t and_u, or_u, and_v, or_v;
    uint16_t page_x, page_y;
    const uint16_t *clut;          /* readable up to two halfwords after the palette */
    struct psx_texel_cache *cache; /* for the shaders that look texels up in it */

    uint16_t set;   /* 8000h to force bit 15, otherwise 0 */
    uint16_t check; /* 8000h to leave pixels with bit 15 unchanged, otherwise 0 */

    /*
     * Rows y0 <= y < y1, and columns left[y] <= x < right[y]; a row is empty if the two are equal.
     */
    int y0, y1;
    int16_t left[PSX_VRAM_HEIGHT_MAX + RASTER_SPARE_ROWS];
    int16_t right[PSX_VRAM_HEIGHT_MAX + RASTER_SPARE_ROWS];
};

/* What the core knows of a job in addition: the columns of all rows, and U and V of its texels. */
struct psx_raster_bounds {
    int first;              /* the row that is drawn first; may be outside the job */
    int x0, x1;             /* x0 <= x < x1 */
    uint8_t u0, u1, v0, v1; /* before the window, inclusive */
    uint32_t pixels;
};

/*
 * Where a pixel's colour comes from. A textured pixel is modulated by the colour, unless it is RAW.
 * COARSE is GOURAUD with only the upper five bits of each channel, as the first GPU modulates
 * texels (psx-gpu.md 19).
 */
enum psx_raster_colour { RASTER_FLAT, RASTER_GOURAUD, RASTER_RAW, RASTER_COARSE, RASTER_COLOURS };

/* Blend modes are 0 to 3; RASTER_OPAQUE is none. */
enum { RASTER_OPAQUE = 4, RASTER_BLENDS };

enum { RASTER_DEPTHS = PSX_DEPTH_NONE + 1 };

typedef void psx_raster_shader(const struct psx_raster_job *job);

/*
 * A table of shaders, by [depth][colour][dither][blend]. Only tables in plain C have shaders for
 * RASTER_COARSE. The shaders in plain C draw pixel by pixel, from left to right and from top to
 * bottom. Others may read texels ahead, so they must not be given jobs that sample what they draw.
 */
struct psx_raster_ops {
    const char *name;
    const struct psx_runs *runs; /* move pixels without drawing */
    psx_raster_shader *shade[RASTER_DEPTHS][RASTER_COLOURS][2][RASTER_BLENDS];
};

extern const struct psx_raster_ops psx_raster_ops_c;      /* plain C: the reference */
extern const struct psx_raster_ops psx_raster_ops_lanes;  /* 16-byte vectors, if little-endian */
extern const struct psx_raster_ops psx_raster_ops_avx2;   /* with HAVE_AVX2, if the CPU has it */
extern const struct psx_raster_ops psx_raster_ops_avx512; /* with HAVE_AVX512, if the CPU has it */
extern const struct psx_raster_ops psx_raster_ops_cached; /* plain C, through the texel cache */

/*
 * Returns the tables that this processor can run, by number: the fastest is number 0, plain C is
 * the last one, and NULL is returned for all numbers after that.
 */
const struct psx_raster_ops *psx_raster_ops_get(unsigned number);

/* Fills in the members of the job that do not depend on the shape. */
void psx_raster_begin(const struct psx_gpu *gpu, const struct psx_draw *draw,
                      struct psx_raster_job *job);

/*
 * Empties the rows that 480i skips, and has the job's pixels drawn: from the first row downwards,
 * then the rows above it upwards, where that order can make a difference. Changes the job.
 */
void psx_raster_run(struct psx_gpu *gpu, const struct psx_draw *draw, struct psx_raster_job *job,
                    const struct psx_raster_bounds *bounds);

/*
 * Returns the parity, 0 or 1, of the rows that are not drawn (480i: psx-gpu.md 12); -1 if all are
 * drawn.
 */
int psx_raster_skipped_parity(const struct psx_gpu *gpu);

/*
 * Draws a polygon, a line (of a polyline, the segment) or a rectangle. The palette must have been
 * latched.
 */
void psx_raster_draw(struct psx_gpu *gpu, const struct psx_draw *draw);

/* The parts of psx_raster_draw(), by the kind of the draw. */
void psx_raster_polygon(struct psx_gpu *gpu, const struct psx_draw *draw);
void psx_raster_line(struct psx_gpu *gpu, const struct psx_draw *draw);
void psx_raster_rectangle(struct psx_gpu *gpu, const struct psx_draw *draw);

/*
 * Watches a GPU write pixels. It is called before each write, so that it notices even a pixel that
 * is written with the value it had. A GPU without an observer loses one test a primitive or row.
 * Called on the GPU's thread.
 */
struct psx_observer {
    /*
     * Gets the job of a polygon or rectangle. Returns false if the job must not be drawn, or has
     * already been drawn.
     */
    bool (*job)(struct psx_observer *observer, const struct psx_gpu *gpu, psx_raster_shader *shade,
                const struct psx_raster_job *job);
    /*
     * Gets `count` pixels of a row, from halfword `index` of VRAM on, of a line, fill, copy or
     * upload. With `check`, pixels that have bit 15 set are not written.
     */
    void (*run)(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                uint32_t count, bool check, bool blended);
    const struct psx_draw *draw; /* the command that the jobs come from */
};

static inline void psx_observe_run(const struct psx_gpu *gpu, const uint16_t *pixels,
                                   uint32_t count, bool check, bool blended)
{
    gpu->observer->run(gpu->observer, gpu, (uint32_t)(pixels - gpu->vram), count, check, blended);
}

#endif

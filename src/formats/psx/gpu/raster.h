/* SPDX-License-Identifier: MIT */
/*
 * The rasterizer, inside the replay core: a primitive is set up into a job (rows,
 * attribute planes, texture), and one of many shaders, made for its combination
 * of features, draws the job's pixels. Jobs are all that a shader sees, so that
 * a vector shader can be held against its plain twin. One thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_RASTER_H
#define GPUDUMPFS_PSX_GPU_RASTER_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An attribute over VRAM with 12 fractional bits: at pixel (x, y) its value is
 * origin + x * dx + y * dy, bits 12 to 19 (psx-gpu.md 5). At every pixel that a
 * triangle covers, the sum itself lies in [0, 2^20): covered pixels are inside,
 * where the exact plane lies between the vertices' values, and the truncated
 * gradients are off by less than the half that is added.
 */
struct psx_raster_plane {
    int64_t origin;
    int32_t dx, dy;
};

enum { RASTER_FRACTION = 12 };

enum { RASTER_SPARE_ROWS = 8 }; /* which the set-up may write and no shader reads */

struct psx_raster_job {
    uint16_t *vram;

    uint8_t flat[3];                  /* R G B of RASTER_FLAT */
    struct psx_raster_plane plane[3]; /* R G B of RASTER_GOURAUD */

    /* Textured: the window's u' = (u & and_u) | or_u, the page's corner, the palette. */
    struct psx_raster_plane u, v; /* v >= 0 at every pixel; u modulo 2^32 */
    uint8_t and_u, or_u, and_v, or_v;
    uint16_t page_x, page_y;
    const uint16_t *clut;          /* two halfwords more than a palette has may be read */
    struct psx_texel_cache *cache; /* of the shaders that look texels up in it */

    uint16_t set;   /* 8000h to force bit 15, else 0 */
    uint16_t check; /* 8000h to leave pixels with bit 15 alone, else 0 */

    /* The rows y0 <= y < y1, and columns left[y] <= x < right[y]; none when they are equal. */
    int y0, y1;
    int16_t left[PSX_VRAM_HEIGHT_MAX + RASTER_SPARE_ROWS];
    int16_t right[PSX_VRAM_HEIGHT_MAX + RASTER_SPARE_ROWS];
};

/* What the core knows of a job beyond it: the columns of all rows, and U and V of its texels. */
struct psx_raster_bounds {
    int first;              /* the row that is drawn first, inside the job or not */
    int x0, x1;             /* x0 <= x < x1 */
    uint8_t u0, u1, v0, v1; /* before the window, inclusive */
    uint32_t pixels;
};

/*
 * Where a pixel's colour comes from; a textured one is modulated by it unless RAW. COARSE is
 * GOURAUD with its upper five bits alone, as the first GPU modulates texels (psx-gpu.md 19).
 */
enum psx_raster_colour { RASTER_FLAT, RASTER_GOURAUD, RASTER_RAW, RASTER_COARSE, RASTER_COLOURS };

/* Blend modes 0 to 3, and none. */
enum { RASTER_OPAQUE = 4, RASTER_BLENDS };

enum { RASTER_DEPTHS = PSX_DEPTH_NONE + 1 };

typedef void psx_raster_shader(const struct psx_raster_job *job);

/*
 * Shaders by [depth][colour][dither][blend]; of COARSE plain C alone has some. Those
 * of plain C draw pixel by pixel, from left to right and from above; others may read
 * texels ahead, so they are not given jobs that sample what they draw.
 */
struct psx_raster_ops {
    const char *name;
    const struct psx_runs *runs; /* what moves pixels without drawing */
    psx_raster_shader *shade[RASTER_DEPTHS][RASTER_COLOURS][2][RASTER_BLENDS];
};

extern const struct psx_raster_ops psx_raster_ops_c;     /* plain C: the reference of its twins */
extern const struct psx_raster_ops psx_raster_ops_lanes; /* 16-byte vectors, where little-endian */
extern const struct psx_raster_ops psx_raster_ops_avx2;  /* where HAVE_AVX2, … */
extern const struct psx_raster_ops
    psx_raster_ops_avx512; /* … HAVE_AVX512, and the processor has it */
extern const struct psx_raster_ops psx_raster_ops_cached; /* plain C, through the texel cache */

/* Those that this processor can run, the fastest first and plain C last; NULL: no more. */
const struct psx_raster_ops *psx_raster_ops_get(unsigned number);

/* Fills in the job what does not depend on the shape. */
void psx_raster_begin(const struct psx_gpu *gpu, const struct psx_draw *draw,
                      struct psx_raster_job *job);

/*
 * Empties the rows that 480i skips, and has the job's pixels drawn: from the first row
 * on downwards, then the rows above it upwards, as far as that can be seen.
 */
void psx_raster_run(struct psx_gpu *gpu, const struct psx_draw *draw, struct psx_raster_job *job,
                    const struct psx_raster_bounds *bounds);

/* The parity, 0 or 1, of the rows that are not drawn (480i: psx-gpu.md 12); -1: none. */
int psx_raster_skipped_parity(const struct psx_gpu *gpu);

/* Polygons, lines (of a polyline: the segment), rectangles. The palette is latched. */
void psx_raster_draw(struct psx_gpu *gpu, const struct psx_draw *draw);

void psx_raster_polygon(struct psx_gpu *gpu, const struct psx_draw *draw);
void psx_raster_line(struct psx_gpu *gpu, const struct psx_draw *draw);
void psx_raster_rectangle(struct psx_gpu *gpu, const struct psx_draw *draw);

/*
 * Called while a GPU writes pixels: told of every write before it is done, so that
 * even a pixel that is written with the value it had is noticed. A GPU without an
 * observer loses one test a primitive or row. The thread of the GPU.
 */
struct psx_observer {
    /* A polygon's or rectangle's job; false when it shall not be drawn, or is already. */
    bool (*job)(struct psx_observer *observer, const struct psx_gpu *gpu, psx_raster_shader *shade,
                const struct psx_raster_job *job);
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

/* Rectangles are jobs whose rows are all alike and whose texture steps by one (psx-gpu.md 7). */

#include "formats/psx/gpu/raster.h"

enum { ONE = 1 << RASTER_FRACTION };

/*
 * Texel (u, v) at the upper left pixel (x, y), whether that is inside the area or not. A
 * row of VRAM is that row or 512 less, which is the same modulo 256.
 */
static void set_texture(const struct psx_draw *draw, int x, int y, struct raster_job *job)
{
    int u = draw->flip_x ? draw->vertex[0].u | 1 : draw->vertex[0].u;
    int v = draw->vertex[0].v + 512; /* modulo 256 the same, and never negative */
    int step_u = draw->flip_x ? -ONE : ONE;
    int step_v = draw->flip_y ? -ONE : ONE;

    job->u = (struct raster_plane){(int64_t)u * ONE - (int64_t)step_u * x, step_u, 0};
    job->v = (struct raster_plane){(int64_t)v * ONE - (int64_t)step_v * y, 0, step_v};
}

/* U and V of all texels, at most. */
static void bound_texels(const struct psx_draw *draw, struct raster_bounds *bounds)
{
    unsigned u1 = draw->vertex[0].u + draw->width - 1;
    unsigned v1 = draw->vertex[0].v + draw->height - 1;
    bool all_u = draw->flip_x || u1 > 255, all_v = draw->flip_y || v1 > 255;

    bounds->u0 = all_u ? 0 : draw->vertex[0].u;
    bounds->u1 = all_u ? 255 : (uint8_t)u1;
    bounds->v0 = all_v ? 0 : draw->vertex[0].v;
    bounds->v1 = all_v ? 255 : (uint8_t)v1;
}

/* Lines y0 to y1 of the box. */
static void draw_lines(struct psx_gpu *gpu, const struct psx_draw *draw, const struct psx_box *box,
                       int y0, int y1, struct raster_job *job)
{
    struct raster_bounds bounds = {
        .first = y0,
        .x0 = box->x,
        .x1 = box->x + box->width,
        .pixels = (uint32_t)(box->width * (y1 - y0)),
    };

    if (draw->textured)
        bound_texels(draw, &bounds);
    job->y0 = y0;
    job->y1 = y1;
    for (int row = y0; row < y1; row++) {
        job->left[row] = (int16_t)bounds.x0;
        job->right[row] = (int16_t)bounds.x1;
    }
    psx_raster_run(gpu, draw, job, &bounds);
}

void psx_raster_rectangle(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct raster_job job;
    struct psx_box box;
    int x, y, end;

    if (psx_draw_box(draw, &gpu->state.registers, &box) != PSX_CULL_NO)
        return;
    psx_raster_begin(gpu, draw, &job);
    if (draw->textured) {
        psx_draw_origin(draw, &gpu->state.registers, &x, &y);
        set_texture(draw, x, y, &job);
    }
    end = box.y + box.height;
    draw_lines(gpu, draw, &box, box.y, end < PSX_VRAM_HEIGHT ? end : PSX_VRAM_HEIGHT, &job);
    if (end > PSX_VRAM_HEIGHT)
        draw_lines(gpu, draw, &box, 0, end - PSX_VRAM_HEIGHT, &job);
}

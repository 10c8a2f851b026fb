/* Rectangles are jobs whose rows are all alike and whose texture steps by one (psx-gpu.md 7). */

#include "formats/psx/raster.h"

enum { ONE = 1 << RASTER_FRACTION };

/* Texel (u, v) at the upper left pixel (x, y), whether that is inside the area or not. */
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

void psx_raster_rectangle(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct raster_bounds bounds;
    struct raster_job job;
    struct psx_box box;
    int x, y;

    if (psx_draw_box(draw, &gpu->state.registers, &box) != PSX_CULL_NO)
        return;
    psx_raster_begin(gpu, draw, &job);
    if (draw->textured) {
        psx_draw_origin(draw, &gpu->state.registers, &x, &y);
        set_texture(draw, x, y, &job);
        bound_texels(draw, &bounds);
    }
    bounds.first = box.y;
    bounds.x0 = box.x;
    bounds.x1 = box.x + box.width;
    bounds.pixels = (uint32_t)(box.width * box.height);
    job.y0 = box.y;
    job.y1 = box.y + box.height;
    for (int row = job.y0; row < job.y1; row++) {
        job.left[row] = (int16_t)bounds.x0;
        job.right[row] = (int16_t)bounds.x1;
    }
    psx_raster_run(gpu, draw, &job, &bounds);
}

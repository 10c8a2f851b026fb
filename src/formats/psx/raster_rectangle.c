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

void raster_rectangle(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct raster_job job;
    struct psx_box box;
    int x, y;

    if (psx_draw_box(draw, &gpu->state.registers, &box) != PSX_CULL_NO)
        return;
    raster_begin(gpu, draw, &job);
    if (draw->textured) {
        psx_draw_origin(draw, &gpu->state.registers, &x, &y);
        set_texture(draw, x, y, &job);
    }
    job.y0 = box.y;
    job.y1 = box.y + box.height;
    for (int row = job.y0; row < job.y1; row++) {
        job.left[row] = (int16_t)box.x;
        job.right[row] = (int16_t)(box.x + box.width);
    }
    raster_run(gpu, raster_select(gpu, draw), &job);
}

#include "formats/psx/raster.h"

#include "formats/psx/observer.h"
#include "formats/psx/pixel.h"

raster_shader *raster_select(const struct psx_gpu *gpu, const struct psx_draw *draw)
{
    enum raster_colour colour = draw->raw       ? RASTER_RAW
                                : draw->gouraud ? RASTER_GOURAUD
                                                : RASTER_FLAT;
    unsigned blend = draw->semi ? draw->blend : RASTER_OPAQUE;
    bool check = gpu->state.registers.e[6] & 2;

    return gpu->ops->shade[draw->depth][colour][draw->dither][blend][check];
}

/* The texture window: offset bits outside the mask do not count (psx-gpu.md 6). */
static void set_window(uint32_t e2, struct raster_job *job)
{
    unsigned mask_u = e2 & 31, mask_v = e2 >> 5 & 31;

    job->and_u = (uint8_t) ~(mask_u << 3);
    job->and_v = (uint8_t) ~(mask_v << 3);
    job->or_u = (uint8_t)((e2 >> 10 & mask_u) << 3);
    job->or_v = (uint8_t)((e2 >> 15 & mask_v) << 3);
}

void raster_begin(const struct psx_gpu *gpu, const struct psx_draw *draw, struct raster_job *job)
{
    uint32_t colour = draw->vertex[0].colour;

    job->vram = gpu->vram;
    job->set = gpu->state.registers.e[6] & 1 ? PIXEL_MASK : 0;
    for (unsigned i = 0; i < 3; i++)
        job->flat[i] = (uint8_t)(colour >> 8 * i);
    if (!draw->textured)
        return;
    set_window(gpu->state.registers.e[2], job);
    job->page_x = (uint16_t)((draw->page & 15) * 64);
    job->page_y = (uint16_t)((draw->page >> 4) * 256);
    job->clut = gpu->clut;
}

int raster_skipped_parity(const struct psx_gpu *gpu)
{
    const struct psx_registers *registers = &gpu->state.registers;

    if (gpu->never_skip || !psx_registers_skips_lines(registers))
        return -1;
    return ((registers->display.start >> 10) + registers->field) & 1;
}

void raster_run(struct psx_gpu *gpu, raster_shader *shade, struct raster_job *job)
{
    int parity = raster_skipped_parity(gpu);

    if (parity >= 0)
        for (int y = job->y0 + ((job->y0 ^ parity) & 1); y < job->y1; y += 2)
            job->right[y] = job->left[y];
    for (int y = job->y0; y < job->y1; y++)
        gpu->pixels += (uint64_t)(job->right[y] - job->left[y]);
    if (gpu->observer == NULL || gpu->observer->job(gpu->observer, gpu, shade, job))
        shade(job);
}

void raster_draw(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    if (gpu->observer != NULL)
        gpu->observer->draw = draw;
    switch (draw->kind) {
    case GP0_POLYGON:
        raster_polygon(gpu, draw);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        raster_line(gpu, draw);
        break;
    default:
        raster_rectangle(gpu, draw);
        break;
    }
}

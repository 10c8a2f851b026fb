/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/psx/gpu/raster.h"

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/texel_cache.h"

const struct psx_raster_ops *psx_raster_ops_get(unsigned number)
{
    const struct psx_raster_ops *all[4] = {NULL};
    unsigned count = 0;

#ifdef HAVE_AVX512
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
        all[count++] = &psx_raster_ops_avx512;
#endif
#ifdef HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        all[count++] = &psx_raster_ops_avx2;
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    all[count++] = &psx_raster_ops_lanes;
#endif
    all[count++] = &psx_raster_ops_c;
    return number < count ? all[number] : NULL;
}

/* Returns whether the colour has no effect: a texel times 80h is the texel again. */
static bool is_neutral(const struct psx_draw *draw)
{
    return draw->textured && !draw->gouraud && !draw->dither && draw->vertex[0].colour == 0x808080;
}

/* Returns whether only five bits of each channel of the colour count, as on the first GPU. */
static bool is_coarse(const struct psx_gpu *gpu, const struct psx_draw *draw)
{
    return gpu->state.registers.model == PSX_GPU_FIRST && draw->textured && !draw->raw;
}

static psx_raster_shader *select_shader(const struct psx_gpu *gpu, const struct psx_raster_ops *ops,
                                        const struct psx_draw *draw)
{
    enum psx_raster_colour colour = draw->raw || is_neutral(draw) ? RASTER_RAW
                                    : draw->gouraud               ? RASTER_GOURAUD
                                                                  : RASTER_FLAT;
    unsigned blend = draw->semi ? draw->blend : RASTER_OPAQUE;

    if (colour == RASTER_GOURAUD && is_coarse(gpu, draw)) {
        colour = RASTER_COARSE;
        if (ops->shade[draw->depth][colour][draw->dither][blend] == NULL)
            ops = &psx_raster_ops_c;
    }
    return ops->shade[draw->depth][colour][draw->dither][blend];
}

/* Sets the texture window. Offset bits outside the mask do not count (psx-gpu.md 6). */
static void set_window(uint32_t e2, struct psx_raster_job *job)
{
    unsigned mask_u = e2 & 31, mask_v = e2 >> 5 & 31;

    job->and_u = (uint8_t) ~(mask_u << 3);
    job->and_v = (uint8_t) ~(mask_v << 3);
    job->or_u = (uint8_t)((e2 >> 10 & mask_u) << 3);
    job->or_v = (uint8_t)((e2 >> 15 & mask_v) << 3);
}

void psx_raster_begin(const struct psx_gpu *gpu, const struct psx_draw *draw,
                      struct psx_raster_job *job)
{
    uint32_t colour = draw->vertex[0].colour;

    job->vram = gpu->vram;
    job->set = gpu->state.registers.e[6] & 1 ? PIXEL_MASK : 0;
    job->check = gpu->state.registers.e[6] & 2 ? PIXEL_MASK : 0;
    if (is_coarse(gpu, draw))
        colour &= 0xF8F8F8;
    for (unsigned i = 0; i < 3; i++)
        job->flat[i] = (uint8_t)(colour >> 8 * i);
    if (!draw->textured)
        return;
    set_window(gpu->state.registers.e[2], job);
    job->page_x = (uint16_t)((draw->page & 15) * 64);
    job->page_y = (uint16_t)((draw->page >> 4) * 256);
    job->clut = gpu->clut;
    job->cache = gpu->texel_cache;
}

int psx_raster_skipped_parity(const struct psx_gpu *gpu)
{
    const struct psx_registers *registers = &gpu->state.registers;

    if (gpu->never_skip || !psx_registers_skips_lines(registers))
        return -1;
    return ((registers->display.start >> 10) + registers->field) & 1;
}

static bool spans_meet(int a0, int a1, int b0, int b1)
{
    return a0 < b1 && b0 < a1;
}

/* Returns whether a primitive may sample pixels that it draws itself. */
static bool reads_itself(const struct psx_draw *draw, const struct psx_raster_job *job,
                         const struct psx_raster_bounds *bounds)
{
    static const uint8_t shift[] = {[PSX_DEPTH_4] = 2, [PSX_DEPTH_8] = 1, [PSX_DEPTH_15] = 0};
    unsigned u0 = bounds->u0, u1 = bounds->u1, v0 = bounds->v0, v1 = bounds->v1;

    if (!draw->textured)
        return false;
    if (job->and_u != 0xFF)
        u0 = 0, u1 = 255;
    if (job->and_v != 0xFF)
        v0 = 0, v1 = 255;

    int x0 = job->page_x + (int)(u0 >> shift[draw->depth]);
    int x1 = job->page_x + (int)(u1 >> shift[draw->depth]) + 1;
    int y0 = job->page_y + (int)v0, y1 = job->page_y + (int)v1 + 1;

    return spans_meet(y0, y1, job->y0, job->y1) &&
           (spans_meet(x0, x1, bounds->x0, bounds->x1) || /* and what wraps at the right edge */
            spans_meet(x0 - PSX_VRAM_WIDTH, x1 - PSX_VRAM_WIDTH, bounds->x0, bounds->x1));
}

static void shade_rows(const struct psx_gpu *gpu, psx_raster_shader *shade,
                       const struct psx_raster_job *job)
{
    if (gpu->observer == NULL || gpu->observer->job(gpu->observer, gpu, shade, job))
        shade(job);
}

/* Draws from row `first` downwards, then the rows above it one by one. Changes the job. */
static void shade_in_order(const struct psx_gpu *gpu, psx_raster_shader *shade,
                           struct psx_raster_job *job, int first)
{
    const int top = job->y0;
    int row = first < top ? top : first < job->y1 ? first : job->y1;

    job->y0 = row;
    if (row < job->y1)
        shade_rows(gpu, shade, job);
    while (row-- > top) {
        job->y0 = row;
        job->y1 = row + 1;
        shade_rows(gpu, shade, job);
    }
}

void psx_raster_run(struct psx_gpu *gpu, const struct psx_draw *draw, struct psx_raster_job *job,
                    const struct psx_raster_bounds *bounds)
{
    bool cached = draw->textured && psx_texel_cache_is_stale(gpu->texel_cache);
    bool ordered = cached || gpu->in_order || reads_itself(draw, job, bounds);
    const struct psx_raster_ops *ops = cached    ? &psx_raster_ops_cached
                                       : ordered ? &psx_raster_ops_c
                                                 : gpu->ops;
    int parity = psx_raster_skipped_parity(gpu);

    gpu->pixels += bounds->pixels;
    if (parity >= 0)
        for (int y = job->y0 + ((job->y0 ^ parity) & 1); y < job->y1; y += 2) {
            gpu->pixels -= (uint64_t)(job->right[y] - job->left[y]);
            job->right[y] = job->left[y];
        }

    psx_raster_shader *shade = select_shader(gpu, ops, draw);

    if (ordered)
        shade_in_order(gpu, shade, job, bounds->first);
    else
        shade_rows(gpu, shade, job);
}

void psx_raster_draw(struct psx_gpu *gpu, const struct psx_draw *draw)
{
    if ((draw->page >> 4) * 256u >= gpu->lines)
        return; /* there is no memory: psx-gpu.md 2 */
    if (gpu->observer != NULL)
        gpu->observer->draw = draw;
    switch (draw->kind) {
    case GP0_POLYGON:
        psx_raster_polygon(gpu, draw);
        break;
    case GP0_LINE:
    case GP0_POLYLINE:
        psx_raster_line(gpu, draw);
        break;
    default:
        psx_raster_rectangle(gpu, draw);
        break;
    }
}

/*
 * Rectangles are jobs whose rows are all alike and whose texture advances by one texel a pixel
 * (psx-gpu.md 7).
 */

enum { ONE = 1 << RASTER_FRACTION };

/*
 * Puts texel (u, v) at the upper left pixel (x, y), whether or not that is inside the area. A row
 * of VRAM is that row or 512 less, which is the same modulo 256.
 */
static void set_texture(const struct psx_draw *draw, int x, int y, struct psx_raster_job *job)
{
    int u = draw->flip_x ? draw->vertex[0].u | 1 : draw->vertex[0].u;
    int v = draw->vertex[0].v + 512; /* the same modulo 256, and never negative */
    int step_u = draw->flip_x ? -ONE : ONE;
    int step_v = draw->flip_y ? -ONE : ONE;

    job->u = (struct psx_raster_plane){(int64_t)u * ONE - (int64_t)step_u * x, step_u, 0};
    job->v = (struct psx_raster_plane){(int64_t)v * ONE - (int64_t)step_v * y, 0, step_v};
}

/* Computes bounds of U and V of all texels. */
static void bound_texels(const struct psx_draw *draw, struct psx_raster_bounds *bounds)
{
    unsigned u1 = draw->vertex[0].u + draw->width - 1;
    unsigned v1 = draw->vertex[0].v + draw->height - 1;
    bool all_u = draw->flip_x || u1 > 255, all_v = draw->flip_y || v1 > 255;

    bounds->u0 = all_u ? 0 : draw->vertex[0].u;
    bounds->u1 = all_u ? 255 : (uint8_t)u1;
    bounds->v0 = all_v ? 0 : draw->vertex[0].v;
    bounds->v1 = all_v ? 255 : (uint8_t)v1;
}

/* Draws lines y0 up to y1 of the box. */
static void draw_lines(struct psx_gpu *gpu, const struct psx_draw *draw, const struct psx_box *box,
                       int y0, int y1, struct psx_raster_job *job)
{
    struct psx_raster_bounds bounds = {
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
    const int lines = (int)psx_display_lines(&gpu->state.registers.display);
    struct psx_raster_job job;
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
    draw_lines(gpu, draw, &box, box.y, end < lines ? end : lines, &job);
    if (end > lines)
        draw_lines(gpu, draw, &box, 0, end - lines, &job);
}

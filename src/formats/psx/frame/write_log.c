/*
 * A job's pixels are gone through before it is drawn, which sees what its shader
 * will see, unless the job samples what it draws itself: then each pixel is drawn
 * before the next one is looked at, in the shader's own order.
 */
#include "formats/psx/frame/write_log.h"

#include "core/memory.h"
#include "formats/psx/frame/texel.h"
#include "formats/psx/gpu/pixel.h"

#include <errno.h>
#include <string.h>

static void note(struct trail *trail, uint32_t index, bool blended)
{
    trail->last[index] = trail->writer;
    trail->times[index] = (uint16_t)(trail->times[index] + (trail->times[index] < UINT16_MAX));
    trail->written++;
    trail->blended += blended;
}

static void note_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    struct trail *trail = (struct trail *)observer;

    for (uint32_t end = index + count; index < end; index++)
        if (!check || !(gpu->vram[index] & PIXEL_MASK))
            note(trail, index, blended);
}

static void note_pixel(struct trail *trail, const struct psx_gpu *gpu, const struct raster_job *job,
                       int x, int y)
{
    const struct psx_draw *draw = trail->observer.draw;
    uint32_t index = (uint32_t)(y * PSX_VRAM_WIDTH + x);
    uint16_t texel = 0;

    if ((gpu->state.registers.e[6] & 2) && (gpu->vram[index] & PIXEL_MASK))
        return;
    if (draw->textured) {
        texel = texel_fetch(gpu->vram, job->page_x, job->page_y, draw->depth, job->clut,
                            texel_u(job, x, y), texel_v(job, x, y));
        trail->textured++;
        if (texel == 0)
            return;
    }
    note(trail, index, draw->semi && (!draw->textured || (texel & PIXEL_MASK)));
}

static bool meet(int a, int a_end, int b, int b_end)
{
    return a < b_end && b < a_end;
}

/* Whether the job may read what it writes; columns are taken as those of the whole drawing. */
static bool samples_itself(const struct psx_draw *draw, const struct raster_job *job)
{
    int left = PSX_VRAM_WIDTH, right = 0;
    int width = draw->depth == PSX_DEPTH_4 ? 64 : draw->depth == PSX_DEPTH_8 ? 128 : 256;

    if (!draw->textured || !meet(job->y0, job->y1, job->page_y, job->page_y + 256))
        return false;
    for (int y = job->y0; y < job->y1; y++) {
        if (job->left[y] >= job->right[y])
            continue;
        left = job->left[y] < left ? job->left[y] : left;
        right = job->right[y] > right ? job->right[y] : right;
    }
    return meet(left, right, job->page_x, job->page_x + width) ||
           meet(left, right, job->page_x - PSX_VRAM_WIDTH, job->page_x + width - PSX_VRAM_WIDTH);
}

static void draw_by_pixels(struct trail *trail, const struct psx_gpu *gpu, raster_shader *shade,
                           const struct raster_job *job)
{
    struct raster_job one = *job;

    for (int y = job->y0; y < job->y1; y++) {
        one.y0 = y;
        one.y1 = y + 1;
        for (int x = job->left[y]; x < job->right[y]; x++) {
            note_pixel(trail, gpu, job, x, y);
            one.left[y] = (int16_t)x;
            one.right[y] = (int16_t)(x + 1);
            shade(&one);
        }
    }
}

static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu, raster_shader *shade,
                     const struct raster_job *job)
{
    struct trail *trail = (struct trail *)observer;

    if (samples_itself(observer->draw, job)) {
        draw_by_pixels(trail, gpu, shade, job);
        return false;
    }
    for (int y = job->y0; y < job->y1; y++)
        for (int x = job->left[y]; x < job->right[y]; x++)
            note_pixel(trail, gpu, job, x, y);
    return true;
}

int psx_trail_init(struct trail *trail, uint32_t lines)
{
    size_t pixels = (size_t)PSX_VRAM_WIDTH * lines;

    *trail = (struct trail){.observer = {.job = note_job, .run = note_run}, .pixels = pixels};
    trail->last = memory_take(pixels * sizeof(*trail->last));
    trail->times = memory_take(pixels * sizeof(*trail->times));
    if (trail->last == NULL || trail->times == NULL)
        return -ENOMEM;
    memset(trail->times, 0, pixels * sizeof(*trail->times));
    for (size_t i = 0; i < pixels; i++)
        trail->last[i] = TRAIL_NOBODY;
    return 0;
}

void psx_trail_clear(struct trail *trail)
{
    if (trail->last != NULL)
        memory_give(trail->last, trail->pixels * sizeof(*trail->last));
    if (trail->times != NULL)
        memory_give(trail->times, trail->pixels * sizeof(*trail->times));
    trail->last = NULL;
    trail->times = NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * A job's pixels are examined before it is drawn, when VRAM is as its shader will see it. If the
 * job samples what it draws itself, or what the texel cache holds, then each pixel is drawn before
 * the next one is examined, in the shader's own order.
 */
#include "formats/psx/frame/frame.h"

#include "base/memory.h"
#include "formats/psx/dump.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/texel_cache.h"
#include "tree/inode.h"

#include <errno.h>
#include <string.h>

static void note(struct psx_write_log *write_log, uint32_t index, bool blended)
{
    write_log->last[index] = write_log->writer;
    write_log->times[index] =
        (uint16_t)(write_log->times[index] + (write_log->times[index] < UINT16_MAX));
    write_log->written++;
    write_log->blended += blended;
}

static void note_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    struct psx_write_log *write_log = (struct psx_write_log *)observer;

    for (uint32_t end = index + count; index < end; index++)
        if (!check || !(gpu->vram[index] & PIXEL_MASK))
            note(write_log, index, blended);
}

/* Returns the texel as the shader will see it. */
static uint16_t texel_of(const struct psx_gpu *gpu, const struct psx_draw *draw,
                         const struct psx_raster_job *job, int x, int y)
{
    unsigned u = texel_u(job, x, y);
    uint32_t index = texel_index(job->page_x, job->page_y, draw->depth, u, texel_v(job, x, y));
    const uint16_t *at =
        psx_texel_cache_look(gpu->texel_cache, gpu->vram, index, (enum psx_depth)draw->depth);

    return texel_value(draw->depth, job->clut, u, *at);
}

static void note_pixel(struct psx_write_log *write_log, const struct psx_gpu *gpu,
                       const struct psx_raster_job *job, int x, int y)
{
    const struct psx_draw *draw = write_log->observer.draw;
    uint32_t index = (uint32_t)(y * PSX_VRAM_WIDTH + x);
    uint16_t texel = 0;

    if ((gpu->state.registers.e[6] & 2) && (gpu->vram[index] & PIXEL_MASK))
        return;
    if (draw->textured) {
        texel = texel_of(gpu, draw, job, x, y);
        write_log->textured++;
        if (texel == 0)
            return;
    }
    note(write_log, index, draw->semi && (!draw->textured || (texel & PIXEL_MASK)));
}

static bool meet(int a, int a_end, int b, int b_end)
{
    return a < b_end && b < a_end;
}

/*
 * Returns whether the job may read what it writes. Its columns are taken to be those of all its
 * rows together.
 */
static bool samples_itself(const struct psx_draw *draw, const struct psx_raster_job *job)
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

static void draw_by_pixels(struct psx_write_log *write_log, const struct psx_gpu *gpu,
                           psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_raster_job one = *job;

    for (int y = job->y0; y < job->y1; y++) {
        one.y0 = y;
        one.y1 = y + 1;
        for (int x = job->left[y]; x < job->right[y]; x++) {
            note_pixel(write_log, gpu, job, x, y);
            one.left[y] = (int16_t)x;
            one.right[y] = (int16_t)(x + 1);
            shade(&one);
        }
    }
}

static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_write_log *write_log = (struct psx_write_log *)observer;

    if (samples_itself(observer->draw, job) ||
        (observer->draw->textured && psx_texel_cache_is_stale(gpu->texel_cache))) {
        draw_by_pixels(write_log, gpu, shade, job);
        return false;
    }
    for (int y = job->y0; y < job->y1; y++)
        for (int x = job->left[y]; x < job->right[y]; x++)
            note_pixel(write_log, gpu, job, x, y);
    return true;
}

int psx_write_log_init(struct psx_write_log *write_log, uint32_t lines)
{
    size_t pixels = (size_t)PSX_VRAM_WIDTH * lines;

    *write_log =
        (struct psx_write_log){.observer = {.job = note_job, .run = note_run}, .pixels = pixels};
    write_log->last = memory_take(pixels * sizeof(*write_log->last));
    write_log->times = memory_take(pixels * sizeof(*write_log->times));
    if (write_log->last == NULL || write_log->times == NULL)
        return -ENOMEM;
    memset(write_log->times, 0, pixels * sizeof(*write_log->times));
    for (size_t i = 0; i < pixels; i++)
        write_log->last[i] = WRITE_LOG_NOBODY;
    return 0;
}

void psx_write_log_clear(struct psx_write_log *write_log)
{
    if (write_log->last != NULL)
        memory_give(write_log->last, write_log->pixels * sizeof(*write_log->last));
    if (write_log->times != NULL)
        memory_give(write_log->times, write_log->pixels * sizeof(*write_log->times));
    write_log->last = NULL;
    write_log->times = NULL;
}

/* Where the cache keeps the counts: as a part of overdraw.png. */
static const uint64_t pixels_part = 1;

static void add_pixels(struct blob *pixels, int32_t writer, uint64_t more)
{
    uint32_t count;

    if (writer < 0 || (uint64_t)writer >= pixels->size / sizeof(count))
        return;
    memcpy(&count, pixels->data + sizeof(count) * (size_t)writer, sizeof(count));
    count = more > UINT32_MAX - count ? UINT32_MAX : count + (uint32_t)more;
    memcpy(pixels->data + sizeof(count) * (size_t)writer, &count, sizeof(count));
}

static int run_frame(struct psx_player *player, const struct cancel *cancel,
                     struct psx_frame_trace *trace)
{
    struct psx_write_log *write_log = &trace->write_log;
    struct psx_step step;

    while (psx_player_next(player, &step)) {
        uint64_t before = write_log->written;

        write_log->writer = psx_player_writer(player, &step);
        psx_player_carry_out(player, &step);
        add_pixels(trace->pixels, write_log->writer, write_log->written - before);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int psx_frame_trace_make(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct psx_frame_trace *out)
{
    struct psx_player *player = NULL;
    int status = psx_write_log_init(&out->write_log, dump->index.vram_lines);

    out->pixels = NULL;
    if (status == 0)
        status =
            blob_create(sizeof(uint32_t) * (size_t)dump->index.counts[frame].draws, &out->pixels);
    if (status == 0)
        status = psx_player_take(dump, frame, 0, cancel, &player);
    if (status != 0)
        return status;
    memset(out->pixels->data, 0, out->pixels->size);
    player->gpu->observer = &out->write_log.observer;
    status = run_frame(player, cancel, out);
    player->gpu->observer = NULL;
    psx_player_give(dump, &player);
    return status;
}

void psx_frame_trace_clear(struct psx_frame_trace *trace)
{
    psx_write_log_clear(&trace->write_log);
    blob_unref(&trace->pixels);
}

static int make_pixels(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    struct psx_frame_trace trace = {0};
    int status = psx_frame_trace_make(context, inode_key(key.item), cancel, &trace);

    if (status == 0) {
        *out = trace.pixels;
        trace.pixels = NULL;
    }
    psx_frame_trace_clear(&trace);
    return status;
}

int psx_frame_trace_pixels(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out)
{
    static const struct cache_maker maker = {.work = CACHE_RENDER, .make = make_pixels};
    struct cache_key key = {inode_pack(PSX_RULE_OVERDRAW, frame), pixels_part};

    return cache_get(dump->base.cache, key, &maker, dump, cancel, out);
}

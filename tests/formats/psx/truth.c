/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/truth.h"

#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { PIXELS = PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT };

static void write_pixel(struct psx_truth *truth, uint32_t index)
{
    truth->last[index] = truth->writer;
    truth->times[index]++;
    truth->written++;
    if (truth->writer < 0)
        return;
    if ((uint32_t)truth->writer >= truth->room) {
        uint32_t room = 2 * (uint32_t)truth->writer + 64;

        truth->pixels = realloc(truth->pixels, room * sizeof(*truth->pixels));
        assert_non_null(truth->pixels);
        memset(truth->pixels + truth->room, 0, (room - truth->room) * sizeof(*truth->pixels));
        truth->room = room;
    }
    truth->pixels[truth->writer]++;
}

static void note_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    struct psx_truth *truth = (struct psx_truth *)observer;

    (void)blended;
    for (uint32_t i = index; i < index + count; i++)
        if (!check || !(gpu->vram[i] & PIXEL_MASK))
            write_pixel(truth, i);
}

/*
 * Returns whether the texel of the pixel is the pixel itself, which another background would
 * change. If so, sets *texel to the texel, after the palette.
 */
static bool is_own_texel(const struct psx_draw *draw, const struct psx_raster_job *job, int x,
                         int y, uint16_t *texel)
{
    int64_t at_u = (job->u.origin + (int64_t)x * job->u.dx + (int64_t)y * job->u.dy) >> 12;
    int64_t at_v = (job->v.origin + (int64_t)x * job->v.dx + (int64_t)y * job->v.dy) >> 12;
    unsigned u = ((unsigned)at_u & 255 & job->and_u) | job->or_u;
    unsigned v = ((unsigned)at_v & 255 & job->and_v) | job->or_v;
    unsigned column = (job->page_x + (u >> (2 - draw->depth))) & (PSX_VRAM_WIDTH - 1);

    if (job->page_y + v != (unsigned)y || column != (unsigned)x)
        return false;
    *texel = job->vram[y * PSX_VRAM_WIDTH + x];
    if (draw->depth == PSX_DEPTH_4)
        *texel = job->clut[*texel >> 4 * (u & 3) & 15];
    else if (draw->depth == PSX_DEPTH_8)
        *texel = job->clut[*texel >> 8 * (u & 1) & 255];
    return true;
}

/*
 * Draws the single pixel of `one`, and leaves the result in VRAM. Returns whether the pixel was
 * written.
 */
static bool draw_pixel(const struct psx_truth *truth, psx_raster_shader *shade,
                       const struct psx_raster_job *one, int x, int y)
{
    const struct psx_draw *draw = truth->observer.draw;
    uint16_t *pixel = &one->vram[y * PSX_VRAM_WIDTH + x];
    uint16_t before = *pixel, other, after, other_after, texel = 1;
    bool check = truth->gpu->state.registers.e[6] & 2;

    if (!draw->textured || is_own_texel(draw, one, x, y, &texel)) {
        shade(one);
        return !(check && (before & PIXEL_MASK)) && texel != 0;
    }
    other = check ? before ^ 1 : before ^ PIXEL_MASK;
    *pixel = other;
    shade(one);
    other_after = *pixel;
    *pixel = before;
    shade(one);
    after = *pixel;
    return after != before || other_after != other;
}

static bool draw_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct psx_truth *truth = (struct psx_truth *)observer;
    struct psx_raster_job one = *job;

    (void)gpu;
    for (int y = job->y0; y < job->y1; y++) {
        one.y0 = y;
        one.y1 = y + 1;
        for (int x = job->left[y]; x < job->right[y]; x++) {
            one.left[y] = (int16_t)x;
            one.right[y] = (int16_t)(x + 1);
            if (draw_pixel(truth, shade, &one, x, y))
                write_pixel(truth, (uint32_t)(y * PSX_VRAM_WIDTH + x));
        }
    }
    return false;
}

static void begin_frame(struct psx_truth *truth, const struct psx_truth_hooks *hooks,
                        uint32_t frame)
{
    truth->frame = frame;
    truth->draws = truth->uploads = 0;
    truth->written = 0;
    truth->gpu->observer = NULL;
    if (frame == UINT32_MAX || (hooks->matters != NULL && !hooks->matters(hooks->context, frame)))
        return;
    truth->gpu->observer = &truth->observer;
    for (unsigned i = 0; i < PIXELS; i++)
        truth->last[i] = -1;
    memset(truth->times, 0, PIXELS * sizeof(*truth->times));
    if (truth->room > 0)
        memset(truth->pixels, 0, truth->room * sizeof(*truth->pixels));
}

static void step_gp0(struct psx_truth *truth, const struct psx_step *step)
{
    const struct psx_gp0_event *event = &step->event;
    bool now = truth->began == truth->frame;

    if (event->begins) {
        truth->began = truth->frame;
        now = true;
    }
    if (event->type == GP0_EVENT_COMMAND) {
        enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

        truth->writer = INT32_MIN;
        if (now && psx_kind_draws(kind))
            truth->writer = (int32_t)truth->draws++;
        else if (now && kind == GP0_UPLOAD)
            truth->writer = -2 - (int32_t)truth->uploads++;
    } else if (!now) {
        truth->writer = INT32_MIN;
    }
    psx_gpu_run(truth->gpu, event);
}

static void carry_out(struct psx_truth *truth, const struct psx_step *step)
{
    if (step->kind == PSX_STEP_GP0)
        step_gp0(truth, step);
    else if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(truth->gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(truth->gpu, psx_step_read_words(step), NULL);
}

void psx_truth_run(struct psx_opened *opened, const struct psx_truth_hooks *hooks)
{
    struct psx_index *index = psx_opened_index(opened);
    struct psx_truth truth = {.observer = {.job = draw_job, .run = note_run},
                              .last = malloc(PIXELS * sizeof(*truth.last)),
                              .times = malloc(PIXELS * sizeof(*truth.times)),
                              .frame = UINT32_MAX,
                              .began = UINT32_MAX};
    struct psx_walk walk;
    struct psx_step step;

    assert_non_null(truth.last);
    assert_non_null(truth.times);
    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &truth.gpu), 0);
    truth.gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    psx_walk_start(&walk, index);
    truth.gpu->state = walk.at.state;
    begin_frame(&truth, hooks, (uint32_t)walk.at.frame);
    while (psx_walk_next(&walk, &step)) {
        if (hooks->before != NULL)
            hooks->before(hooks->context, &truth, &walk, &step);
        carry_out(&truth, &step);
        if (hooks->after != NULL)
            hooks->after(hooks->context, &truth, &step);
        psx_walk_apply(&walk, &step);
        truth.gpu->state.restoring = walk.at.state.restoring;
        truth.gpu->state.registers.field = walk.at.state.registers.field;
        if ((uint32_t)walk.at.frame == truth.frame)
            continue;
        if (truth.frame != UINT32_MAX)
            hooks->frame(hooks->context, &truth);
        begin_frame(&truth, hooks, (uint32_t)walk.at.frame);
    }
    if (truth.frame < index->frame_count)
        hooks->frame(hooks->context, &truth);
    psx_gpu_destroy(&truth.gpu);
    free(truth.last);
    free(truth.times);
    free(truth.pixels);
}

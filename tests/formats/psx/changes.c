/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/changes.h"

#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/walk.h"

#include "tests/support/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct psx_finder {
    psx_change_visit *visit;
    void *context;
    const bool *lines;
    const struct psx_walk *walk;
    uint16_t *before; /* VRAM before the step */
    uint32_t frame, draws, uploads, began;
    int32_t writer;
};

/* Counts draws and uploads independently, numbered as the documentation says. */
static void count_command(struct psx_finder *finder, const struct psx_gp0_event *event)
{
    if (event->begins)
        finder->began = finder->frame;
    if (event->type == GP0_EVENT_COMMAND) {
        enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

        finder->writer = INT32_MIN;
        if (finder->began == finder->frame && psx_kind_draws(kind))
            finder->writer = (int32_t)finder->draws++;
        else if (finder->began == finder->frame && kind == GP0_UPLOAD)
            finder->writer = -2 - (int32_t)finder->uploads++;
    } else if (finder->began != finder->frame) {
        finder->writer = INT32_MIN;
    }
}

static void compare_line(struct psx_finder *finder, const struct psx_gpu *gpu, uint32_t first)
{
    const uint16_t *line = gpu->vram + first;
    uint16_t *before = finder->before + first;

    if (memcmp(line, before, PSX_VRAM_WIDTH * sizeof(*line)) == 0)
        return;
    for (uint32_t x = 0; x < PSX_VRAM_WIDTH; x++) {
        struct psx_change change = {.frame = finder->frame,
                                    .pixel = first + x,
                                    .writer = finder->writer,
                                    .before = before[x],
                                    .after = line[x],
                                    .packet = finder->walk->at.command_packet,
                                    .word = finder->walk->at.command_word};

        if (change.before != change.after)
            finder->visit(finder->context, &change);
    }
    memcpy(before, line, PSX_VRAM_WIDTH * sizeof(*line));
}

static void run_step(struct psx_finder *finder, struct psx_gpu *gpu, const struct psx_step *step)
{
    if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(gpu, psx_step_read_words(step), NULL);
    if (step->kind != PSX_STEP_GP0)
        return;
    count_command(finder, &step->event);
    psx_gpu_run(gpu, &step->event);
    for (uint32_t y = 0; y < gpu->lines; y++)
        if (finder->lines == NULL || finder->lines[y])
            compare_line(finder, gpu, y * PSX_VRAM_WIDTH);
}

static void run_all(struct psx_finder *finder, struct psx_gpu *gpu, struct psx_walk *walk)
{
    struct psx_step step;

    finder->frame = (uint32_t)walk->at.frame;
    finder->began = UINT32_MAX;
    while (psx_walk_next(walk, &step)) {
        run_step(finder, gpu, &step);
        psx_walk_apply(walk, &step);
        gpu->state.restoring = walk->at.state.restoring;
        gpu->state.registers.field = walk->at.state.registers.field;
        if ((uint32_t)walk->at.frame == finder->frame)
            continue;
        finder->frame = (uint32_t)walk->at.frame;
        finder->draws = finder->uploads = 0;
    }
}

bool psx_changes_are_of_one(const struct psx_change *a, const struct psx_change *b)
{
    return a->frame == b->frame && a->packet == b->packet && a->word == b->word;
}

void psx_changes_find(struct psx_index *index, const bool *lines, psx_change_visit *visit,
                      void *context)
{
    struct psx_walk walk;
    struct psx_finder finder = {.visit = visit, .context = context, .lines = lines, .walk = &walk};
    struct psx_gpu *gpu;

    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    assert_int_equal(psx_gpu_create(index->model, &gpu), 0);
    finder.before = calloc((size_t)gpu->lines * PSX_VRAM_WIDTH, sizeof(*finder.before));
    assert_non_null(finder.before);
    psx_walk_start(&walk, index);
    gpu->state = walk.at.state;
    run_all(&finder, gpu, &walk);
    free(finder.before);
    psx_gpu_destroy(&gpu);
}

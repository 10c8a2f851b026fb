/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/frame_cost.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/gpu/cost.h"
#include "tree/inode.h"

#include <errno.h>
#include <string.h>

enum { POLL_PIXELS = 1 << 20, POLL_STEPS = 4096 }; /* work between two looks at `cancel` */

struct costing {
    struct psx_cost cost;
    struct psx_walk walk;
    uint64_t frame, begun; /* how many draws of the frame have begun */
    uint32_t last;         /* cycles of the last of these so far */
    struct blob *draws;    /* NULL if only the sum is needed */
    struct psx_frame_cost sum;
};

/* Adds to the draw that began last. */
static void add_draw(struct costing *costing, uint64_t cycles)
{
    uint64_t draw = costing->begun - 1;

    if (costing->begun == 0)
        return;
    if (cycles > UINT32_MAX - costing->last)
        cycles = UINT32_MAX - costing->last;
    costing->last += (uint32_t)cycles;
    costing->sum.draws += cycles;
    if (costing->draws != NULL && draw < costing->draws->size / sizeof(costing->last))
        memcpy(costing->draws->data + sizeof(costing->last) * draw, &costing->last,
               sizeof(costing->last));
}

/* The time of a command that began in an earlier frame counts there. */
static void add_event(struct costing *costing, const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;
    uint64_t cycles = psx_cost_event(&costing->cost, event, &costing->walk.at.state);

    if (!psx_find_began_in(costing->walk.index, &costing->walk, costing->frame))
        return;
    if (event->type == GP0_EVENT_COMMAND && psx_kind_draws(kind)) {
        costing->begun++;
        costing->last = 0;
    }
    if (event->type == GP0_EVENT_DATA || kind == GP0_READ)
        costing->sum.transfers += cycles;
    else
        add_draw(costing, cycles);
}

/*
 * Returns whether there is more to count: in the frame, or after it while a command that began in
 * the frame goes on.
 */
static bool goes_on(const struct costing *costing)
{
    const struct psx_parser_state *at = &costing->walk.at;

    return at->packet < costing->walk.index->frames[costing->frame + 1].packet ||
           (at->state.parser.phase != GP0_PHASE_IDLE &&
            psx_find_began_in(costing->walk.index, &costing->walk, costing->frame));
}

static int walk_frame(struct costing *costing, const struct cancel *cancel)
{
    uint64_t polled = 0;
    unsigned steps = 0;
    struct psx_step step;

    while (goes_on(costing) && psx_walk_next(&costing->walk, &step)) {
        if (step.kind == PSX_STEP_GP0)
            add_event(costing, &step.event);
        else if (step.kind == PSX_STEP_GP1)
            psx_cost_gp1(&costing->cost, step.gp1);
        psx_walk_apply(&costing->walk, &step);
        if (++steps % POLL_STEPS != 0 && costing->cost.pixels - polled < POLL_PIXELS)
            continue;
        polled = costing->cost.pixels;
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int run(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
               struct costing *costing)
{
    struct psx_parser_state checkpoint;

    if (dump->index.counts[frame].gp0_words == 0)
        return 0;
    psx_index_frame_checkpoint(&dump->index, frame, &checkpoint);
    psx_walk_resume(&costing->walk, &dump->index, &checkpoint);
    psx_cost_begin(&costing->cost, dump->index.vram_lines);
    costing->cost.gpu.never_skip = dump->index.field_option == PSX_FIELD_BOTH;
    return walk_frame(costing, cancel);
}

int psx_frame_cost_sum(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct psx_frame_cost *out)
{
    struct costing costing;
    int status;

    costing.frame = frame;
    costing.begun = 0;
    costing.last = 0;
    costing.draws = NULL;
    costing.sum = (struct psx_frame_cost){0};
    status = run(dump, frame, cancel, &costing);
    *out = costing.sum;
    return status;
}

static int make_draws(void *context, struct cache_key key, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *dump = context;
    struct costing costing = {.frame = inode_key(key.item)};
    int status =
        blob_create(sizeof(uint32_t) * (size_t)dump->index.counts[costing.frame].draws, out);

    if (status != 0)
        return status;
    memset((*out)->data, 0, (*out)->size);
    costing.draws = *out;
    status = run(dump, costing.frame, cancel, &costing);
    if (status != 0)
        blob_unref(out);
    return status;
}

int psx_frame_cost_draws(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct blob **out)
{
    static const uint64_t draws_part = 1; /* kept as a part of the picture */
    static const struct cache_maker maker = {.work = CACHE_RENDER, .make = make_draws};
    struct cache_key key = {inode_pack(PSX_RULE_COST, frame), draws_part};

    return cache_get(dump->base.cache, key, &maker, dump, cancel, out);
}

uint32_t psx_frame_cost_of(const struct blob *draws, uint64_t draw)
{
    uint32_t cycles;

    if (draws == NULL || draw >= draws->size / sizeof(cycles))
        return 0;
    memcpy(&cycles, draws->data + sizeof(cycles) * draw, sizeof(cycles));
    return cycles;
}

uint32_t psx_frame_cost_period(const struct psx_dump *dump, uint64_t frame)
{
    return psx_cost_frame(dump->index.frames[frame].display.mode);
}

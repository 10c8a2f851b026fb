/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/sketch.h"

#include "formats/psx/gpu/state.h"
#include "formats/psx/index/sketch_pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * A sketch saves time only while psx_sketch_run() passes nearly all commands. It is given up if
 * more commands than this have to be taken step by step.
 */
enum {
    STEPS_FREE = 1 << 16, /* steps that are always allowed */
    STEP_BYTES = 64,      /* after these, fewer steps than one for each 64 bytes of the dump */
};

uint64_t psx_sketch_piece = 1 << 20;
struct psx_sketch_spacing psx_sketch_spacing = {.min = 8 << 10, .max = 64 << 10};

/*
 * Returns a position in bytes, for measuring distances: the offset of the packet, plus the words in
 * the packet before the position.
 */
static uint64_t place_of(const struct psx_parser_state *at)
{
    return at->offset + 4 * (uint64_t)at->word;
}

int psx_sketch_add_checkpoint(struct psx_sketch *sketch)
{
    struct psx_parser_state *at = &sketch->walk.at;
    int status = 0;

    if (sketch->began) {
        psx_tile_summary_end_data(&sketch->stretch.maker, &at->state);
        status = psx_tile_summary_store_add(&sketch->summaries, &sketch->stretch.maker.summary);
        if (status == 0)
            psx_upload_list_end_stretch(&sketch->uploads);
        sketch->stretch.maker = (struct psx_tile_summary_maker){0};
    }
    sketch->began = true;
    sketch->last = place_of(at);
    return status == 0 ? psx_parser_states_add(&sketch->checkpoints, at) : status;
}

static uint64_t first_packet(const struct psx_index *index)
{
    return index->begin_packet == PSX_NO_PACKET ? 0 : index->begin_packet;
}

static void enter_first_frame(struct psx_sketch *sketch)
{
    if (sketch->walk.at.frame == PSX_INITIAL &&
        sketch->walk.at.packet == first_packet(sketch->index))
        sketch->walk.at.frame = 0;
}

static void take_gp0(struct psx_sketch *sketch, const struct psx_step *step)
{
    struct psx_state *state = &sketch->walk.at.state;
    const struct psx_gp0_event *event = &step->event;
    struct psx_gp0_event line = *event;

    psx_stretch_writes_take(&sketch->stretch, &sketch->uploads, state, step);
    if (event->type == GP0_EVENT_SEGMENT)
        psx_state_segment(state, event, &line);
    psx_state_gp0(state, event);
    if (sketch->index->texel_cache)
        psx_stale_runs_look(&sketch->stale_runs, &sketch->reach, state, &line);
}

static void take_gp1(struct psx_sketch *sketch, const struct psx_step *step)
{
    struct psx_state *state = &sketch->walk.at.state;

    if (psx_gp1_turns_data(step->gp1))
        psx_tile_summary_end_data(&sketch->stretch.maker, state);
    psx_state_gp1(state, step->gp1);
}

static void take_packet(struct psx_sketch *sketch, const struct psx_step *step)
{
    struct psx_parser_state *at = &sketch->walk.at;

    if (psx_step_reads(step))
        psx_state_read(&at->state, psx_step_read_words(step));
    if (step->number == sketch->index->begin_packet)
        at->state.restoring = false;
    if (step->packet.type == PSX_PACKET_VSYNC && at->frame != PSX_INITIAL)
        at->frame++;
}

/* Takes a step as the command pass does, except that nothing is counted. */
static void take_step(struct psx_sketch *sketch, const struct psx_step *step)
{
    switch (step->kind) {
    case PSX_STEP_GP0:
        take_gp0(sketch, step);
        break;
    case PSX_STEP_GP1:
        take_gp1(sketch, step);
        break;
    case PSX_STEP_PACKET:
        take_packet(sketch, step);
        break;
    }
    enter_first_frame(sketch);
    sketch->steps++;
}

static int keep_checkpoints(struct psx_sketch *sketch, const struct psx_step *step,
                            const struct cancel *cancel)
{
    const uint64_t length = place_of(&sketch->walk.at) - sketch->last;
    const bool starts_frame =
        step->kind == PSX_STEP_PACKET && step->packet.type == PSX_PACKET_VSYNC;
    int status = 0;

    if (length >= psx_sketch_spacing.max || (starts_frame && length >= psx_sketch_spacing.min)) {
        status = psx_sketch_add_checkpoint(sketch);
        if (status == 0 && starts_frame && sketch->part != NULL)
            psx_sketch_note_join(sketch);
    }
    return status == 0 && starts_frame && sketch->ahead != NULL
               ? psx_sketch_try_join(sketch, cancel)
               : status;
}

/*
 * Returns false if the dump has other commands than most, so that a sketch is no faster than the
 * command pass.
 */
static bool saves_time(const struct psx_sketch *sketch)
{
    return sketch->steps < STEPS_FREE ||
           sketch->steps < (place_of(&sketch->walk.at) - sketch->start) / STEP_BYTES;
}

static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct psx_sketch *sketch = context;
    struct psx_parser_state *at = &sketch->walk.at;
    const uint64_t end = place_of(at) + psx_sketch_piece;
    struct psx_step step;
    int status = 0;

    if (sketch->part != NULL && sketch->part->taken) {
        position->ended = true;
        return 0;
    }
    while (status == 0 && place_of(at) < end && !position->ended) {
        psx_sketch_run(sketch, sketch->last + psx_sketch_spacing.max);
        enter_first_frame(sketch);
        position->ended = !psx_walk_next(&sketch->walk, &step);
        if (position->ended)
            break;
        take_step(sketch, &step);
        status = keep_checkpoints(sketch, &step, cancel);
    }
    if (status == 0 && !saves_time(sketch))
        status = -EFBIG;
    /* What comes after the last checkpoint is read from there. */
    position->known = at->packet;
    position->frames = at->frame == PSX_INITIAL ? 0 : at->frame;
    sketch->offset = at->offset;
    return status;
}

bool psx_sketch_is_possible(const struct psx_index *index)
{
    if (index->growth != NULL || index->origin != NULL)
        return false;
    return !index->early || (index->has_frame && index->begin_packet != PSX_NO_PACKET);
}

static void start(struct psx_sketch *sketch)
{
    struct psx_parser_state *at = &sketch->walk.at;
    const struct psx_index *index = sketch->index;

    sketch->walk.index = index;
    at->offset = psx_magic_length(index->magic);
    at->frame = PSX_INITIAL;
    psx_state_reset(&at->state, index->model);
    at->state.restoring = index->begin_packet != PSX_NO_PACKET;
    enter_first_frame(sketch);
}

static int init_stores(struct psx_sketch *sketch)
{
    const uint64_t size = sketch->index->size, stretches = size / psx_sketch_spacing.min + 2;
    int status = psx_parser_states_init(&sketch->checkpoints, stretches);

    if (status == 0)
        status = psx_tile_summary_store_init(&sketch->summaries, stretches);
    if (status == 0)
        status = psx_upload_list_init(&sketch->uploads, psx_upload_list_max(size), stretches);
    return status == 0 ? psx_stale_runs_init(&sketch->stale_runs) : status;
}

int psx_sketch_make(const struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel, struct psx_sketch **out)
{
    struct psx_sketch *sketch = calloc(1, sizeof(*sketch));
    const struct index_task_work work = {
        .advance = advance, .context = sketch, .cancel = cancel, .spending = spending};
    int status;

    *out = sketch;
    if (sketch == NULL)
        return -ENOMEM;
    sketch->index = index;
    index_task_init(&sketch->pass, &work);
    start(sketch);
    status = init_stores(sketch);
    if (status != 0)
        psx_sketch_destroy(out);
    return status;
}

int psx_sketch_create(const struct psx_index *index, struct budget *spending,
                      const struct cancel *cancel, struct psx_sketch **out)
{
    int status = psx_sketch_make(index, spending, cancel, out);

    if (status == 0 && (status = psx_sketch_add_checkpoint(*out)) != 0)
        psx_sketch_destroy(out);
    return status;
}

void psx_sketch_destroy(struct psx_sketch **sketch)
{
    struct psx_sketch *ahead = *sketch != NULL ? (*sketch)->ahead : NULL;

    if (*sketch == NULL)
        return;
    psx_sketch_leave(&ahead);
    psx_sketch_leave(&(*sketch)->helped);
    psx_parser_states_clear(&(*sketch)->checkpoints);
    psx_tile_summary_store_clear(&(*sketch)->summaries);
    psx_upload_list_clear(&(*sketch)->uploads);
    psx_stale_runs_clear(&(*sketch)->stale_runs);
    index_task_destroy(&(*sketch)->pass);
    free((*sketch)->part);
    free(*sketch);
    *sketch = NULL;
}

int psx_sketch_reach(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel)
{
    return packet == 0 ? 0 : index_task_wait(&sketch->pass, packet - 1, cancel);
}

int psx_sketch_reach_frame(struct psx_sketch *sketch, uint64_t frame, const struct cancel *cancel)
{
    return index_task_wait_frame(&sketch->pass, frame, cancel);
}

uint64_t psx_sketch_offset(const struct psx_sketch *sketch)
{
    return sketch->offset;
}

struct psx_stretches psx_sketch_stretches(const struct psx_sketch *sketch)
{
    return (struct psx_stretches){&sketch->checkpoints, &sketch->summaries, &sketch->uploads,
                                  &sketch->stale_runs};
}

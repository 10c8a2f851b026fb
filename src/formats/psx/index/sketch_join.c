/* SPDX-License-Identifier: MIT */
/*
 * A sketch by two threads. What comes later depends on what came before, so a part that begins
 * further on has to suppose a state: that of the last checkpoint, with the display of the frame
 * where the part begins, which the packet pass knows. When the sketch comes to one of the part's
 * first checkpoints, it compares the states. From there on equal states lead to equal sketches,
 * except for the numbers of the texel cache's runs, which are corrected. What the part made before
 * that is left out. So nothing is reported that was only supposed.
 */
#include "formats/psx/index/sketch.h"
#include "formats/psx/index/sketch_pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MISSES_MAX = 2 };

struct psx_sketch_helping psx_sketch_helping = {.min = 2 << 20, .from = 512 << 10};

void psx_sketch_leave(struct psx_sketch **part)
{
    struct psx_sketch *left = *part;

    *part = NULL;
    if (left != NULL && atomic_fetch_sub(&left->part->users, 1) == 1)
        psx_sketch_destroy(&left);
}

void psx_sketch_note_join(struct psx_sketch *sketch)
{
    struct psx_sketch_part *part = sketch->part;
    const unsigned count = part->join_count;

    if (count == PSX_SKETCH_JOINS)
        return;
    part->joins[count] = (struct psx_sketch_join){
        .at = sketch->walk.at,
        .reach = sketch->reach,
        .checkpoint = psx_parser_states_count(&sketch->checkpoints) - 1,
        .stale_runs = psx_stale_runs_count(&sketch->stale_runs),
    };
    part->join_count = count + 1;
}

/* Returns the first frame that begins at that byte or later. */
static uint64_t find_frame(const struct psx_index *index, uint64_t offset)
{
    uint64_t low = 0, high = index->frame_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (index->frames[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Supposes the state at a frame's start: everything except the display is as at the sketch's last
 * checkpoint, between two commands.
 */
static void suppose(const struct psx_sketch *sketch, uint64_t frame, struct psx_parser_state *at)
{
    const struct psx_index *index = sketch->index;

    psx_parser_states_get(&sketch->checkpoints, psx_parser_states_count(&sketch->checkpoints) - 1,
                          at);
    at->packet = index->frames[frame].packet;
    at->offset = index->frames[frame].offset;
    at->frame = frame;
    at->word = 0;
    at->state.registers.display = index->frames[frame - 1].display;
    psx_gp0_parser_reset(&at->state.parser);
    memset(&at->state.upload, 0, sizeof(at->state.upload));
    memset(at->state.last_vertex, 0, sizeof(at->state.last_vertex));
    at->state.restoring = false;
}

static int begin_part(struct psx_sketch *sketch, uint64_t frame, struct psx_sketch **out)
{
    const struct index_task_work *work = &sketch->pass.work;
    int status = psx_sketch_make(sketch->index, work->spending, work->cancel, out);

    if (status != 0)
        return status;
    (*out)->part = calloc(1, sizeof(*(*out)->part));
    if ((*out)->part == NULL) {
        psx_sketch_destroy(out);
        return -ENOMEM;
    }
    (*out)->part->users = 2;
    suppose(sketch, frame, &(*out)->walk.at);
    (*out)->start = (*out)->walk.at.offset;
    (*out)->offset = (*out)->start;
    status = psx_sketch_add_checkpoint(*out);
    if (status == 0)
        psx_sketch_note_join(*out);
    else
        psx_sketch_destroy(out);
    return status;
}

/*
 * Returns the frame in the middle of what is left up to the packet; 0 if a part is not worthwhile.
 */
static uint64_t choose_frame(const struct psx_sketch *sketch, uint64_t packet)
{
    const struct psx_index *index = sketch->index;
    const uint64_t last = psx_index_frame_of(index, packet), from = sketch->offset;
    const uint64_t end =
        index->frames[last < index->frame_count ? last : index->frame_count].offset;
    uint64_t frame;

    if (from < psx_sketch_helping.from || end < from || end - from < psx_sketch_helping.min)
        return 0;
    frame = find_frame(index, from + (end - from) / 2);
    return index->frames[frame].offset < end ? frame : 0;
}

void psx_sketch_help(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel)
{
    struct psx_sketch *part;
    uint64_t frame;

    if (sketch->helped != NULL && sketch->helped->part->taken)
        psx_sketch_leave(&sketch->helped);
    /* The part before it may still be ending. */
    if (sketch->helped == NULL && sketch->ahead == NULL) {
        frame = sketch->misses < MISSES_MAX ? choose_frame(sketch, packet) : 0;
        if (frame == 0 || begin_part(sketch, frame, &sketch->helped) != 0)
            return;
        sketch->helped->part->target = packet;
        sketch->ahead = sketch->helped;
    }
    part = sketch->helped;
    if (part == NULL)
        return;
    if (part->part->target < packet)
        part->part->target = packet;
    (void)psx_sketch_reach(part, part->part->target, cancel);
}

/* Gives up the part `ahead`, after which another part may begin. */
static void give_up(struct psx_sketch *sketch)
{
    struct psx_sketch *ahead = sketch->ahead;

    ahead->part->taken = true;
    sketch->next_join = 0;
    sketch->ahead = NULL;
    psx_sketch_leave(&ahead);
}

static void miss(struct psx_sketch *sketch)
{
    sketch->misses++;
    give_up(sketch);
}

/* Returns whether the same is recorded of the run in progress. */
static bool is_same_reach(const struct psx_sketch *sketch, const struct psx_sketch_join *join)
{
    const struct psx_texel_reach *here = &sketch->reach, *there = &join->reach;
    const bool told = here->run == sketch->walk.at.state.texel_run && here->sampled;

    if (told != (there->run == join->at.state.texel_run && there->sampled))
        return false;
    return !told || (here->stale == there->stale && here->page == there->page &&
                     here->depth == there->depth &&
                     memcmp(&here->read, &there->read, sizeof(here->read)) == 0);
}

/*
 * Returns whether all is the same that later steps depend on. Numbers of runs may differ, since
 * they are corrected.
 */
static bool is_same(const struct psx_sketch *sketch, const struct psx_sketch_join *join)
{
    const struct psx_state *here = &sketch->walk.at.state, *there = &join->at.state;
    const struct psx_registers *a = &here->registers, *b = &there->registers;

    return here->parser.phase == GP0_PHASE_IDLE && there->parser.phase == GP0_PHASE_IDLE &&
           memcmp(a->e, b->e, sizeof(a->e)) == 0 &&
           memcmp(&a->display, &b->display, sizeof(a->display)) == 0 && a->gpuread == b->gpuread &&
           a->irq == b->irq && a->field == b->field && a->model == b->model &&
           here->clut.id == there->clut.id && here->clut.entries == there->clut.entries &&
           here->upload.total == 0 && there->upload.total == 0 &&
           memcmp(&here->read, &there->read, sizeof(here->read)) == 0 &&
           memcmp(here->last_vertex, there->last_vertex, sizeof(here->last_vertex)) == 0 &&
           here->restoring == there->restoring && is_same_reach(sketch, join);
}

/* Returns the join of the part that is where the sketch is; NULL if there is none so far. */
static const struct psx_sketch_join *find_join(struct psx_sketch *sketch,
                                               const struct psx_sketch_part *part)
{
    const struct psx_parser_state *at = &sketch->walk.at;
    const unsigned count = part->join_count;

    while (sketch->next_join < count && part->joins[sketch->next_join].at.packet < at->packet)
        sketch->next_join++;
    if (sketch->next_join == count || part->joins[sketch->next_join].at.packet != at->packet)
        return NULL;
    return &part->joins[sketch->next_join];
}

/*
 * Waits for the part to come to its target, and ends it. After that no step of it is running, and
 * none will.
 */
static int end_part(struct psx_sketch *part, const struct cancel *cancel)
{
    int status = index_task_wait(&part->pass, part->part->target - 1, cancel);

    if (status != 0)
        return status;
    part->part->taken = true;
    return index_task_wait_all(&part->pass, cancel);
}

static uint64_t uploads_before(const struct psx_sketch *part, uint64_t stretch)
{
    return stretch > 0 ? part->uploads.ends[stretch - 1] : 0;
}

static bool has_room(const struct psx_sketch *sketch, const struct psx_sketch *part,
                     const struct psx_sketch_join *join)
{
    return psx_upload_list_has_room(&sketch->uploads,
                                    part->uploads.count - uploads_before(part, join->checkpoint)) &&
           psx_stale_runs_count(&part->stale_runs) < PSX_STALE_RUNS;
}

static void add_uploads(struct psx_sketch *sketch, const struct psx_sketch *part, uint64_t from,
                        uint64_t to, uint32_t more_runs)
{
    for (uint64_t n = from; n < to; n++) {
        struct psx_upload upload = part->uploads.list[n];

        upload.texel_run += more_runs;
        psx_upload_list_add(&sketch->uploads, &upload);
    }
}

/*
 * Adds all stretches of the part that have ended after the checkpoint, and the uploads of the one
 * in progress.
 */
static int add_stretches(struct psx_sketch *sketch, const struct psx_sketch *part,
                         uint64_t checkpoint, uint32_t more_runs)
{
    const uint64_t count = psx_parser_states_count(&part->checkpoints);
    int status = 0;

    for (; status == 0 && checkpoint + 1 < count; checkpoint++) {
        struct psx_tile_summary summary;
        struct psx_parser_state at;

        psx_tile_summary_store_get(&part->summaries, checkpoint, &summary);
        psx_parser_states_get(&part->checkpoints, checkpoint + 1, &at);
        at.state.texel_run += more_runs;
        add_uploads(sketch, part, uploads_before(part, checkpoint), part->uploads.ends[checkpoint],
                    more_runs);
        psx_upload_list_end_stretch(&sketch->uploads);
        status = psx_tile_summary_store_add(&sketch->summaries, &summary);
        if (status == 0)
            status = psx_parser_states_add(&sketch->checkpoints, &at);
    }
    add_uploads(sketch, part, uploads_before(part, count - 1), part->uploads.count, more_runs);
    return status;
}

/* Takes over what the part made from the join on. The sketch is then where the part is. */
static int take(struct psx_sketch *sketch, const struct psx_sketch *part,
                const struct psx_sketch_join *join)
{
    const uint32_t more_runs = sketch->walk.at.state.texel_run - join->at.state.texel_run;
    int status = sketch->last != sketch->walk.at.offset ? psx_sketch_add_checkpoint(sketch) : 0;

    if (status == 0)
        status = add_stretches(sketch, part, join->checkpoint, more_runs);
    for (uint64_t n = join->stale_runs; n < psx_stale_runs_count(&part->stale_runs); n++)
        psx_stale_runs_add(&sketch->stale_runs, part->stale_runs.list[n] + more_runs);
    sketch->walk.at = part->walk.at;
    sketch->walk.at.state.texel_run += more_runs;
    sketch->reach = part->reach;
    sketch->reach.run += more_runs;
    sketch->stretch = part->stretch;
    sketch->last = part->last;
    sketch->steps += part->steps;
    return status;
}

int psx_sketch_try_join(struct psx_sketch *sketch, const struct cancel *cancel)
{
    struct psx_sketch *ahead = sketch->ahead;
    const struct psx_sketch_join *join = find_join(sketch, ahead->part);
    int status;

    if (sketch->next_join == PSX_SKETCH_JOINS)
        miss(sketch);
    if (join == NULL || !is_same(sketch, join))
        return 0;
    status = end_part(ahead, cancel);
    if (status == -EINTR)
        return status;
    if (status != 0 || !has_room(sketch, ahead, join)) {
        miss(sketch);
        return 0;
    }
    status = take(sketch, ahead, join);
    give_up(sketch);
    return status;
}

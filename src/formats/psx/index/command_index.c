/* SPDX-License-Identifier: MIT */
/*
 * A draw or an upload is counted when it is carried out. It belongs to the counts of the frame in
 * which its command began, because that frame lists it. So a frame's counts are final only when no
 * command that began in the frame is half received.
 */
#include "formats/psx/index/indexing.h"

#include "formats/psx/gpu/scanout.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/command_pass.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    CHECKPOINT_COST = 32 * 1024, /* the cost between two checkpoints; in words, see step_cost() */
    TAKEN_COST = 64,             /* the cost of a frame that is taken over, approximately */
    SLICE_COST = 256 * 1024,     /* the cost of one call of psx_command_index_advance() */
};

static int add_checkpoint(struct psx_command_index *command_index)
{
    command_index->cost = 0;
    return psx_parser_states_add(&command_index->index->checkpoints, &command_index->walk.at) == 0
               ? 0
               : -ENOMEM;
}

/* Ends the stretch in progress, before the checkpoint at its end is added. */
static int add_summary(struct psx_command_index *command_index)
{
    int status;

    psx_tile_summary_end_data(&command_index->stretch.maker, &command_index->walk.at.state);
    status = psx_tile_summary_store_add(&command_index->index->summaries,
                                        &command_index->stretch.maker.summary);
    if (status == 0)
        psx_upload_list_end_stretch(&command_index->index->uploads);
    command_index->stretch.maker = (struct psx_tile_summary_maker){0};
    return status == 0 ? 0 : -ENOMEM;
}

/* A checkpoint that ends one stretch and begins another. */
static int add_next_checkpoint(struct psx_command_index *command_index)
{
    int status = add_summary(command_index);

    return status == 0 ? add_checkpoint(command_index) : status;
}

/* Begins a frame at the checkpoint that was just added. */
static void begin_frame(struct psx_command_index *command_index, uint64_t frame)
{
    command_index->frame = frame;
    command_index->now = (struct psx_frame_counts){0};
    command_index->writes = false;
    command_index->starts_frame = true;
    if (frame <= command_index->index->frame_count)
        command_index->index->frame_checkpoints[frame] =
            (uint32_t)(psx_parser_states_count(&command_index->index->checkpoints) - 1);
}

static bool same_display(const struct psx_display *a, const struct psx_display *b)
{
    return a->off == b->off && a->start == b->start && a->x == b->x && a->y == b->y &&
           a->mode == b->mode && a->high_lines == b->high_lines;
}

void psx_frame_counts_same(const struct psx_index *index, uint64_t frame,
                           struct psx_frame_counts *counts)
{
    counts->same_vram = index->counts[frame - 1].same_vram + 1;
    if (same_display(&index->frames[frame].display, &index->frames[frame - 1].display))
        counts->same_picture = index->counts[frame - 1].same_picture + 1;
}

static void end_frame(struct psx_command_index *command_index)
{
    struct psx_index *index = command_index->index;
    uint64_t frame = command_index->frame;
    struct psx_screen screen;

    if (frame >= index->frame_count)
        return;
    if (frame > 0 && !command_index->writes)
        psx_frame_counts_same(index, frame, &command_index->now);
    index->counts[frame] = command_index->now;
    psx_display_screen(&index->frames[frame].display, &screen);
    index->totals.interlaced_480 += screen.woven;
}

/*
 * Returns the counts of the frame in which the command began; before Trace begin there is no frame.
 */
static struct psx_frame_counts *counts_of_command(struct psx_command_index *command_index)
{
    if (command_index->command_frame == PSX_INITIAL)
        return &command_index->initial;
    if (command_index->command_frame < command_index->frame && command_index->frame != PSX_INITIAL)
        return &command_index->index->counts[command_index->command_frame];
    return &command_index->now;
}

#define DEFECT(command_index, kind, offset, packet, ...)                                           \
    do {                                                                                           \
        psx_defect(&(command_index)->index->defects, kind, offset, packet, __VA_ARGS__);           \
        psx_frame_count(&(command_index)->now.defects, 1);                                         \
    } while (0)

/* Reports a read whose words were not all taken, once no more of them can be. */
static void end_read(struct psx_command_index *command_index)
{
    const struct psx_parser_state *at = &command_index->walk.at;
    const struct psx_transfer *read = &at->state.read;

    if (read->total == 0)
        return;
    if (read->done == 0)
        DEFECT(command_index, PSX_DEFECT_READ_MISSING, command_index->read_offset, at->read_packet,
               "no discard or readback consumes the %" PRIu32 " words of this read", read->total);
    else
        DEFECT(command_index, PSX_DEFECT_READ_LESS, command_index->read_offset, at->read_packet,
               "only %" PRIu32 " of the %" PRIu32 " words of this read are consumed", read->done,
               read->total);
}

/* Reports a command in progress that will never be complete; `why` ends the sentence. */
static void end_command(struct psx_command_index *command_index, uint64_t offset, uint64_t packet,
                        const char *why)
{
    const struct psx_gp0_parser *parser = &command_index->walk.at.state.parser;

    switch (parser->phase) {
    case GP0_PHASE_COMMAND:
        DEFECT(command_index, PSX_DEFECT_CUT_COMMAND, offset, packet,
               "command %02X has only %u of %u words %s", parser->op, parser->have, parser->need,
               why);
        break;
    case GP0_PHASE_UPLOAD:
        DEFECT(command_index, PSX_DEFECT_CUT_COMMAND, offset, packet,
               "upload still lacks %" PRIu32 " words %s", parser->due, why);
        break;
    case GP0_PHASE_POLYLINE:
        DEFECT(command_index, PSX_DEFECT_CUT_COMMAND, offset, packet, "polyline has no end mark %s",
               why);
        break;
    default:
        break;
    }
}

static void observe_upload(struct psx_command_index *command_index,
                           const struct psx_gp0_event *event)
{
    const struct psx_state *state = &command_index->walk.at.state;

    if (state->restoring && state->registers.e[6] != 0 &&
        gp0_transfer_width(event->words[2]) == PSX_VRAM_WIDTH &&
        gp0_transfer_height(event->words[2]) == PSX_VRAM_HEIGHT)
        command_index->index->totals.restore_mask = state->registers.e[6];
}

/* Reports an unknown byte where it is met first. */
static void observe_unknown(struct psx_command_index *command_index, const struct psx_step *step)
{
    _Atomic uint64_t *met = &command_index->index->unknown_met[step->event.op];

    if (*met != 0)
        return;
    *met = step->number + 1;
    DEFECT(command_index, PSX_DEFECT_UNKNOWN_GP0, step->packet.offset, step->number,
           "unknown GP0 byte %02X", step->event.op);
}

static void observe_command(struct psx_command_index *command_index, const struct psx_step *step)
{
    const struct psx_gp0_event *event = &step->event;
    struct psx_frame_counts *counts = counts_of_command(command_index);
    struct psx_totals *totals = &command_index->index->totals;
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;
    bool draws = psx_kind_draws(kind);

    psx_frame_count(&counts->draws, draws);
    totals->draws += draws;
    command_index->writes |= draws;
    switch (kind) {
    case GP0_FILL:
        psx_frame_count(&counts->fills, 1);
        break;
    case GP0_COPY:
        psx_frame_count(&counts->copies, 1);
        totals->copies++;
        break;
    case GP0_UPLOAD:
        psx_frame_count(&counts->uploads, 1);
        totals->uploads++;
        observe_upload(command_index, event);
        break;
    case GP0_READ:
        psx_frame_count(&counts->reads, 1);
        totals->reads++;
        end_read(command_index);
        command_index->read_offset = command_index->command_offset;
        break;
    case GP0_UNKNOWN:
        observe_unknown(command_index, step);
        break;
    default:
        break;
    }
}

static void observe_gp0(struct psx_command_index *command_index, const struct psx_step *step)
{
    const struct psx_gp0_event *event = &step->event;

    psx_frame_count(&command_index->now.gp0_words, step->words);
    if (event->begins) {
        psx_frame_count(&command_index->now.commands, 1);
        command_index->index->totals.commands++;
        command_index->command_frame = command_index->frame;
        command_index->command_offset = step->packet.offset;
    }
    if (event->type == GP0_EVENT_COMMAND)
        observe_command(command_index, step);
    else if (event->type == GP0_EVENT_SEGMENT || event->type == GP0_EVENT_DATA)
        command_index->writes = true;
    psx_stretch_writes_take(&command_index->stretch, &command_index->index->uploads,
                            &command_index->walk.at.state, step);
}

static void observe_gp1(struct psx_command_index *command_index, const struct psx_step *step)
{
    psx_frame_count(&command_index->now.gp1_words, 1);
    psx_frame_count(&command_index->now.commands, 1);
    command_index->index->totals.commands++;
    if (psx_gp1_turns_data(step->gp1))
        psx_tile_summary_end_data(&command_index->stretch.maker, &command_index->walk.at.state);
    if (!psx_gp1_aborts(step->gp1))
        return;
    end_command(command_index, step->packet.offset, step->number, "when GP1 drops it");
    end_read(command_index);
}

static void observe_reading(struct psx_command_index *command_index, const struct psx_step *step)
{
    uint32_t wanted = psx_step_read_words(step);
    uint32_t left = psx_state_read_left(&command_index->walk.at.state);

    if (wanted > 0 && left == 0)
        DEFECT(command_index, PSX_DEFECT_READ_NOTHING, step->packet.offset, step->number,
               "%s of %" PRIu32 " words, but no read has any words left",
               psx_packet_name(step->packet.type), wanted);
    else if (wanted > left)
        DEFECT(command_index, PSX_DEFECT_READ_TOO_MUCH, step->packet.offset, step->number,
               "%s of %" PRIu32 " words, but the read has %" PRIu32 " left",
               psx_packet_name(step->packet.type), wanted, left);
}

static void observe_packet(struct psx_command_index *command_index, const struct psx_step *step)
{
    if (step->packet.type < PSX_PACKET_VSYNC || step->packet.type > PSX_PACKET_BEGIN)
        return;
    psx_frame_count(&command_index->now.commands, 1);
    command_index->index->totals.commands++;
    if (psx_step_reads(step))
        observe_reading(command_index, step);
}

/*
 * Returns the cost of a step, in which distances between checkpoints are measured: its words, and
 * PSX_PACKET_COST more where a packet begins.
 */
static uint64_t step_cost(const struct psx_step *step)
{
    uint64_t words = step->kind == PSX_STEP_PACKET ? 0 : step->words;

    return words + (step->word == 0 ? PSX_PACKET_COST : 0);
}

/* Returns the cost of the complete dump. */
static uint64_t stream_cost(const struct psx_index *index)
{
    return index->totals.gp0_words + index->totals.gp1_words + index->packets * PSX_PACKET_COST;
}

static void observe(struct psx_command_index *command_index, const struct psx_step *step)
{
    command_index->cost += step_cost(step);
    switch (step->kind) {
    case PSX_STEP_GP0:
        observe_gp0(command_index, step);
        break;
    case PSX_STEP_GP1:
        observe_gp1(command_index, step);
        break;
    case PSX_STEP_PACKET:
        observe_packet(command_index, step);
        break;
    }
}

static void apply(struct psx_command_index *command_index, const struct psx_step *step)
{
    bool looks = step->kind == PSX_STEP_GP0 && command_index->index->texel_cache;
    struct psx_gp0_event line;

    if (looks && step->event.type == GP0_EVENT_SEGMENT)
        psx_state_segment(&command_index->walk.at.state, &step->event, &line);
    psx_walk_apply(&command_index->walk, step);
    if (looks)
        psx_stale_runs_look(&command_index->index->stale_runs, &command_index->reach,
                            &command_index->walk.at.state,
                            step->event.type == GP0_EVENT_SEGMENT ? &line : &step->event);
}

/*
 * Adds a checkpoint within a frame. In a growing dump it is not known how many of these will
 * follow. So whenever about another eighth of their room has been used, the distance between them
 * is doubled, and no more are added when the room is full.
 */
static int add_inner_checkpoint(struct psx_command_index *command_index)
{
    if (command_index->max_inner > 0 &&
        ++command_index->inner % (command_index->max_inner / 8 + 1) == 0)
        command_index->interval *= 2;
    if (command_index->max_inner > 0 && command_index->inner >= command_index->max_inner)
        command_index->interval = UINT64_MAX;
    return add_next_checkpoint(command_index);
}

/* Called after a step: adds a checkpoint where a frame starts, or if the last one is far back. */
static int keep_checkpoints(struct psx_command_index *command_index)
{
    uint64_t frame = command_index->walk.at.frame;
    int status;

    if (frame == command_index->frame)
        return command_index->cost >= command_index->interval ? add_inner_checkpoint(command_index)
                                                              : 0;
    end_frame(command_index);
    status = add_next_checkpoint(command_index);
    begin_frame(command_index, frame);
    return status;
}

/*
 * Ends the checkpoints of frames. Frames that the stream no longer reaches, because another program
 * cut the file, begin and end where the stream ends.
 */
static void end_checkpoints(struct psx_command_index *command_index, uint64_t frame)
{
    struct psx_index *index = command_index->index;
    uint32_t last = (uint32_t)(psx_parser_states_count(&index->checkpoints) - 1);

    for (; index->frame_count > 0 && frame <= index->frame_count; frame++)
        index->frame_checkpoints[frame] = last;
}

static int end(struct psx_command_index *command_index)
{
    const struct psx_parser_state *at = &command_index->walk.at;
    struct psx_index *index = command_index->index;

    uint64_t next = command_index->frame == PSX_INITIAL ? 0 : command_index->frame + 1;

    end_command(command_index, command_index->command_offset, at->command_packet,
                "when the dump ends");
    end_read(command_index);
    if (command_index->frame >= index->frame_count) {
        end_checkpoints(command_index, next);
        return add_summary(command_index);
    }
    end_frame(command_index);

    int status = add_next_checkpoint(command_index);

    end_checkpoints(command_index, next);
    begin_frame(command_index, index->frame_count);
    return status;
}

static int follow_step(struct psx_command_index *command_index, const struct psx_step *step)
{
    command_index->starts_frame = false;
    observe(command_index, step);
    apply(command_index, step);
    return keep_checkpoints(command_index);
}

/* Takes frames over if one starts here and some can be taken. Adds the cost to *cost. */
static int take_frames(struct psx_command_index *command_index, uint64_t *cost)
{
    uint64_t taken = 0;
    int status = 0;

    if (command_index->index->origin != NULL && command_index->starts_frame)
        status = psx_frame_reuse_take(command_index, &taken);
    *cost += taken * TAKEN_COST;
    return status;
}

/* Follows as many primitives as psx_repeats_follow() can. Adds their cost to *cost. */
static int follow_repeats(struct psx_command_index *command_index, uint64_t *cost)
{
    uint64_t left = *cost < SLICE_COST ? SLICE_COST - *cost : 0;
    uint64_t followed = psx_repeats_follow(command_index, left);

    *cost += followed;
    return followed > 0 ? keep_checkpoints(command_index) : 0;
}

int psx_command_index_advance(struct psx_command_index *command_index, bool *ended)
{
    struct psx_step step;
    int status = 0;

    *ended = false;
    psx_parser_state_set_field(&command_index->walk.at, command_index->index);
    for (uint64_t cost = 0; status == 0 && cost < SLICE_COST;
         cost += step.words + PSX_PACKET_COST) {
        status = take_frames(command_index, &cost);
        if (status == 0)
            status = follow_repeats(command_index, &cost);
        if (status != 0)
            break;
        if (!psx_walk_next(&command_index->walk, &step)) {
            if (command_index->index->open)
                return 0;
            *ended = true;
            return end(command_index);
        }
        status = follow_step(command_index, &step);
    }
    return status;
}

uint64_t psx_command_index_packets(const struct psx_command_index *command_index)
{
    return command_index->walk.at.packet;
}

uint64_t psx_command_index_frames(const struct psx_command_index *command_index)
{
    bool half = command_index->walk.at.state.parser.phase == GP0_PHASE_COMMAND;
    uint64_t frame = command_index->frame == PSX_INITIAL ? 0 : command_index->frame;

    return half && command_index->command_frame < frame ? command_index->command_frame : frame;
}

uint64_t psx_command_index_whole_frames(const struct psx_command_index *command_index)
{
    bool whole = command_index->walk.at.state.parser.phase == GP0_PHASE_IDLE;
    uint64_t frame = command_index->frame == PSX_INITIAL ? 0 : command_index->frame;

    return !whole && command_index->command_frame < frame ? command_index->command_frame : frame;
}

/* Returns how many checkpoints there may be, and sets how far apart they are. */
static uint64_t slice_checkpoints(struct psx_command_index *command_index, uint64_t max_checkpoints)
{
    struct psx_index *index = command_index->index;
    uint64_t cost = stream_cost(index);

    command_index->interval = CHECKPOINT_COST;
    if (index->growth != NULL) {
        command_index->max_inner = max_checkpoints;
        return index->max_frames + max_checkpoints + 4;
    }
    if (max_checkpoints > 0 && cost / max_checkpoints >= CHECKPOINT_COST)
        command_index->interval = cost / max_checkpoints + 1;
    index->interval = command_index->interval;
    return index->frame_count + cost / command_index->interval + 4;
}

/* Returns 0 for a growing dump, which has keyframes instead. */
static uint64_t max_uploads(const struct psx_index *index)
{
    return index->growth != NULL ? 0 : psx_upload_list_max(index->size);
}

static void clear_stores(struct psx_index *index)
{
    psx_parser_states_clear(&index->checkpoints);
    psx_tile_summary_store_clear(&index->summaries);
    psx_upload_list_clear(&index->uploads);
    psx_stale_runs_clear(&index->stale_runs);
}

/*
 * Initialises the stores. If address space runs out, the caller releases those that were made along
 * with the index.
 */
static int init_stores(struct psx_index *index, uint64_t checkpoints)
{
    int status = psx_parser_states_init(&index->checkpoints, checkpoints);

    if (status == 0)
        status = psx_tile_summary_store_init(&index->summaries, checkpoints);
    if (status == 0)
        status = psx_upload_list_init(&index->uploads, max_uploads(index), checkpoints);
    return status == 0 ? psx_stale_runs_init(&index->stale_runs) : status;
}

int psx_command_index_try(struct psx_index *index, uint64_t max_checkpoints)
{
    struct psx_command_index none = {.index = index};
    int status = init_stores(index, slice_checkpoints(&none, max_checkpoints));

    clear_stores(index);
    return status;
}

int psx_command_index_create(struct psx_index *index, uint64_t max_checkpoints,
                             struct psx_command_index **out)
{
    struct psx_command_index *command_index = calloc(1, sizeof(*command_index));
    uint64_t checkpoints;

    if (command_index == NULL)
        return -ENOMEM;
    command_index->index = index;
    checkpoints = slice_checkpoints(command_index, max_checkpoints);
    if (init_stores(index, checkpoints) != 0) {
        free(command_index);
        return -ENOMEM;
    }
    psx_walk_start(&command_index->walk, index);
    add_checkpoint(command_index);
    begin_frame(command_index, command_index->walk.at.frame);
    if (index->origin != NULL)
        psx_frame_reuse_begin(command_index);
    *out = command_index;
    return 0;
}

void psx_command_index_destroy(struct psx_command_index **command_index)
{
    free(*command_index);
    *command_index = NULL;
}

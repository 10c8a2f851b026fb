/*
 * A draw or an upload is counted once it is carried out, but to the frame in
 * which its command began, because that frame lists it. So a frame's counts are
 * final only when no command that began in it is half received.
 */
#include "formats/psx/index/command_index.h"

#include "formats/psx/gpu/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    PLACE_COST = 32 * 1024, /* words from one place to the next; a packet counts as some more */
    PACKET_COST = 8,
    SLICE_COST = 256 * 1024, /* of one psx_deep_advance() */
};

struct psx_deep {
    struct psx_index *index;
    struct psx_walk walk;
    uint64_t interval;          /* cost between places */
    uint64_t cost;              /* since the last place */
    uint64_t inner, most_inner; /* places within frames; of a dump that grows their most */
    uint64_t frame;             /* being counted; PSX_INITIAL */
    struct psx_frame_counts now;
    struct psx_frame_counts initial; /* of commands that began before frame 0 */
    bool writes;                     /* VRAM, in this frame */
    struct psx_summary_maker maker;  /* of the stretch since the last place */
    uint64_t command_frame, command_offset;
    uint64_t read_offset;
    bool unknown_met[256];
};

static void count(uint32_t *counter, uint32_t more)
{
    *counter = more > UINT32_MAX - *counter ? UINT32_MAX : *counter + more;
}

static int add_place(struct psx_deep *deep)
{
    deep->cost = 0;
    return psx_places_add(&deep->index->places, &deep->walk.at) == 0 ? 0 : -ENOMEM;
}

/* Ends the stretch in progress, before the place at its end is added. */
static int add_summary(struct psx_deep *deep)
{
    int status;

    psx_summary_end_data(&deep->maker, &deep->walk.at.state);
    status = psx_summaries_add(&deep->index->summaries, &deep->maker.summary);
    deep->maker = (struct psx_summary_maker){0};
    return status == 0 ? 0 : -ENOMEM;
}

/* A place that ends one stretch and begins another. */
static int add_next_place(struct psx_deep *deep)
{
    int status = add_summary(deep);

    return status == 0 ? add_place(deep) : status;
}

/* The place just added is where this frame starts. */
static void begin_frame(struct psx_deep *deep, uint64_t frame)
{
    deep->frame = frame;
    deep->now = (struct psx_frame_counts){0};
    deep->writes = false;
    if (frame <= deep->index->frame_count)
        deep->index->frame_places[frame] = (uint32_t)(psx_places_count(&deep->index->places) - 1);
}

static bool same_display(const struct psx_display *a, const struct psx_display *b)
{
    return a->off == b->off && a->start == b->start && a->x == b->x && a->y == b->y &&
           a->mode == b->mode;
}

static void end_frame(struct psx_deep *deep)
{
    struct psx_index *index = deep->index;
    uint64_t frame = deep->frame;
    struct psx_screen screen;

    if (frame >= index->frame_count)
        return;
    if (frame > 0 && !deep->writes) {
        deep->now.same_vram = index->counts[frame - 1].same_vram + 1;
        if (same_display(&index->frames[frame].display, &index->frames[frame - 1].display))
            deep->now.same_picture = index->counts[frame - 1].same_picture + 1;
    }
    index->counts[frame] = deep->now;
    psx_display_screen(&index->frames[frame].display, &screen);
    index->totals.interlaced_480 += screen.woven;
}

/* Of the frame in which the command began; before Trace begin that is none. */
static struct psx_frame_counts *counts_of_command(struct psx_deep *deep)
{
    if (deep->command_frame == PSX_INITIAL)
        return &deep->initial;
    if (deep->command_frame < deep->frame && deep->frame != PSX_INITIAL)
        return &deep->index->counts[deep->command_frame];
    return &deep->now;
}

#define DEFECT(deep, kind, offset, packet, ...)                                                    \
    do {                                                                                           \
        psx_defect(&(deep)->index->defects, kind, offset, packet, __VA_ARGS__);                    \
        count(&(deep)->now.defects, 1);                                                            \
    } while (0)

/* A read that nobody takes words from any more. */
static void end_read(struct psx_deep *deep)
{
    const struct psx_place *at = &deep->walk.at;
    const struct psx_transfer *read = &at->state.read;

    if (read->total == 0)
        return;
    if (read->done == 0)
        DEFECT(deep, PSX_DEFECT_READ_MISSING, deep->read_offset, at->read_packet,
               "no discard or readback takes the %" PRIu32 " words of this read", read->total);
    else
        DEFECT(deep, PSX_DEFECT_READ_LESS, deep->read_offset, at->read_packet,
               "only %" PRIu32 " of the %" PRIu32 " words of this read are taken", read->done,
               read->total);
}

/* A command in progress that will never be complete; `why` ends the sentence. */
static void end_command(struct psx_deep *deep, uint64_t offset, uint64_t packet, const char *why)
{
    const struct gp0_parser *parser = &deep->walk.at.state.parser;

    switch (parser->phase) {
    case GP0_PHASE_COMMAND:
        DEFECT(deep, PSX_DEFECT_CUT_COMMAND, offset, packet, "command %02X has %u of %u words %s",
               parser->op, parser->have, parser->need, why);
        break;
    case GP0_PHASE_UPLOAD:
        DEFECT(deep, PSX_DEFECT_CUT_COMMAND, offset, packet, "upload lacks %" PRIu32 " words %s",
               parser->due, why);
        break;
    case GP0_PHASE_POLYLINE:
        DEFECT(deep, PSX_DEFECT_CUT_COMMAND, offset, packet, "polyline has no end mark %s", why);
        break;
    default:
        break;
    }
}

static void observe_upload(struct psx_deep *deep, const struct gp0_event *event)
{
    const struct psx_state *state = &deep->walk.at.state;

    if (state->restoring && state->registers.e[6] != 0 &&
        gp0_transfer_width(event->words[2]) == PSX_VRAM_WIDTH &&
        gp0_transfer_height(event->words[2]) == PSX_VRAM_HEIGHT)
        deep->index->totals.restore_mask = state->registers.e[6];
}

static void observe_command(struct psx_deep *deep, const struct psx_step *step)
{
    const struct gp0_event *event = &step->event;
    struct psx_frame_counts *counts = counts_of_command(deep);
    struct psx_totals *totals = &deep->index->totals;
    enum gp0_kind kind = psx_gp0_table[event->op].kind;
    bool draws = psx_kind_draws(kind);

    count(&counts->draws, draws);
    totals->draws += draws;
    deep->writes |= draws;
    switch (kind) {
    case GP0_FILL:
        count(&counts->fills, 1);
        break;
    case GP0_COPY:
        count(&counts->copies, 1);
        totals->copies++;
        break;
    case GP0_UPLOAD:
        count(&counts->uploads, 1);
        totals->uploads++;
        observe_upload(deep, event);
        break;
    case GP0_READ:
        count(&counts->reads, 1);
        totals->reads++;
        end_read(deep);
        deep->read_offset = deep->command_offset;
        break;
    case GP0_UNKNOWN:
        if (!deep->unknown_met[event->op])
            DEFECT(deep, PSX_DEFECT_UNKNOWN_GP0, step->packet.offset, step->number,
                   "unknown GP0 byte %02X", event->op);
        deep->unknown_met[event->op] = true;
        break;
    default:
        break;
    }
}

static void observe_gp0(struct psx_deep *deep, const struct psx_step *step)
{
    const struct gp0_event *event = &step->event;

    count(&deep->now.gp0_words, step->words);
    if (event->begins) {
        count(&deep->now.commands, 1);
        deep->index->totals.commands++;
        deep->command_frame = deep->frame;
        deep->command_offset = step->packet.offset;
    }
    if (event->type == GP0_EVENT_COMMAND)
        observe_command(deep, step);
    else if (event->type == GP0_EVENT_SEGMENT || event->type == GP0_EVENT_DATA)
        deep->writes = true;
    psx_summary_event(&deep->maker, &deep->walk.at.state, event);
}

static void observe_gp1(struct psx_deep *deep, const struct psx_step *step)
{
    count(&deep->now.gp1_words, 1);
    count(&deep->now.commands, 1);
    deep->index->totals.commands++;
    if (!psx_gp1_aborts(step->gp1))
        return;
    psx_summary_end_data(&deep->maker, &deep->walk.at.state);
    end_command(deep, step->packet.offset, step->number, "when GP1 drops it");
    end_read(deep);
}

static void observe_reading(struct psx_deep *deep, const struct psx_step *step)
{
    uint32_t asked = psx_step_read_words(step);
    uint32_t left = psx_state_read_left(&deep->walk.at.state);

    if (asked > 0 && left == 0)
        DEFECT(deep, PSX_DEFECT_READ_NOTHING, step->packet.offset, step->number,
               "%s of %" PRIu32 " words without a read that has any left",
               psx_packet_name(step->packet.type), asked);
    else if (asked > left)
        DEFECT(deep, PSX_DEFECT_READ_TOO_MUCH, step->packet.offset, step->number,
               "%s of %" PRIu32 " words, but the read has %" PRIu32 " left",
               psx_packet_name(step->packet.type), asked, left);
}

static void observe_packet(struct psx_deep *deep, const struct psx_step *step)
{
    if (step->packet.type < PSX_PACKET_VSYNC || step->packet.type > PSX_PACKET_BEGIN)
        return;
    count(&deep->now.commands, 1);
    deep->index->totals.commands++;
    if (psx_step_reads(step))
        observe_reading(deep, step);
}

/* How far apart places are is told in words of the stream; over the dump: stream_cost(). */
static uint64_t step_cost(const struct psx_step *step)
{
    uint64_t words = step->kind == PSX_STEP_PACKET ? 0 : step->words;

    return words + (step->word == 0 ? PACKET_COST : 0);
}

static uint64_t stream_cost(const struct psx_index *index)
{
    return index->totals.gp0_words + index->totals.gp1_words + index->packets * PACKET_COST;
}

static void observe(struct psx_deep *deep, const struct psx_step *step)
{
    deep->cost += step_cost(step);
    switch (step->kind) {
    case PSX_STEP_GP0:
        observe_gp0(deep, step);
        break;
    case PSX_STEP_GP1:
        observe_gp1(deep, step);
        break;
    case PSX_STEP_PACKET:
        observe_packet(deep, step);
        break;
    }
}

/* Who cannot know how long a dump will be makes them rarer as their room fills. */
static int add_inner_place(struct psx_deep *deep)
{
    if (deep->most_inner > 0 && ++deep->inner % (deep->most_inner / 8 + 1) == 0)
        deep->interval *= 2;
    if (deep->most_inner > 0 && deep->inner >= deep->most_inner)
        deep->interval = UINT64_MAX;
    return add_next_place(deep);
}

/* After a step: a place where a frame starts, and where the last one is far behind. */
static int keep_places(struct psx_deep *deep)
{
    uint64_t frame = deep->walk.at.frame;
    int status;

    if (frame == deep->frame)
        return deep->cost >= deep->interval ? add_inner_place(deep) : 0;
    end_frame(deep);
    status = add_next_place(deep);
    begin_frame(deep, frame);
    return status;
}

/*
 * Frames that the stream does not reach any more, because another program cut the
 * file, begin and end where it ends.
 */
static void end_places(struct psx_deep *deep, uint64_t frame)
{
    struct psx_index *index = deep->index;
    uint32_t last = (uint32_t)(psx_places_count(&index->places) - 1);

    for (; index->frame_count > 0 && frame <= index->frame_count; frame++)
        index->frame_places[frame] = last;
}

static int end(struct psx_deep *deep)
{
    const struct psx_place *at = &deep->walk.at;
    struct psx_index *index = deep->index;

    uint64_t next = deep->frame == PSX_INITIAL ? 0 : deep->frame + 1;

    end_command(deep, deep->command_offset, at->command_packet, "when the dump ends");
    end_read(deep);
    if (deep->frame >= index->frame_count) {
        end_places(deep, next);
        return add_summary(deep);
    }
    end_frame(deep);

    int status = add_next_place(deep);

    end_places(deep, next);
    begin_frame(deep, index->frame_count);
    return status;
}

int psx_deep_advance(struct psx_deep *deep, bool *ended)
{
    struct psx_step step;
    int status = 0;

    *ended = false;
    psx_place_set_field(&deep->walk.at, deep->index);
    for (uint64_t cost = 0; status == 0 && cost < SLICE_COST; cost += step.words + PACKET_COST) {
        if (!psx_walk_next(&deep->walk, &step)) {
            if (deep->index->open)
                return 0;
            *ended = true;
            return end(deep);
        }
        observe(deep, &step);
        psx_walk_apply(&deep->walk, &step);
        status = keep_places(deep);
    }
    return status;
}

uint64_t psx_deep_packets(const struct psx_deep *deep)
{
    return deep->walk.at.packet;
}

uint64_t psx_deep_frames(const struct psx_deep *deep)
{
    bool half = deep->walk.at.state.parser.phase == GP0_PHASE_COMMAND;
    uint64_t frame = deep->frame == PSX_INITIAL ? 0 : deep->frame;

    return half && deep->command_frame < frame ? deep->command_frame : frame;
}

uint64_t psx_deep_whole_frames(const struct psx_deep *deep)
{
    bool whole = deep->walk.at.state.parser.phase == GP0_PHASE_IDLE;
    uint64_t frame = deep->frame == PSX_INITIAL ? 0 : deep->frame;

    return !whole && deep->command_frame < frame ? deep->command_frame : frame;
}

/* How many places there may be, and how far apart they are. */
static uint64_t plan_places(struct psx_deep *deep, uint64_t most_places)
{
    const struct psx_index *index = deep->index;
    uint64_t cost = stream_cost(index);

    deep->interval = PLACE_COST;
    if (index->growth != NULL) {
        deep->most_inner = most_places;
        return index->frames_most + most_places + 4;
    }
    if (most_places > 0 && cost / most_places >= PLACE_COST)
        deep->interval = cost / most_places + 1;
    return index->frame_count + cost / deep->interval + 4;
}

int psx_deep_create(struct psx_index *index, uint64_t most_places, struct psx_deep **out)
{
    struct psx_deep *deep = calloc(1, sizeof(*deep));
    uint64_t places;

    if (deep == NULL)
        return -ENOMEM;
    deep->index = index;
    places = plan_places(deep, most_places);
    if (psx_places_init(&index->places, places) != 0 ||
        psx_summaries_init(&index->summaries, places) != 0) {
        free(deep);
        return -ENOMEM;
    }
    psx_walk_start(&deep->walk, index);
    add_place(deep);
    begin_frame(deep, deep->walk.at.frame);
    *out = deep;
    return 0;
}

void psx_deep_destroy(struct psx_deep **deep)
{
    free(*deep);
    *deep = NULL;
}

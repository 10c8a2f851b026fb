/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/walk.h"

#include "base/bytes.h"
#include "formats/psx/gpu/state.h"

#include <errno.h>
#include <string.h>

/* Words of one GP0 step at most; a long upload comes as several steps. */
enum { STEP_WORDS = 1 << 14 };

static void enter_frame(struct psx_parser_state *at, const struct psx_index *index, uint64_t frame)
{
    at->frame = frame;
    at->lines = at->draws = at->uploads = 0;
    if (frame < index->frame_count)
        at->state.registers.field = index->frames[frame].field;
}

/* Frame 0 starts before the Trace begin packet itself. */
static void enter_first_frame(struct psx_walk *walk)
{
    const struct psx_index *index = walk->index;

    if (walk->at.frame == PSX_INITIAL && walk->at.packet == index->frames[0].packet &&
        walk->at.packet < index->packets)
        enter_frame(&walk->at, index, 0);
}

void psx_walk_start(struct psx_walk *walk, const struct psx_index *index)
{
    memset(walk, 0, sizeof(*walk));
    walk->index = index;
    walk->at.offset = psx_magic_length(index->magic);
    walk->at.frame = PSX_INITIAL;
    psx_state_reset(&walk->at.state, index->model);
    walk->at.state.restoring = index->begin_packet != PSX_NO_PACKET;
    enter_first_frame(walk);
}

void psx_walk_resume(struct psx_walk *walk, const struct psx_index *index,
                     const struct psx_parser_state *checkpoint)
{
    walk->index = index;
    walk->at = *checkpoint;
    psx_parser_state_set_field(&walk->at, index);
}

static void enter_next_packet(struct psx_walk *walk, const struct psx_packet *packet)
{
    walk->at.packet++;
    walk->at.offset = psx_packet_end(packet);
    walk->at.word = 0;
}

/* Reads the words from the position up to the next event. */
static void step_gp0(struct psx_walk *walk, struct psx_step *step)
{
    struct psx_parser_state *at = &walk->at;
    uint32_t left = step->packet.words - at->word;
    uint32_t max = left < STEP_WORDS ? left : STEP_WORDS;

    step->kind = PSX_STEP_GP0;
    step->words = (uint32_t)psx_gp0_parse(
        &at->state.parser, step->packet.payload + 4 * (uint64_t)at->word, max, &step->event);
    if (step->event.begins) {
        at->command_packet = at->packet;
        at->command_word = at->word;
    }
}

bool psx_walk_next(struct psx_walk *walk, struct psx_step *step)
{
    struct psx_parser_state *at = &walk->at;

    if (!psx_packet_read(walk->index->data, walk->index->size, at->offset, &step->packet))
        return false;
    /* Another program may write to the file meanwhile, so a header may have changed. */
    if (at->word > step->packet.words)
        at->word = step->packet.words;
    step->number = at->packet;
    step->word = at->word;
    if (step->packet.type == PSX_PACKET_GP0 && at->word < step->packet.words) {
        step_gp0(walk, step);
    } else if (step->packet.type == PSX_PACKET_GP1 && at->word < step->packet.words) {
        step->kind = PSX_STEP_GP1;
        step->words = 1;
        step->gp1 = bytes_le32(step->packet.payload + 4 * (uint64_t)at->word);
    } else {
        step->kind = PSX_STEP_PACKET;
        step->words = step->packet.words - at->word;
    }
    at->word += step->words;
    if (at->word == step->packet.words)
        enter_next_packet(walk, &step->packet);
    return true;
}

bool psx_kind_draws(enum psx_gp0_kind kind)
{
    return kind == GP0_FILL || kind == GP0_POLYGON || kind == GP0_LINE || kind == GP0_POLYLINE ||
           kind == GP0_RECTANGLE || kind == GP0_COPY;
}

/*
 * Returns whether the command began in this frame. One that began in an earlier frame is numbered
 * there.
 */
static bool began_in_frame(const struct psx_walk *walk)
{
    const struct psx_parser_state *at = &walk->at;

    return at->frame >= walk->index->frame_count ||
           at->command_packet >= walk->index->frames[at->frame].packet;
}

static void apply_gp0(struct psx_walk *walk, const struct psx_gp0_event *event)
{
    struct psx_parser_state *at = &walk->at;

    at->lines += event->begins;
    if (event->type == GP0_EVENT_COMMAND) {
        enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

        if (began_in_frame(walk)) {
            at->draws += psx_kind_draws(kind);
            at->uploads += kind == GP0_UPLOAD;
        }
        if (kind == GP0_READ) {
            at->read_packet = at->command_packet;
            at->read_word = at->command_word;
        }
    }
    psx_state_gp0(&at->state, event);
}

uint32_t psx_step_read_words(const struct psx_step *step)
{
    return step->packet.words > 0 ? bytes_le32(step->packet.payload) : 0;
}

static void apply_packet(struct psx_walk *walk, const struct psx_step *step)
{
    struct psx_parser_state *at = &walk->at;

    if (step->packet.type < PSX_PACKET_VSYNC || step->packet.type > PSX_PACKET_BEGIN)
        return;
    at->lines++;
    if (psx_step_reads(step))
        psx_state_read(&at->state, psx_step_read_words(step));
    if (step->number == walk->index->begin_packet)
        at->state.restoring = false;
    if (step->packet.type == PSX_PACKET_VSYNC && at->frame != PSX_INITIAL)
        enter_frame(at, walk->index, at->frame + 1);
}

void psx_walk_apply(struct psx_walk *walk, const struct psx_step *step)
{
    switch (step->kind) {
    case PSX_STEP_GP0:
        apply_gp0(walk, &step->event);
        break;
    case PSX_STEP_GP1:
        walk->at.lines++;
        psx_state_gp1(&walk->at.state, step->gp1);
        break;
    case PSX_STEP_PACKET:
        apply_packet(walk, step);
        break;
    }
    if (walk->at.frame == PSX_INITIAL)
        enter_first_frame(walk);
}

int psx_walk_each(struct psx_walk *walk, uint64_t packet, uint32_t word, psx_walk_visit visit,
                  void *context, const struct cancel *cancel)
{
    struct psx_step step;
    unsigned steps = 0;
    int status = 0;

    while (status == 0 && psx_parser_state_is_before(&walk->at, packet, word) &&
           psx_walk_next(walk, &step)) {
        status = visit(context, walk, &step);
        psx_walk_apply(walk, &step);
        if (status == 0 && psx_walk_cancelled(&steps, cancel))
            status = -EINTR;
    }
    return status;
}

int psx_walk_checkpoint(const struct psx_index *index, uint64_t checkpoint, psx_walk_visit visit,
                        void *context, const struct cancel *cancel)
{
    struct psx_parser_state start, end;
    struct psx_walk walk;

    psx_parser_states_get(&index->checkpoints, checkpoint, &start);
    psx_parser_states_get(&index->checkpoints, checkpoint + 1, &end);
    psx_walk_resume(&walk, index, &start);
    return psx_walk_each(&walk, end.packet, end.word, visit, context, cancel);
}

int psx_walk_to(struct psx_walk *walk, uint64_t packet, uint32_t word, const struct cancel *cancel)
{
    struct psx_step step;
    unsigned steps = 0;

    while (psx_parser_state_is_before(&walk->at, packet, word) && psx_walk_next(walk, &step)) {
        psx_walk_apply(walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return 0;
}

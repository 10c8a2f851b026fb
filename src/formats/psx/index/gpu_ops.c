/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/gpu_ops.h"

#include "base/array.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_STEPS = 4096,
    OP_TEXTURE_PAGE = 0xE1,
};

/* The state of reading a stretch. */
struct reader {
    struct psx_stretch *stretch;
    struct psx_walk walk;
    bool in_data; /* more data belongs to the last op */
    bool changed; /* the last setting is not valid any more */
};

static int add_setting(struct psx_stretch *stretch, const struct psx_state *state)
{
    int status = ARRAY_GROW(stretch->settings, stretch->setting_count, stretch->setting_room);

    if (status != 0)
        return status;
    stretch->settings[stretch->setting_count++] = (struct psx_setting){
        .registers = state->registers,
        .restoring = state->restoring,
        .area = psx_effects_area(&state->registers),
    };
    return 0;
}

static struct psx_gpu_op *add_op(struct reader *reader)
{
    struct psx_stretch *stretch = reader->stretch;

    if (reader->changed && add_setting(stretch, &reader->walk.at.state) != 0)
        return NULL;
    reader->changed = false;
    if (ARRAY_GROW(stretch->ops, stretch->count, stretch->room) != 0)
        return NULL;
    return &stretch->ops[stretch->count++];
}

/* Adds data to the last op until another op comes; uploads do not interleave with ops. */
static int read_data(struct reader *reader, const struct psx_step *step)
{
    const struct psx_state *before = &reader->walk.at.state;
    const struct psx_gp0_event *event = &step->event;
    struct psx_gpu_op *op;

    if (!reader->in_data) {
        op = add_op(reader);
        if (op == NULL)
            return -ENOMEM;
        op->setting = reader->stretch->setting_count - 1;
        op->type = GP0_EVENT_DATA;
        op->opcode = event->op;
        op->part = PSX_GPU_OP_ALL;
        op->texel_run = before->texel_run;
        op->latches = op->textured = op->drops_texels = false;
        op->data.offset = step->packet.offset;
        op->data.word = step->word;
        op->data.from = before->upload.done;
        op->data.upload = before->upload;
    }
    op = &reader->stretch->ops[reader->stretch->count - 1];
    op->data.to = before->upload.done + 2 * event->data_words;
    reader->in_data = !event->data_last;
    return 0;
}

static bool latches_palette(const struct psx_state *before, const struct psx_gp0_event *event)
{
    struct psx_clut_key key = before->clut;

    return psx_event_is_textured(event) &&
           psx_clut_key_latch(&key, psx_state_clut_id(before, event),
                              psx_depth_of(psx_state_page(before, event)));
}

static int read_command(struct reader *reader, const struct psx_gp0_event *event)
{
    const struct psx_state *before = &reader->walk.at.state;
    struct psx_gpu_op *op = add_op(reader);

    if (op == NULL)
        return -ENOMEM;
    memcpy(op->words, event->words, sizeof(op->words[0]) * event->count);
    op->e1 = before->registers.e[1];
    op->clut = before->clut;
    op->setting = reader->stretch->setting_count - 1;
    op->type = GP0_EVENT_COMMAND;
    op->opcode = event->op;
    op->part = PSX_GPU_OP_ALL;
    op->latches = latches_palette(before, event);
    op->texel_run = before->texel_run;
    op->textured = psx_event_is_textured(event);
    op->drops_texels = false;
    return 0;
}

/* Reads a step for which psx_event_acts() is true. */
static int read_op(struct reader *reader, const struct psx_step *step)
{
    struct psx_gp0_event line;

    if (step->event.type == GP0_EVENT_DATA)
        return read_data(reader, step);
    if (step->event.type != GP0_EVENT_SEGMENT)
        return read_command(reader, &step->event);
    psx_state_segment(&reader->walk.at.state, &step->event, &line);
    return read_command(reader, &line);
}

/*
 * Returns whether the command changes the setting. E1 is not part of it but of each op, since games
 * change E1 from texture to texture.
 */
static bool changes_setting(const struct psx_gp0_event *event)
{
    return event->type == GP0_EVENT_COMMAND && event->op != OP_TEXTURE_PAGE &&
           psx_gp0_table[event->op].kind == GP0_ENVIRONMENT;
}

static int read_step(struct reader *reader, const struct psx_step *step)
{
    switch (step->kind) {
    case PSX_STEP_GP0:
        if (psx_event_acts(&step->event))
            return read_op(reader, step);
        reader->changed |= changes_setting(&step->event);
        break;
    case PSX_STEP_GP1:
        reader->changed = true;
        if (psx_gp1_turns_data(step->gp1))
            reader->in_data = false;
        break;
    case PSX_STEP_PACKET:
        /* They change the field, and `restoring`. */
        reader->changed |=
            step->packet.type == PSX_PACKET_VSYNC || step->packet.type == PSX_PACKET_BEGIN;
        break;
    }
    return 0;
}

/* Records whether a command has dropped the texel cache, after it has been applied. */
static void note_drop(const struct reader *reader, const struct psx_step *step)
{
    struct psx_stretch *stretch = reader->stretch;

    if (stretch->count > 0 && step->kind == PSX_STEP_GP0 && step->event.type == GP0_EVENT_COMMAND &&
        psx_event_acts(&step->event)) {
        struct psx_gpu_op *op = &stretch->ops[stretch->count - 1];

        op->drops_texels = op->texel_run != reader->walk.at.state.texel_run;
    }
}

static bool has_reached(const struct psx_parser_state *at, uint64_t packet, uint32_t word)
{
    return at->packet > packet || (at->packet == packet && at->word >= word);
}

int psx_stretch_read(struct psx_stretch *stretch, const struct psx_index *index,
                     const struct psx_parser_state *from, uint64_t packet, uint32_t word,
                     const struct cancel *cancel)
{
    struct reader reader = {.stretch = stretch, .changed = true};
    struct psx_step step;
    int status = 0;

    stretch->count = stretch->setting_count = 0;
    psx_walk_resume(&reader.walk, index, from);
    for (uint32_t n = 1; status == 0 && !has_reached(&reader.walk.at, packet, word); n++) {
        if (!psx_walk_next(&reader.walk, &step))
            break;
        status = read_step(&reader, &step);
        psx_walk_apply(&reader.walk, &step);
        note_drop(&reader, &step);
        if (n % POLL_STEPS == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    stretch->end = reader.walk.at;
    return status;
}

void psx_stretch_clear(struct psx_stretch *stretch)
{
    free(stretch->ops);
    free(stretch->settings);
    memset(stretch, 0, sizeof(*stretch));
}

static void event_of(const struct psx_gpu_op *op, struct psx_gp0_event *event)
{
    event->type = GP0_EVENT_COMMAND;
    event->op = op->opcode;
    event->count = psx_gp0_table[op->opcode].words;
    memcpy(event->words, op->words, sizeof(event->words));
}

/* Sets the state before an op, as far as it matters to the op. */
static void set_state(const struct psx_gpu_op *op, const struct psx_setting *setting,
                      struct psx_state *state)
{
    state->registers = setting->registers;
    state->restoring = setting->restoring;
    state->texel_run = op->texel_run;
    if (op->type == GP0_EVENT_DATA) {
        state->upload = op->data.upload;
    } else {
        state->registers.e[1] = op->e1;
        state->clut = op->clut;
    }
}

void psx_gpu_op_effects(const struct psx_gpu_op *op, const struct psx_setting *setting,
                        struct psx_effects *out)
{
    struct psx_state before = {0};
    struct psx_gp0_event event;

    set_state(op, setting, &before);
    if (op->type == GP0_EVENT_DATA) {
        psx_effects_of_upload(&op->data.upload, psx_registers_lines(&setting->registers),
                              op->data.from, op->data.to, psx_upload_is_masked(&before), out);
        return;
    }
    event_of(op, &event);
    psx_effects_of(&event, &before.registers, &before.clut, out);
}

uint32_t psx_gpu_op_page(const struct psx_gpu_op *op, const struct psx_setting *setting)
{
    struct psx_state before = {0};
    struct psx_gp0_event event;

    set_state(op, setting, &before);
    event_of(op, &event);
    return psx_state_page(&before, &event);
}

/*
 * Carries out an upload's data, read again from the packets that it came in, between which there
 * may be other packets.
 */
static int run_data(const struct psx_gpu_op_data *data, const struct psx_index *index,
                    struct psx_gpu *gpu, const struct cancel *cancel)
{
    uint32_t left = (data->to - data->from + 1) / 2, word = data->word;
    uint64_t offset = data->offset;
    struct psx_packet packet;

    for (; left > 0 && psx_packet_read(index->data, index->size, offset, &packet); word = 0) {
        offset = psx_packet_end(&packet);
        if (packet.type != PSX_PACKET_GP0)
            continue;

        /* What an index says of the file may be out of date, or may never have been true. */
        if (word > packet.words)
            word = packet.words;

        uint32_t here = packet.words - word < left ? packet.words - word : left;
        struct psx_gp0_event event = {
            .type = GP0_EVENT_DATA,
            .data = packet.payload + 4 * (uint64_t)word,
            .data_words = here,
        };

        psx_gpu_run(gpu, &event);
        left -= here;
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int psx_gpu_op_run(const struct psx_gpu_op *op, const struct psx_setting *setting,
                   const struct psx_index *index, struct psx_gpu *gpu, const struct cancel *cancel)
{
    struct psx_gp0_event event;

    set_state(op, setting, &gpu->state);
    if (op->type == GP0_EVENT_DATA)
        return run_data(&op->data, index, gpu, cancel);
    event_of(op, &event);
    if (op->part == PSX_GPU_OP_LATCH) {
        psx_state_gp0(&gpu->state, &event);
        psx_clut_latch(gpu);
    } else {
        psx_gpu_run(gpu, &event);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Primitives whose texture page overlaps the drawing area, although probably none of them is drawn
 * over what is sampled there. That is common: a page at the right edge of VRAM, for example, goes
 * on at the left edge.
 *
 * The command pass examines each of them, to find out whether it makes its run of the texel cache
 * stale (gpu/texel_reach.h). A sketch puts them off instead: it keeps a list of them, and one box
 * around all texels that they and earlier primitives of the run may sample, whatever pixels they
 * cover. As long as the drawing area does not overlap that box, none of them can be drawn over
 * texels of the run, so the run is not stale yet.
 *
 * When that ends, when the list is full, or before a register changes on which it depends, the
 * primitives on the list are examined as the command pass does, in their order. If another run has
 * begun meanwhile, they do not matter any more.
 */
#include "formats/psx/index/sketch_pass.h"

#include "base/bytes.h"
#include "formats/psx/gpu/draw.h"

static void make_event(const struct psx_sketch_primitive *primitive, struct psx_gp0_event *event)
{
    event->type = GP0_EVENT_COMMAND;
    event->op = primitive->op;
    event->count = psx_gp0_table[primitive->op].words;
    for (unsigned i = 0; i < event->count; i++)
        event->words[i] = bytes_le32(primitive->words + 4 * (size_t)i);
}

/* Examines a primitive as the command pass does, and records its run if the run becomes stale. */
static void tell(struct psx_sketch *sketch, const struct psx_sketch_primitive *primitive,
                 uint32_t texel_run)
{
    struct psx_state *state = &sketch->walk.at.state;
    struct psx_gp0_event event;

    make_event(primitive, &event);
    state->registers.e[1] = primitive->e1;
    state->texel_run = texel_run;
    psx_stale_runs_look(&sketch->stale_runs, &sketch->reach, state, &event);
}

void psx_sketch_end_look(struct psx_sketch *sketch, uint32_t texel_run)
{
    struct psx_sketch_texels *texels = &sketch->texels;

    if (texels->began && texels->run == texel_run)
        for (unsigned i = 0; i < texels->count; i++)
            tell(sketch, &texels->list[i], texel_run);
    texels->began = false;
    texels->count = 0;
}

/* Begins with what is already recorded of the run. */
static void begin_look(struct psx_sketch *sketch, uint32_t texel_run)
{
    struct psx_sketch_texels *texels = &sketch->texels;
    const struct psx_texel_reach *reach = &sketch->reach;

    texels->run = texel_run;
    texels->began = true;
    texels->read = reach->run == texel_run ? reach->read : (struct psx_box){0};
    texels->count = 0;
}

/* Computes what the primitive samples at most. Returns false if it has no texture. */
static bool find_texels(struct psx_sketch *sketch, const struct psx_sketch_primitive *primitive,
                        struct psx_box *box)
{
    struct psx_registers *registers = &sketch->walk.at.state.registers;
    struct psx_gp0_event event;
    struct psx_draw draw;

    make_event(primitive, &event);
    registers->e[1] = primitive->e1;
    psx_draw_decode(&event, registers, &draw);
    if (draw.textured)
        psx_texel_reach_box(&draw, registers->e[2], box);
    return draw.textured;
}

void psx_sketch_look(struct psx_sketch *sketch, const struct psx_sketch_area *area,
                     const struct psx_sketch_primitive *primitive, uint32_t texel_run)
{
    struct psx_sketch_texels *texels = &sketch->texels;
    struct psx_box box, read;
    bool samples;

    if (!texels->began || texels->run != texel_run || texels->count == PSX_SKETCH_NEAR) {
        psx_sketch_end_look(sketch, texel_run);
        begin_look(sketch, texel_run);
    }
    read = texels->read;
    samples = find_texels(sketch, primitive, &box);
    if (samples)
        psx_texel_box_add(&read, &box);
    if (psx_texel_boxes_meet(&area->box, &read)) {
        psx_sketch_end_look(sketch, texel_run);
        tell(sketch, primitive, texel_run);
    } else if (samples) {
        texels->read = read;
        texels->list[texels->count++] = *primitive;
    }
}

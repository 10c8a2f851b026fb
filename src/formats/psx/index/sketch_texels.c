/* SPDX-License-Identifier: MIT */
/*
 * The drawing area often overlaps some of a texture page, but none of what is sampled there: a page
 * at the right edge, for example, goes on at the left edge. Whether the texel cache can be seen
 * (gpu/texel_reach.h) then need not be found out for each primitive. As long as the area contains
 * none of the texels that primitives of the run may sample, whatever pixels they cover, no
 * primitive draws over such texels. What they sample is recorded exactly only when that ends.
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

/* Looks at a primitive as the command pass does. */
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

/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const program_names[AEROGPU_PROGRAMS] = {"ps", "vs", "gs", "hs", "ds", "cs"};

static void add_named(struct text *text, const char *key, enum aerogpu_names names, uint32_t value)
{
    const char *name = aerogpu_name(names, value);

    text_printf(text, "%s: %" PRIu32 "%s%s\n", key, value, name != NULL ? " " : "",
                name != NULL ? name : "");
}

/* Writes for example "3 texture 64x64 R8G8B8A8Unorm", according to what the handle names. */
static void add_resource(const struct aerogpu_machine *machine, uint32_t original,
                         struct text *text)
{
    const struct aerogpu_object *object = aerogpu_machine_bound(machine, original);
    const char *format = NULL;
    struct aerogpu_target target;

    text_printf(text, "%" PRIu32, original);
    if (object == NULL) {
        text_add(text, original != 0 ? " unknown" : "");
        return;
    }
    text_printf(text, " %s", aerogpu_object_name(object->kind));
    if (aerogpu_machine_target_of(machine, original, &target)) {
        format = aerogpu_name(AEROGPU_NAMES_FORMAT, target.format);
        text_printf(text, " %" PRIu32 "x%" PRIu32 " %s", target.width, target.height,
                    format != NULL ? format : "");
    } else {
        text_printf(text, " %" PRIu64 " bytes", object->size);
    }
}

static void add_targets(const struct aerogpu_machine *machine, struct text *text)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;
    struct aerogpu_target target;

    for (uint32_t i = 0; i < pipeline->colour_count; i++) {
        if (pipeline->colours[i] == 0)
            continue;
        text_printf(text, "colour_target %" PRIu32 ": ", i);
        add_resource(machine, pipeline->colours[i], text);
        text_add(text, "\n");
    }
    aerogpu_machine_shown(machine, &target);
    if (aerogpu_machine_draws_back(machine))
        text_printf(text, "colour_target: implicit back buffer %" PRIu32 "x%" PRIu32 "\n",
                    target.width, target.height);
    if (pipeline->depth_stencil == 0)
        return;
    text_add(text, "depth_target: ");
    add_resource(machine, pipeline->depth_stencil, text);
    text_add(text, "\n");
}

static void add_area(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    const float *v = pipeline->viewport;
    const int32_t *s = pipeline->scissor;

    if (pipeline->has_viewport)
        text_printf(text,
                    "viewport: x=%.3f y=%.3f width=%.3f height=%.3f min_depth=%.3f "
                    "max_depth=%.3f\n",
                    (double)v[0], (double)v[1], (double)v[2], (double)v[3], (double)v[4],
                    (double)v[5]);
    else
        text_add(text, "viewport: whole target\n");
    if (pipeline->has_scissor)
        text_printf(text,
                    "scissor: x=%" PRId32 " y=%" PRId32 " width=%" PRId32 " height=%" PRId32 "\n",
                    s[0], s[1], s[2], s[3]);
}

static void add_blend(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    const float *c = pipeline->blend.constant;

    text_field(text, "blend_enable", "%" PRIu32, pipeline->blend.enable);
    add_named(text, "blend_src_factor", AEROGPU_NAMES_BLEND_FACTOR, pipeline->blend.src);
    add_named(text, "blend_dst_factor", AEROGPU_NAMES_BLEND_FACTOR, pipeline->blend.dst);
    add_named(text, "blend_op", AEROGPU_NAMES_BLEND_OP, pipeline->blend.op);
    add_named(text, "blend_src_factor_alpha", AEROGPU_NAMES_BLEND_FACTOR,
              pipeline->blend.src_alpha);
    add_named(text, "blend_dst_factor_alpha", AEROGPU_NAMES_BLEND_FACTOR,
              pipeline->blend.dst_alpha);
    add_named(text, "blend_op_alpha", AEROGPU_NAMES_BLEND_OP, pipeline->blend.op_alpha);
    text_printf(text, "blend_constant: [%.3f,%.3f,%.3f,%.3f]\n", (double)c[0], (double)c[1],
                (double)c[2], (double)c[3]);
    text_field(text, "color_write_mask", "0x%02X", pipeline->blend.write_mask);
    text_field(text, "sample_mask", "0x%08" PRIX32, pipeline->blend.sample_mask);
}

static void add_depth_and_raster(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    text_field(text, "depth_enable", "%" PRIu32, pipeline->depth.enable);
    text_field(text, "depth_write_enable", "%" PRIu32, pipeline->depth.write);
    add_named(text, "depth_func", AEROGPU_NAMES_COMPARE, pipeline->depth.func);
    text_field(text, "stencil_enable", "%" PRIu32, pipeline->depth.stencil_enable);
    text_field(text, "stencil_read_mask", "0x%02X", pipeline->depth.read_mask);
    text_field(text, "stencil_write_mask", "0x%02X", pipeline->depth.write_mask);
    add_named(text, "fill_mode", AEROGPU_NAMES_FILL, pipeline->raster.fill);
    add_named(text, "cull_mode", AEROGPU_NAMES_CULL, pipeline->raster.cull);
    text_field(text, "front_ccw", "%" PRIu32, pipeline->raster.front_ccw);
    text_field(text, "scissor_enable", "%" PRIu32, pipeline->raster.scissor_enable);
    text_field(text, "depth_bias", "%" PRId32, pipeline->raster.depth_bias);
    add_named(text, "rasterizer_flags", AEROGPU_NAMES_RASTERIZER_FLAG, pipeline->raster.flags);
}

static void add_input(const struct aerogpu_machine *machine, struct text *text)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    add_named(text, "topology", AEROGPU_NAMES_TOPOLOGY, pipeline->topology);
    if (pipeline->layout != 0)
        text_field(text, "input_layout", "%" PRIu32, pipeline->layout);
    for (uint32_t i = 0; i < AEROGPU_VERTEX_SLOTS; i++) {
        const struct aerogpu_vertex_binding *binding = &pipeline->vertices[i];

        if (binding->buffer == 0)
            continue;
        text_printf(text, "vertex_buffer %" PRIu32 ": ", i);
        add_resource(machine, binding->buffer, text);
        text_printf(text, " stride=%" PRIu32 " offset=%" PRIu32 "\n", binding->stride,
                    binding->offset);
    }
    if (pipeline->index_buffer == 0)
        return;
    text_add(text, "index_buffer: ");
    add_resource(machine, pipeline->index_buffer, text);
    text_printf(text, " %s offset=%" PRIu32 "\n",
                aerogpu_name(AEROGPU_NAMES_INDEX_FORMAT, pipeline->index_format),
                pipeline->index_offset);
}

static void add_bindings(const struct aerogpu_machine *machine, const char *program,
                         const char *what, const struct aerogpu_binding *bindings, uint32_t count,
                         struct text *text)
{
    for (uint32_t i = 0; i < count; i++) {
        if (bindings[i].buffer == 0)
            continue;
        text_printf(text, "%s %s %" PRIu32 ": ", program, what, i);
        add_resource(machine, bindings[i].buffer, text);
        text_printf(text, " offset=%" PRIu32 " size=%" PRIu32 "\n", bindings[i].offset,
                    bindings[i].size);
    }
}

static void add_sampler(const struct aerogpu_machine *machine, const char *program, uint32_t slot,
                        uint32_t handle, struct text *text)
{
    const struct aerogpu_object *sampler =
        aerogpu_objects_find(&machine->objects, AEROGPU_SPACE_SAMPLER, handle);

    text_printf(text, "%s sampler %" PRIu32 ": %" PRIu32, program, slot, handle);
    if (sampler == NULL) {
        text_add(text, handle != 0 ? " unknown\n" : " nearest, clamped: none is bound\n");
        return;
    }
    text_printf(text, " filter=%" PRIu32 " address=%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n",
                sampler->sampler.filter, sampler->sampler.address[0], sampler->sampler.address[1],
                sampler->sampler.address[2]);
}

static void add_sampler_states(const struct aerogpu_stage_state *stage, const char *program,
                               struct text *text)
{
    for (uint32_t slot = 0; slot < AEROGPU_SAMPLER_SLOTS; slot++)
        for (uint32_t state = 0; state < AEROGPU_SAMPLER_STATES; state++) {
            const char *name = aerogpu_name(AEROGPU_NAMES_D3DSAMP, state);

            if ((stage->sampler_states_set[slot] >> state & 1) == 0)
                continue;
            text_printf(text, "%s sampler %" PRIu32 " ", program, slot);
            if (name != NULL)
                text_add(text, name);
            else
                text_printf(text, "D3DSAMP %" PRIu32, state);
            text_printf(text, ": 0x%08" PRIX32 "\n", stage->sampler_states[slot][state]);
        }
}

static bool is_set(const uint64_t *bits, uint32_t number)
{
    return bits != NULL && (bits[number / 64] >> number % 64 & 1) != 0;
}

static void add_constants(const struct aerogpu_stage_state *stage, const char *program,
                          struct text *text)
{
    for (uint32_t i = 0; i < AEROGPU_CONSTANTS; i++) {
        float values[4];

        if (!is_set(stage->floats_set, i))
            continue;
        memcpy(values, stage->floats[i], sizeof(values));
        text_printf(text, "%s c%" PRIu32 ": [%.9g,%.9g,%.9g,%.9g]\n", program, i, (double)values[0],
                    (double)values[1], (double)values[2], (double)values[3]);
    }
    for (uint32_t i = 0; i < AEROGPU_SCALARS; i++)
        if (is_set(stage->integers_set, i))
            text_printf(text,
                        "%s i%" PRIu32 ": [%" PRId32 ",%" PRId32 ",%" PRId32 ",%" PRId32 "]\n",
                        program, i, (int32_t)stage->integers[i][0], (int32_t)stage->integers[i][1],
                        (int32_t)stage->integers[i][2], (int32_t)stage->integers[i][3]);
    for (uint32_t i = 0; stage->booleans != NULL && i < AEROGPU_SCALARS; i++)
        if (stage->booleans[i] < 2)
            text_printf(text, "%s b%" PRIu32 ": %u\n", program, i, stage->booleans[i]);
}

static void add_stage(const struct aerogpu_machine *machine, uint32_t program, struct text *text)
{
    const struct aerogpu_stage_state *stage = &machine->pipeline.stages[program];
    const char *name = program_names[program];

    if (stage->shader != 0)
        text_printf(text, "%s shader: %" PRIu32 "%s\n", name, stage->shader,
                    aerogpu_objects_find(&machine->objects, AEROGPU_SPACE_SHADER, stage->shader) ==
                            NULL
                        ? " unknown"
                        : "");
    for (uint32_t i = 0; i < AEROGPU_TEXTURE_SLOTS; i++) {
        if (stage->textures[i] == 0)
            continue;
        text_printf(text, "%s texture %" PRIu32 ": ", name, i);
        add_resource(machine, stage->textures[i], text);
        text_add(text, "\n");
    }
    for (uint32_t i = 0; i < AEROGPU_SAMPLER_SLOTS; i++)
        if (stage->samplers[i] != 0 || stage->textures[i] != 0)
            add_sampler(machine, name, i, stage->samplers[i], text);
    add_bindings(machine, name, "constant_buffer", stage->constants, AEROGPU_CONSTANT_SLOTS, text);
    add_bindings(machine, name, "resource_buffer", stage->resources, AEROGPU_RESOURCE_SLOTS, text);
    add_bindings(machine, name, "unordered_buffer", stage->unordered, AEROGPU_UNORDERED_SLOTS,
                 text);
    add_sampler_states(stage, name, text);
    add_constants(stage, name, text);
}

static void add_render_states(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    for (uint32_t i = 0; i < AEROGPU_RENDER_STATES; i++) {
        const char *name = aerogpu_name(AEROGPU_NAMES_D3DRS, i);

        if (!is_set(pipeline->render_states_set, i))
            continue;
        if (name != NULL)
            text_add(text, name);
        else
            text_printf(text, "D3DRS %" PRIu32, i);
        text_printf(text, ": 0x%08" PRIX32 "\n", pipeline->render_states[i]);
    }
}

static void add_appendix(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    if (pipeline->a.pipeline != 0)
        text_field(text, "a_pipeline", "%" PRIu32, pipeline->a.pipeline);
    if (pipeline->a.buffer != 0)
        text_field(text, "a_vertex_buffer",
                   "%" PRIu32 " stride=%" PRIu32 " position=%" PRIu32 " colour=%" PRIu32,
                   pipeline->a.buffer, pipeline->a.stride, pipeline->a.position,
                   pipeline->a.colour);
    if (pipeline->a.width != 0 || pipeline->a.height != 0)
        text_field(text, "a_viewport", "%" PRIu32 "x%" PRIu32, pipeline->a.width,
                   pipeline->a.height);
}

void aerogpu_state_write(const struct aerogpu_machine *machine, struct text *text)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    add_targets(machine, text);
    add_area(pipeline, text);
    add_input(machine, text);
    add_blend(pipeline, text);
    add_depth_and_raster(pipeline, text);
    for (uint32_t i = 0; i < AEROGPU_PROGRAMS; i++)
        add_stage(machine, i, text);
    add_render_states(pipeline, text);
    add_appendix(pipeline, text);
}

static void begin_section(const char *name, struct text *text)
{
    text_printf(text, "%s[%s]\n", text->length > 0 ? "\n" : "", name);
}

void aerogpu_state_sections(const struct aerogpu_machine *machine, struct text *text)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    begin_section("targets", text);
    add_targets(machine, text);
    begin_section("area", text);
    add_area(pipeline, text);
    begin_section("input", text);
    add_input(machine, text);
    begin_section("blend", text);
    add_blend(pipeline, text);
    begin_section("depth and rasterizer", text);
    add_depth_and_raster(pipeline, text);
    for (uint32_t i = 0; i < AEROGPU_PROGRAMS; i++) {
        begin_section(program_names[i], text);
        add_stage(machine, i, text);
    }
    begin_section("render states", text);
    add_render_states(pipeline, text);
    begin_section("appendix A", text);
    add_appendix(pipeline, text);
}

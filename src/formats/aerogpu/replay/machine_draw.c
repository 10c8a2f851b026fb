/* SPDX-License-Identifier: MIT */
/*
 * Commands that draw, and which contents they make known or unknown to a walk without shaders; and
 * Appendix A, whose only target is the implicit back buffer.
 */
#include "formats/aerogpu/replay/machine.h"

#include <errno.h>

enum { PLAIN_STRIDE = 24 }; /* vertex size of a draw without shaders: x, y, r, g, b, a */

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

static bool is_known_buffer(const struct aerogpu_object *object)
{
    return object != NULL && object->kind == AEROGPU_OBJECT_BUFFER && !object->drawn;
}

bool aerogpu_machine_is_unshaded(const struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;
    const struct aerogpu_vertex_binding *vertices = &pipeline->vertices[0];

    if (command->opcode == AEROGPU_DISPATCH || command->opcode == AEROGPU_CLEAR)
        return false;
    for (int i = 0; i < AEROGPU_PROGRAMS; i++)
        if (i != DXBC_CS && pipeline->stages[i].shader != 0)
            return false;
    if (pipeline->topology < AEROGPU_TRIANGLE_LIST || pipeline->topology > AEROGPU_TRIANGLE_FAN)
        return false;
    if (vertices->stride < PLAIN_STRIDE ||
        !is_known_buffer(aerogpu_machine_bound(machine, vertices->buffer)))
        return false;
    return command->opcode != AEROGPU_DRAW_INDEXED ||
           is_known_buffer(aerogpu_machine_bound(machine, pipeline->index_buffer));
}

static void mark_target(struct aerogpu_machine *machine, uint32_t original)
{
    struct aerogpu_target target;

    if (aerogpu_machine_target_of(machine, original, &target))
        target.texture->drawn = true;
}

static void mark_unordered(struct aerogpu_machine *machine, enum dxbc_program program)
{
    const struct aerogpu_stage_state *stage = &machine->pipeline.stages[program];

    for (uint32_t i = 0; i < AEROGPU_UNORDERED_SLOTS; i++) {
        struct aerogpu_object *object = aerogpu_machine_bound(machine, stage->unordered[i].buffer);

        if (object != NULL)
            object->drawn = true;
    }
}

/* Marks what shaders write to: from here on, only the worker knows it. */
static void mark_drawn(struct aerogpu_machine *machine)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    for (uint32_t i = 0; i < pipeline->colour_count; i++)
        mark_target(machine, pipeline->colours[i]);
    mark_target(machine, pipeline->depth_stencil);
    for (int i = 0; i < AEROGPU_PROGRAMS; i++)
        if (i != DXBC_CS)
            mark_unordered(machine, (enum dxbc_program)i);
    if (aerogpu_machine_draws_back(machine))
        machine->back_drawn = true;
}

/* Marks a texture as known again if the clear covers all of it. */
static void mark_cleared(struct aerogpu_machine *machine, uint32_t original)
{
    struct aerogpu_target target;

    if (aerogpu_machine_target_of(machine, original, &target) && target.texture->shape.mips == 1 &&
        target.texture->shape.layers == 1)
        target.texture->drawn = false;
}

static void clear(struct aerogpu_machine *machine, uint32_t flags)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;
    struct aerogpu_target depth;
    uint32_t all = AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL;

    if ((flags & AEROGPU_CLEAR_COLOUR) != 0) {
        for (uint32_t i = 0; i < pipeline->colour_count; i++)
            mark_cleared(machine, pipeline->colours[i]);
        if (aerogpu_machine_draws_back(machine)) {
            machine->back_touched = true;
            machine->back_drawn = false;
        }
    }
    if (aerogpu_machine_target_of(machine, pipeline->depth_stencil, &depth)) {
        if (depth.format == AEROGPU_D32F)
            all = AEROGPU_CLEAR_DEPTH;
        if ((flags & all) == all)
            mark_cleared(machine, pipeline->depth_stencil);
    }
}

/*
 * Returns whether what is bound there, if anything, has a format that can be drawn to as colour or
 * depth.
 */
static bool is_drawable(const struct aerogpu_machine *machine, uint32_t original, bool depth)
{
    struct aerogpu_format_info format;
    struct aerogpu_target target;

    return !aerogpu_machine_target_of(machine, original, &target) ||
           (aerogpu_format_find(target.format, &format) && format.depth == depth &&
            format.block == 1);
}

static bool are_drawable(const struct aerogpu_machine *machine)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    for (uint32_t i = 0; i < pipeline->colour_count; i++)
        if (!is_drawable(machine, pipeline->colours[i], false))
            return false;
    return is_drawable(machine, pipeline->depth_stencil, true);
}

const char *aerogpu_machine_draw(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    const struct aerogpu_effects *effects = machine->effects;
    bool unshaded = aerogpu_machine_is_unshaded(machine, command);

    if (command->opcode != AEROGPU_DISPATCH && !are_drawable(machine))
        return "a target has a format that cannot be drawn to";
    if (effects != NULL && command->opcode == AEROGPU_CLEAR && effects->clear != NULL)
        machine->status = effects->clear(machine->context, command);
    else if (effects != NULL && command->opcode != AEROGPU_CLEAR && effects->draw != NULL)
        machine->status = effects->draw(machine->context, command);
    if (command->opcode == AEROGPU_CLEAR) {
        clear(machine, word(command, AEROGPU_AT_CLEAR_FLAGS));
        return NULL;
    }
    if (command->opcode == AEROGPU_DISPATCH) {
        mark_unordered(machine, DXBC_CS);
        return NULL;
    }
    if (aerogpu_machine_draws_back(machine))
        machine->back_touched = true;
    if (!unshaded)
        mark_drawn(machine);
    return NULL;
}

/* Appendix A. */

static const char *add_a(struct aerogpu_machine *machine, const struct aerogpu_object *object)
{
    struct aerogpu_object *made = NULL;
    int status = 0;

    if (object->handle == 0)
        return "id 0";
    if (aerogpu_object_size(object) > machine->limits.budget - machine->live)
        return "all resources together would take more bytes than are allowed";
    aerogpu_objects_drop(&machine->objects, object->space, object->handle);
    status = aerogpu_objects_add(&machine->objects, object, &made);
    if (status == 0)
        machine->live += aerogpu_object_size(made);
    if (status == 0 && machine->effects != NULL && machine->effects->create != NULL)
        status = machine->effects->create(machine->context, made);
    machine->status = status;
    return status == 0 ? NULL : aerogpu_no_memory;
}

static const char *create_a(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    struct aerogpu_object object = {.handle = word(command, AEROGPU_PACKET_HEADER)};

    if (command->opcode == AEROGPU_A_CREATE_BUFFER) {
        object.kind = AEROGPU_OBJECT_BUFFER;
        object.space = AEROGPU_SPACE_A_BUFFER;
        object.size = word(command, AEROGPU_AT_A_CREATE_BUFFER_SIZE);
        object.usage = word(command, AEROGPU_AT_A_CREATE_BUFFER_USAGE);
    } else if (command->opcode == AEROGPU_A_CREATE_SHADER) {
        object.kind = AEROGPU_OBJECT_SHADER;
        object.space = AEROGPU_SPACE_A_SHADER;
        object.shader.program =
            word(command, AEROGPU_AT_A_CREATE_SHADER_STAGE) == AEROGPU_VERTEX ? DXBC_VS : DXBC_PS;
        object.shader.glsl = aerogpu_u64(command, AEROGPU_AT_A_CREATE_SHADER_GLSL);
    } else {
        object.kind = AEROGPU_OBJECT_PIPELINE;
        object.space = AEROGPU_SPACE_A_PIPELINE;
        object.pipeline.vs = word(command, AEROGPU_AT_A_CREATE_PIPELINE_VS);
        object.pipeline.fs = word(command, AEROGPU_AT_A_CREATE_PIPELINE_FS);
    }
    return add_a(machine, &object);
}

static const char *upload_a(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    struct aerogpu_object *object =
        aerogpu_objects_find(&machine->objects, AEROGPU_SPACE_A_BUFFER,
                             word(command, AEROGPU_AT_A_UPLOAD_BUFFER_BUFFER));
    uint32_t offset = word(command, AEROGPU_AT_A_UPLOAD_BUFFER_OFFSET);
    uint32_t size = word(command, AEROGPU_AT_A_UPLOAD_BUFFER_SIZE);

    if (object == NULL)
        return "unknown buffer";
    if (!bytes_inside(offset, size, object->size))
        return "beyond the end of the buffer";
    return NULL;
}

const char *aerogpu_machine_appendix(struct aerogpu_machine *machine,
                                     const struct aerogpu_command *command)
{
    const struct aerogpu_effects *effects = machine->effects;
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    switch (command->opcode) {
    case AEROGPU_A_CREATE_BUFFER:
    case AEROGPU_A_CREATE_SHADER:
    case AEROGPU_A_CREATE_PIPELINE:
        return create_a(machine, command);
    case AEROGPU_A_UPLOAD_BUFFER:
        return upload_a(machine, command);
    case AEROGPU_A_SET_PIPELINE:
        pipeline->a.pipeline = word(command, AEROGPU_AT_A_SET_PIPELINE_PIPELINE);
        return NULL;
    case AEROGPU_A_SET_VERTEX_BUFFER:
        pipeline->a.buffer = word(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_BUFFER);
        pipeline->a.stride = word(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_STRIDE);
        pipeline->a.position = word(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_POSITION);
        pipeline->a.colour = word(command, AEROGPU_AT_A_SET_VERTEX_BUFFER_COLOR);
        return NULL;
    case AEROGPU_A_SET_VIEWPORT:
        pipeline->a.width = word(command, AEROGPU_AT_A_SET_VIEWPORT_WIDTH);
        pipeline->a.height = word(command, AEROGPU_AT_A_SET_VIEWPORT_HEIGHT);
        return NULL;
    case AEROGPU_A_CLEAR:
        if (effects != NULL && effects->clear != NULL)
            machine->status = effects->clear(machine->context, command);
        machine->back_touched = true;
        machine->back_drawn = false;
        return NULL;
    case AEROGPU_A_DRAW:
        if (effects != NULL && effects->draw != NULL)
            machine->status = effects->draw(machine->context, command);
        machine->back_touched = machine->back_drawn = true;
        return NULL;
    case AEROGPU_A_PRESENT:
        if (effects != NULL && effects->present != NULL)
            machine->status = effects->present(machine->context, command);
        return NULL;
    default:
        return "unknown opcode";
    }
}

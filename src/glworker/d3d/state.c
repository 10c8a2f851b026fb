/* SPDX-License-Identifier: MIT */
/* The commands that set state. The objects that they name are looked up when they are used. */
#include "config.h"

#include "glworker/d3d/state.h"

#include "glworker/d3d/resources.h"

#include <errno.h>
#include <string.h>

void aero_state_init(struct aero_state *state)
{
    const struct aero_stencil_face keep = {GL_ALWAYS, GL_KEEP, GL_KEEP, GL_KEEP};

    memset(state, 0, sizeof(*state));
    state->topology = AEROGPU_TRIANGLE_LIST;
    state->blend.source = state->blend.source_alpha = state->blend.own_source = GL_ONE;
    state->blend.destination = state->blend.destination_alpha = GL_ZERO;
    state->blend.own_destination = GL_ZERO;
    state->blend.operation = state->blend.operation_alpha = GL_FUNC_ADD;
    state->blend.own_operation = GL_FUNC_ADD;
    memset(state->blend.masks, 15, sizeof(state->blend.masks));
    for (int i = 0; i < 4; i++)
        state->blend.constant[i] = 1;
    state->blend.sample_mask = UINT32_MAX;
    state->depth.enabled = state->depth.written = true;
    state->depth.function = GL_LESS;
    state->stencil.read_mask = state->stencil.write_mask = 255;
    state->stencil.clockwise = state->stencil.counter = keep;
    state->raster.cull = AEROGPU_CULL_BACK;
    state->alpha.function = GL_ALWAYS;
    for (int stage = 0; stage < AERO_STAGES; stage++)
        memset(state->stages[stage].counters, 255, sizeof(state->stages[stage].counters));
}

void aero_state_free(struct aero_state *state)
{
    for (int stage = 0; stage < AERO_STAGES; stage++)
        glDeleteBuffers(1, &state->stages[stage].registers);
}

static void forget_ranges(struct aero_range_binding *ranges, int count, uint32_t handle)
{
    for (int i = 0; i < count; i++)
        if (ranges[i].buffer == handle)
            ranges[i].buffer = 0;
}

void aero_state_forget(struct aero_state *state, uint32_t original)
{
    for (int i = 0; i < AERO_STAGES; i++) {
        struct aero_stage_state *stage = &state->stages[i];

        for (int slot = 0; slot < AERO_TEXTURE_SLOTS; slot++)
            if (stage->textures[slot] == original)
                stage->textures[slot] = 0;
        forget_ranges(stage->buffers, AERO_TEXTURE_SLOTS, original);
        forget_ranges(stage->constants, AERO_CONSTANT_SLOTS, original);
        forget_ranges(stage->written, AERO_WRITTEN_SLOTS, original);
    }
    for (int i = 0; i < AEROGPU_VERTEX_SLOTS; i++)
        if (state->vertices[i].buffer == original)
            state->vertices[i].buffer = 0;
    for (int i = 0; i < AEROGPU_MAX_TARGETS; i++)
        if (state->targets[i] == original)
            state->targets[i] = 0;
    if (state->indices.buffer == original)
        state->indices.buffer = 0;
    if (state->depth_target == original)
        state->depth_target = 0;
}

void aero_state_forget_sampler(struct aero_state *state, uint32_t handle)
{
    for (int i = 0; i < AERO_STAGES; i++)
        for (int slot = 0; slot < AERO_SAMPLER_SLOTS; slot++)
            if (state->stages[i].samplers[slot].sampler == handle)
                state->stages[i].samplers[slot].sampler = 0;
}

/*
 * Returns the stage that a command names by the fields at these offsets; NULL, with a note, if
 * there is none.
 */
static struct aero_stage_state *stage_of(struct aero *aero, const struct aerogpu_command *command,
                                         uint32_t at_stage, uint32_t at_stage_ex)
{
    enum dxbc_program program;
    uint32_t stage = aerogpu_u32(command, at_stage);

    if (aerogpu_program_of(command, stage, at_stage_ex == 0 ? 0 : aerogpu_u32(command, at_stage_ex),
                           &program))
        return &aero->state.stages[program];
    aero_note(aero, PROBLEM_ERROR, "there is no shader stage %u", stage);
    return NULL;
}

/* Checks that registers [first, first + count) are below `max`. */
static int check_registers(struct aero *aero, uint32_t first, uint32_t count, uint32_t max)
{
    if (bytes_inside(first, count, max))
        return 0;
    return aero_note(aero, PROBLEM_ERROR, "%u registers from %u on, but there are only %u", count,
                     first, max);
}

int aero_set_floats(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage =
        stage_of(aero, command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_STAGE,
                 AEROGPU_AT_SET_SHADER_CONSTANTS_F_STAGE_EX);
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_FIRST);
    uint32_t count = command->tail_length / 16;

    if (stage == NULL || check_registers(aero, first, count, AERO_REGISTERS) < 0)
        return -EINVAL;
    if (count > 0)
        memcpy(stage->floats[first], command->tail, (size_t)count * 16);
    stage->registers_changed = true;
    return 0;
}

int aero_set_integers(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage =
        stage_of(aero, command, AEROGPU_AT_SET_SHADER_CONSTANTS_I_STAGE,
                 AEROGPU_AT_SET_SHADER_CONSTANTS_I_STAGE_EX);
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_SHADER_CONSTANTS_I_FIRST);
    uint32_t count = command->tail_length / 16;

    if (stage == NULL || check_registers(aero, first, count, AERO_SMALL_REGISTERS) < 0)
        return -EINVAL;
    if (count > 0)
        memcpy(stage->integers[first], command->tail, (size_t)count * 16);
    return 0;
}

int aero_set_booleans(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage =
        stage_of(aero, command, AEROGPU_AT_SET_SHADER_CONSTANTS_B_STAGE,
                 AEROGPU_AT_SET_SHADER_CONSTANTS_B_STAGE_EX);
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_SHADER_CONSTANTS_B_FIRST);
    uint32_t count = aerogpu_u32(command, AEROGPU_AT_SET_SHADER_CONSTANTS_B_COUNT);

    if (stage == NULL || check_registers(aero, first, count, AERO_SMALL_REGISTERS) < 0)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++)
        stage->booleans[first + i] =
            bytes_le32(command->tail + (size_t)command->tail_stride * i) != 0;
    return 0;
}

int aero_set_layout(struct aero *aero, const struct aerogpu_command *command)
{
    aero->state.layout = aerogpu_u32(command, AEROGPU_AT_SET_INPUT_LAYOUT_LAYOUT);
    return 0;
}

static const GLenum factors[] = {GL_ZERO,           GL_ONE,
                                 GL_SRC_ALPHA,      GL_ONE_MINUS_SRC_ALPHA,
                                 GL_DST_ALPHA,      GL_ONE_MINUS_DST_ALPHA,
                                 GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR};
static const GLenum operations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                    GL_MAX};

int aero_set_blend(struct aero *aero, const struct aerogpu_command *command)
{
    static const uint32_t factor_fields[] = {
        AEROGPU_AT_SET_BLEND_STATE_SRC, AEROGPU_AT_SET_BLEND_STATE_DST,
        AEROGPU_AT_SET_BLEND_STATE_SRC_ALPHA, AEROGPU_AT_SET_BLEND_STATE_DST_ALPHA};
    uint32_t operation = aerogpu_u32(command, AEROGPU_AT_SET_BLEND_STATE_OP);
    uint32_t operation_alpha = aerogpu_u32(command, AEROGPU_AT_SET_BLEND_STATE_OP_ALPHA);
    GLenum found[4];

    for (int i = 0; i < 4; i++) {
        uint32_t factor = aerogpu_u32(command, factor_fields[i]);

        if (factor > AEROGPU_INV_CONSTANT)
            return aero_note(aero, PROBLEM_ERROR, "there is no blend factor %u", factor);
        found[i] = factors[factor];
    }
    if (operation > AEROGPU_MAX || operation_alpha > AEROGPU_MAX)
        return aero_note(aero, PROBLEM_ERROR, "there is no blend operation %u",
                         operation > AEROGPU_MAX ? operation : operation_alpha);
    aero->state.blend.enabled = aerogpu_u32(command, AEROGPU_AT_SET_BLEND_STATE_ENABLE) != 0;
    aero->state.blend.source = found[0];
    aero->state.blend.destination = found[1];
    aero->state.blend.source_alpha = found[2];
    aero->state.blend.destination_alpha = found[3];
    aero->state.blend.operation = operations[operation];
    aero->state.blend.operation_alpha = operations[operation_alpha];
    memset(aero->state.blend.masks, command->bytes[AEROGPU_AT_SET_BLEND_STATE_WRITE_MASK] & 15,
           sizeof(aero->state.blend.masks));
    for (uint32_t i = 0; i < 4; i++)
        aero->state.blend.constant[i] =
            aerogpu_f32(command, AEROGPU_AT_SET_BLEND_STATE_CONSTANT + 4 * i);
    aero->state.blend.sample_mask = aerogpu_u32(command, AEROGPU_AT_SET_BLEND_STATE_SAMPLE_MASK);
    return 0;
}

int aero_set_depth_stencil(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t function = aerogpu_u32(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_FUNC);

    if (function > AEROGPU_ALWAYS)
        return aero_note(aero, PROBLEM_ERROR, "there is no depth function %u", function);
    aero->state.depth.enabled =
        aerogpu_u32(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_ENABLE) != 0;
    aero->state.depth.written =
        aerogpu_u32(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_WRITE) != 0;
    aero->state.depth.function = GL_NEVER + function;
    aero->state.stencil.enabled =
        aerogpu_u32(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_STENCIL_ENABLE) != 0;
    aero->state.stencil.read_mask = command->bytes[AEROGPU_AT_SET_DEPTH_STENCIL_STATE_READ_MASK];
    aero->state.stencil.write_mask = command->bytes[AEROGPU_AT_SET_DEPTH_STENCIL_STATE_WRITE_MASK];
    return 0;
}

int aero_set_rasterizer(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t fill = aerogpu_u32(command, AEROGPU_AT_SET_RASTERIZER_STATE_FILL);
    uint32_t cull = aerogpu_u32(command, AEROGPU_AT_SET_RASTERIZER_STATE_CULL);

    if (fill > AEROGPU_WIREFRAME || cull > AEROGPU_CULL_BACK)
        return aero_note(aero, PROBLEM_ERROR, "unknown fill mode %u or cull mode %u", fill, cull);
    aero->state.raster.fill = fill;
    aero->state.raster.cull = cull;
    aero->state.raster.front_counter =
        aerogpu_u32(command, AEROGPU_AT_SET_RASTERIZER_STATE_FRONT_CCW) != 0;
    aero->state.raster.scissor =
        aerogpu_u32(command, AEROGPU_AT_SET_RASTERIZER_STATE_SCISSOR_ENABLE) != 0;
    aero->state.raster.bias =
        (float)aerogpu_i32(command, AEROGPU_AT_SET_RASTERIZER_STATE_DEPTH_BIAS);
    aero->state.raster.slope = 0;
    aero->state.raster.clamp = (aerogpu_u32(command, AEROGPU_AT_SET_RASTERIZER_STATE_FLAGS) &
                                AEROGPU_DEPTH_CLIP_DISABLE) != 0;
    return 0;
}

int aero_set_targets(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t count = aerogpu_u32(command, AEROGPU_AT_SET_RENDER_TARGETS_COUNT);

    if (count > AEROGPU_MAX_TARGETS)
        return aero_note(aero, PROBLEM_ERROR, "%u colour targets, but there are only %u", count,
                         (unsigned)AEROGPU_MAX_TARGETS);
    aero->state.target_count = count;
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++)
        aero->state.targets[i] =
            i < count
                ? aero_original(aero,
                                aerogpu_u32(command, AEROGPU_AT_SET_RENDER_TARGETS_COLORS + 4 * i))
                : 0;
    aero->state.depth_target =
        aero_original(aero, aerogpu_u32(command, AEROGPU_AT_SET_RENDER_TARGETS_DEPTH_STENCIL));
    return 0;
}

int aero_set_viewport(struct aero *aero, const struct aerogpu_command *command)
{
    for (uint32_t i = 0; i < 6; i++)
        aero->state.viewport[i] = aerogpu_f32(command, AEROGPU_AT_SET_VIEWPORT_X + 4 * i);
    return 0;
}

int aero_set_scissor(struct aero *aero, const struct aerogpu_command *command)
{
    for (uint32_t i = 0; i < 4; i++)
        aero->state.scissor[i] = aerogpu_i32(command, AEROGPU_AT_SET_SCISSOR_X + 4 * i);
    return 0;
}

int aero_set_vertices(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_VERTEX_BUFFERS_START);
    uint32_t count = command->tail_length / 16;

    if (check_registers(aero, first, count, AEROGPU_VERTEX_SLOTS) < 0)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *item = command->tail + (size_t)16 * i;

        aero->state.vertices[first + i].buffer = aero_original(aero, bytes_le32(item));
        aero->state.vertices[first + i].stride = bytes_le32(item + 4);
        aero->state.vertices[first + i].offset = bytes_le32(item + 8);
    }
    return 0;
}

int aero_set_indices(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t format = aerogpu_u32(command, AEROGPU_AT_SET_INDEX_BUFFER_FORMAT);

    if (format > AEROGPU_UINT32)
        return aero_note(aero, PROBLEM_ERROR, "there is no index format %u", format);
    aero->state.indices.buffer =
        aero_original(aero, aerogpu_u32(command, AEROGPU_AT_SET_INDEX_BUFFER_BUFFER));
    aero->state.indices.format = format;
    aero->state.indices.offset = aerogpu_u32(command, AEROGPU_AT_SET_INDEX_BUFFER_OFFSET);
    return 0;
}

int aero_set_topology(struct aero *aero, const struct aerogpu_command *command)
{
    aero->state.topology = aerogpu_u32(command, AEROGPU_AT_SET_PRIMITIVE_TOPOLOGY_TOPOLOGY);
    return 0;
}

int aero_set_texture(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage =
        stage_of(aero, command, AEROGPU_AT_SET_TEXTURE_STAGE, AEROGPU_AT_SET_TEXTURE_STAGE_EX);
    uint32_t slot = aerogpu_u32(command, AEROGPU_AT_SET_TEXTURE_SLOT);

    if (stage == NULL || check_registers(aero, slot, 1, AERO_TEXTURE_SLOTS) < 0)
        return -EINVAL;
    stage->textures[slot] =
        aero_original(aero, aerogpu_u32(command, AEROGPU_AT_SET_TEXTURE_TEXTURE));
    stage->buffers[slot].buffer = 0;
    return 0;
}

int aero_set_samplers(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage =
        stage_of(aero, command, AEROGPU_AT_SET_SAMPLERS_STAGE, AEROGPU_AT_SET_SAMPLERS_STAGE_EX);
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_SAMPLERS_START);
    uint32_t count = command->tail_length / 4;

    if (stage == NULL || check_registers(aero, first, count, AERO_SAMPLER_SLOTS) < 0)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        stage->samplers[first + i].sampler = bytes_le32(command->tail + (size_t)4 * i);
        stage->samplers[first + i].d3d9 = false;
    }
    return 0;
}

/*
 * Stores ranges of buffers, each with offset and size, in slots. The last word of each goes to
 * `last`, if that is not NULL.
 */
static int set_ranges(struct aero *aero, const struct aerogpu_command *command,
                      struct aero_range_binding *slots, uint32_t max, uint32_t *last)
{
    uint32_t first = aerogpu_u32(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_START);
    uint32_t count = command->tail_length / 16;

    if (check_registers(aero, first, count, max) < 0)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *item = command->tail + (size_t)16 * i;

        slots[first + i] =
            (struct aero_range_binding){.buffer = aero_original(aero, bytes_le32(item)),
                                        .offset = bytes_le32(item + 4),
                                        .size = bytes_le32(item + 8)};
        if (last != NULL)
            last[first + i] = bytes_le32(item + 12);
    }
    return 0;
}

/* These three commands have their fields in the same places. */
static struct aero_stage_state *ranges_stage(struct aero *aero,
                                             const struct aerogpu_command *command)
{
    return stage_of(aero, command, AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE,
                    AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE_EX);
}

int aero_set_constants(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage = ranges_stage(aero, command);

    return stage == NULL ? -EINVAL
                         : set_ranges(aero, command, stage->constants, AERO_CONSTANT_SLOTS, NULL);
}

int aero_set_buffers(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage = ranges_stage(aero, command);

    return stage == NULL ? -EINVAL
                         : set_ranges(aero, command, stage->buffers, AERO_TEXTURE_SLOTS, NULL);
}

int aero_set_written(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_stage_state *stage = ranges_stage(aero, command);

    return stage == NULL
               ? -EINVAL
               : set_ranges(aero, command, stage->written, AERO_WRITTEN_SLOTS, stage->counters);
}

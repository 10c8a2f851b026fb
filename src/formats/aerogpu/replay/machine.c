/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/machine.h"

#include <errno.h>
#include <stdlib.h>

struct aerogpu_allocation *aerogpu_memory_find(const struct aerogpu_memory *memory, uint32_t id)
{
    size_t low = 0, high = memory != NULL ? memory->count : 0, count = high;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (memory->list[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && memory->list[low].id == id ? &memory->list[low] : NULL;
}

const uint8_t *aerogpu_memory_bytes(const struct aerogpu_allocation *allocation, uint64_t offset,
                                    uint64_t length)
{
    if (!bytes_inside(offset, length, allocation->held))
        return NULL;
    return (allocation->copy != NULL ? allocation->copy : allocation->bytes) + offset;
}

uint64_t aerogpu_object_size(const struct aerogpu_object *object)
{
    if (object->kind == AEROGPU_OBJECT_BUFFER)
        return object->size;
    return object->kind == AEROGPU_OBJECT_TEXTURE ? aerogpu_shape_size(&object->shape) : 0;
}

static void forget(void *context, struct aerogpu_object *object)
{
    struct aerogpu_machine *machine = context;

    machine->live -= aerogpu_object_size(object);
    if (machine->effects != NULL && machine->effects->forget != NULL)
        machine->effects->forget(machine->context, object);
}

void aerogpu_machine_init(struct aerogpu_machine *machine, const struct aerogpu_effects *effects,
                          void *context, const struct aerogpu_limits *limits)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    *machine = (struct aerogpu_machine){.effects = effects, .context = context, .limits = *limits};
    machine->objects.forget = forget;
    machine->objects.context = machine;
    pipeline->topology = AEROGPU_TRIANGLE_LIST;
    pipeline->depth.enable = pipeline->depth.write = 1;
    pipeline->depth.func = AEROGPU_LESS;
    pipeline->depth.read_mask = pipeline->depth.write_mask = 0xFF;
    pipeline->raster.cull = AEROGPU_CULL_BACK;
    pipeline->blend.src = pipeline->blend.src_alpha = AEROGPU_ONE;
    pipeline->blend.write_mask = 0xF;
    pipeline->blend.sample_mask = UINT32_MAX;
    for (int i = 0; i < 4; i++)
        pipeline->blend.constant[i] = 1;
}

void aerogpu_machine_clear(struct aerogpu_machine *machine)
{
    aerogpu_objects_clear(&machine->objects);
    for (int i = 0; i < AEROGPU_PROGRAMS; i++) {
        struct aerogpu_stage_state *stage = &machine->pipeline.stages[i];

        free(stage->floats);
        free(stage->floats_set);
        free(stage->integers);
        free(stage->integers_set);
        free(stage->booleans);
        stage->floats = stage->integers = NULL;
        stage->floats_set = stage->integers_set = NULL;
        stage->booleans = NULL;
    }
}

static int copy_array(void *to, const void *from, size_t size)
{
    void *copy = NULL;

    if (from == NULL)
        return 0;
    copy = malloc(size);
    if (copy == NULL)
        return -ENOMEM;
    memcpy(copy, from, size);
    memcpy(to, &copy, sizeof(copy));
    return 0;
}

static int copy_constants(struct aerogpu_stage_state *to, const struct aerogpu_stage_state *from)
{
    int status = copy_array(&to->floats, from->floats, AEROGPU_CONSTANTS * sizeof(*to->floats));

    if (status == 0)
        status = copy_array(&to->floats_set, from->floats_set, AEROGPU_CONSTANTS / 8);
    if (status == 0)
        status = copy_array(&to->integers, from->integers, AEROGPU_SCALARS * sizeof(*to->integers));
    if (status == 0)
        status = copy_array(&to->integers_set, from->integers_set, AEROGPU_SCALARS / 8);
    if (status == 0)
        status = copy_array(&to->booleans, from->booleans, AEROGPU_SCALARS);
    return status;
}

int aerogpu_machine_copy(struct aerogpu_machine *to, const struct aerogpu_machine *from)
{
    int status = 0;

    *to = *from;
    to->memory = NULL;
    to->objects = (struct aerogpu_objects){.forget = forget, .context = to};
    for (int i = 0; i < AEROGPU_PROGRAMS; i++) {
        struct aerogpu_stage_state *stage = &to->pipeline.stages[i];

        stage->floats = stage->integers = NULL;
        stage->floats_set = stage->integers_set = NULL;
        stage->booleans = NULL;
    }
    for (int i = 0; status == 0 && i < AEROGPU_PROGRAMS; i++)
        status = copy_constants(&to->pipeline.stages[i], &from->pipeline.stages[i]);
    if (status == 0)
        status = aerogpu_objects_copy(&to->objects, &from->objects,
                                      from->effects != NULL ? from->effects->share : NULL,
                                      from->context);
    if (status != 0)
        aerogpu_machine_clear(to);
    return status;
}

struct aerogpu_object *aerogpu_machine_resource(const struct aerogpu_machine *machine,
                                                uint32_t handle)
{
    return aerogpu_objects_find(&machine->objects, AEROGPU_SPACE_RESOURCE, handle);
}

struct aerogpu_object *aerogpu_machine_bound(const struct aerogpu_machine *machine,
                                             uint32_t original)
{
    return aerogpu_objects_bound(&machine->objects, original);
}

static uint32_t mip_of(uint32_t extent, uint32_t mip)
{
    return extent >> mip > 0 ? extent >> mip : 1;
}

bool aerogpu_machine_target_of(const struct aerogpu_machine *machine, uint32_t original,
                               struct aerogpu_target *out)
{
    struct aerogpu_object *object = aerogpu_machine_bound(machine, original);

    *out = (struct aerogpu_target){0};
    if (object == NULL || object->kind == AEROGPU_OBJECT_BUFFER)
        return false;
    out->texture = object;
    out->layers = 1;
    if (object->kind == AEROGPU_OBJECT_VIEW) {
        out->texture = object->view.texture;
        out->format = aerogpu_format_of_view(out->texture->shape.format, object->view.format);
        out->mip = object->view.base_mip;
        out->layer = object->view.base_layer;
        out->layers = object->view.layers;
    } else {
        out->format = object->shape.format;
    }
    out->width = mip_of(out->texture->shape.width, out->mip);
    out->height = mip_of(out->texture->shape.height, out->mip);
    return true;
}

bool aerogpu_machine_target(const struct aerogpu_machine *machine, uint32_t slot,
                            struct aerogpu_target *out)
{
    const struct aerogpu_pipeline *pipeline = &machine->pipeline;

    return slot < pipeline->colour_count &&
           aerogpu_machine_target_of(machine, pipeline->colours[slot], out);
}

void aerogpu_machine_back(const struct aerogpu_machine *machine, struct aerogpu_target *out)
{
    *out = (struct aerogpu_target){.format = AEROGPU_R8G8B8A8,
                                   .width = machine->limits.back_width,
                                   .height = machine->limits.back_height,
                                   .layers = 1};
}

void aerogpu_machine_shown(const struct aerogpu_machine *machine, struct aerogpu_target *out)
{
    for (uint32_t slot = 0; slot < machine->pipeline.colour_count; slot++)
        if (aerogpu_machine_target(machine, slot, out))
            return;
    aerogpu_machine_back(machine, out);
}

bool aerogpu_machine_draws_back(const struct aerogpu_machine *machine)
{
    struct aerogpu_target target;

    aerogpu_machine_shown(machine, &target);
    return target.texture == NULL &&
           !aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &target);
}

bool aerogpu_machine_painted(const struct aerogpu_machine *machine, struct aerogpu_target *out)
{
    if (!aerogpu_machine_draws_back(machine))
        return aerogpu_machine_target(machine, 0, out);
    aerogpu_machine_shown(machine, out);
    return true;
}

bool aerogpu_machine_drawn(const struct aerogpu_machine *machine,
                           const struct aerogpu_target *target)
{
    return target->texture != NULL ? target->texture->drawn : machine->back_drawn;
}

uint32_t aerogpu_machine_written_format(const struct aerogpu_machine *machine, uint32_t format)
{
    return machine->pipeline.render_states[AEROGPU_D3DRS_SRGBWRITEENABLE] != 0
               ? aerogpu_format_srgb(format)
               : format;
}

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

static const char destroyed_handle[] = "a destroyed handle that aliases or views still use";

/*
 * Reads handles that are `stride` bytes apart, and gets the handles by which their resources are
 * bound. Returns false if one of the handles is destroyed.
 */
static bool read_handles(const struct aerogpu_machine *machine, const uint8_t *bytes,
                         uint32_t stride, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (!aerogpu_objects_original(&machine->objects, bytes_le32(bytes + (size_t)stride * i),
                                      &out[i]))
            return false;
    return true;
}

static bool read_handle(const struct aerogpu_machine *machine,
                        const struct aerogpu_command *command, uint32_t offset, uint32_t *out)
{
    return read_handles(machine, command->bytes + offset, 4, 1, out);
}

static const char *set_targets(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;
    uint32_t count = word(command, AEROGPU_AT_SET_RENDER_TARGETS_COUNT);
    uint32_t colours[AEROGPU_MAX_TARGETS] = {0}, depth = 0;

    if (count > AEROGPU_MAX_TARGETS)
        return "more than 8 colour targets";
    if (!read_handles(machine, command->bytes + AEROGPU_AT_SET_RENDER_TARGETS_COLORS, 4, count,
                      colours) ||
        !read_handle(machine, command, AEROGPU_AT_SET_RENDER_TARGETS_DEPTH_STENCIL, &depth))
        return destroyed_handle;
    pipeline->colour_count = count;
    memcpy(pipeline->colours, colours, sizeof(colours));
    pipeline->depth_stencil = depth;
    return NULL;
}

static const char *set_viewport(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    for (uint32_t i = 0; i < 6; i++)
        machine->pipeline.viewport[i] = aerogpu_f32(command, AEROGPU_AT_SET_VIEWPORT_X + 4 * i);
    machine->pipeline.has_viewport = true;
    return NULL;
}

static const char *set_scissor(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    for (uint32_t i = 0; i < 4; i++)
        machine->pipeline.scissor[i] = aerogpu_i32(command, AEROGPU_AT_SET_SCISSOR_X + 4 * i);
    machine->pipeline.has_scissor = true;
    return NULL;
}

static const char *set_blend(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    pipeline->blend.enable = word(command, AEROGPU_AT_SET_BLEND_STATE_ENABLE);
    pipeline->blend.src = word(command, AEROGPU_AT_SET_BLEND_STATE_SRC);
    pipeline->blend.dst = word(command, AEROGPU_AT_SET_BLEND_STATE_DST);
    pipeline->blend.op = word(command, AEROGPU_AT_SET_BLEND_STATE_OP);
    pipeline->blend.write_mask = command->bytes[AEROGPU_AT_SET_BLEND_STATE_WRITE_MASK];
    pipeline->blend.src_alpha = word(command, AEROGPU_AT_SET_BLEND_STATE_SRC_ALPHA);
    pipeline->blend.dst_alpha = word(command, AEROGPU_AT_SET_BLEND_STATE_DST_ALPHA);
    pipeline->blend.op_alpha = word(command, AEROGPU_AT_SET_BLEND_STATE_OP_ALPHA);
    for (uint32_t i = 0; i < 4; i++)
        pipeline->blend.constant[i] =
            aerogpu_f32(command, AEROGPU_AT_SET_BLEND_STATE_CONSTANT + 4 * i);
    pipeline->blend.sample_mask = word(command, AEROGPU_AT_SET_BLEND_STATE_SAMPLE_MASK);
    return NULL;
}

static const char *set_depth(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    pipeline->depth.enable = word(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_ENABLE);
    pipeline->depth.write = word(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_WRITE);
    pipeline->depth.func = word(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_DEPTH_FUNC);
    pipeline->depth.stencil_enable =
        word(command, AEROGPU_AT_SET_DEPTH_STENCIL_STATE_STENCIL_ENABLE);
    pipeline->depth.read_mask = command->bytes[AEROGPU_AT_SET_DEPTH_STENCIL_STATE_READ_MASK];
    pipeline->depth.write_mask = command->bytes[AEROGPU_AT_SET_DEPTH_STENCIL_STATE_WRITE_MASK];
    return NULL;
}

static const char *set_raster(struct aerogpu_machine *machine,
                              const struct aerogpu_command *command)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    pipeline->raster.fill = word(command, AEROGPU_AT_SET_RASTERIZER_STATE_FILL);
    pipeline->raster.cull = word(command, AEROGPU_AT_SET_RASTERIZER_STATE_CULL);
    pipeline->raster.front_ccw = word(command, AEROGPU_AT_SET_RASTERIZER_STATE_FRONT_CCW);
    pipeline->raster.scissor_enable = word(command, AEROGPU_AT_SET_RASTERIZER_STATE_SCISSOR_ENABLE);
    pipeline->raster.depth_bias = aerogpu_i32(command, AEROGPU_AT_SET_RASTERIZER_STATE_DEPTH_BIAS);
    pipeline->raster.flags = word(command, AEROGPU_AT_SET_RASTERIZER_STATE_FLAGS);
    return NULL;
}

static const char *set_vertices(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    uint32_t start = word(command, AEROGPU_AT_SET_VERTEX_BUFFERS_START);
    uint32_t count = word(command, AEROGPU_AT_SET_VERTEX_BUFFERS_COUNT);
    uint32_t buffers[AEROGPU_VERTEX_SLOTS];

    if (!bytes_inside(start, count, AEROGPU_VERTEX_SLOTS))
        return "vertex buffer slots out of range";
    if (!read_handles(machine, command->tail, command->tail_stride, count, buffers))
        return destroyed_handle;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *item = command->tail + (size_t)command->tail_stride * i;

        machine->pipeline.vertices[start + i] = (struct aerogpu_vertex_binding){
            .buffer = buffers[i], .stride = bytes_le32(item + 4), .offset = bytes_le32(item + 8)};
    }
    return NULL;
}

static const char *set_indices(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    uint32_t format = word(command, AEROGPU_AT_SET_INDEX_BUFFER_FORMAT), buffer = 0;

    if (format > AEROGPU_UINT32)
        return "unknown index format";
    if (!read_handle(machine, command, AEROGPU_AT_SET_INDEX_BUFFER_BUFFER, &buffer))
        return destroyed_handle;
    machine->pipeline.index_buffer = buffer;
    machine->pipeline.index_format = format;
    machine->pipeline.index_offset = word(command, AEROGPU_AT_SET_INDEX_BUFFER_OFFSET);
    return NULL;
}

static const char *set_topology(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    uint32_t topology = word(command, AEROGPU_AT_SET_PRIMITIVE_TOPOLOGY_TOPOLOGY);

    if (aerogpu_name(AEROGPU_NAMES_TOPOLOGY, topology) == NULL)
        return "unknown topology";
    machine->pipeline.topology = topology;
    return NULL;
}

static const char no_stage[] = "unknown shader stage";

/* Returns the state of the stage that a command's fields name, or NULL if they name none. */
static struct aerogpu_stage_state *stage_of(struct aerogpu_machine *machine,
                                            const struct aerogpu_command *command, uint32_t stage,
                                            uint32_t stage_ex)
{
    enum dxbc_program program = DXBC_VS;

    if (!aerogpu_program_of(command, stage, stage_ex, &program))
        return NULL;
    return &machine->pipeline.stages[program];
}

static const char *set_texture(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    struct aerogpu_stage_state *stage =
        stage_of(machine, command, word(command, AEROGPU_AT_SET_TEXTURE_STAGE),
                 word(command, AEROGPU_AT_SET_TEXTURE_STAGE_EX));
    uint32_t slot = word(command, AEROGPU_AT_SET_TEXTURE_SLOT), texture = 0;

    if (stage == NULL)
        return no_stage;
    if (slot >= AEROGPU_TEXTURE_SLOTS)
        return "texture slot out of range";
    if (!read_handle(machine, command, AEROGPU_AT_SET_TEXTURE_TEXTURE, &texture))
        return destroyed_handle;
    stage->textures[slot] = texture;
    return NULL;
}

static const char *set_sampler_state(struct aerogpu_machine *machine,
                                     const struct aerogpu_command *command)
{
    struct aerogpu_stage_state *stage = stage_of(
        machine, command, word(command, AEROGPU_AT_SET_SAMPLER_STATE_STAGE), AEROGPU_EX_NONE);
    uint32_t slot = word(command, AEROGPU_AT_SET_SAMPLER_STATE_SLOT);
    uint32_t state = word(command, AEROGPU_AT_SET_SAMPLER_STATE_STATE);

    if (stage == NULL)
        return no_stage;
    if (slot >= AEROGPU_SAMPLER_SLOTS || state >= AEROGPU_SAMPLER_STATES)
        return "sampler slot or state out of range";
    stage->sampler_states[slot][state] = word(command, AEROGPU_AT_SET_SAMPLER_STATE_VALUE);
    stage->sampler_states_set[slot] |= (uint16_t)(1u << state);
    return NULL;
}

static const char *set_render_state(struct aerogpu_machine *machine,
                                    const struct aerogpu_command *command)
{
    uint32_t state = word(command, AEROGPU_AT_SET_RENDER_STATE_STATE);

    if (state >= AEROGPU_RENDER_STATES)
        return "render state out of range";
    machine->pipeline.render_states[state] = word(command, AEROGPU_AT_SET_RENDER_STATE_VALUE);
    machine->pipeline.render_states_set[state / 64] |= UINT64_C(1) << state % 64;
    return NULL;
}

static const char *set_samplers(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    struct aerogpu_stage_state *stage =
        stage_of(machine, command, word(command, AEROGPU_AT_SET_SAMPLERS_STAGE),
                 word(command, AEROGPU_AT_SET_SAMPLERS_STAGE_EX));
    uint32_t start = word(command, AEROGPU_AT_SET_SAMPLERS_START);
    uint32_t count = word(command, AEROGPU_AT_SET_SAMPLERS_COUNT);

    if (stage == NULL)
        return no_stage;
    if (!bytes_inside(start, count, AEROGPU_SAMPLER_SLOTS))
        return "sampler slots out of range";
    for (uint32_t i = 0; i < count; i++)
        stage->samplers[start + i] = bytes_le32(command->tail + (size_t)4 * i);
    return NULL;
}

/* SET_CONSTANT_BUFFERS and the two similar commands have the same fields. */
static const char *set_bindings(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    struct aerogpu_stage_state *stage =
        stage_of(machine, command, word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE),
                 word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE_EX));
    uint32_t start = word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_START);
    uint32_t count = word(command, AEROGPU_AT_SET_CONSTANT_BUFFERS_COUNT);
    struct aerogpu_binding *slots = NULL;
    uint32_t max = AEROGPU_CONSTANT_SLOTS, buffers[AEROGPU_RESOURCE_SLOTS];

    if (stage == NULL)
        return no_stage;
    slots = stage->constants;
    if (command->opcode == AEROGPU_SET_SHADER_RESOURCE_BUFFERS) {
        slots = stage->resources;
        max = AEROGPU_RESOURCE_SLOTS;
    } else if (command->opcode == AEROGPU_SET_UNORDERED_ACCESS_BUFFERS) {
        slots = stage->unordered;
        max = AEROGPU_UNORDERED_SLOTS;
    }
    if (!bytes_inside(start, count, max))
        return "buffer slots out of range";
    if (!read_handles(machine, command->tail, 16, count, buffers))
        return destroyed_handle;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *item = command->tail + (size_t)16 * i;

        slots[start + i] = (struct aerogpu_binding){.buffer = buffers[i],
                                                    .offset = bytes_le32(item + 4),
                                                    .size = bytes_le32(item + 8),
                                                    .initial_count = bytes_le32(item + 12)};
    }
    return NULL;
}

static const char *bind_shaders(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    struct aerogpu_shaders shaders;
    struct aerogpu_stage_state *stages = machine->pipeline.stages;

    aerogpu_bind_shaders(command, &shaders);
    stages[DXBC_VS].shader = shaders.vs;
    stages[DXBC_PS].shader = shaders.ps;
    stages[DXBC_CS].shader = shaders.cs;
    stages[DXBC_GS].shader = shaders.gs;
    stages[DXBC_HS].shader = shaders.hs;
    stages[DXBC_DS].shader = shaders.ds;
    return NULL;
}

/*
 * Sets registers of 16 bytes, and their bits in *set. Returns false if there is not enough memory.
 */
static bool set_registers(uint32_t (**registers)[4], uint64_t **set, uint32_t max, uint32_t first,
                          uint32_t count, const uint8_t *bytes)
{
    if (*registers == NULL)
        *registers = calloc(max, sizeof(**registers));
    if (*set == NULL)
        *set = calloc(max / 64, sizeof(**set));
    if (*registers == NULL || *set == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < 4; c++)
            (*registers)[first + i][c] = bytes_le32(bytes + (size_t)16 * i + (size_t)4 * c);
        (*set)[(first + i) / 64] |= UINT64_C(1) << (first + i) % 64;
    }
    return true;
}

static bool set_booleans(struct aerogpu_stage_state *stage, uint32_t first, uint32_t count,
                         const struct aerogpu_command *command)
{
    if (stage->booleans == NULL) {
        stage->booleans = malloc(AEROGPU_SCALARS);
        if (stage->booleans == NULL)
            return false;
        memset(stage->booleans, 2, AEROGPU_SCALARS);
    }
    for (uint32_t i = 0; i < count; i++)
        stage->booleans[first + i] =
            bytes_le32(command->tail + (size_t)command->tail_stride * i) != 0;
    return true;
}

static const char *set_constants(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    struct aerogpu_stage_state *stage =
        stage_of(machine, command, word(command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_STAGE),
                 word(command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_STAGE_EX));
    uint32_t first = word(command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_FIRST);
    uint32_t count = word(command, AEROGPU_AT_SET_SHADER_CONSTANTS_F_COUNT);
    bool floats = command->opcode == AEROGPU_SET_SHADER_CONSTANTS_F, done = false;

    if (stage == NULL)
        return no_stage;
    if (!bytes_inside(first, count, floats ? AEROGPU_CONSTANTS : AEROGPU_SCALARS))
        return "constant registers out of range";
    if (floats)
        done = set_registers(&stage->floats, &stage->floats_set, AEROGPU_CONSTANTS, first, count,
                             command->tail);
    else if (command->opcode == AEROGPU_SET_SHADER_CONSTANTS_I)
        done = set_registers(&stage->integers, &stage->integers_set, AEROGPU_SCALARS, first, count,
                             command->tail);
    else
        done = set_booleans(stage, first, count, command);
    if (!done)
        machine->status = -ENOMEM;
    return NULL;
}

static const char *present(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    if (machine->effects != NULL && machine->effects->present != NULL)
        machine->status = machine->effects->present(machine->context, command);
    return NULL;
}

static const char *apply(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    switch (command->opcode) {
    case AEROGPU_NOP:
    case AEROGPU_DEBUG_MARKER:
    case AEROGPU_FLUSH:
        return NULL;
    case AEROGPU_BIND_SHADERS:
        return bind_shaders(machine, command);
    case AEROGPU_SET_SHADER_CONSTANTS_F:
    case AEROGPU_SET_SHADER_CONSTANTS_I:
    case AEROGPU_SET_SHADER_CONSTANTS_B:
        return set_constants(machine, command);
    case AEROGPU_SET_INPUT_LAYOUT:
        machine->pipeline.layout = word(command, AEROGPU_AT_SET_INPUT_LAYOUT_LAYOUT);
        return NULL;
    case AEROGPU_SET_BLEND_STATE:
        return set_blend(machine, command);
    case AEROGPU_SET_DEPTH_STENCIL_STATE:
        return set_depth(machine, command);
    case AEROGPU_SET_RASTERIZER_STATE:
        return set_raster(machine, command);
    case AEROGPU_SET_RENDER_TARGETS:
        return set_targets(machine, command);
    case AEROGPU_SET_VIEWPORT:
        return set_viewport(machine, command);
    case AEROGPU_SET_SCISSOR:
        return set_scissor(machine, command);
    case AEROGPU_SET_VERTEX_BUFFERS:
        return set_vertices(machine, command);
    case AEROGPU_SET_INDEX_BUFFER:
        return set_indices(machine, command);
    case AEROGPU_SET_PRIMITIVE_TOPOLOGY:
        return set_topology(machine, command);
    case AEROGPU_SET_TEXTURE:
        return set_texture(machine, command);
    case AEROGPU_SET_SAMPLER_STATE:
        return set_sampler_state(machine, command);
    case AEROGPU_SET_RENDER_STATE:
        return set_render_state(machine, command);
    case AEROGPU_SET_SAMPLERS:
        return set_samplers(machine, command);
    case AEROGPU_SET_CONSTANT_BUFFERS:
    case AEROGPU_SET_SHADER_RESOURCE_BUFFERS:
    case AEROGPU_SET_UNORDERED_ACCESS_BUFFERS:
        return set_bindings(machine, command);
    case AEROGPU_CLEAR:
    case AEROGPU_DRAW:
    case AEROGPU_DRAW_INDEXED:
    case AEROGPU_DISPATCH:
        return aerogpu_machine_draw(machine, command);
    case AEROGPU_PRESENT:
    case AEROGPU_PRESENT_EX:
        return present(machine, command);
    default:
        return aerogpu_machine_resource_command(machine, command);
    }
}

const char *aerogpu_machine_apply(struct aerogpu_machine *machine,
                                  const struct aerogpu_command *command)
{
    const char *refusal;

    if (command->type == NULL)
        return "unknown opcode";
    if (command->error != AEROGPU_OK)
        return aerogpu_error_name(command->error);
    if (command->type->dialect == AEROGPU_APPENDIX_A)
        return aerogpu_machine_appendix(machine, command);
    refusal = apply(machine, command);
    if (refusal == aerogpu_no_memory && machine->status == 0)
        machine->status = -ENOMEM;
    return refusal;
}

/* SPDX-License-Identifier: MIT */
/*
 * Commands that create, write, copy and destroy objects.
 */
#include "formats/aerogpu/replay/machine.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t word(const struct aerogpu_command *command, uint32_t offset)
{
    return aerogpu_u32(command, offset);
}

static void set_status(struct aerogpu_machine *machine, int status)
{
    if (machine->status == 0)
        machine->status = status;
}

/* Writes to an object. Its contents are known again if all of it is written. */
static void write_object(struct aerogpu_machine *machine, struct aerogpu_object *object,
                         uint64_t offset, const uint8_t *bytes, uint64_t length)
{
    if (length == 0)
        return;
    if (machine->effects != NULL && machine->effects->write != NULL)
        set_status(machine,
                   machine->effects->write(machine->context, object, offset, bytes, length));
    if (offset == 0 && length == aerogpu_object_size(object))
        object->drawn = false;
}

/*
 * Returns NULL if the memory that backs [offset, offset + length) of an object is present;
 * otherwise the reason for the refusal.
 */
static const char *check_backing(const struct aerogpu_machine *machine, uint32_t alloc,
                                 uint32_t alloc_offset, uint64_t offset, uint64_t length)
{
    const struct aerogpu_allocation *allocation = aerogpu_memory_find(machine->memory, alloc);
    uint64_t from = 0;

    if (allocation == NULL)
        return "the submission has no memory for the backing allocation";
    if (!bytes_add(alloc_offset, offset, &from) ||
        aerogpu_memory_bytes(allocation, from, length) == NULL)
        return "beyond the end of the backing allocation's memory";
    return NULL;
}

/* Reads a range that check_backing() has accepted. */
static void read_backing(struct aerogpu_machine *machine, struct aerogpu_object *object,
                         uint64_t offset, uint64_t length)
{
    const struct aerogpu_allocation *allocation =
        aerogpu_memory_find(machine->memory, object->alloc);

    write_object(machine, object, offset,
                 aerogpu_memory_bytes(allocation, object->alloc_offset + offset, length), length);
    if (allocation->drawn)
        object->drawn = true;
}

static bool same_resource(const struct aerogpu_object *a, const struct aerogpu_object *b)
{
    if (a->kind != b->kind || a->usage != b->usage)
        return false;
    if (a->kind == AEROGPU_OBJECT_BUFFER)
        return a->size == b->size;
    return a->shape.format == b->shape.format && a->shape.width == b->shape.width &&
           a->shape.height == b->shape.height && a->shape.mips == b->shape.mips &&
           a->shape.layers == b->shape.layers && a->shape.row_pitch == b->shape.row_pitch;
}

static const char *add_object(struct aerogpu_machine *machine, const struct aerogpu_object *object,
                              struct aerogpu_object **out)
{
    int status =
        object->handle == 0 ? -EINVAL : aerogpu_objects_add(&machine->objects, object, out);

    if (status == -EINVAL)
        return "handle 0";
    if (status == -EEXIST)
        return "the handle is in use";
    set_status(machine, status);
    if (status != 0)
        return aerogpu_no_memory;
    machine->live += aerogpu_object_size(*out);
    if (machine->effects != NULL && machine->effects->create != NULL)
        set_status(machine, machine->effects->create(machine->context, *out));
    return NULL;
}

/*
 * Creates a resource. A live handle may be created again with the same properties (aerogpu.md 4.2).
 */
static const char *create_resource(struct aerogpu_machine *machine,
                                   const struct aerogpu_object *object)
{
    struct aerogpu_object *made = aerogpu_machine_resource(machine, object->handle);
    const char *why = NULL;

    if (object->alloc != 0)
        why = check_backing(machine, object->alloc, object->alloc_offset, 0,
                            aerogpu_object_size(object));
    if (why == NULL && made != NULL &&
        (made->handle != object->handle || !same_resource(made, object)))
        why = "the handle is in use by another resource";
    if (why == NULL && made == NULL &&
        aerogpu_object_size(object) > machine->limits.budget - machine->live)
        why = "all resources together would take more bytes than are allowed";
    if (why == NULL && made == NULL)
        why = add_object(machine, object, &made);
    if (why != NULL || machine->status != 0)
        return why;
    made->alloc = object->alloc;
    made->alloc_offset = object->alloc_offset;
    if (object->alloc != 0)
        read_backing(machine, made, 0, aerogpu_object_size(made));
    return NULL;
}

static const char *create_buffer(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    struct aerogpu_object object = {
        .kind = AEROGPU_OBJECT_BUFFER,
        .space = AEROGPU_SPACE_RESOURCE,
        .handle = word(command, AEROGPU_AT_CREATE_BUFFER_BUFFER),
        .usage = word(command, AEROGPU_AT_CREATE_BUFFER_USAGE),
        .size = aerogpu_u64(command, AEROGPU_AT_CREATE_BUFFER_SIZE),
        .alloc = word(command, AEROGPU_AT_CREATE_BUFFER_ALLOC),
        .alloc_offset = word(command, AEROGPU_AT_CREATE_BUFFER_ALLOC_OFFSET),
    };

    if (object.size == 0 || object.size % 4 != 0)
        return "the size of the buffer is not a positive multiple of 4";
    return create_resource(machine, &object);
}

static const char *create_texture(struct aerogpu_machine *machine,
                                  const struct aerogpu_command *command)
{
    struct aerogpu_object object = {
        .kind = AEROGPU_OBJECT_TEXTURE,
        .space = AEROGPU_SPACE_RESOURCE,
        .handle = word(command, AEROGPU_AT_CREATE_TEXTURE2D_TEXTURE),
        .usage = word(command, AEROGPU_AT_CREATE_TEXTURE2D_USAGE),
        .shape = {.format = word(command, AEROGPU_AT_CREATE_TEXTURE2D_FORMAT),
                  .width = word(command, AEROGPU_AT_CREATE_TEXTURE2D_WIDTH),
                  .height = word(command, AEROGPU_AT_CREATE_TEXTURE2D_HEIGHT),
                  .mips = word(command, AEROGPU_AT_CREATE_TEXTURE2D_MIPS),
                  .layers = word(command, AEROGPU_AT_CREATE_TEXTURE2D_LAYERS),
                  .row_pitch = word(command, AEROGPU_AT_CREATE_TEXTURE2D_ROW_PITCH)},
        .alloc = word(command, AEROGPU_AT_CREATE_TEXTURE2D_ALLOC),
        .alloc_offset = word(command, AEROGPU_AT_CREATE_TEXTURE2D_ALLOC_OFFSET),
    };

    if (!aerogpu_shape_valid(&object.shape))
        return "a texture cannot have this shape";
    if (object.alloc != 0 && object.shape.row_pitch == 0)
        return "a backed texture without a row pitch";
    return create_resource(machine, &object);
}

static bool view_fits(const struct aerogpu_object *view, const struct aerogpu_shape *shape)
{
    return aerogpu_formats_fit(view->view.format, shape->format) && view->view.mips != 0 &&
           view->view.layers != 0 &&
           bytes_inside(view->view.base_mip, view->view.mips, shape->mips) &&
           bytes_inside(view->view.base_layer, view->view.layers, shape->layers);
}

static const char *create_view(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    struct aerogpu_object *texture =
        aerogpu_machine_resource(machine, word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_TEXTURE));
    struct aerogpu_object view = {
        .kind = AEROGPU_OBJECT_VIEW,
        .space = AEROGPU_SPACE_RESOURCE,
        .handle = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_VIEW),
        .view = {.texture = texture,
                 .format = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_FORMAT),
                 .base_mip = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_BASE_MIP),
                 .mips = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_MIP_COUNT),
                 .base_layer = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_BASE_LAYER),
                 .layers = word(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_LAYER_COUNT)},
    };
    struct aerogpu_object *made = NULL;
    const char *why = NULL;

    if (texture == NULL || texture->kind != AEROGPU_OBJECT_TEXTURE)
        return "a view of a handle that is not a texture";
    if (!view_fits(&view, &texture->shape))
        return "the texture has no such view";
    aerogpu_object_ref(texture);
    why = add_object(machine, &view, &made);
    if (why != NULL)
        aerogpu_object_unref(&machine->objects, texture);
    return why;
}

static const char *create_shader(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    struct aerogpu_object *made = NULL;
    struct aerogpu_object object = {
        .kind = AEROGPU_OBJECT_SHADER,
        .space = AEROGPU_SPACE_SHADER,
        .handle = word(command, AEROGPU_AT_CREATE_SHADER_DXBC_SHADER),
        .shader = {.code = command->tail, .length = command->tail_length},
    };

    if (!aerogpu_program_of(command, word(command, AEROGPU_AT_CREATE_SHADER_DXBC_STAGE),
                            word(command, AEROGPU_AT_CREATE_SHADER_DXBC_STAGE_EX),
                            &object.shader.program))
        return "unknown shader stage";
    /* A new shader replaces an old one with the same handle. */
    aerogpu_objects_drop(&machine->objects, object.space, object.handle);
    return add_object(machine, &object, &made);
}

static const char *create_layout(struct aerogpu_machine *machine,
                                 const struct aerogpu_command *command)
{
    struct aerogpu_object *made = NULL;
    struct aerogpu_object object = {
        .kind = AEROGPU_OBJECT_LAYOUT,
        .space = AEROGPU_SPACE_LAYOUT,
        .handle = word(command, AEROGPU_AT_CREATE_INPUT_LAYOUT_LAYOUT),
        .layout = {.bytes = command->tail, .length = command->tail_length},
    };
    struct aerogpu_layout layout;

    if (!aerogpu_layout_open(command->tail, command->tail_length, &layout))
        return "not an input layout";
    aerogpu_objects_drop(&machine->objects, object.space, object.handle);
    return add_object(machine, &object, &made);
}

static const char *create_sampler(struct aerogpu_machine *machine,
                                  const struct aerogpu_command *command)
{
    struct aerogpu_object *made = NULL;
    struct aerogpu_object object = {
        .kind = AEROGPU_OBJECT_SAMPLER,
        .space = AEROGPU_SPACE_SAMPLER,
        .handle = word(command, AEROGPU_AT_CREATE_SAMPLER_SAMPLER),
        .sampler = {.filter = word(command, AEROGPU_AT_CREATE_SAMPLER_FILTER)},
    };

    if (object.sampler.filter > AEROGPU_LINEAR)
        return "unknown filter";
    for (uint32_t i = 0; i < 3; i++) {
        object.sampler.address[i] = word(command, AEROGPU_AT_CREATE_SAMPLER_ADDRESS_U + 4 * i);
        if (object.sampler.address[i] > AEROGPU_MIRROR_REPEAT)
            return "unknown address mode";
    }
    aerogpu_objects_drop(&machine->objects, object.space, object.handle);
    return add_object(machine, &object, &made);
}

static void unbind_ranges(struct aerogpu_binding *ranges, size_t count, uint32_t handle)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].buffer == handle)
            ranges[i].buffer = 0;
}

static void unbind_handles(uint32_t *bound, size_t count, uint32_t handle)
{
    for (size_t i = 0; i < count; i++)
        if (bound[i] == handle)
            bound[i] = 0;
}

static void unbind_resource(struct aerogpu_pipeline *pipeline, uint32_t original)
{
    for (int i = 0; i < AEROGPU_PROGRAMS; i++) {
        struct aerogpu_stage_state *stage = &pipeline->stages[i];

        unbind_handles(stage->textures, AEROGPU_TEXTURE_SLOTS, original);
        unbind_ranges(stage->constants, AEROGPU_CONSTANT_SLOTS, original);
        unbind_ranges(stage->resources, AEROGPU_RESOURCE_SLOTS, original);
        unbind_ranges(stage->unordered, AEROGPU_UNORDERED_SLOTS, original);
    }
    for (int i = 0; i < AEROGPU_VERTEX_SLOTS; i++)
        if (pipeline->vertices[i].buffer == original)
            pipeline->vertices[i].buffer = 0;
    unbind_handles(pipeline->colours, AEROGPU_MAX_TARGETS, original);
    unbind_handles(&pipeline->index_buffer, 1, original);
    unbind_handles(&pipeline->depth_stencil, 1, original);
}

/*
 * Unbinds what is bound by a handle, so that what is created later under the same handle is not
 * bound.
 */
static void unbind(struct aerogpu_machine *machine, enum aerogpu_space space, uint32_t handle)
{
    struct aerogpu_pipeline *pipeline = &machine->pipeline;

    if (machine->effects != NULL && machine->effects->unbind != NULL)
        set_status(machine, machine->effects->unbind(machine->context, space, handle));
    if (space == AEROGPU_SPACE_RESOURCE)
        unbind_resource(pipeline, handle);
    else if (space == AEROGPU_SPACE_LAYOUT)
        unbind_handles(&pipeline->layout, 1, handle);
    else if (space == AEROGPU_SPACE_SAMPLER)
        for (int i = 0; i < AEROGPU_PROGRAMS; i++)
            unbind_handles(pipeline->stages[i].samplers, AEROGPU_SAMPLER_SLOTS, handle);
}

/*
 * Destroys a handle. What has other aliases stays bound. As in the reference, shaders stay bound by
 * their handles; layouts and samplers do not.
 */
static const char *destroy(struct aerogpu_machine *machine, enum aerogpu_space space,
                           uint32_t handle)
{
    const struct aerogpu_object *object = aerogpu_objects_find(&machine->objects, space, handle);

    if (object == NULL)
        return "unknown handle";
    if (space != AEROGPU_SPACE_SHADER && object->handles == 1)
        unbind(machine, space, object->handle);
    aerogpu_objects_drop(&machine->objects, space, handle);
    return NULL;
}

static const char *destroy_resource(struct aerogpu_machine *machine, uint32_t handle)
{
    const struct aerogpu_object *object = aerogpu_machine_resource(machine, handle);

    if (object != NULL && object->kind == AEROGPU_OBJECT_VIEW)
        return "a view, not a resource";
    return destroy(machine, AEROGPU_SPACE_RESOURCE, handle);
}

/* Destroying a view twice is harmless (aerogpu.md 3.2). */
static const char *destroy_view(struct aerogpu_machine *machine, uint32_t handle)
{
    const struct aerogpu_object *object = aerogpu_machine_resource(machine, handle);

    if (object != NULL && object->kind != AEROGPU_OBJECT_VIEW)
        return "a resource, not a view";
    return object != NULL ? destroy(machine, AEROGPU_SPACE_RESOURCE, handle) : NULL;
}

/* Returns the buffer or texture that a handle names, or NULL if it names neither. */
static struct aerogpu_object *stored(const struct aerogpu_machine *machine, uint32_t handle)
{
    struct aerogpu_object *object = aerogpu_machine_resource(machine, handle);

    return object != NULL && object->kind != AEROGPU_OBJECT_VIEW ? object : NULL;
}

static const char *dirty_range(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    struct aerogpu_object *object =
        stored(machine, word(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_RESOURCE));
    uint64_t offset = aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_OFFSET);
    uint64_t size = aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_SIZE);
    const char *why = NULL;

    if (object == NULL)
        return "unknown resource";
    if (object->alloc == 0)
        return "the resource is not backed by guest memory";
    if (!bytes_inside(offset, size, aerogpu_object_size(object)))
        return "beyond the end of the resource";
    why = check_backing(machine, object->alloc, object->alloc_offset, offset, size);
    if (why == NULL)
        read_backing(machine, object, offset, size);
    return why;
}

/* The reference writes to buffers in units of words. An empty range may begin anywhere. */
static bool whole_words(uint64_t to, uint64_t from, uint64_t size)
{
    return size == 0 || (to % 4 == 0 && from % 4 == 0 && size % 4 == 0);
}

static const char no_whole_words[] = "offsets or size are not multiples of 4";

static const char *upload(struct aerogpu_machine *machine, const struct aerogpu_command *command)
{
    struct aerogpu_object *object =
        stored(machine, word(command, AEROGPU_AT_UPLOAD_RESOURCE_RESOURCE));
    uint64_t offset = aerogpu_u64(command, AEROGPU_AT_UPLOAD_RESOURCE_OFFSET);

    if (object == NULL)
        return "unknown resource";
    if (object->kind == AEROGPU_OBJECT_BUFFER && !whole_words(offset, 0, command->tail_length))
        return no_whole_words;
    if (!bytes_inside(offset, command->tail_length, aerogpu_object_size(object)))
        return "beyond the end of the resource";
    write_object(machine, object, offset, command->tail, command->tail_length);
    return NULL;
}

/*
 * Returns NULL if a copy can be written back as its flags request; otherwise the reason for the
 * refusal.
 */
static const char *check_writeback(const struct aerogpu_machine *machine,
                                   const struct aerogpu_object *dst, uint32_t flags,
                                   uint64_t offset, uint64_t length)
{
    const struct aerogpu_allocation *allocation = NULL;

    if ((flags & ~(uint32_t)AEROGPU_COPY_WRITEBACK) != 0)
        return "unknown copy flags";
    if (flags == 0)
        return NULL;
    if (dst->alloc == 0)
        return "write-back to a resource that is not backed by guest memory";
    allocation = aerogpu_memory_find(machine->memory, dst->alloc);
    if (allocation != NULL && (allocation->flags & AEROGPU_ALLOC_READONLY) != 0)
        return "write-back to read-only memory";
    return check_backing(machine, dst->alloc, dst->alloc_offset, offset, length);
}

static void do_copy(struct aerogpu_machine *machine, const struct aerogpu_copy *copy,
                    struct aerogpu_object *dst, struct aerogpu_object *src, bool whole)
{
    if (machine->effects != NULL && machine->effects->copy != NULL)
        set_status(machine, machine->effects->copy(machine->context, copy, dst, src));
    if (src->drawn || whole)
        dst->drawn = src->drawn;
    if (copy->flags != 0 && dst->drawn)
        aerogpu_memory_find(machine->memory, dst->alloc)->drawn = true;
}

static const char *copy_buffer(struct aerogpu_machine *machine,
                               const struct aerogpu_command *command)
{
    struct aerogpu_object *dst = stored(machine, word(command, AEROGPU_AT_COPY_BUFFER_DST));
    struct aerogpu_object *src = stored(machine, word(command, AEROGPU_AT_COPY_BUFFER_SRC));
    const struct aerogpu_copy copy = {
        .to_offset = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_DST_OFFSET),
        .from_offset = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_SRC_OFFSET),
        .size = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_SIZE),
        .flags = word(command, AEROGPU_AT_COPY_BUFFER_FLAGS),
    };
    const char *why = NULL;

    if (dst == NULL || src == NULL || dst->kind != AEROGPU_OBJECT_BUFFER ||
        src->kind != AEROGPU_OBJECT_BUFFER)
        return "unknown buffer";
    if (dst == src)
        return "a buffer copied onto itself";
    if (!whole_words(copy.to_offset, copy.from_offset, copy.size))
        return no_whole_words;
    if (!bytes_inside(copy.to_offset, copy.size, dst->size) ||
        !bytes_inside(copy.from_offset, copy.size, src->size))
        return "beyond the end of the buffer";
    why = check_writeback(machine, dst, copy.flags, copy.to_offset, copy.size);
    if (why == NULL && copy.size > 0)
        do_copy(machine, &copy, dst, src, copy.to_offset == 0 && copy.size == dst->size);
    return why;
}

/*
 * Returns whether a rectangle is within its mip, and on block boundaries except where it ends with
 * the mip.
 */
static bool rectangle_fits(const struct aerogpu_object *texture,
                           const struct aerogpu_corner *corner, uint32_t width, uint32_t height)
{
    struct aerogpu_format_info format = {0};
    struct aerogpu_subresource sub;

    if (!aerogpu_subresource(&texture->shape, corner->mip, corner->layer, &sub) ||
        !bytes_inside(corner->x, width, sub.width) || !bytes_inside(corner->y, height, sub.height))
        return false;
    aerogpu_format_find(texture->shape.format, &format);
    return corner->x % format.block == 0 && corner->y % format.block == 0 &&
           (width % format.block == 0 || corner->x + width == sub.width) &&
           (height % format.block == 0 || corner->y + height == sub.height);
}

static bool covers(const struct aerogpu_object *texture, uint32_t width, uint32_t height)
{
    const struct aerogpu_shape *shape = &texture->shape;

    return shape->mips == 1 && shape->layers == 1 && width == shape->width &&
           height == shape->height;
}

static struct aerogpu_copy read_texture_copy(const struct aerogpu_command *command)
{
    return (struct aerogpu_copy){
        .to = {.mip = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_MIP),
               .layer = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_LAYER),
               .x = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_X),
               .y = word(command, AEROGPU_AT_COPY_TEXTURE2D_DST_Y)},
        .from = {.mip = word(command, AEROGPU_AT_COPY_TEXTURE2D_SRC_MIP),
                 .layer = word(command, AEROGPU_AT_COPY_TEXTURE2D_SRC_LAYER),
                 .x = word(command, AEROGPU_AT_COPY_TEXTURE2D_SRC_X),
                 .y = word(command, AEROGPU_AT_COPY_TEXTURE2D_SRC_Y)},
        .width = word(command, AEROGPU_AT_COPY_TEXTURE2D_WIDTH),
        .height = word(command, AEROGPU_AT_COPY_TEXTURE2D_HEIGHT),
        .flags = word(command, AEROGPU_AT_COPY_TEXTURE2D_FLAGS),
    };
}

static const char *copy_texture(struct aerogpu_machine *machine,
                                const struct aerogpu_command *command)
{
    struct aerogpu_object *dst = stored(machine, word(command, AEROGPU_AT_COPY_TEXTURE2D_DST));
    struct aerogpu_object *src = stored(machine, word(command, AEROGPU_AT_COPY_TEXTURE2D_SRC));
    const struct aerogpu_copy copy = read_texture_copy(command);
    const char *why = NULL;

    if (dst == NULL || src == NULL || dst->kind != AEROGPU_OBJECT_TEXTURE ||
        src->kind != AEROGPU_OBJECT_TEXTURE)
        return "unknown texture";
    if (dst->shape.format != src->shape.format)
        return "textures of different formats";
    if (!rectangle_fits(dst, &copy.to, copy.width, copy.height))
        return "beyond the edges of the destination";
    if (!rectangle_fits(src, &copy.from, copy.width, copy.height))
        return "beyond the edges of the source";
    why = check_writeback(machine, dst, copy.flags, 0, aerogpu_object_size(dst));
    if (why == NULL && copy.width > 0 && copy.height > 0)
        do_copy(machine, &copy, dst, src, covers(dst, copy.width, copy.height));
    return why;
}

const char *aerogpu_machine_resource_command(struct aerogpu_machine *machine,
                                             const struct aerogpu_command *command)
{
    switch (command->opcode) {
    case AEROGPU_CREATE_BUFFER:
        return create_buffer(machine, command);
    case AEROGPU_CREATE_TEXTURE2D:
        return create_texture(machine, command);
    case AEROGPU_DESTROY_RESOURCE:
        return destroy_resource(machine, word(command, AEROGPU_AT_DESTROY_RESOURCE_RESOURCE));
    case AEROGPU_RESOURCE_DIRTY_RANGE:
        return dirty_range(machine, command);
    case AEROGPU_UPLOAD_RESOURCE:
        return upload(machine, command);
    case AEROGPU_COPY_BUFFER:
        return copy_buffer(machine, command);
    case AEROGPU_COPY_TEXTURE2D:
        return copy_texture(machine, command);
    case AEROGPU_CREATE_TEXTURE_VIEW:
        return create_view(machine, command);
    case AEROGPU_DESTROY_TEXTURE_VIEW:
        return destroy_view(machine, word(command, AEROGPU_AT_DESTROY_TEXTURE_VIEW_VIEW));
    case AEROGPU_CREATE_SHADER_DXBC:
        return create_shader(machine, command);
    case AEROGPU_DESTROY_SHADER:
        return destroy(machine, AEROGPU_SPACE_SHADER,
                       word(command, AEROGPU_AT_DESTROY_SHADER_SHADER));
    case AEROGPU_CREATE_INPUT_LAYOUT:
        return create_layout(machine, command);
    case AEROGPU_DESTROY_INPUT_LAYOUT:
        return destroy(machine, AEROGPU_SPACE_LAYOUT,
                       word(command, AEROGPU_AT_DESTROY_INPUT_LAYOUT_LAYOUT));
    case AEROGPU_CREATE_SAMPLER:
        return create_sampler(machine, command);
    case AEROGPU_DESTROY_SAMPLER:
        return destroy(machine, AEROGPU_SPACE_SAMPLER,
                       word(command, AEROGPU_AT_DESTROY_SAMPLER_SAMPLER));
    case AEROGPU_EXPORT_SHARED_SURFACE:
        return aerogpu_objects_export(&machine->objects,
                                      word(command, AEROGPU_AT_EXPORT_SHARED_SURFACE_RESOURCE),
                                      aerogpu_u64(command, AEROGPU_AT_EXPORT_SHARED_SURFACE_TOKEN));
    case AEROGPU_IMPORT_SHARED_SURFACE:
        return aerogpu_objects_import(&machine->objects,
                                      word(command, AEROGPU_AT_IMPORT_SHARED_SURFACE_RESOURCE),
                                      aerogpu_u64(command, AEROGPU_AT_IMPORT_SHARED_SURFACE_TOKEN));
    case AEROGPU_RELEASE_SHARED_SURFACE:
        aerogpu_objects_release(&machine->objects,
                                aerogpu_u64(command, AEROGPU_AT_RELEASE_SHARED_SURFACE_TOKEN));
        return NULL;
    default:
        return "unknown opcode";
    }
}

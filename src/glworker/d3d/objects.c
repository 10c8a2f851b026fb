/* SPDX-License-Identifier: MIT */
/*
 * Handles and their resources. A resource may have several handles: its own and imported aliases. A
 * view keeps its texture. The handle of a destroyed original is not reused while aliases or views
 * live (worker.md 5.3).
 */
#include "config.h"

#include "glworker/d3d/objects.h"

#include "glworker/d3d/resources.h"
#include "glworker/d3d/shaders.h"
#include "glworker/d3d/state.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct aero_handle *find_handle(struct aero *aero, uint32_t handle)
{
    struct aero_handle *found;

    HASH_FIND(hh, aero->handles, &handle, sizeof(handle), found);
    return found;
}

static void drop_entry(struct aero *aero, struct aero_handle *entry)
{
    HASH_DEL(aero->handles, entry);
    free(entry);
}

struct aero_resource *aero_find(struct aero *aero, uint32_t handle)
{
    struct aero_handle *found = handle == 0 ? NULL : find_handle(aero, handle);

    return found == NULL || found->reserved ? NULL : found->resource;
}

struct aero_resource *aero_find_kept(struct aero *aero, uint32_t handle)
{
    struct aero_handle *found = handle == 0 ? NULL : find_handle(aero, handle);

    return found == NULL ? NULL : found->resource;
}

uint32_t aero_original(struct aero *aero, uint32_t handle)
{
    const struct aero_resource *resource = aero_find(aero, handle);

    return resource == NULL ? handle : resource->original;
}

struct aero_resource *aero_find_bound(struct aero *aero, uint32_t original)
{
    struct aero_resource *resource = aero_find_kept(aero, original);

    return resource != NULL && resource->original == original && resource->handles > 0 ? resource
                                                                                       : NULL;
}

struct aero_resource *aero_get(struct aero *aero, uint32_t handle, enum aero_kind kind)
{
    static const char *const kinds[] = {"buffer", "texture", "view"};
    struct aero_resource *resource = aero_find(aero, handle);

    if (resource != NULL && resource->kind == kind)
        return resource;
    aero_note(aero, PROBLEM_ERROR, "handle %u is not a %s", handle, kinds[kind]);
    return NULL;
}

struct aero_texture *aero_texture_of(struct aero_resource *resource, struct aero_view **view)
{
    if (view != NULL)
        *view = NULL;
    if (resource != NULL && resource->kind == AERO_VIEW) {
        if (view != NULL)
            *view = &resource->view;
        resource = resource->view.texture;
    }
    return resource != NULL && resource->kind == AERO_TEXTURE_2D ? &resource->texture : NULL;
}

static void release(struct aero *aero, struct aero_resource *resource);

void aero_resource_free(struct aero *aero, struct aero_resource *resource)
{
    struct aero_resource *texture = NULL;

    if (resource == NULL)
        return;
    switch (resource->kind) {
    case AERO_BUFFER:
        aero->texture_bytes -= resource->buffer.size;
        aero_storage_drop(resource->buffer.storage);
        break;
    case AERO_TEXTURE_2D:
        aero->texture_bytes -= aero_texture_bytes(&resource->texture.shape);
        aero_storage_drop(resource->texture.storage);
        break;
    case AERO_VIEW:
        texture = resource->view.texture;
        break;
    }
    free(resource);
    if (texture != NULL) {
        texture->views--;
        release(aero, texture);
    }
}

/* Frees a resource without handles and views, and its reserved handle. */
static void release(struct aero *aero, struct aero_resource *resource)
{
    struct aero_handle *original = find_handle(aero, resource->original);

    if (resource->handles > 0 || resource->views > 0)
        return;
    if (original != NULL && original->reserved && original->resource == resource)
        drop_entry(aero, original);
    aero_resource_free(aero, resource);
}

static int add_handle(struct aero *aero, uint32_t handle, struct aero_resource *resource)
{
    struct aero_handle *entry;

    if (handle == 0)
        return aero_note(aero, PROBLEM_ERROR, "handle 0 cannot be used for an object");
    if (find_handle(aero, handle) != NULL)
        return aero_note(aero, PROBLEM_ERROR, "handle %u cannot be created: it is in use", handle);
    entry = calloc(1, sizeof(*entry));
    if (entry == NULL)
        return -ENOMEM;
    entry->handle = handle;
    entry->resource = resource;
    resource->handles++;
    HASH_ADD(hh, aero->handles, handle, sizeof(entry->handle), entry);
    return 0;
}

/*
 * Takes over a resource under a handle that must be free. Frees the resource on failure, and
 * returns -EINVAL, with a note, or -ENOMEM.
 */
static int add(struct aero *aero, uint32_t handle, struct aero_resource *resource)
{
    int status = add_handle(aero, handle, resource);

    resource->original = handle;
    if (status < 0)
        aero_resource_free(aero, resource);
    return status;
}

static void drop_handle(struct aero *aero, struct aero_handle *entry)
{
    struct aero_resource *resource = entry->resource;
    struct aero_token *token, *next;

    if (resource->handles == 1)
        aero_state_forget(&aero->state, resource->original);
    if (entry->handle == resource->original && (resource->handles > 1 || resource->views > 0))
        entry->reserved = true;
    else
        drop_entry(aero, entry);
    if (--resource->handles > 0)
        return;
    HASH_ITER (hh, aero->tokens, token, next)
        if (token->resource == resource)
            token->resource = NULL;
    release(aero, resource);
}

int aero_destroy_resource(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_DESTROY_RESOURCE_RESOURCE);
    struct aero_handle *entry = find_handle(aero, handle);

    if (entry == NULL || entry->reserved)
        return aero_note(aero, PROBLEM_WARNING, "handle %u is destroyed, but does not exist",
                         handle);
    drop_handle(aero, entry);
    return 0;
}

int aero_destroy_view(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_DESTROY_TEXTURE_VIEW_VIEW);
    struct aero_handle *entry = find_handle(aero, handle);

    if (entry != NULL && !entry->reserved && entry->resource->kind == AERO_VIEW)
        drop_handle(aero, entry);
    return 0;
}

/* Reads the stale part of a resource from guest memory. */
static int read_backing(struct aero *aero, struct aero_resource *resource)
{
    uint64_t from = resource->stale_from, size = resource->stale_to - from;
    const uint8_t *bytes =
        aero_memory(aero, resource->backing.alloc, resource->backing.offset + from, size);

    resource->stale = false;
    if (bytes == NULL || aero_own(aero, resource) < 0)
        return -EINVAL;
    if (resource->kind == AERO_TEXTURE_2D)
        return aero_texture_write(&resource->texture, from, bytes, size);
    glNamedBufferSubData(resource->buffer.storage->name, (GLintptr)from, (GLsizeiptr)size, bytes);
    return 0;
}

void aero_refresh(struct aero *aero, struct aero_resource *resource)
{
    if (resource != NULL && resource->kind == AERO_VIEW)
        resource = resource->view.texture;
    if (resource != NULL && resource->stale)
        read_backing(aero, resource);
}

static uint64_t size_of(const struct aero_resource *resource)
{
    return resource->kind == AERO_BUFFER ? resource->buffer.size
                                         : aerogpu_shape_size(&resource->texture.shape);
}

/* Returns whether the current submission has the memory. */
static bool memory_is_here(const struct aero *aero, uint32_t alloc)
{
    for (uint32_t i = 0; i < aero->memory_count; i++)
        if (aero->memories[i].id == alloc)
            return true;
    return false;
}

int aero_dirty_range(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_RESOURCE);
    uint64_t from = aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_OFFSET);
    uint64_t size = aerogpu_u64(command, AEROGPU_AT_RESOURCE_DIRTY_RANGE_SIZE), whole;
    struct aero_resource *resource = aero_find(aero, handle);

    if (resource == NULL || resource->kind == AERO_VIEW || resource->backing.alloc == 0)
        return aero_note(aero, PROBLEM_ERROR, "handle %u has no guest memory", handle);
    whole = size_of(resource);
    if (!bytes_inside(from, size, whole))
        return aero_note(aero, PROBLEM_ERROR, "a range beyond the end of resource %u", handle);
    if (!resource->stale || from < resource->stale_from)
        resource->stale_from = from;
    if (!resource->stale || from + size > resource->stale_to)
        resource->stale_to = from + size;
    resource->stale = true;
    /* Memory that a later submission brings is read when the resource is used. */
    return memory_is_here(aero, resource->backing.alloc) ? read_backing(aero, resource) : 0;
}

/* Sets a resource's guest memory, and reads the contents from there. */
static int set_backing(struct aero *aero, struct aero_resource *resource, uint32_t alloc,
                       uint32_t offset)
{
    resource->backing = (struct aero_backing){.alloc = alloc, .offset = offset};
    resource->stale = false;
    if (alloc == 0)
        return 0;
    resource->stale_from = 0;
    resource->stale_to = size_of(resource);
    return read_backing(aero, resource);
}

/* Adds a new resource with its backing; the resource exists even if its memory is missing. */
static int introduce(struct aero *aero, uint32_t handle, struct aero_resource *resource,
                     uint32_t alloc, uint32_t offset)
{
    int status = add(aero, handle, resource);

    return status < 0 ? status : set_backing(aero, resource, alloc, offset);
}

int aero_create_buffer(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_BUFFER_BUFFER);
    uint32_t usage = aerogpu_u32(command, AEROGPU_AT_CREATE_BUFFER_USAGE);
    uint64_t size = aerogpu_u64(command, AEROGPU_AT_CREATE_BUFFER_SIZE);
    uint32_t alloc = aerogpu_u32(command, AEROGPU_AT_CREATE_BUFFER_ALLOC);
    uint32_t offset = aerogpu_u32(command, AEROGPU_AT_CREATE_BUFFER_ALLOC_OFFSET);
    struct aero_resource *resource = aero_find(aero, handle);

    if (resource != NULL) {
        if (resource->kind != AERO_BUFFER || resource->buffer.size != size ||
            resource->buffer.usage != usage)
            return aero_note(aero, PROBLEM_ERROR, "handle %u is created again as another resource",
                             handle);
        return set_backing(aero, resource, alloc, offset);
    }
    if (size == 0 || size % 4 != 0)
        return aero_note(aero, PROBLEM_ERROR,
                         "a buffer of %llu bytes, which must be a positive multiple of 4",
                         (unsigned long long)size);
    if (size > aero_room(aero))
        return aero_note(aero, PROBLEM_ERROR, "a buffer of %llu bytes, but only %llu are left",
                         (unsigned long long)size, (unsigned long long)aero_room(aero));
    resource = calloc(1, sizeof(*resource));
    if (resource == NULL)
        return -ENOMEM;
    resource->kind = AERO_BUFFER;
    resource->buffer.size = size;
    resource->buffer.usage = usage;
    resource->buffer.storage = aero_storage(size);
    if (resource->buffer.storage == NULL) {
        free(resource);
        return -ENOMEM;
    }
    aero->texture_bytes += size;
    if (!aero_buffer_make(&resource->buffer.storage->name, size)) {
        aero_resource_free(aero, resource);
        return aero_note(aero, PROBLEM_ERROR, "the driver has no room for a buffer of %llu bytes",
                         (unsigned long long)size);
    }
    return introduce(aero, handle, resource, alloc, offset);
}

int aero_create_texture(struct aero *aero, const struct aerogpu_command *command)
{
    const struct aerogpu_shape shape = {
        .format = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_FORMAT),
        .width = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_WIDTH),
        .height = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_HEIGHT),
        .mips = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_MIPS),
        .layers = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_LAYERS),
        .row_pitch = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_ROW_PITCH),
    };
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_TEXTURE);
    uint32_t usage = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_USAGE);
    uint32_t alloc = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_ALLOC);
    uint32_t offset = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE2D_ALLOC_OFFSET);
    struct aero_resource *resource = aero_find(aero, handle);
    int status;

    if (alloc != 0 && shape.row_pitch == 0)
        return aero_note(aero, PROBLEM_ERROR, "texture %u in guest memory has no row pitch",
                         handle);
    if (resource != NULL) {
        if (resource->kind != AERO_TEXTURE_2D || resource->texture.usage != usage ||
            memcmp(&resource->texture.shape, &shape, sizeof(shape)) != 0)
            return aero_note(aero, PROBLEM_ERROR, "handle %u is created again as another resource",
                             handle);
        return set_backing(aero, resource, alloc, offset);
    }
    status = aero_texture_make(aero, &shape, usage, &resource);
    return status < 0 ? status : introduce(aero, handle, resource, alloc, offset);
}

int aero_create_view(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_VIEW);
    uint32_t named = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_TEXTURE);
    const struct aero_view view = {
        .texture = aero_get(aero, named, AERO_TEXTURE_2D),
        .format = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_FORMAT),
        .base_mip = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_BASE_MIP),
        .mips = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_MIP_COUNT),
        .base_layer = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_BASE_LAYER),
        .layers = aerogpu_u32(command, AEROGPU_AT_CREATE_TEXTURE_VIEW_LAYER_COUNT),
    };
    const struct aerogpu_shape *shape;
    struct aero_resource *resource;

    if (view.texture == NULL)
        return -EINVAL;
    shape = &view.texture->texture.shape;
    if (view.mips == 0 || view.layers == 0 ||
        !bytes_inside(view.base_mip, view.mips, shape->mips) ||
        !bytes_inside(view.base_layer, view.layers, shape->layers) ||
        !aerogpu_formats_fit(shape->format, view.format))
        return aero_note(aero, PROBLEM_ERROR, "view %u does not fit texture %u", handle, named);
    resource = calloc(1, sizeof(*resource));
    if (resource == NULL)
        return -ENOMEM;
    resource->kind = AERO_VIEW;
    resource->view = view;
    view.texture->views++;
    return add(aero, handle, resource);
}

static struct aero_token *find_token(struct aero *aero, uint64_t token)
{
    struct aero_token *found;

    HASH_FIND(hh, aero->tokens, &token, sizeof(token), found);
    return found;
}

int aero_export_surface(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_EXPORT_SHARED_SURFACE_RESOURCE);
    uint64_t number = aerogpu_u64(command, AEROGPU_AT_EXPORT_SHARED_SURFACE_TOKEN);
    struct aero_resource *resource = aero_find(aero, handle);
    struct aero_token *token = find_token(aero, number);

    if (resource == NULL || number == 0 || (token != NULL && token->resource != resource))
        return aero_note(aero, PROBLEM_ERROR, "resource %u cannot be shared as 0x%016llx", handle,
                         (unsigned long long)number);
    if (token != NULL)
        return 0;
    token = calloc(1, sizeof(*token));
    if (token == NULL)
        return -ENOMEM;
    token->token = number;
    token->resource = resource;
    HASH_ADD(hh, aero->tokens, token, sizeof(token->token), token);
    return 0;
}

int aero_import_surface(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_IMPORT_SHARED_SURFACE_RESOURCE);
    uint64_t number = aerogpu_u64(command, AEROGPU_AT_IMPORT_SHARED_SURFACE_TOKEN);
    struct aero_token *token = find_token(aero, number);

    if (token == NULL || token->resource == NULL)
        return aero_note(aero, PROBLEM_ERROR, "nothing is shared as 0x%016llx",
                         (unsigned long long)number);
    /* Importing the same alias again changes nothing. */
    if (aero_find(aero, handle) == token->resource)
        return 0;
    return add_handle(aero, handle, token->resource);
}

int aero_release_surface(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_token *token =
        find_token(aero, aerogpu_u64(command, AEROGPU_AT_RELEASE_SHARED_SURFACE_TOKEN));

    if (token != NULL)
        token->resource = NULL;
    return 0;
}

int aero_create_layout(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_INPUT_LAYOUT_LAYOUT);
    struct aerogpu_layout walk;
    struct aero_layout *layout;

    if (handle == 0 || !aerogpu_layout_open(command->tail, command->tail_length, &walk))
        return aero_note(aero, PROBLEM_ERROR, "input layout %u cannot be read", handle);
    HASH_FIND(hh, aero->layouts, &handle, sizeof(handle), layout);
    if (layout == NULL) {
        layout = calloc(1, sizeof(*layout));
        if (layout == NULL)
            return -ENOMEM;
        layout->handle = handle;
        HASH_ADD(hh, aero->layouts, handle, sizeof(layout->handle), layout);
    }
    layout->count = 0;
    while (layout->count < sizeof(layout->elements) / sizeof(layout->elements[0]) &&
           aerogpu_layout_next(&walk, &layout->elements[layout->count]))
        layout->count++;
    return 0;
}

int aero_destroy_layout(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_DESTROY_INPUT_LAYOUT_LAYOUT);
    struct aero_layout *layout;

    HASH_FIND(hh, aero->layouts, &handle, sizeof(handle), layout);
    if (layout == NULL)
        return aero_note(aero, PROBLEM_WARNING, "there is no input layout %u", handle);
    if (aero->state.layout == handle)
        aero->state.layout = 0;
    HASH_DEL(aero->layouts, layout);
    free(layout);
    return 0;
}

int aero_create_sampler(struct aero *aero, const struct aerogpu_command *command)
{
    static const GLenum modes[] = {GL_CLAMP_TO_EDGE, GL_REPEAT, GL_MIRRORED_REPEAT};
    static const int axes[] = {AEROGPU_AT_CREATE_SAMPLER_ADDRESS_U,
                               AEROGPU_AT_CREATE_SAMPLER_ADDRESS_V,
                               AEROGPU_AT_CREATE_SAMPLER_ADDRESS_W};
    static const GLenum names[] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R};
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_SAMPLER_SAMPLER);
    bool linear = aerogpu_u32(command, AEROGPU_AT_CREATE_SAMPLER_FILTER) == AEROGPU_LINEAR;
    struct aero_sampler *sampler;

    if (handle == 0)
        return aero_note(aero, PROBLEM_ERROR, "sampler 0");
    for (int i = 0; i < 3; i++)
        if (aerogpu_u32(command, (uint32_t)axes[i]) > AEROGPU_MIRROR_REPEAT)
            return aero_note(aero, PROBLEM_ERROR, "sampler %u has an unknown address mode", handle);
    HASH_FIND(hh, aero->samplers, &handle, sizeof(handle), sampler);
    if (sampler == NULL) {
        sampler = calloc(1, sizeof(*sampler));
        if (sampler == NULL)
            return -ENOMEM;
        sampler->handle = handle;
        glCreateSamplers(1, &sampler->name);
        HASH_ADD(hh, aero->samplers, handle, sizeof(sampler->handle), sampler);
    }
    /* The command names no filter between mips, so the nearest mip is used. */
    glSamplerParameteri(sampler->name, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
    glSamplerParameteri(sampler->name, GL_TEXTURE_MIN_FILTER,
                        linear ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
    for (int i = 0; i < 3; i++)
        glSamplerParameteri(sampler->name, names[i],
                            (GLint)modes[aerogpu_u32(command, (uint32_t)axes[i])]);
    return 0;
}

static void free_sampler(struct aero *aero, struct aero_sampler *sampler)
{
    HASH_DEL(aero->samplers, sampler);
    glDeleteSamplers(1, &sampler->name);
    free(sampler);
}

int aero_destroy_sampler(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_DESTROY_SAMPLER_SAMPLER);
    struct aero_sampler *sampler;

    HASH_FIND(hh, aero->samplers, &handle, sizeof(handle), sampler);
    if (sampler == NULL)
        return aero_note(aero, PROBLEM_WARNING, "there is no sampler %u", handle);
    aero_state_forget_sampler(&aero->state, handle);
    free_sampler(aero, sampler);
    return 0;
}

static struct aero_handle *not_reserved(struct aero *aero)
{
    for (struct aero_handle *handle = aero->handles; handle != NULL; handle = handle->hh.next)
        if (!handle->reserved)
            return handle;
    return NULL;
}

void aero_objects_free(struct aero *aero)
{
    struct aero_handle *handle, *next_handle;
    struct aero_token *token, *next_token;
    struct aero_layout *layout, *next_layout;
    struct aero_sampler *sampler, *next_sampler;
    struct aero_shader *shader, *next_shader;

    HASH_ITER (hh, aero->tokens, token, next_token) {
        HASH_DEL(aero->tokens, token);
        free(token);
    }
    while ((handle = not_reserved(aero)) != NULL)
        drop_handle(aero, handle);
    /* Reserved handles are gone by now, except in a copy that was not completed. */
    HASH_ITER (hh, aero->handles, handle, next_handle)
        drop_entry(aero, handle);
    HASH_ITER (hh, aero->layouts, layout, next_layout) {
        HASH_DEL(aero->layouts, layout);
        free(layout);
    }
    HASH_ITER (hh, aero->samplers, sampler, next_sampler)
        free_sampler(aero, sampler);
    HASH_ITER (hh, aero->shaders, shader, next_shader)
        aero_shader_free(aero, shader);
}

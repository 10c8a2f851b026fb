/* SPDX-License-Identifier: MIT */
/* Uploads and copies, and what copies write back into guest memory (worker.md 5.3). */
#include "config.h"

#include "glworker/d3d/copy.h"

#include "glworker/d3d/resources.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int aero_upload(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_UPLOAD_RESOURCE_RESOURCE);
    uint64_t offset = aerogpu_u64(command, AEROGPU_AT_UPLOAD_RESOURCE_OFFSET);
    struct aero_resource *resource = aero_find(aero, handle);
    int status = -EINVAL;

    if (resource == NULL || resource->kind == AERO_VIEW)
        return aero_note(aero, PROBLEM_ERROR, "an upload to handle %u, which is not a resource",
                         handle);
    aero_refresh(aero, resource);
    if (aero_own(aero, resource) < 0)
        return -ENOMEM;
    if (resource->kind == AERO_TEXTURE_2D)
        status =
            aero_texture_write(&resource->texture, offset, command->tail, command->tail_length);
    else if (bytes_inside(offset, command->tail_length, resource->buffer.size)) {
        glNamedBufferSubData(resource->buffer.storage->name, (GLintptr)offset, command->tail_length,
                             command->tail);
        status = 0;
    }
    return status == -EINVAL
               ? aero_note(aero, PROBLEM_ERROR, "an upload beyond the end of resource %u", handle)
               : status;
}

/*
 * Returns where in guest memory a copy's result is written back; NULL, with a note, if it cannot
 * be.
 */
static uint8_t *memory_of(struct aero *aero, const struct aero_resource *resource, uint64_t offset,
                          uint64_t size)
{
    if (resource->backing.alloc == 0 || !aero_memory_writable(aero, resource->backing.alloc)) {
        aero_note(aero, PROBLEM_ERROR,
                  "a copy is written back to a resource without writable guest memory");
        return NULL;
    }
    return aero_memory(aero, resource->backing.alloc, resource->backing.offset + offset, size);
}

static int copy_bytes(struct aero_buffer *to, uint64_t to_offset, struct aero_buffer *from,
                      uint64_t from_offset, uint64_t size)
{
    bool overlap = to == from && to_offset < from_offset + size && from_offset < to_offset + size;
    uint8_t *bytes;

    if (!overlap) {
        glCopyNamedBufferSubData(from->storage->name, to->storage->name, (GLintptr)from_offset,
                                 (GLintptr)to_offset, (GLsizeiptr)size);
        return 0;
    }
    bytes = malloc(size);
    if (bytes == NULL)
        return -ENOMEM;
    glGetNamedBufferSubData(from->storage->name, (GLintptr)from_offset, (GLsizeiptr)size, bytes);
    glNamedBufferSubData(to->storage->name, (GLintptr)to_offset, (GLsizeiptr)size, bytes);
    free(bytes);
    return 0;
}

int aero_copy_buffer(struct aero *aero, const struct aerogpu_command *command)
{
    uint64_t to_offset = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_DST_OFFSET);
    uint64_t from_offset = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_SRC_OFFSET);
    uint64_t size = aerogpu_u64(command, AEROGPU_AT_COPY_BUFFER_SIZE);
    bool back = (aerogpu_u32(command, AEROGPU_AT_COPY_BUFFER_FLAGS) & AEROGPU_COPY_WRITEBACK) != 0;
    struct aero_resource *to =
        aero_get(aero, aerogpu_u32(command, AEROGPU_AT_COPY_BUFFER_DST), AERO_BUFFER);
    struct aero_resource *from =
        aero_get(aero, aerogpu_u32(command, AEROGPU_AT_COPY_BUFFER_SRC), AERO_BUFFER);
    uint8_t *memory;
    int status;

    if (to == NULL || from == NULL)
        return -EINVAL;
    if (!bytes_inside(to_offset, size, to->buffer.size) ||
        !bytes_inside(from_offset, size, from->buffer.size))
        return aero_note(aero, PROBLEM_ERROR, "a copy beyond the end of a buffer");
    if (size == 0)
        return 0;
    aero_refresh(aero, to);
    aero_refresh(aero, from);
    if (aero_own(aero, to) < 0)
        return -ENOMEM;
    status = copy_bytes(&to->buffer, to_offset, &from->buffer, from_offset, size);
    if (status < 0 || !back)
        return status;
    memory = memory_of(aero, to, to_offset, size);
    if (memory != NULL)
        glGetNamedBufferSubData(to->buffer.storage->name, (GLintptr)to_offset, (GLsizeiptr)size,
                                memory);
    return 0;
}

struct rectangle {
    uint32_t mip, layer, x, y, width, height;
    struct aerogpu_subresource part;
};

static bool read_side(struct aero *aero, struct aero_texture *texture,
                      const struct aerogpu_command *command, uint32_t at_mip, uint32_t at_xy,
                      struct rectangle *out)
{
    uint32_t block = texture->info.block;

    *out = (struct rectangle){
        .mip = aerogpu_u32(command, at_mip),
        .layer = aerogpu_u32(command, at_mip + 4),
        .x = aerogpu_u32(command, at_xy),
        .y = aerogpu_u32(command, at_xy + 4),
        .width = aerogpu_u32(command, AEROGPU_AT_COPY_TEXTURE2D_WIDTH),
        .height = aerogpu_u32(command, AEROGPU_AT_COPY_TEXTURE2D_HEIGHT),
    };
    if (!aerogpu_subresource(&texture->shape, out->mip, out->layer, &out->part) ||
        !bytes_inside(out->x, out->width, out->part.width) ||
        !bytes_inside(out->y, out->height, out->part.height)) {
        aero_note(aero, PROBLEM_ERROR, "a copy beyond the edges of a texture");
        return false;
    }
    /* Only complete blocks are copied, except at the edges of the texture, which may cut them. */
    if (out->x % block != 0 || out->y % block != 0 ||
        (out->width % block != 0 && out->x + out->width != out->part.width) ||
        (out->height % block != 0 && out->y + out->height != out->part.height)) {
        aero_note(aero, PROBLEM_ERROR, "a copy of incomplete blocks of texels");
        return false;
    }
    return true;
}

/* Returns the offset of a row of the rectangle's blocks in the linear layout. */
static uint64_t place_of(const struct aero_texture *texture, const struct rectangle *side,
                         uint32_t row)
{
    uint32_t block = texture->info.block;

    return side->part.offset + (uint64_t)(side->y / block + row) * side->part.pitch +
           (uint64_t)(side->x / block) * texture->info.bytes;
}

static uint32_t blocks(const struct aero_texture *texture, uint32_t texels)
{
    return (texels + texture->info.block - 1u) / texture->info.block;
}

/* Returns whether a copy reads what it writes, which GL leaves undefined. */
static bool overlaps(const struct aero_texture *to, const struct rectangle *to_side,
                     const struct aero_texture *from, const struct rectangle *from_side)
{
    return to == from && to_side->mip == from_side->mip && to_side->layer == from_side->layer &&
           to_side->x < from_side->x + from_side->width &&
           from_side->x < to_side->x + to_side->width &&
           to_side->y < from_side->y + from_side->height &&
           from_side->y < to_side->y + to_side->height;
}

/* Returns whether GL has clamped depths that were uploaded, which the shadow has as they are. */
static bool may_be_clamped(const struct aero_texture *from, const struct rectangle *side)
{
    return from->shape.format == AEROGPU_D32F &&
           !from->storage->newer[side->mip + (size_t)side->layer * from->shape.mips];
}

/*
 * Copies by way of the shadow: texels of block formats, since GL stores them expanded, rectangles
 * that overlap, and depths that GL has clamped.
 */
static int copy_shadow(struct aero_texture *to, const struct rectangle *to_side,
                       struct aero_texture *from, const struct rectangle *from_side)
{
    uint32_t rows = blocks(to, to_side->height);
    size_t size = (size_t)blocks(to, to_side->width) * to->info.bytes;
    uint8_t *bytes;
    int status = 0;

    if (aero_texture_shadow(from, from_side->mip, from_side->layer) == NULL)
        return -ENOMEM;
    bytes = malloc(size * rows);
    if (bytes == NULL)
        return -ENOMEM;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(bytes + row * size, from->storage->shadow + place_of(from, from_side, row), size);
    for (uint32_t row = 0; row < rows && status == 0; row++)
        status = aero_texture_write(to, place_of(to, to_side, row), bytes + row * size, size);
    free(bytes);
    return status;
}

/* Copies the fourth byte of X8 formats by way of the shadow, since GL stores only the colours. */
static int copy_x8(struct aero_texture *to, const struct rectangle *to_side,
                   struct aero_texture *from, const struct rectangle *from_side)
{
    size_t width = to_side->width;
    const uint8_t *read = NULL;
    uint8_t *written = NULL, *bytes = NULL;

    if (!aero_texture_has_x8(to))
        return 0;
    read = aero_texture_x8(from);
    written = aero_texture_x8(to);
    bytes = malloc(width * to_side->height);
    if (read == NULL || written == NULL || bytes == NULL) {
        free(bytes);
        return -ENOMEM;
    }
    for (uint32_t y = 0; y < to_side->height; y++)
        for (size_t x = 0; x < width; x++)
            bytes[y * width + x] = read[place_of(from, from_side, y) + x * AERO_X8_BYTES];
    for (uint32_t y = 0; y < to_side->height; y++)
        for (size_t x = 0; x < width; x++)
            written[place_of(to, to_side, y) + x * AERO_X8_BYTES] = bytes[y * width + x];
    free(bytes);
    return 0;
}

static int write_back(struct aero *aero, struct aero_resource *to, const struct rectangle *side)
{
    struct aero_texture *texture = &to->texture;
    size_t size = (size_t)blocks(texture, side->width) * texture->info.bytes;

    if (aero_texture_shadow(texture, side->mip, side->layer) == NULL)
        return -ENOMEM;
    for (uint32_t row = 0; row < blocks(texture, side->height); row++) {
        uint64_t place = place_of(texture, side, row);
        uint8_t *memory = memory_of(aero, to, place, size);

        if (memory == NULL)
            return -EINVAL;
        memcpy(memory, texture->storage->shadow + place, size);
    }
    return 0;
}

int aero_copy_texture(struct aero *aero, const struct aerogpu_command *command)
{
    bool back =
        (aerogpu_u32(command, AEROGPU_AT_COPY_TEXTURE2D_FLAGS) & AEROGPU_COPY_WRITEBACK) != 0;
    struct aero_resource *to =
        aero_get(aero, aerogpu_u32(command, AEROGPU_AT_COPY_TEXTURE2D_DST), AERO_TEXTURE_2D);
    struct aero_resource *from =
        aero_get(aero, aerogpu_u32(command, AEROGPU_AT_COPY_TEXTURE2D_SRC), AERO_TEXTURE_2D);
    struct rectangle to_side, from_side;
    int status = 0;

    if (to == NULL || from == NULL ||
        !read_side(aero, &to->texture, command, AEROGPU_AT_COPY_TEXTURE2D_DST_MIP,
                   AEROGPU_AT_COPY_TEXTURE2D_DST_X, &to_side) ||
        !read_side(aero, &from->texture, command, AEROGPU_AT_COPY_TEXTURE2D_SRC_MIP,
                   AEROGPU_AT_COPY_TEXTURE2D_SRC_X, &from_side))
        return -EINVAL;
    if (to->texture.shape.format != from->texture.shape.format)
        return aero_note(aero, PROBLEM_ERROR, "a copy between textures of different formats");
    if (to_side.width == 0 || to_side.height == 0)
        return 0;
    aero_refresh(aero, to);
    aero_refresh(aero, from);
    if (aero_own(aero, to) < 0)
        return -ENOMEM;
    if (to->texture.info.block > 1 || may_be_clamped(&from->texture, &from_side) ||
        overlaps(&to->texture, &to_side, &from->texture, &from_side))
        status = copy_shadow(&to->texture, &to_side, &from->texture, &from_side);
    else {
        glCopyImageSubData(from->texture.storage->name, GL_TEXTURE_2D_ARRAY, (GLint)from_side.mip,
                           (GLint)from_side.x, (GLint)from_side.y, (GLint)from_side.layer,
                           to->texture.storage->name, GL_TEXTURE_2D_ARRAY, (GLint)to_side.mip,
                           (GLint)to_side.x, (GLint)to_side.y, (GLint)to_side.layer,
                           (GLsizei)to_side.width, (GLsizei)to_side.height, 1);
        aero_texture_drawn(&to->texture, to_side.mip, to_side.layer, 1);
        status = copy_x8(&to->texture, &to_side, &from->texture, &from_side);
    }
    return status == 0 && back ? write_back(aero, to, &to_side) : status;
}

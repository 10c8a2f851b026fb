/* SPDX-License-Identifier: MIT */
/*
 * Textures are stored as RGBA8, to which texels are expanded at upload, or as depth. The uploaded
 * bytes are kept unchanged in the shadow, in the linear layout, so that a later upload of a part
 * can be merged. Where GL has drawn over a subresource, its shadow is brought up to date first.
 */
#include "config.h"

#include "glworker/d3d/textures.h"

#include "formats/aerogpu/decode/layout.h"
#include "glworker/d3d/resources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Bytes that a session's textures and buffers may always take; and more for each byte that it was
 * fed.
 */
#define ANY_MAX (UINT64_C(384) << 20)
enum { PER_BYTE = 16 };

static GLenum internal_of(const struct aerogpu_shape *shape, const struct aerogpu_format_info *info)
{
    if (!info->depth)
        return GL_RGBA8;
    return shape->format == AEROGPU_D32F ? GL_DEPTH_COMPONENT32F : GL_DEPTH24_STENCIL8;
}

static uint64_t texels_of(const struct aerogpu_shape *shape)
{
    uint64_t texels = 0;

    for (uint32_t mip = 0; mip < shape->mips; mip++) {
        uint64_t width = shape->width >> mip, height = shape->height >> mip;

        texels += (width == 0 ? 1 : width) * (height == 0 ? 1 : height) * shape->layers;
    }
    return texels;
}

/* Clears all texels to zeros, with alpha 1 if the format has none. */
static void blank(const struct aero_texture *texture)
{
    static const uint8_t opaque[4] = {0, 0, 0, 255};

    for (uint32_t mip = 0; mip < texture->shape.mips; mip++)
        if (!texture->info.depth)
            glClearTexImage(texture->storage->name, (GLint)mip, GL_RGBA, GL_UNSIGNED_BYTE,
                            texture->info.opaque ? opaque : NULL);
        else if (texture->shape.format == AEROGPU_D32F)
            glClearTexImage(texture->storage->name, (GLint)mip, GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
        else
            glClearTexImage(texture->storage->name, (GLint)mip, GL_DEPTH_STENCIL,
                            GL_UNSIGNED_INT_24_8, NULL);
}

uint64_t aero_texture_bytes(const struct aerogpu_shape *shape)
{
    return texels_of(shape) * 4 + aerogpu_shape_size(shape);
}

uint64_t aero_room(const struct aero *aero)
{
    uint64_t max = aero->texture_limit;

    if (max > ANY_MAX && aero->fed < (max - ANY_MAX) / PER_BYTE)
        max = ANY_MAX + PER_BYTE * aero->fed;
    return max > aero->texture_bytes ? max - aero->texture_bytes : 0;
}

int aero_texture_storage(const struct aero_texture *texture, struct aero_storage **out)
{
    const struct aerogpu_shape *shape = &texture->shape;
    struct aero_storage *storage = aero_storage(aero_texture_bytes(shape));

    if (storage == NULL)
        return -ENOMEM;
    storage->newer = calloc((size_t)shape->mips * shape->layers, sizeof(*storage->newer));
    if (storage->newer != NULL) {
        glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &storage->name);
        glTextureStorage3D(storage->name, (GLsizei)shape->mips, internal_of(shape, &texture->info),
                           (GLsizei)shape->width, (GLsizei)shape->height, (GLsizei)shape->layers);
    }
    if (storage->newer == NULL || graphics_failed()) {
        aero_storage_drop(storage);
        return -ENOMEM;
    }
    *out = storage;
    return 0;
}

void aero_texture_copy(const struct aero_texture *texture, const struct aero_storage *from,
                       struct aero_storage *to)
{
    const struct aerogpu_shape *shape = &texture->shape;
    struct aerogpu_subresource part;

    for (uint32_t mip = 0; mip < shape->mips; mip++)
        if (aerogpu_subresource(shape, mip, 0, &part))
            glCopyImageSubData(from->name, GL_TEXTURE_2D_ARRAY, (GLint)mip, 0, 0, 0, to->name,
                               GL_TEXTURE_2D_ARRAY, (GLint)mip, 0, 0, 0, (GLsizei)part.width,
                               (GLsizei)part.height, (GLsizei)shape->layers);
    memcpy(to->newer, from->newer, (size_t)shape->mips * shape->layers * sizeof(*to->newer));
}

int aero_texture_make(struct aero *aero, const struct aerogpu_shape *shape, uint32_t usage,
                      struct aero_resource **out)
{
    struct aero_resource *resource;
    struct aero_texture *texture;

    if (!aerogpu_shape_valid(shape))
        return aero_note(aero, PROBLEM_ERROR,
                         "a texture cannot have this shape: %ux%u, format %u, %u mips, %u layers",
                         shape->width, shape->height, shape->format, shape->mips, shape->layers);
    if (aero_texture_bytes(shape) > aero_room(aero))
        return aero_note(aero, PROBLEM_ERROR, "textures take more than %llu bytes",
                         (unsigned long long)aero->texture_bytes + aero_room(aero));
    resource = calloc(1, sizeof(*resource));
    if (resource == NULL)
        return -ENOMEM;
    resource->kind = AERO_TEXTURE_2D;
    texture = &resource->texture;
    texture->shape = *shape;
    texture->usage = usage;
    aerogpu_format_find(shape->format, &texture->info);
    if (aero_texture_storage(texture, &texture->storage) < 0) {
        free(resource);
        return aero_note(aero, PROBLEM_ERROR, "the driver has no room for a texture of %ux%u",
                         shape->width, shape->height);
    }
    aero->texture_bytes += texture->storage->bytes;
    blank(texture);
    *out = resource;
    return 0;
}

void aero_texture_read(const struct aero_texture *texture, uint32_t mip, uint32_t layer,
                       uint8_t *to)
{
    struct aerogpu_subresource part;

    if (!aerogpu_subresource(&texture->shape, mip, layer, &part))
        return;
    glGetTextureSubImage(texture->storage->name, (GLint)mip, 0, 0, (GLint)layer,
                         (GLsizei)part.width, (GLsizei)part.height, 1,
                         texture->info.depth ? GL_DEPTH_COMPONENT : GL_RGBA,
                         texture->info.depth ? GL_FLOAT : GL_UNSIGNED_BYTE,
                         (GLsizei)(part.width * part.height * 4), to);
}

/* Swaps depth and stencil: D3D's D24S8 has depth in the low bits, GL's in the high bits. */
static void swap_depth(uint8_t *words, uint64_t count, bool to_gl)
{
    for (uint64_t i = 0; i < count; i++, words += 4) {
        uint32_t word;

        memcpy(&word, words, 4);
        word = to_gl ? word << 8 | word >> 24 : word >> 8 | word << 24;
        memcpy(words, &word, 4);
    }
}

/* Reads a depth subresource in D3D's layout, tightly packed. */
static void read_depth(const struct aero_texture *texture, const struct aerogpu_subresource *part,
                       uint32_t mip, uint32_t layer, uint8_t *to)
{
    bool stencil = texture->shape.format == AEROGPU_D24S8;
    uint64_t count = (uint64_t)part->width * part->height;

    glGetTextureSubImage(texture->storage->name, (GLint)mip, 0, 0, (GLint)layer,
                         (GLsizei)part->width, (GLsizei)part->height, 1,
                         stencil ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT,
                         stencil ? GL_UNSIGNED_INT_24_8 : GL_FLOAT, (GLsizei)(count * 4), to);
    if (stencil)
        swap_depth(to, count, false);
}

static bool make_shadow(struct aero_texture *texture)
{
    if (texture->storage->shadow == NULL)
        texture->storage->shadow = calloc(1, (size_t)aerogpu_shape_size(&texture->shape));
    return texture->storage->shadow != NULL;
}

const uint8_t *aero_texture_shadow(struct aero_texture *texture, uint32_t mip, uint32_t layer)
{
    bool *newer = &texture->storage->newer[mip + (size_t)layer * texture->shape.mips];
    struct aerogpu_subresource part;
    uint8_t *texels;

    if (!aerogpu_subresource(&texture->shape, mip, layer, &part) || !make_shadow(texture))
        return NULL;
    if (!*newer)
        return texture->storage->shadow + part.offset;
    texels = malloc((size_t)part.width * part.height * 4);
    if (texels == NULL)
        return NULL;
    if (texture->info.depth) {
        read_depth(texture, &part, mip, layer, texels);
        for (uint32_t y = 0; y < part.height; y++)
            memcpy(texture->storage->shadow + part.offset + (uint64_t)y * part.pitch,
                   texels + (size_t)y * part.width * 4, (size_t)part.width * 4);
    } else {
        aero_texture_read(texture, mip, layer, texels);
        aerogpu_texels_encode(texture->shape.format, part.width, part.height, texels,
                              texture->storage->shadow + part.offset, part.pitch);
    }
    free(texels);
    *newer = false;
    return texture->storage->shadow + part.offset;
}

void aero_texture_drawn(struct aero_texture *texture, uint32_t mip, uint32_t base_layer,
                        uint32_t layers)
{
    for (uint32_t i = 0; i < layers; i++)
        texture->storage->newer[mip + (size_t)(base_layer + i) * texture->shape.mips] = true;
}

bool aero_texture_has_x8(const struct aero_texture *texture)
{
    return texture->info.opaque && texture->info.bytes == AERO_X8_BYTES;
}

uint8_t *aero_texture_x8(struct aero_texture *texture)
{
    return make_shadow(texture) ? texture->storage->shadow + AERO_X8 : NULL;
}

/*
 * Uploads rows of blocks `first` to `last`, both inclusive, of a subresource from the shadow to GL.
 */
static int send_rows(const struct aero_texture *texture, const struct aerogpu_subresource *part,
                     uint32_t mip, uint32_t layer, uint32_t first, uint32_t last)
{
    uint32_t block = texture->info.block, top = first * block;
    uint32_t bottom = (last + 1) * block > part->height ? part->height : (last + 1) * block;
    const uint8_t *from = texture->storage->shadow + part->offset + (uint64_t)first * part->pitch;
    bool stencil = texture->shape.format == AEROGPU_D24S8;
    GLenum format =
        texture->info.depth ? (stencil ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT) : GL_RGBA;
    GLenum type =
        texture->info.depth ? (stencil ? GL_UNSIGNED_INT_24_8 : GL_FLOAT) : GL_UNSIGNED_BYTE;
    uint8_t *texels = malloc((size_t)part->width * (bottom - top) * 4);

    if (texels == NULL)
        return -ENOMEM;
    if (texture->info.depth)
        for (uint32_t y = 0; y < bottom - top; y++)
            memcpy(texels + (size_t)y * part->width * 4, from + (uint64_t)y * part->pitch,
                   (size_t)part->width * 4);
    else
        aerogpu_texels_decode(texture->shape.format, part->width, bottom - top, from, part->pitch,
                              texels);
    if (stencil)
        swap_depth(texels, (uint64_t)part->width * (bottom - top), true);
    glTextureSubImage3D(texture->storage->name, (GLint)mip, 0, (GLint)top, (GLint)layer,
                        (GLsizei)part->width, (GLsizei)(bottom - top), 1, format, type, texels);
    free(texels);
    return 0;
}

/* Writes the part of an upload that is in one subresource. */
static int write_part(struct aero_texture *texture, const struct aerogpu_subresource *part,
                      uint32_t mip, uint32_t layer, uint64_t from, const uint8_t *bytes,
                      uint64_t size)
{
    bool whole = from == 0 && size >= (uint64_t)part->pitch * (part->rows - 1) + part->row_size;

    if (whole)
        texture->storage->newer[mip + (size_t)layer * texture->shape.mips] = false;
    if (!make_shadow(texture) || aero_texture_shadow(texture, mip, layer) == NULL)
        return -ENOMEM;
    memcpy(texture->storage->shadow + part->offset + from, bytes, size);
    return send_rows(texture, part, mip, layer, (uint32_t)(from / part->pitch),
                     (uint32_t)((from + size - 1) / part->pitch));
}

int aero_texture_write(struct aero_texture *texture, uint64_t offset, const uint8_t *bytes,
                       uint64_t size)
{
    uint32_t mip, layer;
    int status = 0;

    if (!bytes_inside(offset, size, aerogpu_shape_size(&texture->shape)))
        return -EINVAL;
    while (size > 0 && status == 0 && aerogpu_shape_locate(&texture->shape, offset, &mip, &layer)) {
        struct aerogpu_subresource part;
        uint64_t from, count;

        aerogpu_subresource(&texture->shape, mip, layer, &part);
        from = offset - part.offset;
        count = part.size - from < size ? part.size - from : size;
        status = write_part(texture, &part, mip, layer, from, bytes, count);
        offset += count;
        bytes += count;
        size -= count;
    }
    return status;
}

static bool is_cube(GLenum target)
{
    return target == GL_TEXTURE_CUBE_MAP || target == GL_TEXTURE_CUBE_MAP_ARRAY;
}

/* Fills in the description of a view. Returns false if the target does not allow it. */
static bool describe(const struct aero_texture *texture, const struct aero_view *view,
                     GLenum target, bool srgb_wanted, struct aero_gl_view *out)
{
    struct aerogpu_format_info info = texture->info;

    if (view != NULL)
        aerogpu_format_find(view->format, &info);
    *out = (struct aero_gl_view){
        .target = target,
        .internal = info.depth                 ? internal_of(&texture->shape, &texture->info)
                    : info.srgb || srgb_wanted ? GL_SRGB8_ALPHA8
                                               : GL_RGBA8,
        .opaque = info.opaque,
        .base_mip = view == NULL ? 0 : view->base_mip,
        .mips = view == NULL ? texture->shape.mips : view->mips,
        .base_layer = view == NULL ? 0 : view->base_layer,
        .layers = view == NULL ? texture->shape.layers : view->layers,
    };
    if (target == GL_TEXTURE_2D)
        out->layers = 1;
    if (target == GL_TEXTURE_CUBE_MAP && out->layers >= 6)
        out->layers = 6;
    if (target == GL_TEXTURE_CUBE_MAP_ARRAY)
        out->layers -= out->layers % 6;
    if (is_cube(target))
        return out->layers >= 6 && texture->shape.width == texture->shape.height;
    return target == GL_TEXTURE_2D || target == GL_TEXTURE_2D_ARRAY;
}

static bool same_view(const struct aero_gl_view *a, const struct aero_gl_view *b)
{
    return a->target == b->target && a->internal == b->internal && a->opaque == b->opaque &&
           a->base_mip == b->base_mip && a->mips == b->mips && a->base_layer == b->base_layer &&
           a->layers == b->layers;
}

GLuint aero_gl_view(struct aero_texture *texture, const struct aero_view *view, GLenum target,
                    bool srgb_wanted)
{
    struct aero_gl_view wanted, *found;

    if (!describe(texture, view, target, srgb_wanted, &wanted))
        return 0;
    for (found = texture->storage->views; found != NULL; found = found->next)
        if (same_view(found, &wanted))
            return found->name;
    found = malloc(sizeof(*found));
    if (found == NULL)
        return 0;
    *found = wanted;
    glGenTextures(1, &found->name);
    glTextureView(found->name, target, texture->storage->name, wanted.internal, wanted.base_mip,
                  wanted.mips, wanted.base_layer, wanted.layers);
    if (wanted.opaque)
        glTextureParameteri(found->name, GL_TEXTURE_SWIZZLE_A, GL_ONE);
    found->next = texture->storage->views;
    texture->storage->views = found;
    return found->name;
}

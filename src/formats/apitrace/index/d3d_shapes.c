/* SPDX-License-Identifier: MIT */
#include "base/string.h"
#include "formats/apitrace/index/d3d_resources.h"

#include <string.h>

enum {
    LEVELS_MAX = 15,
    LAYERS_MAX = 1 << 16,
    CUBE_FACES = 6,
    BIND_DRAWN = 0xF0, /* stream output, render target, depth and stencil, unordered access */
    USAGE_DRAWN = 3,   /* in Direct3D 8 and 9: render target, depth and stencil */
};

const struct pixel_format apitrace_d3d_bytes =
    PIXEL_FORMAT(1, PIXEL_UINT, PICTURE_GREY, PIXEL_GREY(8));

static bool is_kind(const struct apitrace_resource *resource, const char *kind)
{
    return strcmp(resource->kind, kind) == 0;
}

bool apitrace_d3d_is_buffer(const struct apitrace_resource *resource)
{
    return is_kind(resource, "buffer") || is_kind(resource, "vertex-buffer") ||
           is_kind(resource, "index-buffer");
}

bool apitrace_d3d_is_single(const struct apitrace_resource *resource)
{
    return !string_begins(resource->kind, "texture") && !is_kind(resource, "cube");
}

static bool knows(const struct apitrace_resource *resource, enum apitrace_resource_field field)
{
    return (resource->known & 1U << field) != 0;
}

static uint32_t value_of(const struct apitrace_resource *resource,
                         enum apitrace_resource_field field, uint64_t max, uint32_t otherwise)
{
    return knows(resource, field) && resource->values[field] > 0 && resource->values[field] <= max
               ? (uint32_t)resource->values[field]
               : otherwise;
}

static bool is_texture(const struct apitrace_resource *resource)
{
    return string_begins(resource->kind, "texture") || is_kind(resource, "cube") ||
           is_kind(resource, "surface");
}

void apitrace_d3d_settle(struct apitrace_resource *resource)
{
    const bool target = is_kind(resource, "render-target") || is_kind(resource, "depth-stencil");

    if (apitrace_d3d_is_buffer(resource))
        resource->pixels = &apitrace_d3d_bytes;
    else if (is_texture(resource) || target)
        resource->pixels = apitrace_d3d_format(resource->format);
    resource->drawn = target || (knows(resource, APITRACE_RESOURCE_BIND)
                                     ? resource->values[APITRACE_RESOURCE_BIND] & BIND_DRAWN
                                     : is_texture(resource) &&
                                           resource->values[APITRACE_RESOURCE_USAGE] & USAGE_DRAWN);
}

/* If the resource does not state a number, or states 0, it has as many levels as possible. */
uint32_t apitrace_d3d_levels(const struct apitrace_resource *resource)
{
    uint32_t size = value_of(resource, APITRACE_RESOURCE_WIDTH, PICTURE_MAX, 1), levels = 1;
    const uint32_t height = value_of(resource, APITRACE_RESOURCE_HEIGHT, PICTURE_MAX, 1);
    const uint32_t depth = value_of(resource, APITRACE_RESOURCE_DEPTH, PICTURE_MAX, 1);

    if (apitrace_d3d_is_single(resource))
        return 1;
    size = height > size ? height : size;
    size = depth > size ? depth : size;
    for (; size > 1; size /= 2)
        levels++;
    return value_of(resource, APITRACE_RESOURCE_LEVELS, LEVELS_MAX, levels);
}

static uint32_t halved(uint32_t size, uint64_t level)
{
    return size >> level > 0 ? size >> level : 1;
}

bool apitrace_d3d_size(const struct apitrace_resource *resource, uint64_t level, uint64_t layer,
                       uint32_t size[3])
{
    const bool is_cube = is_kind(resource, "cube");
    const uint32_t layers =
        is_cube ? CUBE_FACES : value_of(resource, APITRACE_RESOURCE_LAYERS, LAYERS_MAX, 1);
    const uint32_t width = value_of(resource, APITRACE_RESOURCE_WIDTH, PICTURE_MAX, 0);

    size[0] = size[1] = size[2] = 0;
    if (level >= apitrace_d3d_levels(resource) || layer >= layers)
        return false;
    if (apitrace_d3d_is_buffer(resource)) {
        size[0] = value_of(resource, APITRACE_RESOURCE_BYTES, UINT32_MAX - 1, 0);
        size[1] = size[2] = size[0] > 0;
    } else if (width > 0) {
        size[0] = halved(width, level);
        size[1] = is_cube
                      ? size[0]
                      : halved(value_of(resource, APITRACE_RESOURCE_HEIGHT, PICTURE_MAX, 1), level);
        size[2] = halved(value_of(resource, APITRACE_RESOURCE_DEPTH, PICTURE_MAX, 1), level);
    }
    return true;
}

uint32_t apitrace_d3d_columns(const struct pixel_format *format, uint32_t width)
{
    return format->block != PIXEL_NO_BLOCK ? (width + format->width - 1) / format->width : width;
}

uint32_t apitrace_d3d_rows(const struct pixel_format *format, uint32_t height)
{
    return format->block != PIXEL_NO_BLOCK ? (height + format->height - 1) / format->height
                                           : height;
}

uint64_t apitrace_d3d_tight(const struct pixel_format *format, uint32_t width, uint32_t height,
                            uint32_t depth)
{
    return (uint64_t)apitrace_d3d_columns(format, width) * format->bytes *
           apitrace_d3d_rows(format, height) * depth;
}

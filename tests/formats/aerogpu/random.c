/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/random.h"

#include "formats/aerogpu/decode/layout.h"
#include "tests/support/support.h"

#include <string.h>

enum {
    OBJECTS = 12,
    MEMORY = 64 * 64 * 4,
    UPLOAD_MAX = 64 * 64 * 4,
    ALLOCATION = 3,
    SRGBWRITEENABLE = 194
};

/* A texture or buffer that exists; handle 0 if the slot is free */
struct thing {
    uint32_t handle;
    bool buffer, backed;
    uint32_t size; /* of a buffer */
    struct aerogpu_shape shape;
};

struct making {
    const struct random_params *params;
    uint64_t state;
    uint32_t handles; /* the last handle given */
    struct thing things[OBJECTS];
    struct trace_stream stream;
    uint8_t memory[MEMORY];
    uint8_t noise[UPLOAD_MAX];
};

static uint32_t below(struct making *making, uint32_t max)
{
    return (uint32_t)(support_random(&making->state) >> 16) % max;
}

static uint32_t pick_format(struct making *making)
{
    static const uint32_t formats[] = {
        AEROGPU_R8G8B8A8, AEROGPU_B8G8R8A8,      AEROGPU_R8G8B8X8, AEROGPU_B8G8R8X8, AEROGPU_D32F,
        AEROGPU_B5G6R5,   AEROGPU_B5G5R5A1,      AEROGPU_BC1,      AEROGPU_BC2,      AEROGPU_BC3,
        AEROGPU_BC7,      AEROGPU_R8G8B8A8_SRGB, AEROGPU_D24S8,
    };

    return formats[below(making, making->params->plain_formats ? 4 : COUNT_OF(formats))];
}

static struct thing *pick(struct making *making, bool buffer)
{
    for (int i = 0; i < 8; i++) {
        struct thing *thing = &making->things[below(making, OBJECTS)];

        if (thing->handle != 0 && thing->buffer == buffer)
            return thing;
    }
    return NULL;
}

static void create_texture(struct making *making, struct thing *thing)
{
    struct aerogpu_shape shape = {.format = pick_format(making),
                                  .width = 1 + below(making, 40),
                                  .height = 1 + below(making, 40),
                                  .mips = 1 + below(making, 3),
                                  .layers = 1 + below(making, 3)};
    struct aerogpu_format_info format = {0};

    while (!aerogpu_shape_valid(&shape))
        shape.mips--;
    aerogpu_format_find(shape.format, &format);
    thing->backed = below(making, 3) == 0;
    if (thing->backed) {
        shape.mips = shape.layers = 1;
        shape.row_pitch =
            (shape.width + format.block - 1) / format.block * format.bytes + 4 * below(making, 4);
    }
    thing->shape = shape;
    TRACE(&making->stream, AEROGPU_CREATE_TEXTURE2D, thing->handle, 0x18, shape.format, shape.width,
          shape.height, shape.mips, shape.layers, shape.row_pitch, thing->backed ? ALLOCATION : 0,
          0, 0, 0);
}

static void create(struct making *making)
{
    struct thing *thing = &making->things[below(making, OBJECTS)];

    if (thing->handle != 0)
        TRACE(&making->stream, AEROGPU_DESTROY_RESOURCE, thing->handle, 0);
    *thing = (struct thing){.handle = ++making->handles, .buffer = below(making, 4) == 0};
    if (!thing->buffer) {
        create_texture(making, thing);
        return;
    }
    thing->size = 24 * (3 + below(making, 12));
    trace_buffer(&making->stream, thing->handle, 1, thing->size);
}

static void upload_texture(struct making *making)
{
    struct thing *thing = pick(making, false);
    struct aerogpu_subresource sub;

    if (thing == NULL ||
        !aerogpu_subresource(&thing->shape, below(making, thing->shape.mips),
                             below(making, thing->shape.layers), &sub) ||
        sub.size > UPLOAD_MAX)
        return;
    trace_upload(&making->stream, thing->handle, sub.offset,
                 making->noise + below(making, (uint32_t)(UPLOAD_MAX - sub.size + 1)), sub.size);
}

/* Uploads vertices within and around the target. */
static void upload_buffer(struct making *making)
{
    struct thing *thing = pick(making, true);
    float data[16 * 6];

    if (thing == NULL)
        return;
    for (size_t i = 0; i < COUNT_OF(data); i++)
        data[i] =
            i % 6 < 2 ? (float)below(making, 256) / 100 - 1.28f : (float)below(making, 256) / 255;
    trace_upload(&making->stream, thing->handle, 0, data, thing->size);
}

static uint32_t mip_extent(uint32_t extent, uint32_t mip)
{
    return extent >> mip > 0 ? extent >> mip : 1;
}

/* Copies a rectangle that is in both textures, at block boundaries. */
static void copy_texture(struct making *making)
{
    struct thing *dst = pick(making, false), *src = pick(making, false);
    uint32_t dst_mip = 0, src_mip = 0, width = 0, height = 0;

    if (dst == NULL || src == NULL || dst == src || dst->shape.format != src->shape.format)
        return;
    dst_mip = below(making, dst->shape.mips);
    src_mip = below(making, src->shape.mips);
    width = mip_extent(dst->shape.width, dst_mip);
    height = mip_extent(dst->shape.height, dst_mip);
    if (mip_extent(src->shape.width, src_mip) < width)
        width = mip_extent(src->shape.width, src_mip);
    if (mip_extent(src->shape.height, src_mip) < height)
        height = mip_extent(src->shape.height, src_mip);
    TRACE(&making->stream, AEROGPU_COPY_TEXTURE2D, dst->handle, src->handle, dst_mip,
          below(making, dst->shape.layers), src_mip, below(making, src->shape.layers), 0, 0, 0, 0,
          width, height, dst->backed ? below(making, 2) : 0, 0);
}

static void dirty(struct making *making)
{
    struct thing *thing = pick(making, false);

    if (thing != NULL && thing->backed)
        TRACE(&making->stream, AEROGPU_RESOURCE_DIRTY_RANGE, thing->handle, 0, 0, 0,
              (uint32_t)aerogpu_shape_size(&thing->shape), 0);
}

static void set_target(struct making *making)
{
    struct thing *thing = below(making, 8) == 0 ? NULL : pick(making, false);
    struct aerogpu_format_info format = {0};
    uint32_t handle = thing != NULL ? thing->handle : 0;

    if (thing == NULL) {
        TRACE(&making->stream, AEROGPU_SET_RENDER_TARGETS, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return;
    }
    aerogpu_format_find(thing->shape.format, &format);
    if (format.block != 1 || format.depth)
        return;
    if (below(making, 3) == 0) {
        uint32_t layer = below(making, thing->shape.layers);

        handle = ++making->handles;
        TRACE(&making->stream, AEROGPU_CREATE_TEXTURE_VIEW, handle, thing->handle,
              thing->shape.format, below(making, thing->shape.mips), 1, layer,
              1 + below(making, thing->shape.layers - layer), 0, 0);
    }
    trace_target(&making->stream, handle, 0);
}

static void set_state(struct making *making)
{
    switch (below(making, 5)) {
    case 0:
        TRACE(&making->stream, AEROGPU_SET_VIEWPORT, trace_float((float)below(making, 8)),
              trace_float((float)below(making, 8)), trace_float((float)below(making, 40)),
              trace_float((float)below(making, 40)), 0, trace_float(1));
        break;
    case 1:
        TRACE(&making->stream, AEROGPU_SET_SCISSOR, below(making, 20), below(making, 20),
              below(making, 30), below(making, 30));
        break;
    case 2:
        TRACE(&making->stream, AEROGPU_SET_RASTERIZER_STATE, 0, below(making, 3), below(making, 2),
              below(making, 2), 0, 0);
        break;
    case 3:
        TRACE(&making->stream, AEROGPU_SET_RENDER_STATE, SRGBWRITEENABLE, below(making, 2));
        break;
    default:
        TRACE(&making->stream, AEROGPU_SET_PRIMITIVE_TOPOLOGY, 4 + below(making, 3), 0);
        break;
    }
}

static void draw(struct making *making)
{
    struct thing *thing = pick(making, true);

    if (thing == NULL)
        return;
    TRACE(&making->stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, thing->handle, 24, 0, 0);
    TRACE(&making->stream, AEROGPU_DRAW, thing->size / 24 - below(making, 2), 1, below(making, 2),
          0);
}

static void share(struct making *making)
{
    struct thing *thing = pick(making, false);
    uint32_t token = 1000 + making->handles;

    if (thing == NULL)
        return;
    TRACE(&making->stream, AEROGPU_EXPORT_SHARED_SURFACE, thing->handle, 0, token, 0);
    TRACE(&making->stream, AEROGPU_IMPORT_SHARED_SURFACE, ++making->handles, 0, token, 0);
}

static void clear(struct making *making)
{
    trace_clear(&making->stream, (float)below(making, 256) / 255, (float)below(making, 256) / 255,
                (float)below(making, 256) / 255, (float)below(making, 256) / 255);
}

static void add_command(struct making *making)
{
    static void (*const kinds[])(struct making *) = {
        create,       create, upload_texture, upload_texture, upload_buffer, copy_texture,
        copy_texture, dirty,  set_target,     set_target,     set_state,     clear,
        draw,         draw,   draw,           share,
    };

    kinds[below(making, COUNT_OF(kinds))](making);
}

void random_trace(const struct random_params *params, struct trace_writer *writer)
{
    struct making making = {.params = params, .state = params->number * 0x9E3779B97F4A7C15u + 1};
    const struct trace_range range = {
        .alloc_id = ALLOCATION, .gpa = 0x4000, .data = making.memory, .size = MEMORY};

    for (size_t i = 0; i < UPLOAD_MAX; i++)
        making.noise[i] = (uint8_t)support_random(&making.state);
    trace_begin(writer, 2);
    for (uint32_t frame = 0; frame < params->frames; frame++) {
        trace_begin_frame(writer);
        trace_stream_begin(&making.stream);
        for (size_t i = 0; i < MEMORY; i++)
            making.memory[i] = (uint8_t)support_random(&making.state);
        for (uint32_t i = 0; i < params->commands; i++)
            add_command(&making);
        trace_present(&making.stream);
        if (below(&making, 4) == 0) {
            set_target(&making);
            trace_present(&making.stream);
        }
        trace_submit(writer, &making.stream, &range, 1);
        trace_stream_free(&making.stream);
        trace_end_frame(writer);
    }
    trace_end(writer);
}

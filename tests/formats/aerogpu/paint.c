/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/paint.h"

#include "tests/support/support.h"
#include "tests/worker/scene.h"

#include <stdlib.h>
#include <string.h>

void expected_init(struct expected *expected, uint32_t width, uint32_t height)
{
    *expected = (struct expected){.width = width, .height = height};
    expected->rgba = calloc((size_t)width * height, 4);
    assert_non_null(expected->rgba);
}

void expected_free(struct expected *expected)
{
    free(expected->rgba);
    *expected = (struct expected){0};
}

void expected_fill(struct expected *expected, const struct rect *rect, uint32_t rgba)
{
    for (uint32_t y = rect->top; y < rect->bottom && y < expected->height; y++)
        for (uint32_t x = rect->left; x < rect->right && x < expected->width; x++)
            for (int i = 0; i < 4; i++)
                expected->rgba[4 * ((size_t)y * expected->width + x) + (size_t)i] =
                    (uint8_t)(rgba >> (24 - 8 * i));
}

void expected_fill_all(struct expected *expected, uint32_t rgba)
{
    expected_fill(expected, &(struct rect){0, 0, expected->width, expected->height}, rgba);
}

void expected_copy(struct expected *to, const struct expected *from)
{
    expected_free(to);
    expected_init(to, from->width, from->height);
    memcpy(to->rgba, from->rgba, (size_t)from->width * from->height * 4);
}

uint32_t paint_below(struct painting *painting, uint32_t max)
{
    return (uint32_t)(support_random(&painting->random) >> 16) % max;
}

uint32_t paint_colour(struct painting *painting)
{
    return (uint32_t)(support_random(&painting->random) >> 12);
}

struct rect paint_rect(struct painting *painting)
{
    uint32_t left = paint_below(painting, painting->width);
    uint32_t top = paint_below(painting, painting->height);

    return (struct rect){left, top, left + 1 + paint_below(painting, painting->width - left),
                         top + 1 + paint_below(painting, painting->height - top)};
}

struct rect paint_all(const struct painting *painting)
{
    return (struct rect){0, 0, painting->width, painting->height};
}

uint32_t paint_handle(struct painting *painting)
{
    return ++painting->handles;
}

uint32_t paint_bytecode(struct painting *painting, uint32_t stage, const void *bytes, size_t size)
{
    uint32_t handle = paint_handle(painting);

    trace_command_data(&painting->stream, AEROGPU_CREATE_SHADER_DXBC,
                       (const uint32_t[]){handle, stage, (uint32_t)size, 0}, 4, bytes, size);
    return handle;
}

uint32_t paint_shader(struct painting *painting, uint32_t stage, uint32_t stage_ex,
                      struct blob *code)
{
    uint32_t handle = paint_handle(painting);

    trace_command_data(&painting->stream, AEROGPU_CREATE_SHADER_DXBC,
                       (const uint32_t[]){handle, stage, (uint32_t)code->size, stage_ex}, 4,
                       code->data, code->size);
    blob_unref(&code);
    return handle;
}

void paint_destroy_shader(struct painting *painting, uint32_t handle)
{
    TRACE(&painting->stream, AEROGPU_DESTROY_SHADER, handle, 0);
}

void paint_destroy(struct painting *painting, uint32_t handle)
{
    TRACE(&painting->stream, AEROGPU_DESTROY_RESOURCE, handle, 0);
}

void paint_doom(struct painting *painting, uint32_t opcode, uint32_t handle)
{
    assert_in_range(painting->doomed_count, 0, COUNT_OF(painting->doomed) - 1);
    painting->doomed[painting->doomed_count].opcode = opcode;
    painting->doomed[painting->doomed_count++].handle = handle;
}

void paint_bind(struct painting *painting, uint32_t vertex, uint32_t pixel)
{
    TRACE(&painting->stream, AEROGPU_BIND_SHADERS, vertex, pixel, 0, 0, 0, 0, 0);
}

void paint_targets(struct painting *painting, uint32_t first, uint32_t second, uint32_t depth)
{
    TRACE(&painting->stream, AEROGPU_SET_RENDER_TARGETS, second != 0 ? 2 : first != 0, depth, first,
          second, 0, 0, 0, 0, 0, 0);
}

/* Creates a shader of the first frame, which has a fixed handle. */
static void create_shader(struct painting *painting, uint32_t handle, uint32_t stage,
                          struct blob *code)
{
    uint32_t handles = painting->handles;

    painting->handles = handle - 1;
    paint_shader(painting, stage, 0, code);
    painting->handles = handles;
}

void paint_create(struct painting *painting)
{
    /* ILAY, version 1: POSITION and COLOR, R32G32B32A32_FLOAT both. */
    static const uint32_t layout[] = {0x59414C49, 1, 2, 0, 0x7808E88A, 0, 2, 0, 0, 0, 0,
                                      0xE7C308F8, 0, 2, 0, 0xFFFFFFFF, 0, 0};
    struct trace_stream *stream = &painting->stream;

    painting->handles = PAINT_FIRST_FREE;
    expected_init(&painting->expected, painting->width, painting->height);
    expected_init(&painting->kept, painting->width, painting->height);
    trace_texture(stream, PAINT_SCREEN, AEROGPU_USAGE_TARGET | AEROGPU_USAGE_TEXTURE,
                  AEROGPU_R8G8B8A8, painting->width, painting->height, 1, 1);
    trace_texture(stream, PAINT_DEPTH, AEROGPU_USAGE_DEPTH, AEROGPU_D24S8, painting->width,
                  painting->height, 1, 1);
    trace_texture(stream, PAINT_KEPT, AEROGPU_USAGE_TARGET | AEROGPU_USAGE_TEXTURE,
                  AEROGPU_R8G8B8A8, painting->width, painting->height, 1, 1);
    trace_buffer(stream, PAINT_VERTICES, AEROGPU_USAGE_VERTEX, PAINT_CORNERS * 32);
    create_shader(painting, PAINT_PASS_VERTEX, AEROGPU_VERTEX, scene_pass_vertex());
    create_shader(painting, PAINT_PASS_PIXEL, AEROGPU_PIXEL, scene_pass_pixel());
    trace_command_data(stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){PAINT_LAYOUT, sizeof(layout), 0}, 3, layout,
                       sizeof(layout));
}

void paint_clear(struct painting *painting, uint32_t rgba)
{
    TRACE(&painting->stream, AEROGPU_CLEAR, 7, trace_float((float)(rgba >> 24) / 255),
          trace_float((float)(rgba >> 16 & 255) / 255), trace_float((float)(rgba >> 8 & 255) / 255),
          trace_float((float)(rgba & 255) / 255), trace_float(1), 0);
    expected_fill_all(&painting->expected, rgba);
}

void paint_begin(struct painting *painting)
{
    struct trace_stream *stream = &painting->stream;
    const uint32_t one = trace_float(1);

    if (painting->expected.width != painting->width ||
        painting->expected.height != painting->height) {
        expected_free(&painting->expected);
        expected_init(&painting->expected, painting->width, painting->height);
    }
    paint_targets(painting, PAINT_SCREEN, 0, PAINT_DEPTH);
    TRACE(stream, AEROGPU_SET_VIEWPORT, 0, 0, trace_float((float)painting->width),
          trace_float((float)painting->height), 0, one);
    TRACE(stream, AEROGPU_SET_SCISSOR, 0, 0, 0, 0);
    TRACE(stream, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, one, one, one, one, UINT32_MAX);
    TRACE(stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 0, 0, 1, 0, 0xFFFF);
    TRACE(stream, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 0, 0, 0);
    TRACE(stream, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_TRIANGLE_LIST, 0);
    TRACE(stream, AEROGPU_SET_INPUT_LAYOUT, PAINT_LAYOUT, 0);
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, PAINT_VERTICES, 32, 0, 0);
    paint_bind(painting, PAINT_PASS_VERTEX, PAINT_PASS_PIXEL);
    paint_clear(painting, paint_colour(painting));
}

static void corner(const struct painting *painting, float to[8], float x, float y, float z,
                   uint32_t rgba)
{
    to[0] = x * 2 / (float)painting->width - 1;
    to[1] = 1 - y * 2 / (float)painting->height;
    to[2] = z;
    to[3] = 1;
    for (int i = 0; i < 4; i++)
        to[4 + i] = (float)(rgba >> (24 - 8 * i) & 255) / 255;
}

void paint_corners(const struct painting *painting, const struct rect *rect, float z, float shift,
                   uint32_t rgba, float to[6][8])
{
    float left = (float)rect->left + shift, right = (float)rect->right + shift;
    float top = (float)rect->top + shift, bottom = (float)rect->bottom + shift;

    corner(painting, to[0], left, top, z, rgba);
    corner(painting, to[1], right, top, z, rgba);
    corner(painting, to[2], left, bottom, z, rgba);
    corner(painting, to[3], right, top, z, rgba);
    corner(painting, to[4], right, bottom, z, rgba);
    corner(painting, to[5], left, bottom, z, rgba);
}

void paint_upload(struct painting *painting, const struct rect *rect, float z, uint32_t rgba)
{
    float corners[6][8];

    paint_corners(painting, rect, z, 0, rgba, corners);
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
}

void paint_issue(struct painting *painting, uint32_t count)
{
    TRACE(&painting->stream, AEROGPU_DRAW, count, 1, 0, 0);
}

void paint_draw(struct painting *painting, const struct rect *rect, uint32_t rgba)
{
    paint_upload(painting, rect, 0, rgba);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, rect, rgba);
}

/* SPDX-License-Identifier: MIT */
/* Scenes of shaders: dialects and models, constants, stages, instances and indices */
#include "tests/formats/aerogpu/paint.h"
#include "tests/worker/shaders.h"

#include "tests/support/support.h"

#include <string.h>

static void floats_of(uint32_t rgba, float to[4])
{
    for (int i = 0; i < 4; i++)
        to[i] = (float)(rgba >> (24 - 8 * i) & 255) / 255;
}

static void dialect(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t vertex = paint_shader(painting, AEROGPU_VERTEX, 0, shader_dialect_vertex());
    uint32_t pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_dialect_pixel());

    paint_begin(painting);
    paint_bind(painting, vertex, pixel);
    paint_draw(painting, &rect, paint_colour(painting));
    paint_destroy_shader(painting, vertex);
    paint_destroy_shader(painting, pixel);
}

static void set_floats(struct painting *painting, uint32_t stage, uint32_t first,
                       const float *values, uint32_t count)
{
    trace_command_data(&painting->stream, AEROGPU_SET_SHADER_CONSTANTS_F,
                       (const uint32_t[]){stage, first, count, 0}, 4, values, 16 * count);
}

/* cb0 is what SET_SHADER_CONSTANTS_F sets, until a buffer replaces it. */
static void constants(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_constant_pixel());
    uint32_t buffer = paint_handle(painting), rgba = paint_colour(painting);
    uint32_t other = paint_colour(painting);
    bool by_buffer = paint_below(painting, 2) != 0;
    float colour[4];

    paint_begin(painting);
    paint_bind(painting, PAINT_PASS_VERTEX, pixel);
    floats_of(rgba, colour);
    set_floats(painting, AEROGPU_PIXEL, 1, colour, 1);
    trace_buffer(&painting->stream, buffer, AEROGPU_USAGE_CONSTANT, 512);
    floats_of(other, colour);
    trace_upload(&painting->stream, buffer, 256 + 16, colour, sizeof(colour));
    if (by_buffer)
        TRACE(&painting->stream, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, buffer, 256,
              64, 0);
    paint_upload(painting, &rect, 0, 0);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, by_buffer ? other : rgba);
    TRACE(&painting->stream, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, 0, 0, 0, 0);
    paint_destroy_shader(painting, pixel);
    paint_destroy(painting, buffer);
}

static uint32_t set_layout(struct painting *painting, const void *blob, uint32_t size)
{
    uint32_t handle = paint_handle(painting);

    trace_command_data(&painting->stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){handle, size, 0}, 3, blob, size);
    TRACE(&painting->stream, AEROGPU_SET_INPUT_LAYOUT, handle, 0);
    return handle;
}

static void unset_layout(struct painting *painting, uint32_t handle)
{
    TRACE(&painting->stream, AEROGPU_SET_INPUT_LAYOUT, PAINT_LAYOUT, 0);
    TRACE(&painting->stream, AEROGPU_DESTROY_INPUT_LAYOUT, handle, 0);
}

/* Two instances with offsets and colours of their own, from the second instance on */
static void instances(struct painting *painting)
{
    static const uint32_t layout[] = {
        0x59414C49, 1, 3, 0, 0x7808E88A, 0, 2, 0, 0, 0, 0, /* POSITION */
        0xE7C308F8, 0, 2, 1, 0,          1, 1,             /* COLOR, per instance */
        0,          0, 2, 1, 0xFFFFFFFF, 1, 1,             /* OFFSET */
    };
    const struct rect rect = {1, 2, 7, 9};
    uint32_t vertex = paint_shader(painting, AEROGPU_VERTEX, 0, shader_offset_vertex());
    uint32_t buffer = paint_handle(painting), own = 0, words[COUNT_OF(layout)];
    float data[3][8] = {{0}};

    paint_begin(painting);
    memcpy(words, layout, sizeof(layout));
    words[18] = 0x811C9DC5; /* FNV-1a */
    for (const char *at = "OFFSET"; *at != '\0'; at++)
        words[18] = (words[18] ^ (uint8_t)*at) * 0x01000193;
    own = set_layout(painting, words, sizeof(words));
    paint_upload(painting, &rect, 0, 0);
    for (uint32_t i = 1; i < 3; i++) {
        uint32_t rgba = paint_colour(painting), x = paint_below(painting, painting->width - 8);
        uint32_t y = paint_below(painting, painting->height - 10);
        const struct rect moved = {1 + x, 2 + y, 7 + x, 9 + y};

        floats_of(rgba, data[i]);
        data[i][4] = (float)x * 2 / (float)painting->width;
        data[i][5] = -(float)y * 2 / (float)painting->height;
        expected_fill(&painting->expected, &moved, rgba);
    }
    trace_buffer(&painting->stream, buffer, AEROGPU_USAGE_VERTEX, sizeof(data));
    trace_upload(&painting->stream, buffer, 0, data, sizeof(data));
    TRACE(&painting->stream, AEROGPU_SET_VERTEX_BUFFERS, 1, 1, buffer, 32, 0, 0);
    paint_bind(painting, vertex, PAINT_PASS_PIXEL);
    TRACE(&painting->stream, AEROGPU_DRAW, 6, 2, 0, 1);
    unset_layout(painting, own);
    paint_destroy_shader(painting, vertex);
    paint_destroy(painting, buffer);
}

/* Indices of 16 or 32 bits, with a first index and a base vertex */
static void indexed(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t buffer = paint_handle(painting), rgba = paint_colour(painting);
    bool wide = paint_below(painting, 2) != 0;
    uint32_t base = paint_below(painting, 20);
    float corners[6][8];
    uint8_t indices[64] = {0};

    paint_begin(painting);
    paint_corners(painting, &rect, 0, 0, rgba, corners);
    trace_upload(&painting->stream, PAINT_VERTICES, base * 32, corners, sizeof(corners));
    for (size_t i = 0; i < 6; i++)
        indices[(wide ? 4 : 2) * (i + 3)] = (uint8_t)(10 + i);
    trace_buffer(&painting->stream, buffer, AEROGPU_USAGE_INDEX, 64);
    trace_upload(&painting->stream, buffer, 8, indices, 40);
    TRACE(&painting->stream, AEROGPU_SET_INDEX_BUFFER, buffer, wide, 8, 0);
    TRACE(&painting->stream, AEROGPU_DRAW_INDEXED, 6, 1, 3, base - 10, 0);
    expected_fill(&painting->expected, &rect, rgba);
    TRACE(&painting->stream, AEROGPU_SET_INDEX_BUFFER, 0, 0, 0, 0);
    paint_destroy(painting, buffer);
}

/* Position and colour, both FLOAT4, as D3DVERTEXELEMENT9 */
static uint32_t d3d9_layout(struct painting *painting)
{
    static const uint8_t elements[24] = {0, 0, 0,  0, 3,   0, 0, 0, 0,  0, 16, 0,
                                         3, 0, 10, 0, 255, 0, 0, 0, 17, 0, 0,  0};

    return set_layout(painting, elements, sizeof(elements));
}

/*
 * In Direct3D 9, pixel centres are at integers; an offset of a quarter keeps edges away from them.
 */
static void d3d9_upload(struct painting *painting, const struct rect *rect, uint32_t rgba)
{
    float corners[6][8];

    paint_corners(painting, rect, 0, -0.25f, rgba, corners);
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
}

static uint32_t bytecode(struct painting *painting, uint32_t stage, const uint32_t *words,
                         size_t count)
{
    return paint_bytecode(painting, stage, words, 4 * count);
}

#define BYTECODE(painting, stage, words) bytecode(painting, stage, words, COUNT_OF(words))

static void draw_d3d9(struct painting *painting, uint32_t vertex, uint32_t pixel,
                      const struct rect *rect, uint32_t rgba)
{
    uint32_t layout = d3d9_layout(painting);

    paint_bind(painting, vertex, pixel);
    d3d9_upload(painting, rect, rgba);
    paint_issue(painting, 6);
    unset_layout(painting, layout);
    paint_destroy_shader(painting, vertex);
    paint_destroy_shader(painting, pixel);
}

/* Shader models 1 and 2: colours times a constant */
static void model_1_and_2(struct painting *painting)
{
    static const float channels[4] = {1, 0, 1, 1};
    const struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);
    bool first = paint_below(painting, 2) != 0;
    uint32_t vertex = first ? BYTECODE(painting, AEROGPU_VERTEX, shader_vs_1_1)
                            : BYTECODE(painting, AEROGPU_VERTEX, shader_vs_2_0);
    uint32_t pixel = first ? BYTECODE(painting, AEROGPU_PIXEL, shader_ps_1_1)
                           : BYTECODE(painting, AEROGPU_PIXEL, shader_ps_2_0);

    paint_begin(painting);
    set_floats(painting, AEROGPU_PIXEL, first ? 0 : 3, channels, 1);
    draw_d3d9(painting, vertex, pixel, &rect, rgba);
    expected_fill(&painting->expected, &rect, rgba & 0xFF00FFFF);
}

/* Loops and branches controlled by integer and boolean constants, in either encoding */
static void model_3(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting), branch = paint_below(painting, 2);
    uint32_t vertex = BYTECODE(painting, AEROGPU_VERTEX, shader_vs_3_0);
    uint32_t pixel = BYTECODE(painting, AEROGPU_PIXEL, shader_ps_3_0);
    const int32_t times[4] = {3, 0, 0, 0};
    const uint32_t booleans[4] = {branch, branch, branch, branch};
    float colours[3][4];

    paint_begin(painting);
    floats_of(0x10203040, colours[0]);
    floats_of(0x01020304, colours[1]);
    floats_of(rgba, colours[2]);
    set_floats(painting, AEROGPU_PIXEL, 0, colours[0], 3);
    trace_command_data(&painting->stream, AEROGPU_SET_SHADER_CONSTANTS_I,
                       (const uint32_t[]){AEROGPU_PIXEL, 0, 1, 0}, 4, times, sizeof(times));
    trace_command_data(&painting->stream, AEROGPU_SET_SHADER_CONSTANTS_B,
                       (const uint32_t[]){AEROGPU_PIXEL, 0, 1, 0}, 4, booleans,
                       paint_below(painting, 2) != 0 ? 16 : 4);
    draw_d3d9(painting, vertex, pixel, &rect, 0);
    expected_fill(&painting->expected, &rect, branch != 0 ? rgba : 0x1326394C);
}

/*
 * A texture with Direct3D 9 sampler states, clamped far to the right; texels without alpha are
 * rejected.
 */
static void model_2_texture(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t left = paint_colour(painting), right = paint_colour(painting) | 255;
    uint32_t texture = paint_handle(painting), layout, vertex, pixel;
    bool clamped = paint_below(painting, 2) != 0;
    float corners[6][8];
    uint8_t texels[8];

    left &= ~255u;
    paint_begin(painting);
    for (int k = 0; k < 4; k++) {
        texels[k] = (uint8_t)(left >> (24 - 8 * k));
        texels[4 + k] = (uint8_t)(right >> (24 - 8 * k));
    }
    trace_texture(&painting->stream, texture, AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(&painting->stream, texture, 0, texels, sizeof(texels));
    vertex = BYTECODE(painting, AEROGPU_VERTEX, shader_texture_vs_2_0);
    pixel = BYTECODE(painting, AEROGPU_PIXEL, shader_texture_ps_2_0);
    layout = d3d9_layout(painting);
    paint_bind(painting, vertex, pixel);
    TRACE(&painting->stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 1, texture, 0);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 1, clamped ? 3 : 1);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 5, 1);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 6, 1);
    TRACE(&painting->stream, AEROGPU_SET_RENDER_STATE, 24, 1); /* ALPHAREF */
    TRACE(&painting->stream, AEROGPU_SET_RENDER_STATE, 25, 7); /* ALPHAFUNC: greater or equal */
    TRACE(&painting->stream, AEROGPU_SET_RENDER_STATE, 15, 1); /* ALPHATESTENABLE */
    paint_corners(painting, &rect, 0, -0.25f, 0, corners);
    for (int i = 0; i < 6; i++)
        corners[i][4] = 1.25f;
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
    paint_issue(painting, 6);
    if (clamped)
        expected_fill(&painting->expected, &rect, right);
    TRACE(&painting->stream, AEROGPU_SET_RENDER_STATE, 15, 0);
    TRACE(&painting->stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 1, 0, 0);
    unset_layout(painting, layout);
    paint_destroy_shader(painting, vertex);
    paint_destroy_shader(painting, pixel);
    paint_destroy(painting, texture);
}

/* A geometry shader turns a point into a triangle whose corners are cut off. */
static void geometry(struct painting *painting)
{
    const struct rect point = {5, 5, 6, 6},
                      corner = {0, 0, painting->width / 4, painting->height / 4};
    uint32_t shader = paint_shader(painting, AEROGPU_GEOMETRY, 0, shader_corner());
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_SCISSOR, 0, 0, corner.right, corner.bottom);
    TRACE(&painting->stream, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_POINT_LIST, 0);
    if (paint_below(painting, 2) != 0) /* as in the first ABI: in a reserved field */
        TRACE(&painting->stream, AEROGPU_BIND_SHADERS, PAINT_PASS_VERTEX, PAINT_PASS_PIXEL, 0,
              shader);
    else
        TRACE(&painting->stream, AEROGPU_BIND_SHADERS, PAINT_PASS_VERTEX, PAINT_PASS_PIXEL, 0, 0,
              shader, 0, 0);
    paint_upload(painting, &point, 0, rgba);
    paint_issue(painting, 1);
    expected_fill(&painting->expected, &corner, rgba);
    paint_destroy_shader(painting, shader);
}

static void tessellation(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t vertex = paint_shader(painting, AEROGPU_VERTEX, 0, shader_patch_vertex());
    uint32_t hull = paint_shader(
        painting, AEROGPU_COMPUTE, AEROGPU_EX_HULL,
        shader_hull((float)(1 + paint_below(painting, 6)), paint_below(painting, 2) != 0));
    uint32_t domain = paint_shader(painting, AEROGPU_COMPUTE, AEROGPU_EX_DOMAIN, shader_domain());
    uint32_t rgba = 0xFF000000 | (paint_below(painting, 2) != 0 ? 0xFFFF : 0xFF00FF);

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_PATCH_LIST_1 + 2, 0);
    TRACE(&painting->stream, AEROGPU_BIND_SHADERS, vertex, PAINT_PASS_PIXEL, 0, 0, 0, hull, domain);
    paint_draw(painting, &rect, rgba);
    paint_destroy_shader(painting, vertex);
    paint_destroy_shader(painting, hull);
    paint_destroy_shader(painting, domain);
}

static void dispatch(struct painting *painting, uint32_t shader, uint32_t read, uint32_t written,
                     uint32_t second)
{
    TRACE(&painting->stream, AEROGPU_BIND_SHADERS, 0, 0, shader, 0, 0, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_COMPUTE, 0, 1,
          AEROGPU_EX_NONE, read, 0, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 2,
          AEROGPU_EX_COMPUTE, written, 0, 0, 4, second, 0, 0, UINT32_MAX);
    TRACE(&painting->stream, AEROGPU_DISPATCH, 1, 1, 1, 0);
    TRACE(&painting->stream, AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, 0, 0, 0,
          0);
    TRACE(&painting->stream, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 2, 0, 0, 0,
          0, UINT32_MAX, 0, 0, 0, UINT32_MAX);
}

/* A colour goes through compute shaders to a constant buffer. */
static void computed(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t read = paint_handle(painting), written = paint_handle(painting);
    bool consumed = paint_below(painting, 2) != 0;
    uint32_t grey = paint_below(painting, 256) * 0x01010101u, rgba = paint_colour(painting);
    uint32_t shader, pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_constant_pixel());
    float colour[4];

    rgba = consumed ? grey : rgba; /* it is not specified which invocation gets which */
    paint_begin(painting);
    floats_of(rgba, colour);
    trace_buffer(&painting->stream, read, AEROGPU_USAGE_STORAGE, 256);
    trace_buffer(&painting->stream, written, AEROGPU_USAGE_STORAGE, 256);
    trace_upload(&painting->stream, read, 0, colour, sizeof(colour));
    shader = paint_shader(painting, AEROGPU_COMPUTE, 0,
                          consumed ? shader_consume() : shader_copy_words());
    if (consumed)
        dispatch(painting, shader, 0, read, written);
    else
        dispatch(painting, shader, read, written, 0);
    TRACE(&painting->stream, AEROGPU_COPY_BUFFER, read, written, 16, 0, 0, 0, 16, 0, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, read, 0, 0, 0);
    paint_bind(painting, PAINT_PASS_VERTEX, pixel);
    paint_upload(painting, &rect, 0, 0);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
    TRACE(&painting->stream, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, 0, 0, 0, 0);
    paint_destroy_shader(painting, shader);
    paint_destroy_shader(painting, pixel);
    paint_destroy(painting, read);
    paint_destroy(painting, written);
}

const struct scene_kind paint_shader_scenes[] = {
    {.name = "dialect", .paint = dialect},
    {.name = "constants", .paint = constants},
    {.name = "instances", .paint = instances},
    {.name = "indexed", .paint = indexed},
    {.name = "models 1 and 2", .paint = model_1_and_2},
    {.name = "model 3", .paint = model_3},
    {.name = "model 2 texture", .paint = model_2_texture},
    {.name = "geometry", .paint = geometry},
    {.name = "tessellation", .paint = tessellation},
    {.name = "computed", .paint = computed},
};
const size_t paint_shader_count = COUNT_OF(paint_shader_scenes);

/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/make.h"

#include "tests/support/support.h"

#include "base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES_MAX = 64, UNKNOWN = 0x7F0, MEMORY_ADDRESS = 0x10000 };

struct making {
    const struct make_params *params;
    struct painting painting;
    const struct scene_kind *scenes[SCENES_MAX];
    uint32_t scene_count;
};

static void add_scenes(struct making *making, const struct scene_kind *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!list[i].memory || !making->params->packets) {
            assert_in_range(making->scene_count, 0, SCENES_MAX - 1);
            making->scenes[making->scene_count++] = &list[i];
        }
}

static void shuffle(struct making *making)
{
    for (uint32_t i = making->scene_count; i > 1; i--) {
        uint32_t other = paint_below(&making->painting, i);
        const struct scene_kind *scene = making->scenes[other];

        making->scenes[other] = making->scenes[i - 1];
        making->scenes[i - 1] = scene;
    }
}

static void make_noise(struct making *making)
{
    struct trace_stream *stream = &making->painting.stream;

    TRACE(stream, AEROGPU_NOP, 1, 2, 3); /* longer than necessary */
    TRACE(stream, UNKNOWN + paint_below(&making->painting, 3), 0xFFFFFFFF, 0);
    TRACE(stream, AEROGPU_FLUSH, 0, 0, 77);
}

static void end_scene(struct making *making)
{
    struct painting *painting = &making->painting;

    trace_present(&painting->stream);
    for (unsigned i = 0; i < painting->doomed_count; i++)
        TRACE(&painting->stream, painting->doomed[i].opcode, painting->doomed[i].handle, 0);
    painting->doomed_count = 0;
}

static void write_stream(struct making *making, struct made *out)
{
    struct painting *painting = &making->painting;
    const struct trace_range range = {.alloc_id = PAINT_ALLOCATION,
                                      .gpa = MEMORY_ADDRESS,
                                      .data = painting->memory,
                                      .size = sizeof(painting->memory)};

    if (making->params->noise) /* bytes after the stream that its size does not include */
        trace_bytes_add(&painting->stream.bytes, "behind the stream...", 20);
    if (making->params->packets)
        trace_packet(&out->writer, painting->stream.bytes.data, painting->stream.bytes.size);
    else
        trace_submit(&out->writer, &painting->stream, &range, 1);
}

static void make_frame(struct making *making, uint32_t frame, struct made *out)
{
    struct painting *painting = &making->painting;
    const struct scene_kind *scene = making->scenes[frame % making->scene_count];

    if (frame % making->scene_count == 0)
        shuffle(making);
    scene = making->scenes[frame % making->scene_count];
    trace_begin_frame(&out->writer);
    trace_stream_begin(&painting->stream);
    if (frame == 0)
        paint_create(painting);
    if (making->params->noise)
        make_noise(making);
    trace_command_data(&painting->stream, AEROGPU_DEBUG_MARKER, NULL, 0, scene->name,
                       strlen(scene->name));
    scene->paint(painting);
    end_scene(making);
    write_stream(making, out);
    trace_stream_free(&painting->stream);
    trace_end_frame(&out->writer);
    out->scenes[frame] = scene->name;
    expected_copy(&out->pictures[frame], &painting->expected);
}

static void allocate(const struct make_params *params, struct made *out)
{
    *out = (struct made){.frames = params->frames};
    out->pictures = calloc(params->frames, sizeof(*out->pictures));
    out->scenes = calloc(params->frames, sizeof(*out->scenes));
    assert_non_null(out->pictures);
    assert_non_null(out->scenes);
}

void aerogpu_make(const struct make_params *params, struct made *out)
{
    struct making *making = calloc(1, sizeof(*making));

    assert_non_null(making);
    allocate(params, out);
    making->params = params;
    making->painting.random = params->seed * 0x9E3779B97F4A7C15u + 1;
    making->painting.width = params->width;
    making->painting.height = params->height;
    add_scenes(making, paint_raster_scenes, paint_raster_count);
    add_scenes(making, paint_data_scenes, paint_data_count);
    add_scenes(making, paint_shader_scenes, paint_shader_count);
    trace_begin(&out->writer, params->packets ? 1 : 2);
    for (uint32_t i = 0; i < params->frames; i++)
        make_frame(making, i, out);
    if (!params->unfinished)
        trace_end(&out->writer);
    expected_free(&making->painting.expected);
    expected_free(&making->painting.kept);
    free(making);
}

void aerogpu_made_free(struct made *made)
{
    for (uint32_t i = 0; i < made->frames; i++)
        expected_free(&made->pictures[i]);
    free(made->pictures);
    free(made->scenes);
    trace_free(&made->writer);
}

void aerogpu_made_line(const struct made *made, uint32_t frame, char line[120])
{
    const struct expected *expected = &made->pictures[frame];
    const uint32_t extent[2] = {expected->width, expected->height};
    uint8_t head[8], digest[SHA256_SIZE];
    struct sha256 hash;
    int length;

    for (size_t i = 0; i < sizeof(head); i++)
        head[i] = (uint8_t)(extent[i / 4] >> 8 * (i % 4));
    sha256_init(&hash);
    sha256_add(&hash, head, sizeof(head));
    sha256_add(&hash, expected->rgba, (size_t)expected->width * expected->height * 4);
    sha256_finish(&hash, digest);
    length =
        snprintf(line, 120, "frame %u: %ux%u sha256=", frame, expected->width, expected->height);
    for (size_t i = 0; i < SHA256_SIZE; i++)
        length += snprintf(line + length, 120 - (size_t)length, "%02x", digest[i]);
}

/* Appendix A */

enum { BACK = 64, CORNERS = 6, BUFFER = 1, TOY_VERTEX, TOY_PIXEL, PIPELINE, GLSL_BLOB = 5 };

static const char toy_vertex[] =
    "#version 300 es\n"
    "layout(location = 0) in vec2 place;\n"
    "layout(location = 1) in vec4 colour;\n"
    "out vec4 passed;\n"
    "void main() { gl_Position = vec4(place, 0, 1); passed = colour; }\n";
static const char toy_pixel[] = "#version 300 es\n"
                                "precision highp float;\n"
                                "in vec4 passed;\n"
                                "out vec4 colour;\n"
                                "void main() { colour = passed; }\n";

static void add_packet(struct trace_writer *writer, uint32_t opcode, const uint32_t *words,
                       uint32_t count)
{
    struct trace_bytes packet = {0};

    trace_bytes_add_u32(&packet, opcode);
    trace_bytes_add_u32(&packet, count + 2);
    for (uint32_t i = 0; i < count; i++)
        trace_bytes_add_u32(&packet, words[i]);
    trace_packet(writer, packet.data, packet.size);
    trace_bytes_free(&packet);
}

#define PACKET(writer, opcode, ...)                                                                \
    add_packet(writer, opcode, (const uint32_t[]){__VA_ARGS__},                                    \
               sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void create_toys(struct trace_writer *writer)
{
    uint32_t vertex = (uint32_t)trace_blob(writer, GLSL_BLOB, toy_vertex, sizeof(toy_vertex) - 1);
    uint32_t pixel = (uint32_t)trace_blob(writer, GLSL_BLOB, toy_pixel, sizeof(toy_pixel) - 1);

    PACKET(writer, AEROGPU_A_CREATE_BUFFER, BUFFER, CORNERS * 24, 1);
    PACKET(writer, AEROGPU_A_CREATE_SHADER, TOY_VERTEX, 0, vertex, 0, 0, 0, 0, 0);
    PACKET(writer, AEROGPU_A_CREATE_SHADER, TOY_PIXEL, 1, pixel, 0, 0, 0, 0, 0);
    PACKET(writer, AEROGPU_A_CREATE_PIPELINE, PIPELINE, TOY_VERTEX, TOY_PIXEL);
}

static void draw_toy(struct painting *painting, struct trace_writer *writer)
{
    const struct rect rect = paint_rect(painting);
    uint32_t ground = paint_colour(painting), rgba = paint_colour(painting), blob;
    float corners[6][8], packed[CORNERS][6], colour[4];

    paint_corners(painting, &rect, 0, 0, rgba, corners);
    for (int i = 0; i < CORNERS; i++)
        for (int k = 0; k < 6; k++)
            packed[i][k] = corners[i][k < 4 ? k + 4 : k - 4];
    for (int i = 0; i < 4; i++)
        colour[i] = (float)(ground >> (24 - 8 * i) & 255) / 255;
    blob = (uint32_t)trace_blob(writer, 1, packed, sizeof(packed));
    PACKET(writer, AEROGPU_A_SET_VIEWPORT, 0, 0);
    PACKET(writer, AEROGPU_A_CLEAR, trace_float(colour[0]), trace_float(colour[1]),
           trace_float(colour[2]), trace_float(colour[3]));
    PACKET(writer, AEROGPU_A_UPLOAD_BUFFER, BUFFER, 0, sizeof(packed), blob, 0);
    PACKET(writer, AEROGPU_A_SET_PIPELINE, PIPELINE);
    PACKET(writer, AEROGPU_A_SET_VERTEX_BUFFER, BUFFER, 24, 16, 0);
    PACKET(writer, AEROGPU_A_DRAW, CORNERS, 0);
    add_packet(writer, AEROGPU_A_PRESENT, NULL, 0);
    expected_fill_all(&painting->expected, ground);
    expected_fill(&painting->expected, &rect, rgba);
}

void aerogpu_make_appendix(const struct make_params *params, struct made *out)
{
    struct painting *painting = calloc(1, sizeof(*painting));

    assert_non_null(painting);
    allocate(params, out);
    painting->random = params->seed * 0x9E3779B97F4A7C15u + 1;
    painting->width = painting->height = BACK;
    expected_init(&painting->expected, BACK, BACK);
    trace_begin(&out->writer, 1);
    for (uint32_t i = 0; i < params->frames; i++) {
        trace_begin_frame(&out->writer);
        if (i == 0)
            create_toys(&out->writer);
        draw_toy(painting, &out->writer);
        trace_end_frame(&out->writer);
        out->scenes[i] = "Appendix A";
        expected_copy(&out->pictures[i], &painting->expected);
    }
    if (!params->unfinished)
        trace_end(&out->writer);
    expected_free(&painting->expected);
    free(painting);
}

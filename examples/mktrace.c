/* SPDX-License-Identifier: MIT */
/*
 * mktrace FILE [FRAMES]: writes an AeroGPU trace, always the same bytes. A star turns above water;
 * a copy makes its reflection. Everything is drawn without shaders, so that it can be shown on
 * machines without graphics libraries, too.
 */
#include "trace_writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 160,
    HEIGHT = 120,
    WATER = 84, /* the first line of the water */
    FRAMES = 48,
    POINTS = 5,
    PLAQUE = 16, /* size of a checked texture */

    /* Handles. */
    SCREEN = 1,
    VERTICES = 2,
    CHECKS = 3,
    DEPTH = 4,

    USAGE_VERTICES = 1,
    USAGE_TEXTURE = 8,
    USAGE_TARGET = 0x10,
    USAGE_DEPTH = 0x20,
};

static const float turn = 6.2831853f;

/* A mesh of triangles: x, y in pixels; red, green, blue. */
struct mesh {
    float data[64 * 6];
    size_t count; /* of vertices */
};

static void add_vertex(struct mesh *mesh, float x, float y, const float colour[3])
{
    const float vertex[6] = {x / WIDTH * 2 - 1, 1 - y / HEIGHT * 2, colour[0],
                             colour[1],         colour[2],          1};

    memcpy(mesh->data + 6 * mesh->count++, vertex, sizeof(vertex));
}

static void add_quad(struct mesh *mesh, float top, float bottom, const float above[3],
                     const float below[3])
{
    add_vertex(mesh, 0, top, above);
    add_vertex(mesh, WIDTH, top, above);
    add_vertex(mesh, 0, bottom, below);
    add_vertex(mesh, WIDTH, top, above);
    add_vertex(mesh, WIDTH, bottom, below);
    add_vertex(mesh, 0, bottom, below);
}

static void add_corner(struct mesh *mesh, float angle, float radius, const float colour[3])
{
    add_vertex(mesh, WIDTH / 2.0f + radius * cosf(angle), 42 + radius * sinf(angle), colour);
}

static void add_star(struct mesh *mesh, float angle)
{
    static const float gold[3] = {1, 0.84f, 0.2f}, ember[3] = {0.9f, 0.35f, 0.1f};

    for (int i = 0; i < POINTS; i++) {
        float point = angle + turn * (float)i / POINTS;

        add_corner(mesh, point, 36, ember);
        add_corner(mesh, point + turn / 10, 15, gold);
        add_corner(mesh, point - turn / 10, 15, gold);
        add_corner(mesh, point + turn / 10, 15, gold);
        add_corner(mesh, point - turn / 10, 15, gold);
        add_vertex(mesh, WIDTH / 2.0f, 42, gold);
    }
}

static void create(struct trace_stream *stream)
{
    uint8_t checks[PLAQUE * PLAQUE * 2];

    for (size_t i = 0; i < PLAQUE * PLAQUE; i++) {
        uint32_t texel = ((i / 4 + i / (4 * PLAQUE)) % 2) != 0 ? 0xFFFF : 0x0010;

        checks[2 * i] = (uint8_t)texel;
        checks[2 * i + 1] = (uint8_t)(texel >> 8);
    }
    trace_texture(stream, SCREEN, USAGE_TARGET, AEROGPU_R8G8B8X8, WIDTH, HEIGHT, 1, 1);
    trace_texture(stream, DEPTH, USAGE_DEPTH, AEROGPU_D32F, WIDTH, HEIGHT, 1, 1);
    trace_texture(stream, CHECKS, USAGE_TEXTURE, AEROGPU_B5G6R5, PLAQUE, PLAQUE, 1, 1);
    trace_upload(stream, CHECKS, 0, checks, sizeof(checks));
    trace_buffer(stream, VERTICES, USAGE_VERTICES, sizeof(((struct mesh *)0)->data));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, VERTICES, 24, 0, 0);
    trace_target(stream, SCREEN, DEPTH);
}

/* Draws the water, which reflects what is above it, line by line, from the shore down. */
static void reflect(struct trace_stream *stream, uint32_t frame)
{
    for (uint32_t y = WATER; y < HEIGHT; y++) {
        uint32_t from = 2 * WATER - y - 1;
        float wave = sinf((float)y * 0.9f + turn * (float)frame / 12) * (float)(y - WATER) / 8;
        uint32_t shift = (uint32_t)fabsf(wave);

        if (y % 3 == 0)
            continue;
        TRACE(stream, AEROGPU_COPY_TEXTURE2D, SCREEN, SCREEN, 0, 0, 0, 0, wave > 0 ? shift : 0, y,
              wave > 0 ? 0 : shift, from, WIDTH - shift, 1, 0, 0);
    }
}

static void draw_frame(struct trace_stream *stream, uint32_t frame)
{
    static const float night[3] = {0.05f, 0.05f, 0.2f}, dusk[3] = {0.55f, 0.3f, 0.45f};
    static const float sea[3] = {0.1f, 0.2f, 0.35f}, deep[3] = {0, 0.05f, 0.1f};
    static const char marker[] = "reflection";
    struct mesh mesh = {.count = 0};

    add_quad(&mesh, 0, WATER, night, dusk);
    add_quad(&mesh, WATER, HEIGHT, sea, deep);
    add_star(&mesh, turn * (float)frame / 60);
    TRACE(stream, AEROGPU_CLEAR, AEROGPU_CLEAR_COLOUR | AEROGPU_CLEAR_DEPTH, 0, 0, 0, 0,
          trace_float((float)frame / 64), 0);
    trace_upload(stream, VERTICES, 0, mesh.data, mesh.count * 24);
    TRACE(stream, AEROGPU_DRAW, 12, 1, 0, 0);
    TRACE(stream, AEROGPU_DRAW, (uint32_t)mesh.count - 12, 1, 12, 0);
    if (frame == 0)
        trace_present(stream); /* twice in this frame, so that it has presents/ */
    trace_command_data(stream, AEROGPU_DEBUG_MARKER, NULL, 0, marker, sizeof(marker) - 1);
    reflect(stream, frame);
    trace_present(stream);
}

static void write_trace(struct trace_writer *writer, uint32_t frames)
{
    trace_begin(writer, 2);
    for (uint32_t frame = 0; frame < frames; frame++) {
        struct trace_stream stream;

        trace_begin_frame(writer);
        trace_stream_begin(&stream);
        if (frame == 0)
            create(&stream);
        draw_frame(&stream, frame);
        trace_submit(writer, &stream, NULL, 0);
        trace_stream_free(&stream);
        trace_end_frame(writer);
    }
    trace_end(writer);
}

int main(int argc, char **argv)
{
    unsigned long frames = argc > 2 ? strtoul(argv[2], NULL, 10) : FRAMES;
    struct trace_writer writer;
    FILE *file = NULL;

    if (argc < 2 || argc > 3 || frames < 1 || frames > 100000) {
        fputs("usage: mktrace FILE [FRAMES]\n", stderr);
        return 1;
    }
    write_trace(&writer, (uint32_t)frames);
    file = fopen(argv[1], "wb");
    if (file == NULL || fwrite(writer.bytes.data, writer.bytes.size, 1, file) != 1 ||
        fclose(file) != 0) {
        fprintf(stderr, "mktrace: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    trace_free(&writer);
    return 0;
}

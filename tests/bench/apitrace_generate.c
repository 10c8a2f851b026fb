/* SPDX-License-Identifier: MIT */
/*
 * apitrace_generate KIND N FILE: writes a trace for measuring, which always has the same bytes.
 *
 *     calls N            N calls like those of a small GL program
 *     raw MB             that many MB of stream, in one endless frame
 *     blobs MB           that many MB, in blobs of 100 kB that cannot be packed
 *     floats MB          the same, of floats that can be packed a little
 *     small-blobs MB     like blobs, in blobs of 1,000 bytes
 *     small-floats MB    like floats, in blobs of 1,000 bytes
 */
#include "examples/apitrace_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALLS_OF_FRAME = 480,
    FLOATS = 64,
    BLOB = 100000,
    SMALL_BLOB = 1000,
    FRAME_OF_BLOBS = 50 * BLOB, /* bytes */
};

static const struct trace_constant constants[] = {
    {"GL_POINTS", 0},       {"GL_TRIANGLES", 4},      {"GL_TEXTURE_2D", 0xDE1},
    {"GL_FLOAT", 0x1406},   {"GL_MODELVIEW", 0x1700}, {"GL_ARRAY_BUFFER", 0x8892},
    {"GL_LIGHTING", 0xB50}, {"GL_FRONT", 0x404},      {"GL_AMBIENT_AND_DIFFUSE", 0x1602},
    {"GL_NO_ERROR", 0},     {"GL_COMPILE", 0x1300},
};
static const struct trace_names gl = {1, sizeof(constants) / sizeof(constants[0]), constants};

static const struct trace_function
    begin = {1, "glBegin", 1, {"mode"}},
    end_primitive = {2, "glEnd", 0, {NULL}}, vertex = {3, "glVertex3f", 3, {"x", "y", "z"}},
    normal = {4, "glNormal3f", 3, {"nx", "ny", "nz"}},
    rotate = {5, "glRotatef", 4, {"angle", "x", "y", "z"}},
    bind = {6, "glBindTexture", 2, {"target", "texture"}},
    material = {7, "glMaterialfv", 3, {"face", "pname", "params"}},
    uniform = {8, "glUniformMatrix4fv", 4, {"location", "count", "transpose", "value"}},
    sub_data = {9, "glBufferSubData", 4, {"target", "offset", "size", "data"}},
    error = {10, "glGetError", 0, {NULL}}, swap = {11, "glXSwapBuffers", 2, {"dpy", "drawable"}};

/* Returns numbers as programs have them: some round, most not. */
static float number(uint64_t n)
{
    uint32_t mixed = (uint32_t)(n * 2654435761U);

    return n % 5 == 0 ? (float)(int)(mixed >> 28) : (float)(int32_t)mixed / 123456789.0F;
}

static void floats(struct trace_writer *writer, unsigned first, unsigned count, uint64_t seed)
{
    for (unsigned n = 0; n < count; n++) {
        trace_argument(writer, first + n);
        trace_float(writer, number(seed + n));
    }
}

static void enum_argument(struct trace_writer *writer, unsigned argument, int64_t value)
{
    trace_argument(writer, argument);
    trace_enum(writer, &gl, value);
}

static void array_of_floats(struct trace_writer *writer, unsigned argument, unsigned count,
                            uint64_t seed)
{
    trace_argument(writer, argument);
    trace_array(writer, count);
    for (unsigned n = 0; n < count; n++)
        trace_float(writer, number(seed + n));
}

static void write_swap(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &swap);

    trace_argument(writer, 0);
    trace_opaque(writer, 0x55550000);
    trace_argument(writer, 1);
    trace_uint(writer, 8388610);
    trace_call_end(writer, call);
}

static void upload_arguments(struct trace_writer *writer, const uint8_t *data, size_t size)
{
    enum_argument(writer, 0, 0x8892);
    trace_argument(writer, 1);
    trace_uint(writer, 0);
    trace_argument(writer, 2);
    trace_uint(writer, size);
    trace_argument(writer, 3);
    trace_blob(writer, data, size);
}

/* Writes one of the calls that make up a frame. */
static void write_call(struct trace_writer *writer, uint64_t n)
{
    static const uint8_t data[48];
    static const struct trace_function *const functions[] = {
        &begin, &normal, &vertex, &vertex, &vertex, &vertex,   &end_primitive, &rotate,
        &bind,  &normal, &vertex, &vertex, &vertex, &material, &sub_data,      &error};
    const struct trace_function *function = functions[n % 16];
    uint64_t call = trace_enter(writer, 0, function);

    if (function == &begin) {
        enum_argument(writer, 0, 4);
    } else if (function == &vertex || function == &normal) {
        floats(writer, 0, 3, n);
    } else if (function == &rotate) {
        floats(writer, 0, 4, n);
    } else if (function == &bind) {
        enum_argument(writer, 0, 0xDE1);
        trace_argument(writer, 1);
        trace_uint(writer, n % 40);
    } else if (function == &material) {
        enum_argument(writer, 0, 0x404);
        enum_argument(writer, 1, 0x1602);
        array_of_floats(writer, 2, 4, n);
    } else if (function == &sub_data) {
        upload_arguments(writer, data, sizeof(data));
    }
    trace_end(writer);
    trace_leave(writer, call);
    if (function == &error) {
        trace_result(writer);
        trace_enum(writer, &gl, 0);
    }
    trace_end(writer);
}

static void write_calls(struct trace_writer *writer, uint64_t calls)
{
    for (uint64_t n = 0; n < calls; n++) {
        if (n % CALLS_OF_FRAME == CALLS_OF_FRAME - 1)
            write_swap(writer);
        else
            write_call(writer, n);
    }
}

/* Writes calls of about 1300 bytes: 256 floats. */
static void write_raw(struct trace_writer *writer, uint64_t megabytes)
{
    uint64_t calls = megabytes * 1000000 / (FLOATS * 4 * 5 + 16);

    for (uint64_t n = 0; n < calls; n++) {
        uint64_t call = trace_enter(writer, 0, &uniform);

        trace_argument(writer, 0);
        trace_int(writer, (int64_t)(n % 30));
        trace_argument(writer, 1);
        trace_uint(writer, FLOATS / 4);
        trace_argument(writer, 2);
        trace_enum(writer, &gl, 0);
        array_of_floats(writer, 3, FLOATS * 4, n * 7);
        trace_call_end(writer, call);
    }
}

/* Writes blobs of `size` bytes, each from another place in `data`, which has 2 * BLOB bytes. */
static void write_uploads(struct trace_writer *writer, const uint8_t *data, size_t size,
                          uint64_t megabytes)
{
    const uint64_t of_frame = FRAME_OF_BLOBS / size;

    for (uint64_t n = 0; n < megabytes * 1000000 / size; n++) {
        uint64_t call = trace_enter(writer, 0, &sub_data);

        upload_arguments(writer, data + n * 4099 % BLOB, size);
        trace_call_end(writer, call);
        if (n % of_frame == of_frame - 1)
            write_swap(writer);
    }
}

/* Returns data that cannot be packed. */
static const uint8_t *random_data(void)
{
    static uint8_t data[2 * BLOB];
    uint64_t mixed = 88172645463325252U;

    for (size_t n = 0; n < sizeof(data); n++) {
        mixed ^= mixed << 13;
        mixed ^= mixed >> 7;
        mixed ^= mixed << 17;
        data[n] = (uint8_t)(mixed >> 32);
    }
    return data;
}

/*
 * Returns floats like those of vertices: numbers of all sizes, some of them repeated, and round
 * ones.
 */
static const uint8_t *float_data(void)
{
    static uint8_t data[2 * BLOB];

    for (size_t n = 0; n < sizeof(data) / sizeof(float); n++) {
        float value = number(n % 5 < 2 ? n / 5 % 50 : n);

        memcpy(data + n * sizeof(value), &value, sizeof(value));
    }
    return data;
}

static void write_blobs(struct trace_writer *writer, uint64_t megabytes)
{
    write_uploads(writer, random_data(), BLOB, megabytes);
}

static void write_float_blobs(struct trace_writer *writer, uint64_t megabytes)
{
    write_uploads(writer, float_data(), BLOB, megabytes);
}

static void write_small_blobs(struct trace_writer *writer, uint64_t megabytes)
{
    write_uploads(writer, random_data(), SMALL_BLOB, megabytes);
}

static void write_small_float_blobs(struct trace_writer *writer, uint64_t megabytes)
{
    write_uploads(writer, float_data(), SMALL_BLOB, megabytes);
}

static const struct {
    const char *name;
    void (*write)(struct trace_writer *writer, uint64_t count);
} kinds[] = {
    {"calls", write_calls},
    {"raw", write_raw},
    {"blobs", write_blobs},
    {"floats", write_float_blobs},
    {"small-blobs", write_small_blobs},
    {"small-floats", write_small_float_blobs},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

int main(int argc, char **argv)
{
    static const char *const properties[] = {"process.name", "/usr/bin/generated", NULL};
    const struct trace_params params = {.version = 6, .properties = properties};
    uint64_t count = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
    size_t kind = 0;
    struct trace_writer *writer;
    int status;

    while (count != 0 && kind < KINDS && strcmp(argv[1], kinds[kind].name) != 0)
        kind++;
    if (count == 0 || kind == KINDS) {
        fprintf(stderr,
                "usage: apitrace_generate calls|raw|[small-]blobs|[small-]floats COUNT FILE\n");
        return 2;
    }
    status = trace_writer_open(argv[3], &params, &writer);
    if (status == 0) {
        kinds[kind].write(writer, count);
        status = trace_writer_close(&writer);
    }
    if (status < 0)
        fprintf(stderr, "apitrace_generate: %s\n", strerror(-status));
    return status < 0;
}

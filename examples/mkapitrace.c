/* SPDX-License-Identifier: MIT */
/*
 * mkapitrace FILE [FRAMES]: writes an apitrace trace, always the same bytes: a textured triangle
 * that turns, drawn by a GLES program, with shaders, a texture, groups of debug markers and an
 * error.
 */
#include "apitrace_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 8,
    SIDE = 64, /* of the texture */
    GL_TRIANGLES = 4,
    GL_INVALID_ENUM = 0x500,
    GL_TEXTURE_2D = 0xDE1,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_FLOAT = 0x1406,
    GL_RGBA = 0x1908,
    GL_RENDERER = 0x1F01,
    GL_LINEAR = 0x2601,
    GL_TEXTURE_MIN_FILTER = 0x2801,
    GL_ARRAY_BUFFER = 0x8892,
    GL_STATIC_DRAW = 0x88E4,
    GL_FRAGMENT_SHADER = 0x8B30,
    GL_VERTEX_SHADER = 0x8B31,
    GL_COLOR_BUFFER_BIT = 0x4000,
};

static const struct trace_constant constants[] = {
    {"GL_TRIANGLES", GL_TRIANGLES},
    {"GL_INVALID_ENUM", GL_INVALID_ENUM},
    {"GL_TEXTURE_2D", GL_TEXTURE_2D},
    {"GL_UNSIGNED_BYTE", GL_UNSIGNED_BYTE},
    {"GL_FLOAT", GL_FLOAT},
    {"GL_RGBA", GL_RGBA},
    {"GL_RENDERER", GL_RENDERER},
    {"GL_LINEAR", GL_LINEAR},
    {"GL_TEXTURE_MIN_FILTER", GL_TEXTURE_MIN_FILTER},
    {"GL_ARRAY_BUFFER", GL_ARRAY_BUFFER},
    {"GL_STATIC_DRAW", GL_STATIC_DRAW},
    {"GL_FRAGMENT_SHADER", GL_FRAGMENT_SHADER},
    {"GL_VERTEX_SHADER", GL_VERTEX_SHADER},
};
static const struct trace_names gl = {1, sizeof(constants) / sizeof(constants[0]), constants};
static const struct trace_constant bits[] = {{"GL_COLOR_BUFFER_BIT", GL_COLOR_BUFFER_BIT}};
static const struct trace_names clear_bits = {1, 1, bits};

static const struct trace_function
    make_current = {1, "eglMakeCurrent", 4, {"dpy", "draw", "read", "ctx"}},
    viewport = {2, "glViewport", 4, {"x", "y", "width", "height"}},
    create_shader = {3, "glCreateShader", 1, {"type"}},
    shader_source = {4, "glShaderSource", 4, {"shader", "count", "string", "length"}},
    compile_shader = {5, "glCompileShader", 1, {"shader"}},
    use_program = {6, "glUseProgram", 1, {"program"}},
    bind_texture = {7, "glBindTexture", 2, {"target", "texture"}},
    tex_image = {8,
                 "glTexImage2D",
                 9,
                 {"target", "level", "internalformat", "width", "height", "border", "format",
                  "type", "pixels"}},
    clear = {9, "glClear", 1, {"mask"}}, uniform = {10, "glUniform1f", 2, {"location", "v0"}},
    draw_arrays = {11, "glDrawArrays", 3, {"mode", "first", "count"}},
    push_group = {12, "glPushGroupMarkerEXT", 2, {"length", "marker"}},
    pop_group = {13, "glPopGroupMarkerEXT", 0, {NULL}}, get_error = {14, "glGetError", 0, {NULL}},
    get_string = {15, "glGetString", 1, {"name"}},
    swap_buffers = {16, "eglSwapBuffers", 2, {"dpy", "surface"}},
    create_context = {17, "eglCreateContext", 4, {"dpy", "config", "share_context", "attrib_list"}},
    create_surface = {18, "eglCreateWindowSurface", 4, {"dpy", "config", "win", "attrib_list"}},
    create_program = {19, "glCreateProgram", 0, {NULL}},
    attach_shader = {20, "glAttachShader", 2, {"program", "shader"}},
    bind_location = {21, "glBindAttribLocation", 3, {"program", "index", "name"}},
    link_program = {22, "glLinkProgram", 1, {"program"}},
    get_location = {23, "glGetUniformLocation", 2, {"program", "name"}},
    bind_buffer = {24, "glBindBuffer", 2, {"target", "buffer"}},
    buffer_data = {25, "glBufferData", 4, {"target", "size", "data", "usage"}},
    attribute = {26,
                 "glVertexAttribPointer",
                 6,
                 {"index", "size", "type", "normalized", "stride", "pointer"}},
    enable_attribute = {27, "glEnableVertexAttribArray", 1, {"index"}},
    tex_parameter = {28, "glTexParameteri", 3, {"target", "pname", "param"}};

static const char vertex_source[] =
    "attribute vec2 place;\n"
    "uniform float turn;\n"
    "varying vec2 at;\n"
    "void main() {\n"
    "    mat2 turned = mat2(cos(turn), sin(turn), -sin(turn), cos(turn));\n"
    "    at = place;\n"
    "    gl_Position = vec4(turned * place, 0.0, 1.0);\n"
    "}\n";
static const char fragment_source[] = "precision mediump float;\n"
                                      "uniform sampler2D image;\n"
                                      "varying vec2 at;\n"
                                      "void main() { gl_FragColor = texture2D(image, at); }\n";

static void enum_argument(struct trace_writer *writer, unsigned number, int64_t value)
{
    trace_argument(writer, number);
    trace_enum(writer, &gl, value);
}

static void uint_argument(struct trace_writer *writer, unsigned number, uint64_t value)
{
    trace_argument(writer, number);
    trace_uint(writer, value);
}

/* Writes a value: an unsigned number, a pointer, an enum, a string or nothing. */
static void write_value(struct trace_writer *writer, char type, va_list *values)
{
    if (type == 'u')
        trace_uint(writer, va_arg(*values, unsigned));
    else if (type == 'p')
        trace_opaque(writer, va_arg(*values, unsigned));
    else if (type == 'e')
        trace_enum(writer, &gl, va_arg(*values, int));
    else if (type == 's')
        trace_string(writer, va_arg(*values, const char *));
    else
        trace_null(writer);
}

/* Writes a call. `types` has a letter for each argument, and after an `=` one for the result. */
static void write_call(struct trace_writer *writer, const struct trace_function *function,
                       const char *types, ...)
{
    uint64_t call = trace_enter(writer, 0, function);
    va_list values;

    va_start(values, types);
    for (unsigned n = 0; *types != '\0' && *types != '='; types++, n++) {
        trace_argument(writer, n);
        write_value(writer, *types, &values);
    }
    trace_end(writer);
    trace_leave(writer, call);
    if (*types == '=') {
        trace_result(writer);
        write_value(writer, types[1], &values);
    }
    trace_end(writer);
    va_end(values);
}

/* Creates a context of OpenGL ES 2. */
static void write_context(struct trace_writer *writer)
{
    static const uint64_t attributes[] = {0x3098, 2, 0x3038};
    uint64_t call;

    write_call(writer, &create_surface, "pppn=p", 0x1000, 0x5000, 0x6000, 0x2000);
    call = trace_enter(writer, 0, &create_context);
    trace_argument(writer, 0);
    trace_opaque(writer, 0x1000);
    trace_argument(writer, 1);
    trace_opaque(writer, 0x5000);
    trace_argument(writer, 2);
    trace_null(writer);
    trace_argument(writer, 3);
    trace_array(writer, 3);
    for (unsigned n = 0; n < 3; n++)
        trace_uint(writer, attributes[n]);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_opaque(writer, 0x4000);
    trace_end(writer);

    call = trace_enter(writer, 0, &make_current);
    for (unsigned n = 0; n < 4; n++) {
        trace_argument(writer, n);
        trace_opaque(writer, n == 0 ? 0x1000 : n == 3 ? 0x4000 : 0x2000);
    }
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_bool(writer, true);
    trace_end(writer);

    call = trace_enter(writer, 0, &get_string);
    enum_argument(writer, 0, GL_RENDERER);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_string(writer, "example renderer");
    trace_end(writer);

    /* this call is from the tracer, not from the program */
    call = trace_enter(writer, 0, &viewport);
    trace_flags(writer, 1);
    for (unsigned n = 0; n < 4; n++)
        uint_argument(writer, n, n < 2 ? 0 : 320 - 140 * (n - 2));
    trace_call_end(writer, call);
}

static void write_shader(struct trace_writer *writer, int64_t type, unsigned name,
                         const char *source)
{
    uint64_t call = trace_enter(writer, 0, &create_shader);

    enum_argument(writer, 0, type);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_uint(writer, name);
    trace_end(writer);

    call = trace_enter(writer, 0, &shader_source);
    uint_argument(writer, 0, name);
    uint_argument(writer, 1, 1);
    trace_argument(writer, 2);
    trace_array(writer, 1);
    trace_string(writer, source);
    trace_argument(writer, 3);
    trace_null(writer);
    trace_call_end(writer, call);

    call = trace_enter(writer, 0, &compile_shader);
    uint_argument(writer, 0, name);
    trace_call_end(writer, call);
}

/* Uploads a texture of coloured rings. */
static void write_texture(struct trace_writer *writer)
{
    static uint8_t pixels[SIDE * SIDE * 4];
    uint64_t call = trace_enter(writer, 0, &bind_texture);

    enum_argument(writer, 0, GL_TEXTURE_2D);
    uint_argument(writer, 1, 1);
    trace_call_end(writer, call);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint8_t *pixel = pixels + 4 * (y * SIDE + x);
            int away = (2 * x - SIDE) * (2 * x - SIDE) + (2 * y - SIDE) * (2 * y - SIDE);

            pixel[0] = (uint8_t)(away / 32);
            pixel[1] = (uint8_t)(away / 8);
            pixel[2] = (uint8_t)(255 - away / 64);
            pixel[3] = away < SIDE * SIDE ? 255 : 0;
        }
    call = trace_enter(writer, 0, &tex_image);
    enum_argument(writer, 0, GL_TEXTURE_2D);
    uint_argument(writer, 1, 0);
    enum_argument(writer, 2, GL_RGBA);
    uint_argument(writer, 3, SIDE);
    uint_argument(writer, 4, SIDE);
    uint_argument(writer, 5, 0);
    enum_argument(writer, 6, GL_RGBA);
    enum_argument(writer, 7, GL_UNSIGNED_BYTE);
    trace_argument(writer, 8);
    trace_blob(writer, pixels, sizeof(pixels));
    trace_call_end(writer, call);
}

static void write_program(struct trace_writer *writer)
{
    write_call(writer, &create_program, "=u", 3);
    write_call(writer, &attach_shader, "uu", 3, 1);
    write_call(writer, &attach_shader, "uu", 3, 2);
    write_call(writer, &bind_location, "uus", 3, 0, "place");
    write_call(writer, &link_program, "u", 3);
    write_call(writer, &get_location, "us=u", 3, "turn", 0);
}

static void write_triangle(struct trace_writer *writer)
{
    static const float corners[6] = {0.0F, 0.9F, -0.9F, -0.7F, 0.9F, -0.7F};
    uint64_t call;

    write_call(writer, &bind_buffer, "eu", GL_ARRAY_BUFFER, 1);
    call = trace_enter(writer, 0, &buffer_data);
    enum_argument(writer, 0, GL_ARRAY_BUFFER);
    uint_argument(writer, 1, sizeof(corners));
    trace_argument(writer, 2);
    trace_blob(writer, corners, sizeof(corners));
    enum_argument(writer, 3, GL_STATIC_DRAW);
    trace_call_end(writer, call);
    write_call(writer, &attribute, "uueuun", 0, 2, GL_FLOAT, 0, 0);
    write_call(writer, &enable_attribute, "u", 0);
    write_call(writer, &tex_parameter, "eee", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

static void write_group(struct trace_writer *writer, const char *name)
{
    uint64_t call = trace_enter(writer, 0, &push_group);

    uint_argument(writer, 0, 0);
    trace_argument(writer, 1);
    trace_string(writer, name);
    trace_call_end(writer, call);
}

static void write_error(struct trace_writer *writer, int64_t error)
{
    uint64_t call = trace_enter(writer, 0, &get_error);

    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    if (error != 0)
        trace_enum(writer, &gl, error);
    else
        trace_uint(writer, 0);
    trace_end(writer);
}

static void write_frame(struct trace_writer *writer, unsigned frame)
{
    uint64_t call = trace_enter(writer, 0, &clear);

    trace_argument(writer, 0);
    trace_bitmask(writer, &clear_bits, GL_COLOR_BUFFER_BIT);
    trace_call_end(writer, call);

    write_group(writer, "triangle");
    call = trace_enter(writer, 0, &use_program);
    uint_argument(writer, 0, 3);
    trace_call_end(writer, call);
    call = trace_enter(writer, 0, &uniform);
    uint_argument(writer, 0, 0);
    trace_argument(writer, 1);
    trace_float(writer, 0.125F * (float)frame);
    trace_call_end(writer, call);
    call = trace_enter(writer, 0, &draw_arrays);
    enum_argument(writer, 0, GL_TRIANGLES);
    uint_argument(writer, 1, 0);
    uint_argument(writer, 2, 3);
    trace_call_end(writer, call);
    call = trace_enter(writer, 0, &pop_group);
    trace_call_end(writer, call);
    write_error(writer, frame == 2 ? GL_INVALID_ENUM : 0);

    call = trace_enter(writer, 0, &swap_buffers);
    trace_argument(writer, 0);
    trace_opaque(writer, 0x1000);
    trace_argument(writer, 1);
    trace_opaque(writer, 0x2000);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_bool(writer, true);
    trace_end(writer);
}

int main(int argc, char **argv)
{
    static const char *const properties[] = {"process.name", "/usr/bin/triangle", NULL};
    const struct trace_params params = {.version = 6, .properties = properties};
    unsigned long frames = argc > 2 ? strtoul(argv[2], NULL, 10) : FRAMES;
    struct trace_writer *writer;
    int status;

    if (argc < 2 || frames == 0) {
        fprintf(stderr, "usage: mkapitrace FILE [FRAMES]\n");
        return 2;
    }
    status = trace_writer_open(argv[1], &params, &writer);
    if (status == 0) {
        write_context(writer);
        write_shader(writer, GL_VERTEX_SHADER, 1, vertex_source);
        write_shader(writer, GL_FRAGMENT_SHADER, 2, fragment_source);
        write_program(writer);
        write_texture(writer);
        write_triangle(writer);
        for (unsigned frame = 0; frame < frames; frame++)
            write_frame(writer, frame);
        status = trace_writer_close(&writer);
    }
    if (status < 0)
        fprintf(stderr, "mkapitrace: %s: %s\n", argv[1], strerror(-status));
    return status < 0 ? 1 : 0;
}

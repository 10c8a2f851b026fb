/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/scene.h"

#include "formats/gapir/decode/names.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GLES "gles_v1.6.1"

enum { ARGUMENTS_MAX = 12, TEXTURE_SIDE = 8 };

/* Enumerators of OpenGL */
enum {
    GL_COLOR_BUFFER_BIT = 0x4000,
    GL_TRIANGLES = 4,
    GL_TRIANGLE_STRIP = 5,
    GL_TEXTURE_2D = 0xde1,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_UNSIGNED_SHORT = 0x1403,
    GL_FLOAT = 0x1406,
    GL_RGBA = 0x1908,
    GL_NEAREST = 0x2600,
    GL_TEXTURE_MAG_FILTER = 0x2800,
    GL_TEXTURE_MIN_FILTER = 0x2801,
    GL_ARRAY_BUFFER = 0x8892,
    GL_ELEMENT_ARRAY_BUFFER = 0x8893,
    GL_STATIC_DRAW = 0x88e4,
    GL_FRAGMENT_SHADER = 0x8b30,
    GL_VERTEX_SHADER = 0x8b31,
    GL_COLOR_ATTACHMENT0 = 0x8ce0,
    GL_FRAMEBUFFER = 0x8d40,
};

static const struct gapir_function *find(const char *name)
{
    const struct gapir_table *table = gapir_table_named(GLES);

    for (unsigned id = 0; id < 0x10000; id++) {
        const struct gapir_function *function = gapir_table_find(table, id);

        if (function != NULL && strcmp(gapir_function_name(function), name) == 0)
            return function;
    }
    fail_msg("no %s", name);
    return NULL;
}

/* An argument as the payload pushes it */
struct argument {
    enum gapir_type type;
    uint64_t value;
};

static void tell_bytes(struct scene *scene, const uint8_t *bytes, size_t size)
{
    text_add_char(&scene->script, '[');
    for (size_t n = 0; n < size; n++)
        text_printf(&scene->script, "%02x ", bytes[n]);
    text_add_char(&scene->script, ']');
}

/* Puts bytes into volatile memory, where they stay. Returns their address. */
static uint64_t put_bytes(struct scene *scene, const void *bytes, size_t size)
{
    uint32_t address = SCENE_BYTES + scene->used;

    build_inline(&scene->build, address, bytes, (uint32_t)size);
    scene->used += ((uint32_t)size + 63) & ~63U;
    assert_true(SCENE_BYTES + scene->used <= SCENE_PIXELS);
    return address;
}

static uint32_t slot_of(unsigned location)
{
    return SCENE_SLOTS + 4 * (location + 1);
}

/* Writes the argument to the script, and returns what the payload pushes. */
static struct argument take_argument(struct scene *scene, char kind, unsigned type, va_list *list)
{
    struct text *script = &scene->script;
    const void *bytes;
    const char *string;
    double real;
    size_t size;
    int number;

    switch (kind) {
    case 'f':
        real = va_arg(*list, double);
        text_printf(script, "%.9f", real);
        return (struct argument){GAPIR_FLOAT, build_float((float)real)};
    case 'p':
        bytes = va_arg(*list, const void *);
        size = va_arg(*list, size_t);
        tell_bytes(scene, bytes, size);
        return (struct argument){GAPIR_VOLATILE_POINTER, put_bytes(scene, bytes, size)};
    case 's':
        string = va_arg(*list, const char *);
        text_printf(script, "\"%s\"", string);
        return (struct argument){GAPIR_CONSTANT_POINTER,
                                 build_constant(&scene->build, string, strlen(string) + 1)};
    default:
        number = va_arg(*list, int);
        text_printf(script, kind == 'o' ? "0x%x" : "%d", (unsigned)number);
        if (kind == 'o')
            return (struct argument){GAPIR_ABSOLUTE_POINTER, (uint64_t)number};
        if (kind == 'l')
            return (struct argument){GAPIR_TYPES, slot_of((unsigned)number)};
        if (type == GAPIR_SIZE)
            type = scene->narrow ? GAPIR_UINT32 : GAPIR_UINT64;
        return (struct argument){type, (uint64_t)(int64_t)number};
    }
}

void scene_call(struct scene *scene, const char *name, const char *types, ...)
{
    const struct gapir_function *function = find(name);
    struct argument arguments[ARGUMENTS_MAX];
    va_list list;

    assert_int_equal(function->count, strlen(types));
    text_printf(&scene->script, "%s(", name);
    va_start(list, types);
    for (unsigned n = 0; n < function->count; n++) {
        const struct gapir_argument *argument = gapir_function_argument(function, n);

        text_printf(&scene->script, "%s%s=", n > 0 ? ", " : "", gapir_argument_name(argument));
        arguments[n] = take_argument(scene, types[n], argument->type, &list);
    }
    va_end(list);
    text_add(&scene->script, ")\n");
    for (unsigned n = 0; n < function->count; n++)
        if (arguments[n].type == GAPIR_TYPES)
            build_typed(&scene->build, GAPIR_LOAD_V, GAPIR_INT32, (uint32_t)arguments[n].value);
        else
            build_push(&scene->build, arguments[n].type, arguments[n].value);
    build_word(&scene->build,
               gapir_encode_call(1, gapir_table_id(gapir_table_named(GLES), function), false));
}

void scene_begin(struct scene *scene)
{
    *scene = (struct scene){.build = {.stack_size = 512, .volatile_size = SCENE_MEMORY}};
    build_op(&scene->build, GAPIR_LABEL, 1);
    BUILD_CALL(&scene->build, GLES, "replayCreateRenderer", 0);
    BUILD_CALL(&scene->build, GLES, "replayChangeBackbuffer", 0, SCENE_WIDTH, SCENE_HEIGHT, 0x8058,
               0x88f0, 0x88f0);
    BUILD_CALL(&scene->build, GLES, "replayBindRenderer", 0, 0);
    text_printf(&scene->script,
                "eglCreateContext(dpy=0x1, config=0x1, share_context=0x0, attrib_list={12440, 3, "
                "12539, 2, 12344}) = 0x10\n"
                "eglCreatePbufferSurface(dpy=0x1, config=0x1, attrib_list={12375, %d, 12374, %d, "
                "12344}) = 0x11\n"
                "eglMakeCurrent(dpy=0x1, draw=0x11, read=0x11, ctx=0x10) = 1\n",
                SCENE_WIDTH, SCENE_HEIGHT);
}

void scene_generate(struct scene *scene, const char *name, unsigned object)
{
    BUILD_CALL(&scene->build, GLES, name, 1, SCENE_NAMES);
    text_printf(&scene->script, "%s(n=1, names={%u})\n", name, object);
}

/* Stores an array with one pointer, to a constant, as the exporter does. */
static void point_to(struct build *build, const char *text)
{
    build_push(build, GAPIR_CONSTANT_POINTER, build_constant(build, text, strlen(text) + 1));
    build_op(build, GAPIR_STORE_V, SCENE_POINTERS);
}

void scene_shader(struct scene *scene, unsigned stage, const char *source, unsigned object)
{
    build_call(&scene->build, GLES, "glCreateShader", true, (const uint64_t[]){stage}, 1);
    build_op(&scene->build, GAPIR_STORE_V, SCENE_SLOTS);
    point_to(&scene->build, source);
    BUILD_CALL(&scene->build, GLES, "glShaderSource", object, 1, SCENE_POINTERS, BUILD_NULL);
    text_printf(&scene->script,
                "glCreateShader(type=%u) = %u\n"
                "glShaderSource(shader=%u, count=1, string={\"%s\"}, length=null)\n",
                stage, object, object, source);
    scene_call(scene, "glCompileShader", "i", (int)object);
}

void scene_program(struct scene *scene, const char *vertex, const char *fragment, unsigned first)
{
    const int program = (int)first + 2;

    scene_shader(scene, GL_VERTEX_SHADER, vertex, first);
    scene_shader(scene, GL_FRAGMENT_SHADER, fragment, first + 1);
    build_call(&scene->build, GLES, "glCreateProgram", true, NULL, 0);
    build_op(&scene->build, GAPIR_STORE_V, SCENE_SLOTS);
    text_printf(&scene->script, "glCreateProgram() = %d\n", program);
    scene_call(scene, "glAttachShader", "ii", program, (int)first);
    scene_call(scene, "glAttachShader", "ii", program, (int)first + 1);
    scene_call(scene, "glBindAttribLocation", "iis", program, 0, "place");
    scene_call(scene, "glLinkProgram", "i", program);
    scene_call(scene, "glUseProgram", "i", program);
}

void scene_uniform(struct scene *scene, unsigned program, const char *name, unsigned location)
{
    const uint64_t arguments[] = {
        program, BUILD_CONSTANT(build_constant(&scene->build, name, strlen(name) + 1))};

    build_call(&scene->build, GLES, "glGetUniformLocation", true, arguments, 2);
    build_op(&scene->build, GAPIR_STORE_V, slot_of(location));
    text_printf(&scene->script, "glGetUniformLocation(program=%u, name=\"%s\") = %u\n", program,
                name, location);
}

void scene_map(struct scene *scene, unsigned target, unsigned offset, unsigned size,
               const void *bytes, unsigned bytes_size)
{
    enum { WRITE = 2, POINTER = SCENE_SLOTS + 0x40 };
    const uint64_t mapped[] = {target, offset, size, WRITE}, unmapped[] = {target};
    uint64_t from = put_bytes(scene, bytes, bytes_size);

    build_call(&scene->build, GLES, "glMapBufferRange", true, mapped, 4);
    build_op(&scene->build, GAPIR_STORE_V, POINTER);
    build_push(&scene->build, GAPIR_VOLATILE_POINTER, from);
    build_typed(&scene->build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, POINTER);
    build_op(&scene->build, GAPIR_COPY, bytes_size);
    build_call(&scene->build, GLES, "glUnmapBuffer", false, unmapped, 1);
    text_printf(&scene->script,
                "glMapBufferRange(target=%u, offset=%u, length=%u, access=2) = 0x7000\n"
                "memcpy(dest=0x7000, src=",
                target, offset, size);
    tell_bytes(scene, bytes, bytes_size);
    text_printf(&scene->script, ", n=%u)\nglUnmapBuffer(target=%u) = 1\n", bytes_size, target);
}

void scene_second(struct scene *scene, unsigned id)
{
    build_op(&scene->build, GAPIR_SWITCH_THREAD, 1);
    BUILD_CALL(&scene->build, GLES, "replayCreateRenderer", id);
    BUILD_CALL(&scene->build, GLES, "replayBindRenderer", id, 0);
    BUILD_CALL(&scene->build, GLES, "replayChangeBackbuffer", id, SCENE_WIDTH, SCENE_HEIGHT, 0x8058,
               0x88f0, 0x88f0);
}

void scene_post(struct scene *scene)
{
    BUILD_CALL(&scene->build, GLES, "glPixelStorei", 0xd05, 1);
    BUILD_CALL(&scene->build, GLES, "glReadPixels", 0, 0, SCENE_WIDTH, SCENE_HEIGHT, GL_RGBA,
               GL_UNSIGNED_BYTE, SCENE_PIXELS);
    build_post(&scene->build, GAPIR_VOLATILE_POINTER, SCENE_PIXELS, SCENE_WIDTH * SCENE_HEIGHT * 4);
    scene_delimit(scene);
}

void scene_delimit(struct scene *scene)
{
    BUILD_CALL(&scene->build, GLES, "replayFrameDelimiter", 0);
    build_op(&scene->build, GAPIR_LABEL, 2);
    text_add(&scene->script, "eglSwapBuffers(dpy=0x1, surface=0x11) = 1\n");
}

/* What is drawn */

static const char plain_vertex[] = "attribute vec2 place; varying vec2 at;"
                                   "void main() { at = place * 0.5 + 0.5;"
                                   " gl_Position = vec4(place, 0.0, 1.0); }";
static const char tinted_fragment[] =
    "precision highp float; uniform vec4 unused; uniform vec4 tint; varying vec2 at;"
    "void main() { gl_FragColor = tint * vec4(at, 1.0, 1.0) + unused; }";
static const char textured_fragment[] =
    "precision highp float; uniform sampler2D image; varying vec2 at;"
    "void main() { gl_FragColor = texture2D(image, at); }";

static const float triangle[] = {-0.7F, -0.9F, 0.9F, -0.5F, 0.1F, 0.8F};
static const uint16_t indices[] = {0, 1, 2, 3};
static const float quad[] = {-0.9F, -0.2F, 0.3F, -0.2F, -0.9F, 0.9F, 0.3F, 0.9F};

static void make_texture(struct scene *scene, unsigned texture)
{
    uint8_t texels[TEXTURE_SIDE * TEXTURE_SIDE * 4];

    for (unsigned n = 0; n < sizeof(texels); n++)
        texels[n] = (uint8_t)(n % 4 == 3 ? 255 : n * 37 + n / 32 * 11);
    scene_generate(scene, "glGenTextures", texture);
    scene_call(scene, "glBindTexture", "ii", GL_TEXTURE_2D, (int)texture);
    scene_call(scene, "glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    scene_call(scene, "glTexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    scene_call(scene, "glTexImage2D", "iiiiiiiip", GL_TEXTURE_2D, 0, GL_RGBA, TEXTURE_SIDE,
               TEXTURE_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels, sizeof(texels));
}

/* Clears a part of a texture, through a framebuffer object. */
static void draw_into_texture(struct scene *scene, unsigned texture, unsigned framebuffer)
{
    scene_generate(scene, "glGenFramebuffers", framebuffer);
    scene_call(scene, "glBindFramebuffer", "ii", GL_FRAMEBUFFER, (int)framebuffer);
    scene_call(scene, "glFramebufferTexture2D", "iiiii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
               GL_TEXTURE_2D, (int)texture, 0);
    scene_call(scene, "glEnable", "i", 0xc11);
    scene_call(scene, "glScissor", "iiii", 1, 2, 3, 4);
    scene_call(scene, "glClearColor", "ffff", 1.0, 0.5, 0.25, 1.0);
    scene_call(scene, "glClear", "i", GL_COLOR_BUFFER_BIT);
    scene_call(scene, "glDisable", "i", 0xc11);
    scene_call(scene, "glBindFramebuffer", "ii", GL_FRAMEBUFFER, 0);
}

/* Draws from vertices and indices in buffers that a vertex array object knows. */
static void draw_quad(struct scene *scene, unsigned array)
{
    scene_generate(scene, "glGenVertexArrays", array);
    scene_call(scene, "glBindVertexArray", "i", (int)array);
    scene_generate(scene, "glGenBuffers", array + 1);
    scene_call(scene, "glBindBuffer", "ii", GL_ARRAY_BUFFER, (int)array + 1);
    scene_call(scene, "glBufferData", "iipi", GL_ARRAY_BUFFER, (int)sizeof(quad), quad,
               sizeof(quad), GL_STATIC_DRAW);
    scene_generate(scene, "glGenBuffers", array + 2);
    scene_call(scene, "glBindBuffer", "ii", GL_ELEMENT_ARRAY_BUFFER, (int)array + 2);
    scene_call(scene, "glBufferData", "iipi", GL_ELEMENT_ARRAY_BUFFER, (int)sizeof(indices),
               indices, sizeof(indices), GL_STATIC_DRAW);
    scene_call(scene, "glVertexAttribPointer", "iiiiio", 0, 2, GL_FLOAT, 0, 0, 0);
    scene_call(scene, "glEnableVertexAttribArray", "i", 0);
    scene_call(scene, "glDrawElements", "iiio", GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, 0);
    scene_call(scene, "glBindVertexArray", "i", 0);
    scene_call(scene, "glBindBuffer", "ii", GL_ARRAY_BUFFER, 0);
}

/* Draws from vertices and indices in the program's memory. */
static void draw_triangle(struct scene *scene)
{
    scene_call(scene, "glVertexAttribPointer", "iiiiip", 0, 2, GL_FLOAT, 0, 0, triangle,
               sizeof(triangle));
    scene_call(scene, "glEnableVertexAttribArray", "i", 0);
    scene_call(scene, "glDrawElements", "iiip", GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices,
               sizeof(indices) - sizeof(indices[0]));
}

void scene_draw(struct scene *scene)
{
    scene_call(scene, "glViewport", "iiii", 0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    scene_call(scene, "glClearColor", "ffff", 0.125, 0.25, 0.5, 1.0);
    scene_call(scene, "glClear", "i", GL_COLOR_BUFFER_BIT);
    make_texture(scene, 1);
    draw_into_texture(scene, 1, 2);
    scene_program(scene, plain_vertex, textured_fragment, 3);
    draw_quad(scene, 6);
    scene_program(scene, plain_vertex, tinted_fragment, 9);
    scene_uniform(scene, 11, "unused", 0);
    scene_uniform(scene, 11, "tint", 1);
    scene_call(scene, "glUniform4f", "lffff", 0, 0.0, 0.0, 0.25, 0.0);
    scene_call(scene, "glUniform4f", "lffff", 1, 0.75, 1.0, 0.5, 1.0);
    draw_triangle(scene);
}

void scene_write(struct scene *scene, const char *folder)
{
    char *payload = support_path(folder, "payload"), *trace = support_path(folder, "trace");

    build_end(&scene->build);
    assert_int_equal(mkdir(payload, 0700), 0);
    assert_int_equal(build_write(&scene->build, payload), 0);
    text_add_char(&scene->script, '\0');
    assert_int_equal(text_status(&scene->script), 0);
    apitrace_script(trace, scene->script.bytes);
    build_clear(&scene->build);
    text_clear(&scene->script);
    free(payload);
    free(trace);
}

/* SPDX-License-Identifier: MIT */
/*
 * OpenGL calls replayed by the worker: traces that nobody's tracer would write, damaged
 * streams, and what is asked out of turn.
 */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include "base/thread.h"
#include "examples/apitrace_writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct trace_writer *writer;
static struct trace_function functions[64];
static unsigned function_count;

static const struct trace_function *function_of(const char *name, const char *values)
{
    struct trace_function *function = functions;
    unsigned count = (unsigned)strcspn(values, "=");

    while (function < functions + function_count && strcmp(function->name, name) != 0)
        function++;
    if (function == functions + function_count) {
        *function = (struct trace_function){.id = function_count++, .name = name, .count = count};
        for (unsigned n = 0; n < count; n++)
            function->arguments[n] = "a";
    }
    assert_true(function_count < COUNT_OF(functions));
    return function;
}

static void write_value(char kind, va_list *values)
{
    const void *bytes;

    switch (kind) {
    case 'u':
        trace_int(writer, va_arg(*values, int));
        break;
    case 'f':
        trace_float(writer, (float)va_arg(*values, double));
        break;
    case 'o':
        trace_opaque(writer, (uint64_t)va_arg(*values, int));
        break;
    case 's':
        trace_array(writer, 1);
        trace_string(writer, va_arg(*values, const char *));
        break;
    case 'b':
        bytes = va_arg(*values, const void *);
        trace_blob(writer, bytes, (size_t)va_arg(*values, int));
        break;
    default:
        trace_null(writer);
    }
}

/* A call: a letter for each value, '-' for none, a result behind '='. Returns its number. */
static uint64_t say(const char *name, const char *values, ...)
{
    uint64_t call = trace_enter(writer, 0, function_of(name, values));
    va_list arguments;
    unsigned n = 0;

    va_start(arguments, values);
    for (; values[n] != '\0' && values[n] != '='; n++) {
        if (values[n] == '-')
            continue;
        trace_argument(writer, n);
        write_value(values[n], &arguments);
    }
    trace_end(writer);
    trace_leave(writer, call);
    if (values[n] == '=') {
        trace_result(writer);
        write_value(values[n + 1], &arguments);
    }
    trace_end(writer);
    va_end(arguments);
    return call;
}

/* A trace that has begun to draw on 32x32 pixels, with a compatibility context. */
static void begin_trace(const char *path)
{
    const struct trace_params params = {.version = 6, .bare = true};

    function_count = 0;
    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    say("glXCreateContext", "oooo=o", 1, 2, 0, 1, 5);
    say("glXMakeCurrent", "ouo=u", 1, 77, 5, 1);
    say("glViewport", "uuuu", 0, 0, 32, 32);
    say("glClearColor", "ffff", 0.0, 1.0, 0.0, 1.0);
    say("glClear", "u", 0x4000);
}

static const struct apitrace_session_drawable window = {
    .call = 1, .handle = 77, .width = 32, .height = 32};

/* Writes, replays with a session of its own, and gives back how that went. */
struct hostile {
    char *folder, *path;
    struct played played;
};

static void open_hostile(struct hostile *hostile)
{
    hostile->folder = support_folder();
    hostile->path = support_path(hostile->folder, "hostile.trace");
    begin_trace(hostile->path);
}

static void replay_hostile(struct hostile *hostile)
{
    assert_int_equal(trace_writer_close(&writer), 0);
    replay_open(hostile->path, &hostile->played);
    replay_reset(&window, 1);
    playing.notes = 0;
}

static void close_hostile(struct hostile *hostile)
{
    apitrace_close(&hostile->played.opened);
    free(hostile->path);
    support_remove(&hostile->folder);
}

/* Whether the picture is all of one colour. */
static void assert_colour(uint8_t red, uint8_t green, uint8_t blue)
{
    const struct apitrace_picture_request request = {.kind = APITRACE_PICTURE_COLOUR};
    struct apitrace_picture picture;

    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 32);
    assert_int_equal(picture.height, 32);
    for (size_t n = 0; n < (size_t)32 * 32; n++) {
        assert_int_equal(picture.pixels[3 * n], red);
        assert_int_equal(picture.pixels[3 * n + 1], green);
        assert_int_equal(picture.pixels[3 * n + 2], blue);
    }
    blob_unref(&picture.owner);
}

static void calls_that_would_read_too_far_are_refused(void **state)
{
    static const uint8_t bytes[64];
    static const uint8_t indices[] = {0, 1, 200};
    static const uint32_t far[] = {3, 1, 6, 0, 0, 3, 1, 6, 0}, indirect[] = {3, 1, 0, 0, 0};
    struct hostile hostile;
    unsigned refused = 0;

    (void)state;
    open_hostile(&hostile);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401, bytes, 64);
    say("glTexImage2D", "uuuuuuuuo", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401, 4096);
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, 0x1908, 30000, 30000, 0, 0x1908, 0x1401);
    say("glBitmap", "uuffffb", 64, 64, 0.0, 0.0, 0.0, 0.0, bytes, 64);
    say("glPolygonStipple", "b", bytes, 64);
    say("glDrawPixels", "uuuub", 32, 32, 0x1908, 0x1401, bytes, 64);
    say("glLoadMatrixf", "b", bytes, 60);
    say("glCallLists", "uub", 65, 0x1401, bytes, 64);
    say("glMap1f", "uffuub", 0xD97, 0.0, 1.0, 3, 200, bytes, 64);
    say("glGenTextures", "un", 1 << 30);
    refused += 10;
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, bytes, 64);
    say("glDrawArrays", "uuu", 4, 0, 9);
    say("glDrawArrays", "uuu", 4, -1, 3);
    say("glDrawArrays", "uuu", 4, 0x7FFFFFF0, 0x7FFFFFF0);
    say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 0x3FFFFFFF);
    say("glDrawElements", "uuub", 4, 3, 0x1401, indices, 3);
    say("glDrawElements", "uuub", 4, 4, 0x1401, indices, 3);
    say("glDrawElements", "uuuo", 4, 3, 0x1401, 4096);
    say("glDrawArraysIndirect", "ub", 4, far, 16);
    say("glMultiDrawArraysIndirect", "ubuu", 4, far, 36, 2, 20);
    say("glDrawElementsIndirect", "uub", 4, 0x1401, indirect, 20); /* no buffer of indices */
    refused += 10;
    say("glEnableVertexAttribArray", "u", 3);
    say("glVertexAttribPointer", "uuuuub", 3, 2, 0x1406, 0, 0, bytes, 16);
    say("glVertexAttribDivisor", "uu", 3, 1);
    say("glDrawArraysInstancedBaseInstance", "uuuuu", 4, 0, 3, 2, 1);
    say("glDrawElementsInstancedBaseInstance", "uuubuu", 4, 2, 0x1401, indices, 2, 2, 1);
    say("glDrawElementsInstancedBaseVertexBaseInstance", "uuubuuu", 4, 2, 0x1401, indices, 2, 1, 7,
        0);
    say("glDrawElementsBaseVertex", "uuubu", 4, 2, 0x1401, indices, 2, -1);
    refused += 4;
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, 4096);
    say("glUniform4fv", "uub", 0, 5, bytes, 64);
    say("glShaderSource", "uusn", 1, 2, "void main() {}");
    refused += 3;
    /* Of a length of the captured program's making; what holds its arguments otherwise. */
    say("glDrawTransformFeedback", "uu", 4, 1);
    say("glMultiModeDrawArraysIBM", "bbbuu", bytes, 4, bytes, 8, bytes, 8, 2, 4);
    refused += 2;
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused);
    assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    close_hostile(&hostile);
}

/* Bytes where a list of pointers is due: they are no pointers. */
static void bytes_are_no_pointers(void **state)
{
    static const uint8_t bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const int32_t counts[] = {3, 3};
    struct hostile hostile;
    unsigned refused = 0;

    (void)state;
    open_hostile(&hostile);
    say("glMultiDrawElements", "ububu", 4, counts, 8, 0x1401, bytes, 64, 1);
    say("glMultiDrawElements", "ubusu", 4, counts, 8, 0x1401, "abc", 2);
    say("glMultiDrawElementsBaseVertex", "ububub", 4, counts, 8, 0x1401, bytes, 64, 2, counts, 8);
    say("glShaderSource", "uubn", 1, 1, bytes, 64);
    say("glTransformFeedbackVaryings", "uubu", 1, 2, bytes, 64, 0x8C8C);
    say("glCreateShaderProgramv", "uub", 0x8B31, 1, bytes, 64);
    refused += 6;
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused);
    assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    close_hostile(&hostile);
}

/* Of the worker's process, from /proc: kilobytes that it had in memory at once. */
static unsigned long max_memory(void)
{
    char path[64], line[256];
    unsigned long kilobytes = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)worker_process(playing.worker));
    file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        (void)sscanf(line, "VmHWM: %lu", &kilobytes);
    fclose(file);
    return kilobytes;
}

enum { ARRAY_BUFFER = 0x8892, RENDERBUFFER = 0x8D41, RGBA8 = 0x8058, SIDE = 8192 };
enum { QUARTER = 1 << 28 /* bytes: of what any trace may have, two are too many */ };

static void say_buffer(int name)
{
    say("glBindBuffer", "uu", ARRAY_BUFFER, name);
    say("glBufferData", "uunu", ARRAY_BUFFER, QUARTER, 0x88E4);
}

static void say_texture(int name)
{
    say("glBindTexture", "uu", 0xDE1, name);
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, RGBA8, SIDE, SIDE, 0, 0x1908, 0x1401);
}

static void say_renderbuffer(int name)
{
    say("glBindRenderbuffer", "uu", RENDERBUFFER, name);
    say("glRenderbufferStorage", "uuuu", RENDERBUFFER, RGBA8, SIDE, SIDE);
}

/* Objects that take a gigabyte each, by calls of ten bytes. */
static void objects_have_a_limit(void **state)
{
    static void (*const make[])(int name) = {say_buffer, say_texture, say_renderbuffer};
    static const char *const end[] = {"glDeleteBuffers", "glDeleteTextures",
                                      "glDeleteRenderbuffers"};
    struct hostile hostile;
    unsigned refused = 0;

    (void)state;
    open_hostile(&hostile);
    for (size_t kind = 0; kind < COUNT_OF(make); kind++) {
        const uint32_t first = 50, second = 51;

        make[kind](50);
        make[kind](51); /* refused */
        make[kind](50); /* in place of what it had */
        say(end[kind], "ub", 1, &first, 4);
        make[kind](51);
        for (int name = 52; name < 60; name++)
            make[kind](name); /* refused */
        say(end[kind], "ub", 1, &second, 4);
        refused += 9;
    }
    say("glGenVertexArrays", "un", 1 << 16);
    for (int n = 0; n < 5; n++)
        say("glGenLists", "u=u", 1 << 19, 1 + n * (1 << 19));
    refused += 1 + 3;
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused);
    assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    assert_true(max_memory() < 800 * 1024);
    close_hostile(&hostile);
}

/* Unlike what is at the edge. */
static void calls_that_read_just_enough_are_made(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t indices[] = {0, 1, 2}, row[4 * 3] = {255, 0, 0, 255, 0, 0};
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawElements", "uuub", 4, 3, 0x1401, indices, 3);
    say("glEnableVertexAttribArray", "u", 3);
    say("glVertexAttribPointer", "uuuuub", 3, 2, 0x1406, 0, 0, vertices, 16);
    say("glVertexAttribDivisor", "uu", 3, 1);
    say("glDrawArraysInstancedBaseInstance", "uuuuu", 4, 0, 3, 1, 1);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x1907, 1, 3, 0, 0x1907, 0x1401, row, 11);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    assert_colour(0, 0, 255);
    close_hostile(&hostile);
}

/* A buffer that many arrays are in is copied once to tell of them. */
static void arrays_share_the_copy_of_their_buffer(void **state)
{
    enum { ARRAYS = 16, BYTES = 32 << 20 };
    unsigned long before;
    struct hostile hostile;
    struct blob *text = NULL;
    uint64_t draw;

    (void)state;
    open_hostile(&hostile);
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uunu", ARRAY_BUFFER, BYTES, 0x88E4);
    for (int n = 0; n < ARRAYS; n++) {
        say("glEnableVertexAttribArray", "u", n);
        say("glVertexAttribPointer", "uuuuuo", n, 2, 0x1406, 0, 0, 0);
    }
    draw = say("glDrawArrays", "uuu", 4, 0, 3);
    replay_hostile(&hostile);
    replay_to(&hostile.played, draw, APITRACE_FEED_AFTER);
    before = max_memory();
    assert_int_equal(
        apitrace_session_draw_text(playing.session, APITRACE_DRAW_VERTICES, NULL, &text), 0);
    assert_true(max_memory() - before < 4 * BYTES / 1024);
    blob_unref(&text);
    close_hostile(&hostile);
}

/* Pointers whose lengths the registry does not tell (lengths.tsv): of functions that are given
 * objects by their names, or by their texture units. */
static void lengths_that_the_registry_lacks(void **state)
{
    enum { ARRAYS = 7, BLOCK = 8 /* bytes of 4x4 pixels */, DXT1 = 0x83F0 };
    static const float far[] = {-1, -1, -1, -1, -1, -1}, vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t bytes[64];
    const int size = (int)sizeof(vertices);
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glNamedBufferDataEXT", "uubu", ARRAYS, size, far, size, 0x88E4);
    say("glNamedBufferData", "uunu", ARRAYS, size, 0x88E4);
    say("glNamedBufferSubDataEXT", "uuub", ARRAYS, 0, 8, vertices, 8);
    say("glNamedBufferSubData", "uuub", ARRAYS, 8, size - 8, vertices + 2, size - 8);
    say("glNamedBufferSubData", "uuub", ARRAYS, 0, 64, bytes, 60);   /* refused */
    say("glNamedBufferData", "uubu", ARRAYS, 64, bytes, 60, 0x88E4); /* refused */
    say("glMultiTexImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, RGBA8, 4, 4, 0, 0x1908, 0x1401,
        bytes, 64);
    say("glMultiTexSubImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, 0, 0, 4, 4, 0x1908, 0x1401,
        bytes, 64);
    say("glMultiTexSubImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, 0, 0, 4, 4, 0x1908, 0x1401,
        bytes, 63); /* refused */
    say("glTextureStorage2DEXT", "uuuuuu", 9, 0xDE1, 1, DXT1, 4, 4);
    say("glCompressedTextureSubImage2D", "uuuuuuuub", 9, 0, 0, 0, 4, 4, DXT1, BLOCK, bytes, BLOCK);
    say("glCompressedTextureSubImage2D", "uuuuuuuub", 9, 0, 0, 0, 4, 4, DXT1, BLOCK, bytes,
        BLOCK - 1); /* refused */
    say("glMultiTexCoordPointerEXT", "uuuub", 0x84C1, 2, 0x1406, 0, vertices, size);
    say("glBindBuffer", "uu", ARRAY_BUFFER, ARRAYS);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuuo", 2, 0x1406, 8, 0);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 4);
    assert_int_equal(playing.notes, 4);
    assert_colour(0, 0, 255);
    close_hostile(&hostile);
}

/* A list that may be null, and strings whose lengths are. */
static void what_may_be_null(void **state)
{
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glBindTextures", "uun", 0, 2);
    say("glBindVertexBuffers", "uunnn", 0, 2);
    say("glCompileShaderIncludeARB", "uusn", 1, 1, "/");
    say("glDrawPixels", "uuuun", 32, 32, 0x1908, 0x1401);
    say("glDrawPixels", "uuuun", 32, 32, 0x1903, 0x8032); /* an error */
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, RGBA8, 8, 8, 0, 0x1908, 0x1401);
    say("glTexSubImage2D", "uuuuuuuun", 0xDE1, 0, 0, 0, 8, 8, 0x1908, 0x1401);
    say("glTexSubImage2D", "uuuuuuuun", 0xDE1, 0, 0, 0, 8, 8, 0x1907, 0x8363);
    /* So large that it is no image but a question. */
    say("glTexImage2D", "uuuuuuuun", 0x8064, 0, RGBA8, 30000, 30000, 0, 0x1908, 0x1401);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    close_hostile(&hostile);
}

/* Memory of the program at its addresses: calls see as much of it as there is. */
static void addresses_in_blocks_reach_to_their_end(void **state)
{
    enum { BLOCK = 0x100000, SIZE = 256, VERTICES = BLOCK + SIZE - 24, PIXELS = 8 };
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile hostile;
    struct blob *memory;

    (void)state;
    open_hostile(&hostile);
    say("malloc", "u=o", SIZE, BLOCK);
    say("malloc", "u=o", 1 << 30, BLOCK + SIZE); /* refused */
    say("memcpy", "obu", VERTICES, vertices, 24, 24);
    say("glReadPixels", "uuuuuuo", 0, 0, PIXELS, PIXELS, 0x1908, 0x1401, BLOCK);
    say("glReadPixels", "uuuuuuo", 0, 0, PIXELS, PIXELS, 0x1908, 0x1401, BLOCK + 1); /* refused */
    say("glReadPixels", "uuuuuuo", 0, 0, 32, 32, 0x1908, 0x1401, BLOCK);             /* refused */
    say("glLoadMatrixf", "o", BLOCK + SIZE - 60);                                    /* refused */
    say("glShaderSource", "uuon", 1, 2, BLOCK + SIZE - 4);                           /* refused */
    say("glTexImage2D", "uuuuuuuuo", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401,
        BLOCK + 4);                                                /* refused */
    say("glDrawElements", "uuuo", 4, 2, 0x1401, BLOCK + SIZE - 1); /* refused */
    say("glDrawElements", "uuuo", 4, 1, 0x1401, BLOCK + SIZE);     /* refused */
    say("memcpy", "obu", VERTICES, vertices, 24, 24);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, VERTICES);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 4); /* refused */
    say("glDrawArrays", "uuu", 4, 0, 3);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 9);
    assert_colour(0, 0, 255);
    assert_int_equal(apitrace_session_memory(playing.session, BLOCK, SIZE, NULL, &memory), 0);
    for (size_t n = 0; n < SIZE - 24; n += 4)
        assert_memory_equal(memory->data + n, ((const uint8_t[]){0, 255, 0, 255}), 4);
    blob_unref(&memory);
    assert_int_equal(apitrace_session_memory(playing.session, BLOCK + 1, SIZE, NULL, &memory),
                     -ENOENT);
    assert_int_equal(worker_starts(playing.worker), 1);
    close_hostile(&hostile);
}

/* A mode for each draw. */
static void draws_may_have_modes_of_their_own(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint32_t modes[] = {0, 4}, first[] = {0, 0}, counts[] = {0, 3};
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glMultiModeDrawArraysIBM", "bbbuu", modes, 8, first, 8, counts, 8, 2, 4);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    assert_colour(0, 0, 255);
    close_hostile(&hostile);
}

/* Draws whose numbers, and indices, are in buffers or in memory, with vertices in memory. */
static void indirect_draws_read_vertices_in_memory(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint32_t numbers[] = {3, 1, 0, 0, 0, 3, 1, 1, 0, 0};
    static const uint8_t indices[] = {0, 1, 2, 1};
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glDrawArraysIndirect", "ub", 4, numbers, 16);
    say("glBindBuffer", "uu", 0x8893, 3);
    say("glBufferData", "uubu", 0x8893, (int)sizeof(indices), indices, (int)sizeof(indices),
        0x88E4);
    say("glBindBuffer", "uu", 0x8F3F, 4);
    say("glBufferData", "uubu", 0x8F3F, 40, numbers, 40, 0x88E4);
    say("glMultiDrawElementsIndirect", "uuouu", 4, 0x1401, 20, 1, 0);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawElementsIndirect", "uun", 4, 0x1401);
    say("glDrawElementsIndirect", "uuo", 4, 0x1401, 24); /* beyond the buffer */
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 1);
    assert_int_equal(hostile.played.progress.skipped, 1);
    assert_colour(0, 0, 255);
    close_hostile(&hostile);
}

/* With a shorter time limit. */
static int begin_short(void **state)
{
    replay_limit_ms = 5000;
    return replay_begin(state);
}

/* A draw of millions of instances, each of all pixels: the process is ended, and the next one
 * leaves it out. */
static void a_draw_without_end_is_left_out(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct apitrace_session_feed feed = {.stop = APITRACE_NO_CALL, .flags = APITRACE_FEED_END};
    struct apitrace_session_progress progress;
    struct hostile hostile;
    uint8_t *bytes;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 22000000);
    say("glClear", "u", 0x4000);
    replay_hostile(&hostile);
    feed.bytes = bytes = support_read(hostile.path, &feed.size);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -EAGAIN);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -ESTALE);
    replay_reset(&window, 1);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, APITRACE_FEED_ENDED);
    assert_int_equal(progress.skipped, 1);
    assert_int_equal(playing.notes, 1);
    assert_colour(0, 255, 0);
    free(bytes);
    close_hostile(&hostile);
}

static void *raise_soon(void *context)
{
    usleep(100 * 1000);
    cancel_raise(context);
    return NULL;
}

/* Milliseconds that the worker's process has taken; 0: there is none. */
static int64_t processor_time(void)
{
    clockid_t clock;

    if (worker_process(playing.worker) == 0 ||
        clock_getcpuclockid(worker_process(playing.worker), &clock) != 0)
        return 0;
    return message_clock_of(clock);
}

/* Nothing turns for a caller that has gone: between two calls the run is left off. */
static void a_run_is_left_off_when_its_caller_has_gone(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct apitrace_session_feed feed = {.stop = APITRACE_NO_CALL, .flags = APITRACE_FEED_END};
    struct apitrace_session_progress progress;
    struct hostile hostile;
    struct cancel cancel;
    pthread_t thread;
    int64_t before;
    uint8_t *bytes;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    for (int n = 0; n < 2000; n++) {
        say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 3000);
        say("glFinish", "");
    }
    replay_hostile(&hostile);
    feed.bytes = bytes = support_read(hostile.path, &feed.size);
    cancel_init(&cancel, NULL);
    assert_int_equal(thread_start(&thread, raise_soon, &cancel), 0);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, &cancel, &progress), -EINTR);
    before = processor_time();
    usleep(400 * 1000);
    assert_in_range(processor_time() - (worker_process(playing.worker) == 0 ? 0 : before), 0, 50);
    pthread_join(thread, NULL);
    free(bytes);
    close_hostile(&hostile);
}

static void damaged_streams_end_there(void **state)
{
    static const uint8_t wrong[] = {6, 6, 0, 0, 0, 0, 3, 'g', 'l', 'X', 0, 0, 77};
    struct apitrace_session_feed feed = {.bytes = wrong,
                                         .size = sizeof(wrong),
                                         .stop = APITRACE_NO_CALL,
                                         .flags = APITRACE_FEED_END};
    struct apitrace_session_progress progress;

    (void)state;
    replay_reset(NULL, 0);
    feed.offset = 5;
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -EINVAL);
    feed.offset = 0;
    playing.notes = 0;
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, APITRACE_FEED_ENDED);
    assert_int_equal(progress.next, sizeof(wrong));
    assert_int_equal(progress.listed, 1);
    assert_int_equal(playing.notes, 1);
}

static void nothing_is_known_before_the_first_byte(void **state)
{
    const struct apitrace_picture_request request = {.kind = APITRACE_PICTURE_COLOUR};
    const struct apitrace_texture_request texture = {.name = 1, .target = 0xDE1};
    struct apitrace_session_feed feed = {.stop = APITRACE_NO_CALL};
    struct apitrace_picture picture;
    struct apitrace_session_progress progress;

    (void)state;
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -ESTALE);
    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &picture), -ESTALE);
    replay_reset(NULL, 0);
    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &picture), -ENOENT);
    assert_int_equal(apitrace_session_texture(playing.session, &texture, NULL, &picture), -ENOENT);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, APITRACE_FEED_HUNGRY);
    assert_int_equal(progress.listed, 0);
    assert_true(progress.call == APITRACE_NO_CALL);
    feed.flags = APITRACE_FEED_END;
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, APITRACE_FEED_ENDED);
}

static void textures_are_given_as_they_were_uploaded(void **state)
{
    static const uint8_t texels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const struct apitrace_texture_request request = {.name = 40, .target = 0xDE1};
    struct apitrace_texture_request other = {.name = 41, .target = 0xDE1};
    struct apitrace_picture picture;
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glBindTexture", "uu", 0xDE1, 40);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x8058, 2, 2, 0, 0x1908, 0x1401, texels, 16);
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(apitrace_session_texture(playing.session, &other, NULL, &picture), -ENOENT);
    other = request;
    other.level = 1;
    assert_int_equal(apitrace_session_texture(playing.session, &other, NULL, &picture), -ENOENT);
    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 2);
    assert_int_equal(picture.pixel_bytes, 4);
    assert_memory_equal(picture.pixels, texels, sizeof(texels));
    blob_unref(&picture.owner);
    assert_colour(0, 255, 0);
    close_hostile(&hostile);
}

enum { TEXTURE_2D = 0xDE1, UNPACK_BUFFER = 0x88EC, GENERATE_MIPMAP = 0x8191, BASE_LEVEL = 0x813C };

static const uint8_t texels[64] = {1};

static void say_image(int level, int side)
{
    say("glTexImage2D", "uuuuuuuub", TEXTURE_2D, level, 0x8058, side, side, 0, 0x1908, 0x1401,
        texels, 4 * side * side);
}

static void say_part(void)
{
    say("glTexSubImage2D", "uuuuuuuub", TEXTURE_2D, 0, 0, 0, 4, 4, 0x1908, 0x1401, texels, 64);
}

static void say_parameter(int parameter, int value)
{
    say("glTexParameteri", "uuu", TEXTURE_2D, parameter, value);
}

static void say_generate(void)
{
    say("glGenerateMipmap", "u", TEXTURE_2D);
}

/* Ways to a texture of 4x4 texels with all of its levels. */

static void generated(void)
{
    say_image(0, 4);
    say_generate();
}

static void by_itself(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say_image(0, 4);
}

static void by_itself_and_in_parts(void)
{
    by_itself();
    say_part();
}

/* The parameter is late for the image. */
static void in_parts(void)
{
    say_image(0, 4);
    say_parameter(GENERATE_MIPMAP, 1);
    say_part();
}

static void generated_again_for_another_size(void)
{
    say_image(0, 2);
    say_generate();
    generated();
}

static void generated_below_its_base(void)
{
    say_image(0, 4);
    say_image(1, 2);
    say_parameter(BASE_LEVEL, 1);
    say_generate();
}

static void by_itself_below_its_base(void)
{
    say_image(0, 4);
    say_parameter(BASE_LEVEL, 1);
    say_parameter(GENERATE_MIPMAP, 1);
    say_image(1, 2);
}

static void from_a_buffer(void)
{
    say("glBindBuffer", "uu", UNPACK_BUFFER, 50);
    say("glBufferData", "uubu", UNPACK_BUFFER, 64, texels, 64, 0x88E4);
    say_parameter(GENERATE_MIPMAP, 1);
    say("glTexImage2D", "uuuuuuuuu", TEXTURE_2D, 0, 0x8058, 4, 4, 0, 0x1908, 0x1401, 0);
}

static void by_a_list(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say("glNewList", "uu", 1, 0x1300);
    say_image(0, 4);
    say("glEndList", "");
    say("glCallList", "u", 1);
}

/* Without pixels there is no storage in a format that the driver does not encode. */
static void generated_of_blocks(void)
{
    say("glCompressedTexImage2D", "uuuuuuub", TEXTURE_2D, 0, 0x9278, 4, 4, 0, 16, texels, 16);
    say_generate();
}

/* One without its border is refused. */
static void behind_a_refused_one(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say("glTexImage2D", "uuuuu-uub", TEXTURE_2D, 0, 0x8058, 2, 2, 0x1908, 0x1401, texels, 16);
    say_image(0, 4);
}

struct mipmap {
    void (*make)(void);
    unsigned skipped;
};

static void assert_mipmap(const struct mipmap *mipmap)
{
    struct apitrace_texture_request request = {.name = 40, .target = TEXTURE_2D};
    struct apitrace_picture picture;
    struct hostile hostile;

    open_hostile(&hostile);
    say("glBindTexture", "uu", TEXTURE_2D, 40);
    mipmap->make();
    replay_hostile(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, mipmap->skipped);
    for (request.level = 0; request.level < 3; request.level++) {
        assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
        assert_int_equal(picture.width, 4 >> request.level);
        assert_int_equal(picture.height, 4 >> request.level);
        blob_unref(&picture.owner);
    }
    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), -ENOENT);
    close_hostile(&hostile);
}

/* Also where their pixels are not made: they are part of how a texture is sampled. */
static void mipmaps_have_all_levels(void **state)
{
    static const struct mipmap mipmaps[] = {
        {generated, 0},
        {by_itself, 0},
        {by_itself_and_in_parts, 0},
        {in_parts, 0},
        {generated_again_for_another_size, 0},
        {generated_below_its_base, 0},
        {by_itself_below_its_base, 0},
        {from_a_buffer, 0},
        {by_a_list, 0},
        {generated_of_blocks, 0},
        {behind_a_refused_one, 1},
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(mipmaps); n++)
        assert_mipmap(&mipmaps[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_known_before_the_first_byte, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(damaged_streams_end_there, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(calls_that_read_just_enough_are_made, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(calls_that_would_read_too_far_are_refused, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(arrays_share_the_copy_of_their_buffer, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(lengths_that_the_registry_lacks, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(draws_may_have_modes_of_their_own, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(indirect_draws_read_vertices_in_memory, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(what_may_be_null, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(addresses_in_blocks_reach_to_their_end, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(bytes_are_no_pointers, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(objects_have_a_limit, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(a_run_is_left_off_when_its_caller_has_gone, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(textures_are_given_as_they_were_uploaded, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(mipmaps_have_all_levels, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(mipmaps_have_all_levels, replay_begin_compile_only,
                                        replay_end),
        cmocka_unit_test_setup_teardown(a_draw_without_end_is_left_out, begin_short, replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_calls", tests, NULL, NULL);
}

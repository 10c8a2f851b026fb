/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include "examples/apitrace_writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct apitrace_session_drawable hostile_trace_window = {
    .call = 1, .handle = 77, .width = 32, .height = 32};

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

uint64_t say(const char *name, const char *values, ...)
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

/* Begins a trace that draws on 32x32 pixels, with a compatibility context. */
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

void hostile_trace_open(struct hostile_trace *hostile)
{
    hostile->folder = support_folder();
    hostile->path = support_path(hostile->folder, "hostile.trace");
    begin_trace(hostile->path);
}

void hostile_trace_replay(struct hostile_trace *hostile)
{
    assert_int_equal(trace_writer_close(&writer), 0);
    replay_open(hostile->path, &hostile->played);
    replay_reset(&hostile_trace_window, 1);
    playing.notes = 0;
}

void hostile_trace_close(struct hostile_trace *hostile)
{
    apitrace_close(&hostile->played.opened);
    free(hostile->path);
    support_remove(&hostile->folder);
}

void hostile_trace_assert_colour(uint8_t red, uint8_t green, uint8_t blue)
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

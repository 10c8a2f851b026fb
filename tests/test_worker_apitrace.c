/*
 * OpenGL calls replayed by the worker: the corpus' captures, whose pictures must be
 * those of the reference to the bit, however the stream is cut, and hostile streams.
 */
#include "config.h"

#include "worker/apitrace.h"

#include "apitrace_open.h"
#include "support.h"

#include "../examples/apitrace_writer.h"
#include "formats/apitrace/call.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DRAWABLES = 4096 };

static struct worker *worker;
static struct retrace_session *session;
static unsigned notes, patience = 60000 /* milliseconds */;
static bool loud;

static void note(void *context, enum problem_severity severity, uint64_t call, const char *text)
{
    (void)context;
    notes++;
    if (loud)
        print_message("%d call %llu: %s\n", (int)severity, (unsigned long long)call, text);
}

static int begin(void **state)
{
    const struct worker_params params = {.time_limit_ms = patience};
    const struct retrace_params retrace = {.note = note};

    (void)state;
    loud = getenv("GPUDUMPFS_LOUD") != NULL;
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(retrace_create(worker, &retrace, &session), 0);
    return 0;
}

/* With less patience. */
static int begin_short(void **state)
{
    patience = 5000;
    return begin(state);
}

static int end(void **state)
{
    patience = 60000;
    (void)state;
    worker_release(worker);
    retrace_destroy(&session);
    worker_destroy(&worker);
    return 0;
}

/* A new session; a machine without a driver skips. CI has one. */
static void reset(const struct retrace_drawable *drawables, size_t count)
{
    int status = retrace_reset(session, drawables, count, NULL);

    if (status == -ENODEV && getenv("GPUDUMPFS_REQUIRE_CORPUS") == NULL)
        skip();
    if (status < 0)
        print_error("%s\n", retrace_reason(session));
    assert_int_equal(status, 0);
}

/* A trace, and where its bytes are. */
struct played {
    struct apitrace_opened opened;
    const struct apitrace_index *index;
    struct retrace_progress progress;
    size_t portion; /* bytes of a feed */
};

static void feed(struct played *played, uint64_t stop, uint32_t flags)
{
    const struct apitrace_stream *stream = &played->index->stream;
    struct apitrace_stretch stretch = {.blob = NULL};
    struct retrace_feed feed = {.offset = played->progress.next, .stop = stop, .flags = flags};
    int status;

    if (played->progress.state == RETRACE_HUNGRY && feed.offset < stream->size) {
        assert_int_equal(apitrace_stream_get(stream, feed.offset, NULL, &stretch), 0);
        feed.bytes = stretch.data + (feed.offset - stretch.begin);
        feed.size = (size_t)(stretch.size - (feed.offset - stretch.begin));
        if (feed.size > played->portion)
            feed.size = played->portion;
    }
    if (feed.offset + feed.size == stream->size)
        feed.flags |= RETRACE_END;
    status = retrace_feed(session, &feed, NULL, &played->progress);
    blob_unref(&stretch.blob);
    if (status < 0)
        print_error("%d: %s\n", status, retrace_reason(session));
    assert_int_equal(status, 0);
}

/* Runs up to a call. */
static void play(struct played *played, uint64_t stop, uint32_t flags)
{
    do
        feed(played, stop, flags);
    while (played->progress.state == RETRACE_HUNGRY || played->progress.state == RETRACE_PAUSED);
}

/* All that may be a drawable has this size. */
static size_t find_drawables(const struct apitrace_index *index, uint32_t width, uint32_t height,
                             struct retrace_drawable *out, size_t most)
{
    static const char *const made[] = {"eglCreateWindowSurface", "eglCreatePlatformWindowSurface",
                                       "eglCreatePlatformWindowSurfaceEXT", "glXCreateWindow"};
    static const char *const current[] = {"glXMakeCurrent", "glXMakeContextCurrent",
                                          "eglMakeCurrent"};
    struct apitrace_call call;
    size_t count = 0;

    apitrace_call_init(&call, index, NULL);
    for (uint64_t n = 0; n < index->calls.count && count < most; n++) {
        uint64_t handle = 0;

        assert_int_equal(apitrace_call_read(&call, n), 0);
        for (size_t i = 0; call.function != NULL && i < COUNT_OF(made); i++)
            if (strcmp(call.function->name.bytes, made[i]) == 0)
                handle = (uint64_t)apitrace_call_result(&call, 0);
        for (size_t i = 0; call.function != NULL && i < COUNT_OF(current); i++)
            if (strcmp(call.function->name.bytes, current[i]) == 0)
                handle = (uint64_t)apitrace_call_integer(&call, 1, 0);
        if (handle != 0)
            out[count++] = (struct retrace_drawable){
                .call = n, .handle = handle, .width = width, .height = height};
    }
    apitrace_call_clear(&call);
    return count;
}

static void open_path(const char *path, struct played *played)
{
    *played = (struct played){.portion = RETRACE_FEED_BYTES};
    apitrace_open(path, &played->opened);
    played->index = apitrace_opened_index(&played->opened);
}

static void open_trace(const char *name, struct played *played)
{
    char *folder = support_corpus("apitrace/real"), file[64], *path;

    snprintf(file, sizeof(file), "%s.trace", name);
    path = support_path(folder, file);
    open_path(path, played);
    free(path);
    free(folder);
}

/* A reference picture, for free(); NULL: there is none of that frame. */
static uint8_t *reference(const char *name, unsigned frame, uint32_t *width, uint32_t *height)
{
    char *folder = support_corpus("apitrace/real/reference"), file[96], *path;
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;

    snprintf(file, sizeof(file), "%s/frames/%06u.png", name, frame);
    path = support_path(folder, file);
    if (png_image_begin_read_from_file(&image, path)) {
        image.format = PNG_FORMAT_RGB;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        assert_non_null(pixels);
        assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
        *width = image.width;
        *height = image.height;
    }
    free(path);
    free(folder);
    return pixels;
}

/* The calls that end frames, for json_decref(). */
static json_t *last_calls(const char *name)
{
    char *folder = support_corpus("apitrace/real/reference"), file[96], *path;
    json_t *index;

    snprintf(file, sizeof(file), "%s/index.json", name);
    path = support_path(folder, file);
    index = json_load_file(path, 0, NULL);
    assert_non_null(index);
    free(path);
    free(folder);
    return index;
}

static unsigned compare_frame(const char *name, unsigned frame, struct played *played,
                              const uint8_t *expected, uint32_t width, uint32_t height)
{
    const struct retrace_picture_request request = {
        .kind = RETRACE_COLOUR, .width = width, .height = height};
    struct retrace_picture picture = {.owner = NULL};
    unsigned wrong = 0;
    int status = retrace_picture(session, &request, NULL, &picture);

    (void)played;
    if (status < 0) {
        print_error("%s %u: %s\n", name, frame, retrace_reason(session));
        return 1;
    }
    if (picture.width != width || picture.height != height || picture.pixel_bytes != 3)
        wrong = width * height;
    for (uint64_t n = 0; wrong == 0 && n < (uint64_t)width * height; n++)
        wrong += memcmp(picture.pixels + 3 * n, expected + 3 * n, 3) != 0;
    if (wrong > 0)
        print_error("%s %u: %u pixels of %ux%u differ\n", name, frame, wrong, picture.width,
                    picture.height);
    blob_unref(&picture.owner);
    return wrong > 0;
}

/* How large a trace's window is: as its last picture. */
static void find_size(const char *name, json_t *calls, uint32_t *width, uint32_t *height)
{
    *width = *height = 0;
    for (size_t frame = json_array_size(calls); *width == 0 && frame > 0; frame--)
        free(reference(name, (unsigned)frame - 1, width, height));
}

/* A trace, and a session for it that has been fed nothing. */
static void start(const char *name, json_t *calls, struct played *played)
{
    static struct retrace_drawable drawables[DRAWABLES];
    uint32_t width, height;

    find_size(name, calls, &width, &height);
    open_trace(name, played);
    reset(drawables, find_drawables(played->index, width, height, drawables, DRAWABLES));
}

/* Every frame that has a reference. Returns how many were wrong. */
static unsigned play_all(const char *name, size_t portion, unsigned *compared)
{
    json_t *index = last_calls(name), *calls = json_object_get(index, "last_call");
    uint32_t width = 0, height = 0;
    struct played played;
    unsigned wrong = 0;

    start(name, calls, &played);
    played.portion = portion;
    for (size_t frame = 0; frame < json_array_size(calls); frame++) {
        uint8_t *expected = reference(name, (unsigned)frame, &width, &height);

        if (expected == NULL)
            continue;
        play(&played, (uint64_t)json_integer_value(json_array_get(calls, frame)), 0);
        assert_int_equal(played.progress.state, RETRACE_STOPPED);
        wrong += compare_frame(name, (unsigned)frame, &played, expected, width, height);
        ++*compared;
        free(expected);
    }
    play(&played, RETRACE_NO_CALL, 0);
    assert_int_equal(played.progress.state, RETRACE_ENDED);
    print_message("%s: %llu calls, %llu skipped\n", name,
                  (unsigned long long)played.progress.listed,
                  (unsigned long long)played.progress.skipped);
    apitrace_close(&played.opened);
    json_decref(index);
    return wrong;
}

static void captures_are_drawn_as_the_reference_is(void **state)
{
    char *folder = support_corpus("apitrace/real/reference");
    const char *only = getenv("GPUDUMPFS_TRACE");
    unsigned wrong = 0, compared = 0;
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);

    (void)state;
    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        const char *name = entries[n]->d_name;

        if (name[0] != '.' &&
            (only == NULL ? (unsigned)n % support_stride() == 0 : strcmp(only, name) == 0))
            wrong += play_all(name, RETRACE_FEED_BYTES, &compared);
        free(entries[n]);
    }
    free(entries);
    free(folder);
    print_message("%u pictures compared\n", compared);
    assert_int_equal(wrong, 0);
    assert_true(compared > 0);
}

static uint64_t call_at(json_t *calls, size_t frame)
{
    return (uint64_t)json_integer_value(json_array_get(calls, frame));
}

/* All frames before the last one that has a reference leave no pixels, which it does not need. */
static void frames_that_are_skipped_do_not_show(void **state)
{
    static const char *const names[] = {"glxgears",        "es2gears",     "glmark2_build",
                                        "glmark2_desktop", "glmark2_bump", "glmark2es2_shadow",
                                        "xss_pulsar",      "neverball"};
    const char *only = getenv("GPUDUMPFS_TRACE");
    unsigned wrong = 0;

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n += only == NULL ? support_stride() : 1) {
        json_t *index = last_calls(names[n]), *calls = json_object_get(index, "last_call");
        size_t frame = json_array_size(calls);
        uint8_t *expected = NULL;
        struct played played;
        uint32_t width, height;

        if (only != NULL && strcmp(only, names[n]) != 0) {
            json_decref(index);
            continue;
        }
        while (expected == NULL && frame > 0)
            expected = reference(names[n], (unsigned)--frame, &width, &height);
        assert_non_null(expected);
        start(names[n], calls, &played);
        play(&played, call_at(calls, frame - 1), RETRACE_DISCARD | RETRACE_AFTER);
        play(&played, call_at(calls, frame), 0);
        wrong += compare_frame(names[n], (unsigned)frame, &played, expected, width, height);
        free(expected);
        apitrace_close(&played.opened);
        json_decref(index);
    }
    assert_int_equal(wrong, 0);
}

/* The session goes on where it stood, however few bytes come at once. */
static void a_stream_may_be_cut_anywhere(void **state)
{
    unsigned compared = 0;

    (void)state;
    assert_int_equal(play_all("es2tri", 1013, &compared), 0);
    assert_int_equal(play_all("glxdemo", 97, &compared), 0);
    assert_int_equal(play_all("xss_pulsar", 4099, &compared), 0);
    assert_true(compared > 0);
}

/* In the process that drew them before, with what it still knows. */
static void frames_are_the_same_when_begun_again(void **state)
{
    static const char *const names[] = {"glmark2_desktop", "es2gears", "glmark2_desktop"};
    unsigned compared = 0;

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n++)
        assert_int_equal(play_all(names[n], RETRACE_FEED_BYTES, &compared), 0);
    assert_true(compared > 0);
    assert_int_equal(worker_starts(worker), 1);
}

/* What is compiled in a hurry draws the same; it takes a process of its own. */
static void frames_are_the_same_in_a_hurry(void **state)
{
    static const char *const names[] = {"glmark2es2_shadow", "glmark2_bump", "es2gears"};
    unsigned compared = 0;

    (void)state;
    assert_int_equal(play_all("es2gears", RETRACE_FEED_BYTES, &compared), 0);
    retrace_hurry(session, true);
    for (size_t n = 0; n < COUNT_OF(names); n++)
        assert_int_equal(play_all(names[n], RETRACE_FEED_BYTES, &compared), 0);
    assert_int_equal(worker_starts(worker), 2);
    retrace_hurry(session, true);
    assert_int_equal(play_all("es2gears", RETRACE_FEED_BYTES, &compared), 0);
    assert_int_equal(worker_starts(worker), 2);
    assert_true(compared > 0);
}

/* What gl_scenes draws, traced now. False: there is no tracer here, or no such context. */
static bool capture(const char *profile, const char *folder, char *trace, size_t size)
{
    char command[1024];
    int status;

    snprintf(trace, size, "%s/scenes.trace", folder);
    snprintf(command, sizeof(command),
             "LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe HOME=%s apitrace trace -a egl -o %s "
             "tests/gl_scenes %s %s >%s/log 2>&1",
             folder, trace, profile, folder, folder);
    status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(trace, R_OK) == 0;
}

/* The number of the next call of that name, from `from` on. */
static uint64_t find_call(const struct apitrace_index *index, const char *name, uint64_t from)
{
    struct apitrace_call call;
    uint64_t n;

    apitrace_call_init(&call, index, NULL);
    for (n = from; n < index->calls.count; n++) {
        apitrace_call_choose(&call, n);
        if (call.function != NULL && strcmp(call.function->name.bytes, name) == 0)
            break;
    }
    apitrace_call_clear(&call);
    return n;
}

/* The program saw its frames itself, and so does whoever replays it. */
static void compare_scenes(const char *profile, const char *folder, struct played *played)
{
    enum { WIDTH = 64, HEIGHT = 48 };
    uint64_t call = find_call(played->index, "eglSwapBuffers", 0);
    unsigned frame, wrong = 0;

    for (frame = 0; call < played->index->calls.count; frame++) {
        char file[16], *path;
        uint8_t *expected;
        size_t size;

        snprintf(file, sizeof(file), "%02u.rgb", frame);
        path = support_path(folder, file);
        expected = support_read(path, &size);
        assert_int_equal(size, WIDTH * HEIGHT * 3);
        play(played, call, 0);
        wrong += compare_frame(profile, frame, played, expected, WIDTH, HEIGHT);
        free(expected);
        free(path);
        call = find_call(played->index, "eglSwapBuffers", call + 1);
    }
    assert_int_equal(wrong, 0);
    assert_true(frame >= 12);
}

/* The first texture that the scenes make can be had in each kind of context. */
static void ask_texture(void)
{
    const struct retrace_texture_request request = {.name = 1, .target = 0xDE1};
    const struct retrace_picture_request back = {.kind = RETRACE_COLOUR};
    struct retrace_picture picture;

    assert_int_equal(retrace_texture(session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 16);
    assert_int_equal(picture.height, 8);
    assert_false(picture.real);
    blob_unref(&picture.owner);
    assert_int_equal(retrace_picture(session, &back, NULL, &picture), 0);
    blob_unref(&picture.owner);
}

static void replay_scenes(const char *profile)
{
    char *folder = support_folder(), trace[512];
    bool captured = capture(profile, folder, trace, sizeof(trace));
    struct played played;

    if (captured) {
        open_path(trace, &played);
        reset(NULL, 0);
        compare_scenes(profile, folder, &played);
        assert_int_equal(played.progress.skipped, 0);
        ask_texture();
        apitrace_close(&played.opened);
    }
    support_remove(&folder);
    if (!captured && getenv("GPUDUMPFS_REQUIRE_CLIENTS") != NULL)
        fail_msg("scenes of %s cannot be traced", profile);
    if (!captured)
        skip();
}

static void scenes_of_opengl_es_3_are_replayed(void **state)
{
    (void)state;
    replay_scenes("es");
}

static void scenes_of_core_profiles_are_replayed(void **state)
{
    (void)state;
    replay_scenes("core");
}

static void scenes_of_compatibility_profiles_are_replayed(void **state)
{
    (void)state;
    replay_scenes("old");
}

/* Traces that nobody's tracer would write. */

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

/* A call: a letter for each value, a result behind '='. Returns its number. */
static uint64_t say(const char *name, const char *values, ...)
{
    uint64_t call = trace_enter(writer, 0, function_of(name, values));
    va_list arguments;
    unsigned n = 0;

    va_start(arguments, values);
    for (; values[n] != '\0' && values[n] != '='; n++) {
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

static const struct retrace_drawable window = {.call = 1, .handle = 77, .width = 32, .height = 32};

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
    open_path(hostile->path, &hostile->played);
    reset(&window, 1);
    notes = 0;
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
    const struct retrace_picture_request request = {.kind = RETRACE_COLOUR};
    struct retrace_picture picture;

    assert_int_equal(retrace_picture(session, &request, NULL, &picture), 0);
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
    say("glDrawElements", "uuub", 4, 3, 0x1401, indices, 3);
    say("glDrawElements", "uuub", 4, 4, 0x1401, indices, 3);
    say("glDrawElements", "uuuo", 4, 3, 0x1401, 4096);
    say("glDrawArraysIndirect", "ub", 4, bytes, 64);
    refused += 7;
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
    replay_hostile(&hostile);
    play(&hostile.played, RETRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(notes, refused);
    assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(worker), 1);
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
    play(&hostile.played, RETRACE_NO_CALL, 0);
    assert_int_equal(notes, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    assert_colour(0, 0, 255);
    close_hostile(&hostile);
}

/* A draw of a billion instances: the process is ended, and the next one leaves it out. */
static void a_draw_without_end_is_left_out(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct retrace_feed feed = {.stop = RETRACE_NO_CALL, .flags = RETRACE_END};
    struct retrace_progress progress;
    struct hostile hostile;
    uint8_t *bytes;

    (void)state;
    open_hostile(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 0x3FFFFFFF);
    say("glClear", "u", 0x4000);
    replay_hostile(&hostile);
    feed.bytes = bytes = support_read(hostile.path, &feed.size);
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), -EAGAIN);
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), -ESTALE);
    reset(&window, 1);
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, RETRACE_ENDED);
    assert_int_equal(progress.skipped, 1);
    assert_int_equal(notes, 1);
    assert_colour(0, 255, 0);
    free(bytes);
    close_hostile(&hostile);
}

static void damaged_streams_end_there(void **state)
{
    static const uint8_t wrong[] = {6, 6, 0, 0, 0, 0, 3, 'g', 'l', 'X', 0, 0, 77};
    struct retrace_feed feed = {
        .bytes = wrong, .size = sizeof(wrong), .stop = RETRACE_NO_CALL, .flags = RETRACE_END};
    struct retrace_progress progress;

    (void)state;
    reset(NULL, 0);
    feed.offset = 5;
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), -EINVAL);
    feed.offset = 0;
    notes = 0;
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, RETRACE_ENDED);
    assert_int_equal(progress.next, sizeof(wrong));
    assert_int_equal(progress.listed, 1);
    assert_int_equal(notes, 1);
}

static void nothing_is_known_before_the_first_byte(void **state)
{
    const struct retrace_picture_request request = {.kind = RETRACE_COLOUR};
    const struct retrace_texture_request texture = {.name = 1, .target = 0xDE1};
    struct retrace_feed feed = {.stop = RETRACE_NO_CALL};
    struct retrace_picture picture;
    struct retrace_progress progress;

    (void)state;
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), -ESTALE);
    assert_int_equal(retrace_picture(session, &request, NULL, &picture), -ESTALE);
    reset(NULL, 0);
    assert_int_equal(retrace_picture(session, &request, NULL, &picture), -ENOENT);
    assert_int_equal(retrace_texture(session, &texture, NULL, &picture), -ENOENT);
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, RETRACE_HUNGRY);
    assert_int_equal(progress.listed, 0);
    assert_true(progress.call == RETRACE_NO_CALL);
    feed.flags = RETRACE_END;
    assert_int_equal(retrace_feed(session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, RETRACE_ENDED);
}

static void textures_are_given_as_they_were_uploaded(void **state)
{
    static const uint8_t texels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const struct retrace_texture_request request = {.name = 40, .target = 0xDE1};
    struct retrace_texture_request other = {.name = 41, .target = 0xDE1};
    struct retrace_picture picture;
    struct hostile hostile;

    (void)state;
    open_hostile(&hostile);
    say("glBindTexture", "uu", 0xDE1, 40);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x8058, 2, 2, 0, 0x1908, 0x1401, texels, 16);
    replay_hostile(&hostile);
    play(&hostile.played, RETRACE_NO_CALL, 0);
    assert_int_equal(retrace_texture(session, &other, NULL, &picture), -ENOENT);
    other = request;
    other.level = 1;
    assert_int_equal(retrace_texture(session, &other, NULL, &picture), -ENOENT);
    assert_int_equal(retrace_texture(session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 2);
    assert_int_equal(picture.pixel_bytes, 4);
    assert_memory_equal(picture.pixels, texels, sizeof(texels));
    blob_unref(&picture.owner);
    assert_colour(0, 255, 0);
    close_hostile(&hostile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_known_before_the_first_byte, begin, end),
        cmocka_unit_test_setup_teardown(damaged_streams_end_there, begin, end),
        cmocka_unit_test_setup_teardown(calls_that_read_just_enough_are_made, begin, end),
        cmocka_unit_test_setup_teardown(calls_that_would_read_too_far_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(textures_are_given_as_they_were_uploaded, begin, end),
        cmocka_unit_test_setup_teardown(a_draw_without_end_is_left_out, begin_short, end),
        cmocka_unit_test_setup_teardown(captures_are_drawn_as_the_reference_is, begin, end),
        cmocka_unit_test_setup_teardown(frames_that_are_skipped_do_not_show, begin, end),
        cmocka_unit_test_setup_teardown(frames_are_the_same_when_begun_again, begin, end),
        cmocka_unit_test_setup_teardown(frames_are_the_same_in_a_hurry, begin, end),
        cmocka_unit_test_setup_teardown(a_stream_may_be_cut_anywhere, begin, end),
        cmocka_unit_test_setup_teardown(scenes_of_opengl_es_3_are_replayed, begin, end),
        cmocka_unit_test_setup_teardown(scenes_of_core_profiles_are_replayed, begin, end),
        cmocka_unit_test_setup_teardown(scenes_of_compatibility_profiles_are_replayed, begin, end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_apitrace", tests, NULL, NULL);
}

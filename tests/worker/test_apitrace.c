/* SPDX-License-Identifier: MIT */
/*
 * OpenGL calls replayed by the worker. Pictures of the corpus' captures must equal the reference
 * bit by bit, however the stream is divided.
 */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include "formats/apitrace/index/call.h"

#include <dirent.h>
#include <glob.h>
#include <jansson.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWABLES = 4096 };

/* Collects all possible drawables, each with this size. */
static size_t find_drawables(const struct apitrace_index *index, uint32_t width, uint32_t height,
                             struct apitrace_session_drawable *out, size_t max)
{
    static const char *const made[] = {"eglCreateWindowSurface", "eglCreatePlatformWindowSurface",
                                       "eglCreatePlatformWindowSurfaceEXT", "glXCreateWindow"};
    static const char *const current[] = {"glXMakeCurrent", "glXMakeContextCurrent",
                                          "eglMakeCurrent"};
    struct apitrace_call call;
    size_t count = 0;

    apitrace_call_init(&call, index, NULL);
    for (uint64_t n = 0; n < index->calls.count && count < max; n++) {
        uint64_t handle = 0;

        assert_int_equal(apitrace_call_read(&call, n), 0);
        for (size_t i = 0; call.function != NULL && i < COUNT_OF(made); i++)
            if (strcmp(call.function->name.bytes, made[i]) == 0)
                handle = (uint64_t)apitrace_call_result(&call, 0);
        for (size_t i = 0; call.function != NULL && i < COUNT_OF(current); i++)
            if (strcmp(call.function->name.bytes, current[i]) == 0)
                handle = (uint64_t)apitrace_call_integer(&call, 1, 0);
        if (handle != 0)
            out[count++] = (struct apitrace_session_drawable){
                .call = n, .handle = handle, .width = width, .height = height};
    }
    apitrace_call_clear(&call);
    return count;
}

static void open_trace(const char *name, struct played *played)
{
    char *folder = support_corpus("apitrace/real"), file[64], *path;

    snprintf(file, sizeof(file), "%s.trace", name);
    path = support_path(folder, file);
    replay_open(path, played);
    free(path);
    free(folder);
}

/* Returns a reference picture, to be freed with free(); NULL if that frame has none. */
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

/* Returns the calls that end frames, to be freed with json_decref(). */
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

/* Stores the size of a trace's window, which is that of its last picture. */
static void find_size(const char *name, json_t *calls, uint32_t *width, uint32_t *height)
{
    *width = *height = 0;
    for (size_t frame = json_array_size(calls); *width == 0 && frame > 0; frame--)
        free(reference(name, (unsigned)frame - 1, width, height));
}

/* Opens a trace and begins a session for it, which is fed nothing yet. */
static void start(const char *name, json_t *calls, struct played *played)
{
    static struct apitrace_session_drawable drawables[DRAWABLES];
    uint32_t width, height;

    find_size(name, calls, &width, &height);
    open_trace(name, played);
    replay_reset(drawables, find_drawables(played->index, width, height, drawables, DRAWABLES));
}

/* Plays every frame that has a reference. Returns how many were wrong. */
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
        replay_to(&played, (uint64_t)json_integer_value(json_array_get(calls, frame)), 0);
        assert_int_equal(played.progress.state, APITRACE_FEED_STOPPED);
        wrong += replay_compare(name, (unsigned)frame, expected, width, height);
        ++*compared;
        free(expected);
    }
    replay_to(&played, APITRACE_NO_CALL, 0);
    assert_int_equal(played.progress.state, APITRACE_FEED_ENDED);
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
            wrong += play_all(name, APITRACE_FEED_BYTES, &compared);
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

/*
 * Frames before the last one that has a reference are run without drawing pixels, which the last
 * one does not need.
 */
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
        replay_to(&played, call_at(calls, frame - 1), APITRACE_FEED_DISCARD | APITRACE_FEED_AFTER);
        replay_to(&played, call_at(calls, frame), 0);
        wrong += replay_compare(names[n], (unsigned)frame, expected, width, height);
        free(expected);
        apitrace_close(&played.opened);
        json_decref(index);
    }
    assert_int_equal(wrong, 0);
}

/* The session goes on where it stopped, however few bytes it is fed at a time. */
static void a_stream_may_be_cut_anywhere(void **state)
{
    unsigned compared = 0;

    (void)state;
    assert_int_equal(play_all("es2tri", 1013, &compared), 0);
    assert_int_equal(play_all("glxdemo", 97, &compared), 0);
    assert_int_equal(play_all("xss_pulsar", 4099, &compared), 0);
    assert_true(compared > 0);
}

/* Frames are the same in a process that has drawn them before and still has its state. */
static void frames_are_the_same_when_begun_again(void **state)
{
    static const char *const names[] = {"glmark2_desktop", "es2gears", "glmark2_desktop"};
    unsigned compared = 0;

    (void)state;
    for (size_t n = 0; n < COUNT_OF(names); n++)
        assert_int_equal(play_all(names[n], APITRACE_FEED_BYTES, &compared), 0);
    assert_true(compared > 0);
    assert_int_equal(worker_starts(playing.worker), 1);
}

/* Shaders that are compiled fast draw the same. Fast compile needs a new process. */
static void frames_are_the_same_that_compiles_fast(void **state)
{
    static const char *const names[] = {"glmark2es2_shadow", "glmark2_bump", "es2gears"};
    unsigned compared = 0;

    (void)state;
    assert_int_equal(play_all("es2gears", APITRACE_FEED_BYTES, &compared), 0);
    apitrace_session_fast_compile(playing.session, true);
    for (size_t n = 0; n < COUNT_OF(names); n++)
        assert_int_equal(play_all(names[n], APITRACE_FEED_BYTES, &compared), 0);
    assert_int_equal(worker_starts(playing.worker), 2);
    apitrace_session_fast_compile(playing.session, true);
    assert_int_equal(play_all("es2gears", APITRACE_FEED_BYTES, &compared), 0);
    assert_int_equal(worker_starts(playing.worker), 2);
    assert_true(compared > 0);
}

/* Returns whether a thread is a rasterizer, by the name that llvmpipe gave it. */
static bool is_rasterizer(const char *path)
{
    char name[32] = "";
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return false; /* the thread has ended */
    assert_non_null(fgets(name, sizeof(name), file));
    fclose(file);
    return strncmp(name, "llvmpipe-", 9) == 0;
}

/* Returns how many rasterizer threads this process's children have. */
static unsigned count_rasterizers(void)
{
    unsigned count = 0, pid;
    char path[64];
    FILE *children;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
    children = fopen(path, "r");
    assert_non_null(children);
    while (fscanf(children, "%u", &pid) == 1) {
        char pattern[64];
        glob_t found;

        snprintf(pattern, sizeof(pattern), "/proc/%u/task/*/comm", pid);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t n = 0; n < found.gl_pathc; n++)
            count += is_rasterizer(found.gl_pathv[n]);
        globfree(&found);
    }
    fclose(children);
    return count;
}

/* A process whose drawing thread also fills pixels draws the same. */
static void frames_are_the_same_that_one_thread_draws(void **state)
{
    unsigned compared = 0;

    (void)state;
    assert_int_equal(play_all("es2gears", APITRACE_FEED_BYTES, &compared), 0);
    assert_int_not_equal(count_rasterizers(), 0);
    apitrace_session_one_thread(playing.session, true);
    assert_int_equal(play_all("es2gears", APITRACE_FEED_BYTES, &compared), 0);
    assert_int_equal(count_rasterizers(), 0);
    assert_int_equal(worker_starts(playing.worker), 2);
    assert_true(compared > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(captures_are_drawn_as_the_reference_is, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(frames_that_are_skipped_do_not_show, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(frames_are_the_same_when_begun_again, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(frames_are_the_same_that_compiles_fast, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(frames_are_the_same_that_one_thread_draws, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(a_stream_may_be_cut_anywhere, replay_begin, replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_apitrace", tests, NULL, NULL);
}

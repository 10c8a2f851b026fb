/* SPDX-License-Identifier: MIT */
/* Limits of a replayed trace: memory, objects, and time; and a run ends when its caller is gone. */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include "base/clock.h"
#include "base/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns the most memory that the worker's process has held, in kilobytes, from /proc. */
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
enum { QUARTER = 1 << 28 /* bytes; twice that is more than any trace may have */ };

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

/* Objects that take 256 MiB each are created by calls of ten bytes. */
static void objects_have_a_limit(void **state)
{
    static void (*const make[])(int name) = {say_buffer, say_texture, say_renderbuffer};
    static const char *const end[] = {"glDeleteBuffers", "glDeleteTextures",
                                      "glDeleteRenderbuffers"};
    struct hostile_trace hostile;
    unsigned refused = 0;

    (void)state;
    hostile_trace_open(&hostile);
    for (size_t kind = 0; kind < COUNT_OF(make); kind++) {
        const uint32_t first = 50, second = 51;

        make[kind](50);
        make[kind](51); /* refused */
        make[kind](50); /* replaces what the object had */
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
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused);
    hostile_trace_assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    assert_true(max_memory() < 800 * 1024);
    hostile_trace_close(&hostile);
}

/*
 * Objects that contexts share are freed with the last of these contexts, which leaves room for new
 * ones.
 */
static void objects_go_with_their_contexts(void **state)
{
    static void (*const make[])(int name) = {say_buffer, say_texture, say_renderbuffer};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    for (int n = 0; n < (int)COUNT_OF(make); n++) {
        say("glXCreateContext", "oooo=o", 1, 2, 0, 1, 200 + n);
        say("glXMakeCurrent", "ouo=u", 1, 77, 200 + n, 1);
        make[n](50);
        say("glXCreateContext", "oooo=o", 1, 2, 200 + n, 1, 300 + n); /* shares the objects */
        say("glXMakeCurrent", "ouo=u", 1, 77, 300 + n, 1);
        say("glXDestroyContext", "oo", 1, 200 + n);
        make[(n + 1) % (int)COUNT_OF(make)](51); /* refused */
        say("glXMakeCurrent", "ouo=u", 1, 0, 0, 1);
        say("glXDestroyContext", "oo", 1, 300 + n);
    }
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, COUNT_OF(make));
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/* A damaged trace may create a context under the handle of the one that it shares objects with. */
static void a_context_replaces_the_one_it_shares_with(void **state)
{
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glXCreateContext", "oooo=o", 1, 2, 0, 1, 200);
    say("glXCreateContext", "oooo=o", 1, 2, 200, 1, 200);
    say("glXMakeCurrent", "ouo=u", 1, 77, 200, 1);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/* A buffer that contains many arrays is copied only once to describe them. */
static void arrays_share_the_copy_of_their_buffer(void **state)
{
    enum { ARRAYS = 16, BYTES = 32 << 20 };
    unsigned long before;
    struct hostile_trace hostile;
    struct blob *text = NULL;
    uint64_t draw;

    (void)state;
    hostile_trace_open(&hostile);
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uunu", ARRAY_BUFFER, BYTES, 0x88E4);
    for (int n = 0; n < ARRAYS; n++) {
        say("glEnableVertexAttribArray", "u", n);
        say("glVertexAttribPointer", "uuuuuo", n, 2, 0x1406, 0, 0, 0);
    }
    draw = say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, draw, APITRACE_FEED_AFTER);
    before = max_memory();
    assert_int_equal(
        apitrace_session_draw_text(playing.session, APITRACE_DRAW_VERTICES, NULL, &text), 0);
    assert_true(max_memory() - before < 4 * BYTES / 1024);
    blob_unref(&text);
    hostile_trace_close(&hostile);
}

/* Begins with a shorter time limit. */
static int begin_short(void **state)
{
    replay_limit_ms = 5000;
    return replay_begin(state);
}

/*
 * A draw of millions of instances, each of which fills all pixels: the process is ended, and the
 * next one leaves the draw out.
 */
static void a_draw_without_end_is_left_out(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct apitrace_session_feed feed = {.stop = APITRACE_NO_CALL, .flags = APITRACE_FEED_END};
    struct apitrace_session_progress progress;
    struct hostile_trace hostile;
    uint8_t *bytes;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 22000000);
    say("glClear", "u", 0x4000);
    hostile_trace_replay(&hostile);
    feed.bytes = bytes = support_read(hostile.path, &feed.size);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -EAGAIN);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), -ESTALE);
    replay_reset(&hostile_trace_window, 1);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, NULL, &progress), 0);
    assert_int_equal(progress.state, APITRACE_FEED_ENDED);
    assert_int_equal(progress.skipped, 1);
    assert_int_equal(playing.notes, 1);
    hostile_trace_assert_colour(0, 255, 0);
    free(bytes);
    hostile_trace_close(&hostile);
}

static void *raise_soon(void *context)
{
    usleep(100 * 1000);
    cancel_raise(context);
    return NULL;
}

/* Returns the processor time of the worker's process in milliseconds; 0 if there is no process. */
static int64_t processor_time(void)
{
    clockid_t clock;

    if (worker_process(playing.worker) == 0 ||
        clock_getcpuclockid(worker_process(playing.worker), &clock) != 0)
        return 0;
    return clock_read(clock) / 1000000;
}

/* No run goes on for a caller that is gone: it ends between two calls. */
static void a_run_is_left_off_when_its_caller_has_gone(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct apitrace_session_feed feed = {.stop = APITRACE_NO_CALL, .flags = APITRACE_FEED_END};
    struct apitrace_session_progress progress;
    struct hostile_trace hostile;
    struct cancel cancel;
    pthread_t thread;
    int64_t before;
    uint8_t *bytes;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    for (int n = 0; n < 2000; n++) {
        say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 3000);
        say("glFinish", "");
    }
    hostile_trace_replay(&hostile);
    feed.bytes = bytes = support_read(hostile.path, &feed.size);
    cancel_init(&cancel, NULL);
    assert_int_equal(thread_start(&thread, raise_soon, &cancel), 0);
    assert_int_equal(apitrace_session_feed(playing.session, &feed, &cancel, &progress), -EINTR);
    before = processor_time();
    usleep(400 * 1000);
    assert_in_range(processor_time() - (worker_process(playing.worker) == 0 ? 0 : before), 0, 50);
    pthread_join(thread, NULL);
    free(bytes);
    hostile_trace_close(&hostile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(objects_go_with_their_contexts, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(a_context_replaces_the_one_it_shares_with, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(objects_have_a_limit, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(arrays_share_the_copy_of_their_buffer, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(a_draw_without_end_is_left_out, begin_short, replay_end),
        cmocka_unit_test_setup_teardown(a_run_is_left_off_when_its_caller_has_gone, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_call_limits", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * OpenGL calls replayed by the worker: the newest features and the oldest. A program draws scenes
 * with them under apitrace's tracer and writes what it reads back.
 */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include "formats/apitrace/index/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of the next call of that name, from `from` on. */
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

/* A replay's frames must be those that the program read back. */
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
        replay_to(played, call, 0);
        wrong += replay_compare(profile, frame, expected, WIDTH, HEIGHT);
        free(expected);
        free(path);
        call = find_call(played->index, "eglSwapBuffers", call + 1);
    }
    assert_int_equal(wrong, 0);
    assert_true(frame >= 12);
}

/* Requests the first texture of the scenes, which is available in each kind of context. */
static void ask_texture(void)
{
    const struct apitrace_texture_request request = {.name = 1, .target = 0xDE1};
    const struct apitrace_picture_request back = {.kind = APITRACE_PICTURE_COLOUR};
    struct apitrace_picture picture;

    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 16);
    assert_int_equal(picture.height, 8);
    assert_false(picture.real);
    blob_unref(&picture.owner);
    assert_int_equal(apitrace_session_picture(playing.session, &back, NULL, &picture), 0);
    blob_unref(&picture.owner);
}

static void replay_scenes(const char *profile)
{
    char *folder = support_folder(), trace[512];
    bool captured = replay_capture_scenes(profile, folder, trace, sizeof(trace));
    struct played played;

    if (captured) {
        replay_open(trace, &played);
        replay_reset(NULL, 0);
        compare_scenes(profile, folder, &played);
        assert_int_equal(played.progress.skipped, 0);
        ask_texture();
        apitrace_close(&played.opened);
    }
    support_remove(&folder);
    if (!captured && getenv("GPUDUMPFS_REQUIRE_CLIENTS") != NULL)
        fail_msg("scenes of %s cannot be traced", profile);
    if (!captured)
        support_skip("apitrace is not installed, or traces nothing here");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scenes_of_opengl_es_3_are_replayed, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(scenes_of_core_profiles_are_replayed, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(scenes_of_compatibility_profiles_are_replayed, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_scenes", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Damaged streams of calls, and requests to the worker out of turn. */
#include "config.h"

#include "tests/worker/retrace_play.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_streams_end_there, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(nothing_is_known_before_the_first_byte, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_call_streams", tests, NULL, NULL);
}

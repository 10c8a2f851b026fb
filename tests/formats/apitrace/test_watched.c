/* SPDX-License-Identifier: MIT */
/*
 * What a session accepts of a worker's answers about what it has watched, counted and been fed, and
 * what it rejects
 */
#include "config.h"

#include "worker/apitrace_session.h"
#include "worker/shader_translation.h"

#include "tests/support/support.h"
#include "tests/worker/fakeworker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct worker *worker;
static struct apitrace_session *session;

static int begin(void **state)
{
    const struct worker_params params = {.program = "tests/worker/fakeworker",
                                         .time_limit_ms = 120000};
    const struct apitrace_session_params none = {.note = NULL};

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(apitrace_session_create(worker, &none, &session), 0);
    return worker_acquire(worker, NULL);
}

static int end(void **state)
{
    (void)state;
    worker_release(worker);
    apitrace_session_destroy(&session);
    worker_destroy(&worker);
    return 0;
}

/* Makes the worker answer with this from now on, after a valid header. */
static void tell(const struct message_writer *answer)
{
    const struct message_part parts[] = {{"\1", 1}, {answer->bytes, answer->size}};
    const struct worker_request request = {
        .kind = FAKE_TELL, .parts = parts, .part_count = 2, .max_reply = 100};
    struct worker_reply reply;

    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    blob_unref(&reply.payload);
}

/* Writes one change of a pixel, whose words have different values. */
static void write_change(struct message_writer *out, uint32_t count, uint32_t outcome)
{
    const uint32_t words[] = {7, count,      0x44332211, 0x00000105, 9,          0,
                              3, 0x44332211, 0x00000105, 0x88776655, 0xFFFFFF02, outcome};

    *out = (struct message_writer){.bytes = NULL};
    for (size_t n = 0; n < COUNT_OF(words); n++)
        message_write_u32(out, words[n]);
}

/* Takes an answer that is cut to `size` bytes. */
static int take(struct message_writer *answer, size_t size, struct apitrace_pixel_changes *out)
{
    const struct message_writer nothing = {.bytes = NULL};

    tell(&nothing);
    assert_int_equal(apitrace_session_reset(session, NULL, 0, NULL), 0);
    answer->size = size;
    tell(answer);
    return apitrace_session_watched_pixel(session, NULL, out);
}

static void changes_are_taken_as_they_are_told(void **state)
{
    struct apitrace_pixel_changes changes;
    struct message_writer answer;

    (void)state;
    write_change(&answer, 1, APITRACE_PIXEL_DEPTH);
    assert_int_equal(take(&answer, answer.size, &changes), 0);
    assert_int_equal(changes.planes, APITRACE_PLANES);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.first.rgba[0], 0x11);
    assert_int_equal(changes.first.depth, 1);
    assert_int_equal(changes.first.stencil, 5);
    assert_int_equal(changes.list[0].call, 9);
    assert_int_equal(changes.list[0].flags, 3);
    assert_int_equal(changes.list[0].before.rgba[3], 0x44);
    assert_int_equal(changes.list[0].after.rgba[0], 0x55);
    assert_int_equal(changes.list[0].after.depth, 0xFFFFFF);
    assert_int_equal(changes.list[0].after.stencil, 2);
    assert_int_equal(changes.list[0].outcome, APITRACE_PIXEL_DEPTH);
    free(changes.list);
    message_writer_free(&answer);
}

static void begin_told(const struct message_writer *answer)
{
    const struct message_writer nothing = {.bytes = NULL};

    tell(&nothing);
    assert_int_equal(apitrace_session_reset(session, NULL, 0, NULL), 0);
    tell(answer);
}

/* Coverage of one pixel, and how it is known */
static void bits_of_coverage_are_known(void **state)
{
    (void)state;
    for (uint32_t told = 1; told < 64; told *= 2) {
        struct message_writer answer = {.bytes = NULL};
        struct apitrace_picture picture = {0};
        uint32_t got;

        message_write_u32(&answer, told);
        for (unsigned n = 0; n < 5; n++)
            message_write_u32(&answer, n == 2 ? 4 : 1);
        begin_told(&answer);
        assert_int_equal(apitrace_session_watched_coverage(session, NULL, &got, &picture),
                         told <= APITRACE_COVERED_SPOILS ? 0 : -EIO);
        assert_int_equal(picture.owner == NULL, told > APITRACE_COVERED_SPOILS);
        blob_unref(&picture.owner);
        message_writer_free(&answer);
    }
}

static int take_parts(uint32_t count, uint32_t first_kind)
{
    struct message_writer answer = {.bytes = NULL};
    struct blob *parts = NULL;
    int status;

    message_write_u32(&answer, count);
    for (uint32_t n = 0; n < count; n++) {
        const bool is_colour = first_kind == APITRACE_PART_COLOUR;
        const uint32_t words[] = {first_kind,        0, 0, 0, 0, is_colour, is_colour, is_colour, 0,
                                  is_colour ? 4 : 0, 0};

        for (size_t i = 0; i < COUNT_OF(words); i++)
            message_write_u32(&answer, words[i]);
    }
    begin_told(&answer);
    status = apitrace_session_draw_parts(session, 1, 1, NULL, &parts);
    assert_int_equal(status == 0, parts != NULL);
    blob_unref(&parts);
    message_writer_free(&answer);
    return status;
}

/* Numbers are part of the keys of names, which have a limited number of bits for them. */
static void no_more_parts_than_can_be_named(void **state)
{
    (void)state;
    assert_int_equal(take_parts(APITRACE_DRAW_PARTS_MAX, APITRACE_PART_SHADER), 0);
    assert_int_equal(take_parts(APITRACE_DRAW_PARTS_MAX + 1, APITRACE_PART_SHADER), -EIO);
    assert_int_equal(take_parts(APITRACE_DRAW_COLOURS_MAX, APITRACE_PART_COLOUR), 0);
    assert_int_equal(take_parts(APITRACE_DRAW_COLOURS_MAX + 1, APITRACE_PART_COLOUR), -EIO);
}

/* Takes an answer to a feed of `size` bytes, after 100 bytes in which 10 calls were listed. */
static int take_progress(size_t size, uint32_t flags, const uint64_t told[2],
                         enum apitrace_feed_state state)
{
    static const uint8_t bytes[200];
    struct apitrace_session_feed feed = {.bytes = bytes, .size = 100};
    struct apitrace_session_progress progress;
    uint64_t places[2] = {100, 10};
    int status = 0;

    for (unsigned n = 0; n < 2; n++) {
        struct message_writer answer = {.bytes = NULL};

        for (unsigned i = 0; i < 4; i++)
            message_write_u64(&answer, i < 2 ? places[i] : 0);
        message_write_u32(&answer, n == 0 ? APITRACE_FEED_PAUSED : state);
        message_write_u32(&answer, 0);
        if (n == 0)
            begin_told(&answer);
        else
            tell(&answer);
        assert_int_equal(status, 0);
        status = apitrace_session_feed(session, &feed, NULL, &progress);
        feed = (struct apitrace_session_feed){
            .offset = 100, .bytes = bytes, .size = size, .flags = flags};
        memcpy(places, told, sizeof(places));
        message_writer_free(&answer);
    }
    return status;
}

/* An answer that does not advance, or goes back, would be requested forever. */
static void feeds_come_on(void **state)
{
    static const struct {
        size_t size;
        uint32_t flags;
        uint64_t told[2];
        enum apitrace_feed_state state;
        int status;
    } cases[] = {
        {0, 0, {100, 11}, APITRACE_FEED_PAUSED, 0},
        {0, 0, {100, 10}, APITRACE_FEED_HUNGRY, 0},
        {0, 0, {100, 10}, APITRACE_FEED_STOPPED, 0},
        {0, 0, {100, 9}, APITRACE_FEED_STOPPED, -EIO},
        {0, 0, {99, 11}, APITRACE_FEED_STOPPED, -EIO},
        {0, 0, {101, 11}, APITRACE_FEED_STOPPED, -EIO},
        {0, 0, {100, 101}, APITRACE_FEED_STOPPED, -EIO},
        {0, APITRACE_FEED_STAY, {100, 10}, APITRACE_FEED_HUNGRY, 0},
        {0, APITRACE_FEED_END, {100, 10}, APITRACE_FEED_ENDED, 0},
        {50, 0, {150, 10}, APITRACE_FEED_HUNGRY, 0},
        {50, 0, {100, 10}, APITRACE_FEED_HUNGRY, -EIO},
        {50, 0, {149, 11}, APITRACE_FEED_HUNGRY, -EIO},
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(cases); n++)
        assert_int_equal(
            take_progress(cases[n].size, cases[n].flags, cases[n].told, cases[n].state),
            cases[n].status);
}

/* A few such answers are accepted. */
static void feeds_do_not_stand_still(void **state)
{
    static const struct {
        uint32_t flags;
        enum apitrace_feed_state state;
        bool may;
    } cases[] = {{0, APITRACE_FEED_PAUSED, false},
                 {APITRACE_FEED_END, APITRACE_FEED_HUNGRY, false},
                 {0, APITRACE_FEED_HUNGRY, true},
                 {APITRACE_FEED_END, APITRACE_FEED_ENDED, true}};
    const uint64_t told[2] = {100, 10};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(cases); n++) {
        const struct apitrace_session_feed feed = {.offset = 100, .flags = cases[n].flags};
        struct apitrace_session_progress progress;
        int status = take_progress(0, cases[n].flags, told, cases[n].state);

        for (unsigned times = 0; times < 100 && status == 0; times++)
            status = apitrace_session_feed(session, &feed, NULL, &progress);
        assert_int_equal(status, cases[n].may ? 0 : -EIO);
    }
}

/* Control characters for terminals do not get into a file. */
static void translated_texts_are_plain(void **state)
{
    struct message_writer answer = {.bytes = NULL};
    struct shader_translation translation;
    struct session translating;

    (void)state;
    message_write_u32(&answer, 3);
    message_write_u32(&answer, 7);
    message_write_bytes(&answer, "\x80\033s", 3);
    message_write_bytes(&answer, "a\033\n\t\x9b\x7f~", 7);
    begin_told(&answer);
    session_init(&translating, &shader_translation_session, worker, NULL, NULL);
    assert_int_equal(shader_translation_make(&translating, "code", 4, NULL, &translation), 0);
    assert_memory_equal(translation.spirv->data, "\x80\033s", 3);
    assert_int_equal(translation.glsl->size, 7);
    assert_memory_equal(translation.glsl->data, "a?\n\t??~", 7);
    shader_translation_clear(&translation);
    message_writer_free(&answer);
}

static void what_is_no_answer_is_refused(void **state)
{
    struct apitrace_pixel_changes changes;
    struct message_writer answer;

    (void)state;
    write_change(&answer, 1, APITRACE_PIXEL_DEPTH);
    for (size_t size = answer.size; size-- > 0;) {
        assert_int_equal(take(&answer, size, &changes), -EIO);
        free(changes.list);
    }
    message_writer_free(&answer);
    for (unsigned n = 0; n < 2; n++) {
        write_change(&answer, n == 0 ? UINT32_MAX : 1, n == 0 ? 0 : APITRACE_PIXEL_OUTCOMES);
        assert_int_equal(take(&answer, answer.size, &changes), -EIO);
        free(changes.list);
        message_writer_free(&answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_taken_as_they_are_told),
        cmocka_unit_test(bits_of_coverage_are_known),
        cmocka_unit_test(no_more_parts_than_can_be_named),
        cmocka_unit_test(feeds_come_on),
        cmocka_unit_test(feeds_do_not_stand_still),
        cmocka_unit_test(translated_texts_are_plain),
        cmocka_unit_test(what_is_no_answer_is_refused),
    };

    return cmocka_run_group_tests_name("apitrace_watched", tests, begin, end);
}

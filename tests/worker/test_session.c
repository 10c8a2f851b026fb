/* SPDX-License-Identifier: MIT */
/* Sessions of all formats when their process answers, dies, or is replaced. */
#include "worker/session.h"

#include "base/budget.h"
#include "base/memory_limit.h"
#include "tests/support/support.h"
#include "tests/worker/fakeworker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char program[4096]; /* tests/worker/fakeworker */

enum { MAKING = 40, OTHER = 41 /* messages that are answered with FAKE_TELL's payload */ };

/* The subject that FAKE_ABORT leaves, and another name for it. */
static unsigned suspects(const struct breadcrumb *breadcrumb, uint64_t names[BREADCRUMB_SUBJECTS])
{
    if (breadcrumb->activity != BREADCRUMB_DRAW)
        return 0;
    names[0] = breadcrumb->subjects[0] + 100;
    names[1] = breadcrumb->subjects[0];
    return 2;
}

static const struct session_kind narrow = {
    .suspects = suspects, .bad_max = 2, .makes = SESSION_MAKES(MAKING), .cancel_ends = true};
static const struct session_kind wide = {
    .suspects = suspects, .bad_max = 1, .makes = SESSION_MAKES(MAKING), .wide_places = true};

struct notes {
    unsigned count;
    uint64_t place;
    enum problem_severity severity;
    char text[WORKER_REASON];
};

static void note(void *context, enum problem_severity severity, uint64_t place, const char *text)
{
    struct notes *notes = context;

    notes->count++;
    notes->place = place;
    notes->severity = severity;
    snprintf(notes->text, sizeof(notes->text), "%s", text);
}

static struct worker *create(void)
{
    const struct worker_params params = {.program = program, .time_limit_ms = 120000};
    struct worker *worker;

    assert_int_equal(worker_create(&params, &worker), 0);
    return worker;
}

/* Sends any message without a payload, to any process. */
static int call(struct session *session, uint16_t message, const struct cancel *cancel)
{
    const struct worker_request request = {.kind = message, .max_reply = 100};
    struct blob *payload;
    int status = session_call(session, &request, cancel, &payload);

    assert_int_equal(status == 0, payload != NULL);
    blob_unref(&payload);
    return status;
}

static int ask(struct session *session, uint16_t message)
{
    struct blob *payload;
    int status = session_request_numbers(session, message, NULL, 0, 100, NULL, &payload);

    assert_int_equal(status == 0, payload != NULL);
    blob_unref(&payload);
    return status;
}

static int reset(struct session *session)
{
    struct message_writer head = {.bytes = NULL};

    message_write_u32(&head, session->bad_count);
    session_write_bad(session, &head);
    assert_int_equal(head.size, 4 + 8 * session->bad_count);
    return session_reset(session, FAKE_ECHO, &head, NULL);
}

/* Makes the process answer MAKING and OTHER from now on. */
static void tell(struct session *session)
{
    const uint32_t anything = 1;
    struct blob *payload;

    assert_int_equal(session_request_numbers(session, FAKE_TELL, &anything, 1, 0, NULL, &payload),
                     0);
    blob_unref(&payload);
}

static void test_nothing_was_built_up(void **state)
{
    struct worker *worker = create();
    struct session session;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    assert_int_equal(ask(&session, FAKE_ECHO), -ESTALE);
    assert_string_not_equal(session.reason, "");
    assert_int_equal(worker_starts(worker), 0);
    assert_int_equal(reset(&session), 0);
    assert_string_equal(session.reason, "");
    assert_int_equal(ask(&session, FAKE_ECHO), 0);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
}

static void test_head_and_parts_are_joined(void **state)
{
    const struct message_part parts[] = {{"ab", 2}, {NULL, 0}, {"cde", 3}};
    const struct worker_request request = {
        .kind = FAKE_ECHO, .parts = parts, .part_count = 3, .max_reply = 9};
    const uint32_t numbers[] = {1, 0x01020304};
    struct message_writer head = {.bytes = NULL};
    struct worker *worker = create();
    struct session session;
    struct blob *payload;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    assert_int_equal(reset(&session), 0);
    message_write_u32(&head, 0x34333231);
    assert_int_equal(session_request(&session, &head, &request, NULL, &payload), 0);
    assert_int_equal(payload->size, 9);
    assert_memory_equal(payload->data, "1234abcde", 9);
    assert_null(head.bytes);
    blob_unref(&payload);
    assert_int_equal(session_request_numbers(&session, FAKE_ECHO, numbers, 2, 8, NULL, &payload),
                     0);
    assert_int_equal(payload->size, 8);
    assert_memory_equal(payload->data, "\1\0\0\0\4\3\2\1", 8);
    blob_unref(&payload);
    worker_destroy(&worker);
}

/* A head for which there was no memory is not sent, and the session's state is not lost. */
static void test_bad_head(void **state)
{
    const struct worker_request request = {.kind = FAKE_ECHO};
    struct message_writer head = {.bytes = NULL, .bad = true};
    struct worker *worker = create();
    struct session session;
    struct blob *payload;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(session_request(&session, &head, &request, NULL, &payload), -ENOMEM);
    assert_string_not_equal(session.reason, "");
    assert_null(payload);
    assert_int_equal(ask(&session, FAKE_ECHO), 0);
    head = (struct message_writer){.bad = true};
    assert_int_equal(session_reset(&session, FAKE_ECHO, &head, NULL), -ENOMEM);
    assert_int_equal(ask(&session, FAKE_ECHO), -ESTALE);
    worker_destroy(&worker);
}

/* What a process died of is learned once; dying of it again is a failure. */
static void test_learns(void **state)
{
    struct worker *worker = create();
    struct session session, brief;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(ask(&session, FAKE_ABORT), -EAGAIN);
    assert_int_equal(session.bad_count, 2);
    assert_true(session_is_bad(&session, 5) && session_is_bad(&session, 105));
    assert_false(session_is_bad(&session, 6));
    assert_int_equal(ask(&session, FAKE_ECHO), -ESTALE);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(ask(&session, FAKE_ABORT), -EIO);
    assert_non_null(strstr(session.reason, "failed"));
    assert_int_equal(session.bad_count, 2);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(ask(&session, FAKE_EXIT), -EIO); /* it names no culprit */

    session_init(&brief, &wide, worker, NULL, NULL);
    assert_int_equal(reset(&brief), 0);
    assert_int_equal(ask(&brief, FAKE_ABORT), -EAGAIN);
    assert_int_equal(brief.bad_count, 1); /* the most that its kind allows */
    assert_int_equal(reset(&brief), 0);
    assert_int_equal(ask(&brief, FAKE_ABORT), -EIO);
    worker_destroy(&worker);
}

/*
 * Two processes may exceed the memory limit, for one subject each; if a third one does, the session
 * itself needs too much. Begins the session anew and makes its process exceed the limit for
 * `subject`.
 */
static int be_greedy(struct session *session, uint32_t subject)
{
    struct blob *payload;

    assert_int_equal(reset(session), 0);
    return session_request_numbers(session, FAKE_GREEDY, &subject, 1, 0, NULL, &payload);
}

static void test_greedy(void **state)
{
    static const struct session_kind kind = {.suspects = suspects, .bad_max = 100};
    const struct memory_share share = {.shared = UINT64_C(1) << 40};
    const struct budget_params params = {.time = 0};
    struct worker *worker = create();
    struct budget budget;
    struct budget_use use;
    struct session session;

    (void)state;
    memory_limit_open();
    memory_limit_add(&share);
    budget_init(&budget, &params);
    session_init(&session, &kind, worker, NULL, NULL);
    for (uint32_t turn = 0; turn < 2; turn++) { /* two callers, each of which begins anew */
        budget_use_begin(&use, &budget, NULL, false, 0);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(be_greedy(&session, 10 * turn + 1), -EAGAIN);
        assert_int_equal(be_greedy(&session, 10 * turn + 2), -EAGAIN);
        assert_false(cancel_is_raised(&use.cancel));
        assert_int_equal(be_greedy(&session, 10 * turn + 3), -ENOMEM);
        assert_false(session_is_bad(&session, 10 * turn + 3));
        assert_true(budget_use_is_over(&use, -ENOMEM));
        assert_int_equal(use.exceeded, BUDGET_MEMORY);
        assert_true(use.lasting); /* no other holder held any memory */
        worker_release(worker);
        budget_use_end(&use);
    }
    assert_int_equal(be_greedy(&session, 1), -ENOMEM); /* leaving it out again is of no use */
    budget_destroy(&budget);
    memory_limit_remove(&share);
    worker_destroy(&worker);
}

/* Kills the worker's process during a session, as another program might. */
static int killed(struct worker *worker, struct session *session)
{
    assert_int_equal(reset(session), 0);
    assert_int_equal(kill(worker_process(worker), SIGKILL), 0);
    return ask(session, FAKE_ECHO);
}

/* The session's state is lost whenever the idle process ends, and nothing is blamed. */
static void test_left(void **state)
{
    const struct worker_params params = {.program = program, .time_limit_ms = 120000, .idle_ms = 1};
    struct worker *worker;
    struct session session;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    session_init(&session, &narrow, worker, NULL, NULL);
    for (int i = 0; i < 6; i++) {
        pid_t process;

        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(reset(&session), 0);
        process = worker_process(worker);
        worker_release(worker);
        for (int wait = 0; wait < 120000 && kill(process, 0) == 0; wait++)
            usleep(1000);
        assert_int_equal(kill(process, 0), -1);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(ask(&session, FAKE_ECHO), -ESTALE);
        worker_release(worker);
        assert_int_equal(session.kills, 0);
        assert_int_equal(session.bad_count, 0);
    }
    worker_destroy(&worker);
}

/*
 * Nothing is blamed for a kill. Up to three in a row are worth another try, and a result resets the
 * count.
 */
static void test_killed(void **state)
{
    struct worker *worker = create();
    struct session session;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(killed(worker, &session), -ESTALE);
    assert_non_null(strstr(session.reason, "Killed"));
    assert_int_equal(killed(worker, &session), -EIO);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(ask(&session, FAKE_REFUSE), -EILSEQ);
    assert_string_equal(session.reason, "not so");
    assert_int_equal(killed(worker, &session), -EIO); /* a refusal is no result */

    assert_int_equal(reset(&session), 0);
    tell(&session);
    /* Nor is this message, according to the session's kind. */
    assert_int_equal(ask(&session, OTHER), 0);
    assert_int_equal(killed(worker, &session), -EIO);
    assert_int_equal(reset(&session), 0);
    tell(&session);
    assert_int_equal(ask(&session, MAKING), 0);
    assert_int_equal(killed(worker, &session), -ESTALE);
    assert_int_equal(session.bad_count, 0);
    worker_destroy(&worker);
}

/* Whether a session goes on after a cancelled call depends on the session's kind. */
static void test_cancelled(void **state)
{
    struct worker *worker = create();
    struct session session;
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    session_init(&session, &narrow, worker, NULL, NULL);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(call(&session, FAKE_ECHO, &cancel), -EINTR);
    assert_int_equal(ask(&session, FAKE_ECHO), -ESTALE);
    session_init(&session, &wide, worker, NULL, NULL);
    assert_int_equal(reset(&session), 0);
    assert_int_equal(call(&session, FAKE_ECHO, &cancel), -EINTR);
    assert_int_equal(ask(&session, FAKE_ECHO), 0);
    worker_destroy(&worker);
}

static int read_notes(struct session *session, const struct message_writer *writer, size_t size,
                      uint32_t count)
{
    struct message_reader reader;

    session->generation = 7;
    message_reader_init(&reader, writer->bytes, size);
    return session_read_notes(session, &reader, count);
}

/*
 * Checks two notes; then the same cut off anywhere, with an invalid severity, or with more bytes
 * after them, which are invalid replies.
 */
static void check_notes(const struct session_kind *kind, uint64_t place)
{
    struct message_writer writer = {.bytes = NULL};
    struct notes notes = {.count = 0};
    struct session session;
    size_t severity = 0;

    session_init(&session, kind, NULL, note, &notes);
    for (int i = 0; i < 2; i++) {
        if (kind->wide_places)
            message_write_u64(&writer, place);
        else
            message_write_u32(&writer, (uint32_t)place);
        severity = writer.size;
        message_write_u32(&writer, PROBLEM_WARNING);
        message_write_u32(&writer, 4);
        message_write_bytes(&writer, "text", 4);
    }
    assert_int_equal(read_notes(&session, &writer, writer.size, 2), 0);
    assert_int_equal(session.generation, 7);
    assert_int_equal(notes.count, 2);
    assert_true(notes.place == place);
    assert_int_equal(notes.severity, PROBLEM_WARNING);
    assert_string_equal(notes.text, "text");
    for (size_t size = 0; size < writer.size; size++) {
        assert_int_equal(read_notes(&session, &writer, size, 2), -EIO);
        assert_int_equal(session.generation, 0);
    }
    assert_int_equal(read_notes(&session, &writer, writer.size, 1), -EIO);
    assert_int_equal(read_notes(&session, &writer, writer.size, UINT32_MAX), -EIO);
    message_patch_u32(&writer, severity, PROBLEM_ERROR + 1);
    assert_int_equal(read_notes(&session, &writer, writer.size, 2), -EIO);
    message_writer_free(&writer);
}

/* A worker that adds more notes than allowed between two resets is not trusted. */
static void test_too_many_notes(void **state)
{
    static const struct session_kind sparing = {.suspects = suspects, .notes_max = 3};
    struct message_writer writer = {.bytes = NULL}, head = {.bytes = NULL};
    struct worker *worker = create();
    struct notes notes = {.count = 0};
    struct session session;

    (void)state;
    for (int i = 0; i < 2 * 3; i++)
        message_write_u32(&writer, 0); /* place, severity, length */
    session_init(&session, &sparing, worker, note, &notes);
    assert_int_equal(read_notes(&session, &writer, writer.size, 2), 0);
    assert_int_equal(read_notes(&session, &writer, writer.size, 2), -EIO);
    assert_int_equal(session.generation, 0);
    assert_int_equal(read_notes(&session, &writer, 0, UINT32_MAX), -EIO);
    assert_int_equal(notes.count, 2);
    assert_int_equal(read_notes(&session, &writer, writer.size / 2, 1), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(session_reset(&session, FAKE_ECHO, &head, NULL), 0);
    worker_release(worker);
    assert_int_equal(read_notes(&session, &writer, writer.size, 2), 0);
    assert_int_equal(notes.count, 5);
    message_writer_free(&writer);
    worker_destroy(&worker);
}

/* Nor is one whose reply has more notes than any reply may have. */
static void test_too_many_notes_of_a_reply(void **state)
{
    struct message_writer writer = {.bytes = NULL};
    struct notes notes = {.count = 0};
    struct session session;

    (void)state;
    for (int i = 0; i < (SESSION_NOTES_MAX + 1) * 3; i++)
        message_write_u32(&writer, 0);
    session_init(&session, &narrow, NULL, note, &notes);
    assert_int_equal(read_notes(&session, &writer, writer.size, SESSION_NOTES_MAX + 1), -EIO);
    assert_int_equal(session.generation, 0);
    assert_int_equal(notes.count, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(read_notes(&session, &writer, writer.size - 12, SESSION_NOTES_MAX), 0);
    assert_int_equal(notes.count, 2 * SESSION_NOTES_MAX);
    message_writer_free(&writer);
}

static void test_notes(void **state)
{
    (void)state;
    check_notes(&narrow, 0xFFFFFFFF);
    check_notes(&wide, UINT64_MAX);
}

static void test_pixels(void **state)
{
    static const uint8_t bytes[6 * 4];
    struct message_reader reader;

    (void)state;
    message_reader_init(&reader, bytes, sizeof(bytes));
    assert_true(session_has_pixels(&reader, 2, 3, 4));
    assert_true(session_has_pixels(&reader, 8, 1, 3));
    assert_false(session_has_pixels(&reader, 2, 3, 3));
    assert_false(session_has_pixels(&reader, 2, 4, 4));
    assert_false(session_has_pixels(&reader, 0, 3, 4));
    assert_false(session_has_pixels(&reader, 24, 1, 0));
    message_reader_init(&reader, bytes, 0);
    assert_false(session_has_pixels(&reader, 0, 0, 4));
    assert_false(session_has_pixels(&reader, 1 << 16, 1 << 16, 1 << 16));
}

static void test_no_memory(void **state)
{
    struct worker *worker = create();
    struct session session;
    bool failed = true;

    (void)state;
    session_init(&session, &narrow, worker, NULL, NULL);
    for (int n = 0; failed; n++) {
        int status;

        assert_int_equal(reset(&session), 0);
        support_fail_allocation(n);
        status = ask(&session, FAKE_ECHO);
        failed = support_allocation_failed();
        support_fail_allocation(-1);
        assert_int_equal(status, failed ? -ENOMEM : 0);
        assert_int_equal(session.reason[0] != '\0', failed);
    }
    worker_destroy(&worker);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_was_built_up),
        cmocka_unit_test(test_head_and_parts_are_joined),
        cmocka_unit_test(test_bad_head),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_greedy),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_too_many_notes),
        cmocka_unit_test(test_too_many_notes_of_a_reply),
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_no_memory),
    };
    const char *slash = strrchr(arguments[0], '/');

    (void)count;
    snprintf(program, sizeof(program), "%.*s/fakeworker",
             slash == NULL ? 1 : (int)(slash - arguments[0]), slash == NULL ? "." : arguments[0]);
    return cmocka_run_group_tests_name("worker_session", tests, NULL, NULL);
}

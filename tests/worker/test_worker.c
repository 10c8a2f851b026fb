/* SPDX-License-Identifier: MIT */
/* Calls of a worker: their results, and what happens when they fail. */
#include "worker/worker.h"

#include "tests/support/support.h"
#include "tests/worker/fakeworker_calls.h"

#include "base/budget.h"
#include "base/bytes.h"
#include "base/memory_limit.h"
#include "base/thread.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB         (UINT64_C(1) << 20)
#define MILLISECOND UINT64_C(1000000) /* in nanoseconds */

static unsigned descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void test_stays_alive(void **state)
{
    struct worker *worker = fakeworker_create();
    pid_t process;

    (void)state;
    fakeworker_assert_echo(worker);
    process = worker_process(worker);
    assert_true(process > 0);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    assert_int_equal(kill(process, 0), -1);
    fakeworker_assert_ended();
}

static void test_large_messages(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    size_t size = 9 * 1000 * 1000 + 1;
    uint8_t *bytes = malloc(size);
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)support_random(&random);
    assert_int_equal(fakeworker_call(worker, FAKE_ECHO, bytes, size, &reply), 0);
    assert_int_equal(reply.payload->size, size);
    assert_memory_equal(reply.payload->data, bytes, size);
    blob_unref(&reply.payload);
    free(bytes);
    worker_destroy(&worker);
}

static void test_parts_are_joined(void **state)
{
    const struct message_part parts[] = {{"ab", 2}, {NULL, 0}, {"cde", 3}};
    const struct worker_request request = {
        .kind = FAKE_ECHO, .parts = parts, .part_count = 3, .max_reply = 5};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    assert_memory_equal(reply.payload->data, "abcde", 5);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

/* Each way to fail, the status that the call returns, and whether the reason is given. */
static const struct {
    uint16_t kind;
    int status;
    const char *word;
    bool died;
} failures[] = {
    {FAKE_ABORT, -EIO, "assertion `x' ?failed", true},
    {FAKE_EXIT, -EIO, "exit status 3", true},
    {FAKE_HANG, -ETIMEDOUT, "out of time", true},
    {FAKE_SPIN, -ETIMEDOUT, "out of time", true},
    {FAKE_GARBAGE, -EIO, "protocol", true},
    {FAKE_HUGE, -EIO, "protocol", true},
    {FAKE_TOO_LONG, -EIO, "protocol", true},
    {FAKE_CUT, -EIO, "died", true},
    {FAKE_STRAY, -EIO, "protocol", true},
    {FAKE_OTHER_KIND, -EIO, "protocol", true},
    {FAKE_POSITIVE, -EIO, "protocol", true},
    {FAKE_LONG_REASON, -EIO, "protocol", true},
    {FAKE_CHATTER, -EIO, "abc", true},
    {FAKE_CLOSE, -EIO, "died", true},
    {FAKE_REFUSE, -EILSEQ, "not so", false},
    {12345, -EOPNOTSUPP, "", false},
};

static void test_failures_cost_one_call(void **state)
{
    struct worker *worker = fakeworker_create();
    unsigned before = descriptors() + 2; /* a live worker has two */

    (void)state;
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        const uint64_t max = 1 << 24;
        uint64_t generation;
        struct worker_reply reply;

        fakeworker_assert_echo(worker);
        generation = worker_starts(worker);
        assert_int_equal(fakeworker_call_within(worker,
                                                failures[i].status == -ETIMEDOUT ? SHORT_MS : 0,
                                                failures[i].kind, &max, 8, &reply),
                         failures[i].status);
        assert_non_null(strstr(reply.reason, failures[i].word));
        assert_null(reply.payload);
        assert_int_equal(reply.died, failures[i].died);
        assert_false(reply.killed);
        assert_int_equal(reply.generation, generation);
        assert_int_equal(worker_process(worker) == 0, failures[i].died);
        fakeworker_assert_echo(worker);
        assert_int_equal(worker_starts(worker), generation + failures[i].died);
        assert_int_equal(descriptors(), before);
    }
    worker_destroy(&worker);
    fakeworker_assert_ended();
    assert_int_equal(descriptors(), before - 2);
}

/*
 * Statuses that the daemon's end uses for callers and for the channel must not come from a process,
 * since they would be mistaken for the daemon's own.
 */
static void test_statuses_that_are_not_a_workers(void **state)
{
    static const int32_t statuses[] = {-EINTR, -EAGAIN, -ESTALE, -ETIMEDOUT,
                                       -ETIME, -EPIPE,  -4096,   INT32_MIN};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    uint8_t bytes[4];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        bytes_put_le32(bytes, (uint32_t)statuses[i]);
        assert_int_equal(fakeworker_call(worker, FAKE_STATUS, bytes, sizeof(bytes), &reply), -EIO);
        assert_non_null(strstr(reply.reason, "protocol"));
        assert_true(reply.died);
    }
    bytes_put_le32(bytes, (uint32_t)-4095);
    assert_int_equal(fakeworker_call(worker, FAKE_STATUS, bytes, sizeof(bytes), &reply), -4095);
    assert_false(reply.died);
    worker_destroy(&worker);
}

static void test_breadcrumb(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_ABORT, "", 0, &reply), -EIO);
    assert_int_equal(reply.breadcrumb.activity, BREADCRUMB_DRAW);
    assert_int_equal(reply.breadcrumb.offset, 77);
    assert_int_equal(reply.breadcrumb.subjects[0], 5);
    assert_int_equal(reply.breadcrumb.subjects[1], 0);
    worker_destroy(&worker);
}

/*
 * The process gets its memory limit, and what it holds is counted; when idle, it is the first to
 * go.
 */
static void test_memory_is_shared(void **state)
{
    struct memory_share share = {.shared = 0};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    uint64_t max = 0;

    (void)state;
    memory_limit_open();
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
    assert_int_equal(fakeworker_call(worker, FAKE_HOLD, "", 0, &reply), 0);
    assert_int_equal(reply.payload->size, 8);
    memcpy(&max, reply.payload->data, sizeof(max));
    assert_int_equal(max, 0); /* no limit */
    blob_unref(&reply.payload);
    share.shared = memory_limit_held() + 200 * MIB;
    memory_limit_add(&share);
    while (memory_limit_look()) /* never ends, if the process stays */
        usleep(1000);
    assert_int_equal(fakeworker_call(worker, FAKE_HOLD, "", 0, &reply), 0);
    memcpy(&max, reply.payload->data, sizeof(max));
    blob_unref(&reply.payload);
    assert_true(max > 100 * MIB && max < 200 * MIB);
    assert_int_equal(worker_starts(worker), 2);
    worker_destroy(&worker);
    assert_false(memory_limit_look());
    memory_limit_remove(&share);
}

/* A process that claims to hold more than it may takes no memory from other holders. */
static void test_memory_that_a_process_cannot_hold(void **state)
{
    const uint64_t lies[] = {UINT64_C(1) << 36, UINT64_MAX};
    struct memory_share share = {.shared = 0};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    uint64_t max = 0;

    (void)state;
    memory_limit_open();
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
    share.shared = memory_limit_held() + 200 * MIB;
    memory_limit_add(&share);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    for (size_t i = 0; i < 2 * COUNT_OF(lies); i++) {
        assert_int_equal(fakeworker_call(worker, FAKE_HOLD, &lies[i / 2], 8, &reply), 0);
        memcpy(&max, reply.payload->data, sizeof(max));
        blob_unref(&reply.payload);
        assert_true(max > 100 * MIB && max < 200 * MIB);
        assert_false(memory_limit_look());
        assert_false(memory_limit_is_passed());
    }
    worker_release(worker);
    worker_destroy(&worker);
    memory_limit_remove(&share);
}

static void test_one_that_holds_too_much_is_told(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_GREEDY, "", 0, &reply), -EIO);
    assert_true(reply.died);
    assert_false(reply.killed);
    assert_non_null(strstr(reply.reason, "-o max-resident"));
    fakeworker_assert_echo(worker);
    worker_destroy(&worker);
}

static void test_stale(void **state)
{
    struct worker_request request = {.kind = FAKE_ECHO, .max_reply = 10};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    request.generation = 1;
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    assert_int_equal(worker_process(worker), 0);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    blob_unref(&reply.payload);
    assert_int_equal(fakeworker_call(worker, FAKE_EXIT, "", 0, &reply), -EIO);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    worker_destroy(&worker);
}

/* Makes a call that its caller cancels a moment later. */
static int call_and_leave(struct worker *worker, const struct worker_request *request,
                          struct worker_reply *reply)
{
    struct cancel cancel;
    pthread_t thread;
    int status;

    cancel_init(&cancel, NULL);
    assert_int_equal(thread_start(&thread, fakeworker_raise_soon, &cancel), 0);
    status = worker_call(worker, request, &cancel, reply);
    pthread_join(thread, NULL);
    return status;
}

/* Nothing is sent for a caller that has cancelled already. */
static void test_cancelled_before_it_is_sent(void **state)
{
    static const uint8_t bytes[1 << 20];
    const struct message_part part = {.data = bytes, .size = sizeof(bytes)};
    const struct worker_request large = {
        .kind = FAKE_ECHO, .parts = &part, .part_count = 1, .max_reply = 1 << 21};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_call(worker, &large, &cancel, &reply), -EINTR);
    assert_false(reply.died);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
}

/* A process that does not receive the rest of a cancelled message is ended, and is not blamed. */
static void test_cancelled_amid_sending(void **state)
{
    static const uint8_t bytes[8 << 20];
    const struct message_part part = {.data = bytes, .size = sizeof(bytes)};
    const struct worker_request large = {.kind = FAKE_ECHO, .parts = &part, .part_count = 1};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_DEAF, "", 0, &reply), 0);
    blob_unref(&reply.payload);
    assert_int_equal(call_and_leave(worker, &large, &reply), -EINTR);
    assert_false(reply.died);
    assert_int_equal(worker_process(worker), 0);
    fakeworker_assert_echo(worker);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/* A process that stops when its message is withdrawn serves the next call. */
static void test_cancel_leaves_the_process(void **state)
{
    const struct worker_request work = {.kind = FAKE_WORK, .max_reply = 10};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    pid_t process;

    (void)state;
    fakeworker_assert_echo(worker);
    process = worker_process(worker);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(call_and_leave(worker, &work, &reply), -EINTR);
        fakeworker_assert_echo(worker); /* and not `late` */
        assert_int_equal(worker_process(worker), process);
    }
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
}

/* A process that goes on spinning, as in a library, is ended before the call returns. */
static void test_cancel_ends_what_goes_on(void **state)
{
    const struct worker_request spin = {.kind = FAKE_SPIN, .max_reply = 10};
    struct worker *worker = fakeworker_create_with(0);
    struct worker_reply reply;
    pid_t process;

    (void)state;
    fakeworker_assert_echo(worker);
    process = worker_process(worker);
    assert_int_equal(call_and_leave(worker, &spin, &reply), -EINTR);
    assert_int_equal(worker_process(worker), 0);
    assert_int_equal(kill(process, 0), -1);
    assert_false(reply.died); /* not of its own accord: nothing is to blame */
    fakeworker_assert_echo(worker);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/*
 * Only a part of the reply has come, or it comes byte by byte: a cancelled call does not wait for
 * the rest.
 */
static void test_cancelled_amid_the_reply(void **state)
{
    static const struct {
        uint16_t kind;
        uint32_t bytes;
    } begun[] = {
        {FAKE_BEGIN, 1}, {FAKE_BEGIN, 23}, {FAKE_BEGIN, 24}, {FAKE_BEGIN, 100}, {FAKE_DRIP, 0}};
    struct worker *worker = fakeworker_create_with(0);
    struct worker_reply reply;

    (void)state;
    fakeworker_assert_echo(worker);
    for (size_t i = 0; i < COUNT_OF(begun); i++) {
        uint8_t bytes[4];
        const struct message_part part = {.data = bytes, .size = sizeof(bytes)};
        const struct worker_request request = {.kind = begun[i].kind,
                                               .parts = &part,
                                               .part_count = 1,
                                               .max_reply = 1 << 20,
                                               .time_limit_ms = 10000};

        bytes_put_le32(bytes, begun[i].bytes);
        assert_int_equal(call_and_leave(worker, &request, &reply), -EINTR);
        assert_false(reply.died); /* not of its own accord: nothing is to blame */
        assert_int_equal(worker_process(worker), 0);
        fakeworker_assert_echo(worker);
    }
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

/*
 * Whatever the process does to files that it shares with this one, this process survives and knows
 * the breadcrumb.
 */
static void test_shrunk_files(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_SHRINK, "", 0, &reply), 0);
    /* Only its standard error, which is read as a file. */
    assert_int_equal(bytes_le32(reply.payload->data), 1);
    blob_unref(&reply.payload);
    assert_int_equal(fakeworker_call(worker, FAKE_EXIT, "", 0, &reply), -EIO);
    assert_int_equal(reply.breadcrumb.activity, BREADCRUMB_DRAW);
    fakeworker_assert_echo(worker);
    worker_destroy(&worker);
}

/* The processor time of a holder is counted over all its calls; the next holder has its own. */
static void test_processor_limit(void **state)
{
    enum { LIMIT_MS = 200 };
    struct budget budget = {0};
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    struct budget_use use;
    const uint8_t begun[4] = {1};

    (void)state;
    budget_init(&budget, &(struct budget_params){.time = LIMIT_MS / 2 * MILLISECOND});
    for (int hold = 0; hold < 2; hold++) {
        budget_use_begin(&use, &budget, NULL, true, 0);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(worker_processor_ms(worker), 0);
        fakeworker_assert_echo(worker);
        assert_false(cancel_requested(&use.cancel));
        assert_int_equal(fakeworker_call(worker, FAKE_WORK, "", 0, &reply), -EINTR);
        assert_true(cancel_requested(&use.cancel));
        assert_false(reply.died);
        assert_true(worker_processor_ms(worker) >= LIMIT_MS * 9 / 10);
        assert_int_equal(fakeworker_call(worker, FAKE_ECHO, "", 0, &reply), -EINTR);
        worker_release(worker);
        assert_true(budget_use_check(&use));
        assert_true(budget_use_spent(&use) >= LIMIT_MS / 2 * 9 / 10 * MILLISECOND);
        budget_use_end(&use);
    }
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);

    worker = fakeworker_create_with(0);
    for (int amid_reply = 0; amid_reply < 2; amid_reply++) {
        budget_use_begin(&use, &budget, NULL, true, 0);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(fakeworker_call_within(worker, 10000, amid_reply ? FAKE_BEGIN : FAKE_SPIN,
                                                begun, sizeof(begun), &reply),
                         -EINTR);
        assert_false(reply.died);
        assert_true(cancel_requested(&use.cancel));
        assert_int_equal(worker_process(worker), 0);
        assert_true(worker_processor_ms(worker) >= LIMIT_MS * 9 / 10);
        worker_release(worker);
        budget_use_end(&use);
    }
    assert_int_equal(worker_acquire(worker, NULL), 0);
    fakeworker_assert_echo(worker);
    worker_release(worker);
    worker_destroy(&worker);
    budget_destroy(&budget);
    fakeworker_assert_ended();
}

static void *let_run_late(void *context)
{
    usleep(2 * SHORT_MS * 1000);
    kill(*(const pid_t *)context, SIGCONT);
    return NULL;
}

/* A call that could not run before its time was up goes on to its processor limit. */
static void test_time_on_a_busy_machine(void **state)
{
    enum { LIMIT_MS = SHORT_MS / 2 };
    struct worker *worker = fakeworker_create_with(0);
    struct worker_reply reply;
    struct budget budget = {0};
    struct budget_use use;
    pthread_t thread;
    pid_t process;

    (void)state;
    budget_init(&budget, &(struct budget_params){.time = LIMIT_MS / 2 * MILLISECOND});
    budget_use_begin(&use, &budget, NULL, true, 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    fakeworker_assert_echo(worker);
    process = worker_process(worker);
    kill(process, SIGSTOP);
    assert_int_equal(thread_start(&thread, let_run_late, &process), 0);
    assert_int_equal(fakeworker_call_within(worker, SHORT_MS, FAKE_SPIN, "", 0, &reply), -EINTR);
    pthread_join(thread, NULL);
    assert_true(worker_processor_ms(worker) >= LIMIT_MS * 9 / 10);
    worker_release(worker);
    budget_use_end(&use);

    /* But a call that makes no progress gets no more time. */
    budget_use_begin(&use, &budget, NULL, true, 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(fakeworker_call_within(worker, SHORT_MS, FAKE_HANG, "", 0, &reply),
                     -ETIMEDOUT);
    worker_release(worker);
    budget_use_end(&use);
    worker_destroy(&worker);
    budget_destroy(&budget);
}

/* A call that was cancelled and hangs costs the next call nothing. */
static void test_cancelled_and_hung(void **state)
{
    const struct worker_request hang = {
        .kind = FAKE_HANG, .max_reply = 10, .time_limit_ms = LONG_MS};
    struct worker *worker = fakeworker_create_with(0);
    struct worker_reply reply;

    (void)state;
    fakeworker_assert_echo(worker);
    assert_int_equal(call_and_leave(worker, &hang, &reply), -EINTR);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_starts(worker), 2);
    worker_destroy(&worker);
    fakeworker_assert_ended();
}

static void test_deaf(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;
    size_t size = 8 << 20;
    uint8_t *bytes = calloc(1, size);

    (void)state;
    assert_int_equal(fakeworker_call(worker, FAKE_DEAF, "", 0, &reply), 0);
    blob_unref(&reply.payload);
    assert_int_equal(fakeworker_call_within(worker, SHORT_MS, FAKE_ECHO, bytes, size, &reply),
                     -ETIMEDOUT);
    fakeworker_assert_echo(worker);
    free(bytes);
    worker_destroy(&worker);
}

static void test_too_much(void **state)
{
    struct worker *worker = fakeworker_create();
    struct worker_reply reply;

    (void)state;
    fakeworker_assert_echo(worker);
    assert_int_equal(fakeworker_call(worker, FAKE_ECHO, "", WORKER_PAYLOAD_MAX + 1, &reply),
                     -EFBIG);
    fakeworker_assert_echo(worker);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
}

struct crowd {
    struct worker *worker;
    atomic_uint inside;
    atomic_uint clashes, done;
};

static void *one_of_the_crowd(void *context)
{
    struct crowd *crowd = context;

    for (int i = 0; i < 20; i++) {
        struct worker_reply reply;

        if (worker_acquire(crowd->worker, NULL) != 0)
            continue;
        if (atomic_fetch_add(&crowd->inside, 1) != 0)
            atomic_fetch_add(&crowd->clashes, 1);
        if (fakeworker_call(crowd->worker, FAKE_ECHO, &i, sizeof(i), &reply) == 0)
            atomic_fetch_add(&crowd->done, memcmp(reply.payload->data, &i, sizeof(i)) == 0);
        blob_unref(&reply.payload);
        atomic_fetch_sub(&crowd->inside, 1);
        worker_release(crowd->worker);
    }
    return NULL;
}

static void test_one_after_the_other(void **state)
{
    struct crowd crowd = {.worker = fakeworker_create()};
    pthread_t threads[4];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(thread_start(&threads[i], one_of_the_crowd, &crowd), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(crowd.clashes, 0);
    assert_int_equal(crowd.done, 80);
    worker_destroy(&crowd.worker);
}

static void test_acquire_is_cancelled(void **state)
{
    struct worker *worker = fakeworker_create();
    struct cancel cancel;
    pthread_t thread;

    (void)state;
    cancel_init(&cancel, NULL);
    assert_int_equal(worker_acquire(worker, &cancel), 0);
    assert_int_equal(thread_start(&thread, fakeworker_raise_soon, &cancel), 0);
    assert_int_equal(worker_acquire(worker, &cancel), -EINTR);
    pthread_join(thread, NULL);
    worker_release(worker);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    worker_release(worker);
    worker_destroy(&worker);
}

static void test_no_memory(void **state)
{
    bool failed = true;

    (void)state;
    for (int n = 0; failed; n++) {
        const struct worker_params params = {.program = fakeworker_program};
        struct worker *worker = NULL;
        struct worker_reply reply = {.payload = NULL};
        int status;

        support_fail_allocation(n);
        status = worker_create(&params, &worker);
        if (status == 0)
            status = fakeworker_call(worker, FAKE_ECHO, "hello", 5, &reply);
        failed = support_allocation_failed();
        support_fail_allocation(-1);
        assert_int_equal(status, failed ? -ENOMEM : 0);
        blob_unref(&reply.payload);
        if (worker != NULL)
            fakeworker_assert_echo(worker);
        worker_destroy(&worker);
        fakeworker_assert_ended();
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stays_alive),
        cmocka_unit_test(test_large_messages),
        cmocka_unit_test(test_parts_are_joined),
        cmocka_unit_test(test_failures_cost_one_call),
        cmocka_unit_test(test_statuses_that_are_not_a_workers),
        cmocka_unit_test(test_breadcrumb),
        cmocka_unit_test(test_memory_is_shared),
        cmocka_unit_test(test_memory_that_a_process_cannot_hold),
        cmocka_unit_test(test_one_that_holds_too_much_is_told),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_cancelled_before_it_is_sent),
        cmocka_unit_test(test_cancelled_amid_sending),
        cmocka_unit_test(test_cancel_leaves_the_process),
        cmocka_unit_test(test_cancel_ends_what_goes_on),
        cmocka_unit_test(test_cancelled_amid_the_reply),
        cmocka_unit_test(test_shrunk_files),
        cmocka_unit_test(test_processor_limit),
        cmocka_unit_test(test_time_on_a_busy_machine),
        cmocka_unit_test(test_cancelled_and_hung),
        cmocka_unit_test(test_deaf),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_acquire_is_cancelled),
        cmocka_unit_test(test_no_memory),
    };

    (void)count;
    fakeworker_find(arguments[0]);
    return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "worker/worker.h"

#include "tests/support/support.h"
#include "tests/worker/fakeworker.h"

#include "base/budget.h"
#include "base/bytes.h"
#include "base/memory_limit.h"
#include "base/thread.h"
#include "source/source.h"
#include "worker/launch.h"
#include "worker/message.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB         (UINT64_C(1) << 20)
#define MILLISECOND UINT64_C(1000000) /* in nanoseconds */

static char program[4096]; /* tests/worker/fakeworker */

/*
 * Time limits are those of the one call that must run out of time; of all others, and of
 * starting a process, they are so long that no busy machine comes near.
 */
enum { SHORT_MS = 300, LONG_MS = 120000 };

/* One that has as long as it takes to leave off; or no longer than it has in a mount. */
static struct worker *create_with(unsigned withdraw_ms)
{
    const struct worker_params params = {
        .program = program, .time_limit_ms = LONG_MS, .withdraw_ms = withdraw_ms};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_process(worker), 0);
    return worker;
}

static struct worker *create(void)
{
    return create_with(LONG_MS);
}

static int call_within(struct worker *worker, unsigned time_limit_ms, uint16_t kind,
                       const void *bytes, size_t size, struct worker_reply *reply)
{
    const struct message_part part = {.data = bytes, .size = size};
    const struct worker_request request = {.kind = kind,
                                           .parts = &part,
                                           .part_count = 1,
                                           .max_reply = 1 << 24,
                                           .time_limit_ms = time_limit_ms};

    return worker_call(worker, &request, NULL, reply);
}

static int call(struct worker *worker, uint16_t kind, const void *bytes, size_t size,
                struct worker_reply *reply)
{
    return call_within(worker, 0, kind, bytes, size, reply);
}

/* It is alive, and answers right. */
static void assert_echo(struct worker *worker)
{
    struct worker_reply reply;

    assert_int_equal(call(worker, FAKE_ECHO, "hello", 5, &reply), 0);
    assert_int_equal(reply.payload->size, 5);
    assert_memory_equal(reply.payload->data, "hello", 5);
    assert_string_equal(reply.reason, "");
    assert_false(reply.died);
    blob_unref(&reply.payload);
}

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

static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_nothing_is_started(void **state)
{
    struct worker *worker = create(), *none = NULL;

    (void)state;
    assert_int_equal(worker_starts(worker), 0);
    worker_destroy(&worker);
    worker_destroy(&none);
    assert_null(worker);
    assert_no_children();
}

static void test_no_program(void **state)
{
    const struct worker_params params = {.program = "/nowhere/at/all"};
    struct worker_reply reply;
    struct worker *worker;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_start(worker, NULL), -ENOENT);
    assert_int_equal(call(worker, FAKE_ECHO, "", 0, &reply), -ENOENT);
    assert_string_not_equal(reply.reason, "");
    assert_null(reply.payload);
    worker_destroy(&worker);
    assert_no_children();
}

static void test_stays_alive(void **state)
{
    struct worker *worker = create();
    pid_t process;

    (void)state;
    assert_echo(worker);
    process = worker_process(worker);
    assert_true(process > 0);
    assert_echo(worker);
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    assert_int_equal(kill(process, 0), -1);
    assert_no_children();
}

static void test_large_messages(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;
    size_t size = 9 * 1000 * 1000 + 1;
    uint8_t *bytes = malloc(size);
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)support_random(&random);
    assert_int_equal(call(worker, FAKE_ECHO, bytes, size, &reply), 0);
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
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    assert_memory_equal(reply.payload->data, "abcde", 5);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

/* Each way to fail, what the one call answers, and whether a word of the reason is there. */
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
    struct worker *worker = create();
    unsigned before = descriptors() + 2; /* a live worker has two */

    (void)state;
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        const uint64_t max = 1 << 24;
        uint64_t generation;
        struct worker_reply reply;

        assert_echo(worker);
        generation = worker_starts(worker);
        assert_int_equal(call_within(worker, failures[i].status == -ETIMEDOUT ? SHORT_MS : 0,
                                     failures[i].kind, &max, 8, &reply),
                         failures[i].status);
        assert_non_null(strstr(reply.reason, failures[i].word));
        assert_null(reply.payload);
        assert_int_equal(reply.died, failures[i].died);
        assert_int_equal(reply.generation, generation);
        assert_int_equal(worker_process(worker) == 0, failures[i].died);
        assert_echo(worker);
        assert_int_equal(worker_starts(worker), generation + failures[i].died);
        assert_int_equal(descriptors(), before);
    }
    worker_destroy(&worker);
    assert_no_children();
    assert_int_equal(descriptors(), before - 2);
}

static void test_breadcrumb(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(call(worker, FAKE_ABORT, "", 0, &reply), -EIO);
    assert_int_equal(reply.breadcrumb.activity, BREADCRUMB_DRAW);
    assert_int_equal(reply.breadcrumb.offset, 77);
    assert_int_equal(reply.breadcrumb.subjects[0], 5);
    assert_int_equal(reply.breadcrumb.subjects[1], 0);
    worker_destroy(&worker);
}

/* It is told what it may hold, and counts; when it has nothing to do it goes first. */
static void test_memory_is_shared(void **state)
{
    struct memory_share share = {.shared = 0};
    struct worker *worker = create();
    struct worker_reply reply;
    uint64_t max = 0;

    (void)state;
    memory_limit_open();
    if (memory_limit_held() == 0)
        support_skip("nothing tells what is held");
    assert_int_equal(call(worker, FAKE_HOLD, "", 0, &reply), 0);
    assert_int_equal(reply.payload->size, 8);
    memcpy(&max, reply.payload->data, sizeof(max));
    assert_int_equal(max, 0); /* no limit */
    blob_unref(&reply.payload);
    share.shared = memory_limit_held() + 200 * MIB;
    memory_limit_add(&share);
    while (memory_limit_look()) /* for ever, if it stays */
        usleep(1000);
    assert_int_equal(call(worker, FAKE_HOLD, "", 0, &reply), 0);
    memcpy(&max, reply.payload->data, sizeof(max));
    blob_unref(&reply.payload);
    assert_true(max > 100 * MIB && max < 200 * MIB);
    assert_int_equal(worker_starts(worker), 2);
    worker_destroy(&worker);
    assert_false(memory_limit_look());
    memory_limit_remove(&share);
}

static void test_one_that_holds_too_much_is_told(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(call(worker, FAKE_GREEDY, "", 0, &reply), -EIO);
    assert_true(reply.died);
    assert_false(reply.killed);
    assert_non_null(strstr(reply.reason, "-o max-resident"));
    assert_echo(worker);
    worker_destroy(&worker);
}

static void test_stale(void **state)
{
    struct worker_request request = {.kind = FAKE_ECHO, .max_reply = 10};
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    request.generation = 1;
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    assert_int_equal(worker_process(worker), 0);
    assert_echo(worker);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), 0);
    blob_unref(&reply.payload);
    assert_int_equal(call(worker, FAKE_EXIT, "", 0, &reply), -EIO);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    assert_echo(worker);
    assert_int_equal(worker_call(worker, &request, NULL, &reply), -ESTALE);
    worker_destroy(&worker);
}

static void *raise_soon(void *context)
{
    usleep(100 * 1000);
    cancel_raise(context);
    return NULL;
}

/* One that leaves off when it is told serves the next call. */
static void test_cancel_leaves_the_process(void **state)
{
    const struct worker_request work = {.kind = FAKE_WORK, .max_reply = 10};
    struct worker *worker = create();
    struct worker_reply reply;
    struct cancel cancel;
    pthread_t thread;
    pid_t process;

    (void)state;
    cancel_init(&cancel, NULL);
    assert_echo(worker);
    process = worker_process(worker);
    assert_int_equal(thread_start(&thread, raise_soon, &cancel), 0);
    assert_int_equal(worker_call(worker, &work, &cancel, &reply), -EINTR);
    pthread_join(thread, NULL);
    assert_echo(worker); /* and not `late` */
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_call(worker, &work, &cancel, &reply), -EINTR);
    assert_echo(worker);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
}

/* What turns on within a library is ended before the call returns. */
static void test_cancel_ends_what_goes_on(void **state)
{
    const struct worker_request spin = {.kind = FAKE_SPIN, .max_reply = 10};
    struct worker *worker = create_with(0);
    struct worker_reply reply;
    struct cancel cancel;
    pid_t process;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_echo(worker);
    process = worker_process(worker);
    assert_int_equal(worker_call(worker, &spin, &cancel, &reply), -EINTR);
    assert_int_equal(worker_process(worker), 0);
    assert_int_equal(kill(process, 0), -1);
    assert_false(reply.died); /* of its own: nothing is to blame */
    assert_echo(worker);
    worker_destroy(&worker);
    assert_no_children();
}

/* Whatever the process does to files that both have, we live, and know what it was about. */
static void test_shrunk_files(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(call(worker, FAKE_SHRINK, "", 0, &reply), 0);
    assert_int_equal(bytes_le32(reply.payload->data), 1); /* its words, which are read as a file */
    blob_unref(&reply.payload);
    assert_int_equal(call(worker, FAKE_EXIT, "", 0, &reply), -EIO);
    assert_int_equal(reply.breadcrumb.activity, BREADCRUMB_DRAW);
    assert_echo(worker);
    worker_destroy(&worker);
}

/* Processes that fail again and again cost a holder so much time, and no more. */
static void test_failures_have_a_limit(void **state)
{
    const struct worker_params params = {.program = program, .time_limit_ms = SHORT_MS};
    struct worker *worker;
    struct worker_reply reply;
    int status = -ETIMEDOUT;
    uint64_t starts;

    (void)state;
    assert_int_equal(worker_create(&params, &worker), 0);
    for (int hold = 0; hold < 2; hold++) {
        starts = worker_starts(worker);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        for (int i = 0; i < 20; i++)
            status = call(worker, FAKE_HANG, "", 0, &reply);
        assert_int_equal(status, -ETIMEDOUT);
        assert_false(reply.died);
        assert_string_not_equal(reply.reason, "");
        assert_true(worker_starts(worker) > starts);
        assert_true(worker_starts(worker) - starts <= 4);
        worker_release(worker);
    }
    worker_destroy(&worker);
    assert_no_children();
}

/* Processor time of a holder, over all its calls; the next holder has its own. */
static void test_processor_limit(void **state)
{
    enum { LIMIT_MS = 200 };
    struct budget budget = {0};
    struct worker *worker = create();
    struct worker_reply reply;
    struct budget_use use;

    (void)state;
    budget_init(&budget, &(struct budget_params){.time = LIMIT_MS / 2 * MILLISECOND});
    for (int hold = 0; hold < 2; hold++) {
        budget_use_begin(&use, &budget, NULL, true, 0);
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(worker_processor_ms(worker), 0);
        assert_echo(worker);
        assert_false(cancel_requested(&use.cancel));
        assert_int_equal(call(worker, FAKE_WORK, "", 0, &reply), -EINTR);
        assert_true(cancel_requested(&use.cancel));
        assert_false(reply.died);
        assert_true(worker_processor_ms(worker) >= LIMIT_MS * 9 / 10);
        assert_int_equal(call(worker, FAKE_ECHO, "", 0, &reply), -EINTR);
        worker_release(worker);
        assert_true(budget_use_check(&use));
        assert_true(budget_use_spent(&use) >= LIMIT_MS / 2 * 9 / 10 * MILLISECOND);
        budget_use_end(&use);
    }
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);

    worker = create_with(0);
    budget_use_begin(&use, &budget, NULL, true, 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(call(worker, FAKE_SPIN, "", 0, &reply), -EINTR);
    assert_int_equal(worker_process(worker), 0);
    assert_true(worker_processor_ms(worker) >= LIMIT_MS * 9 / 10);
    worker_release(worker);
    budget_use_end(&use);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_echo(worker);
    worker_release(worker);
    worker_destroy(&worker);
    budget_destroy(&budget);
    assert_no_children();
}

static struct worker *create_drowsy(void)
{
    const struct worker_params params = {
        .program = program, .time_limit_ms = LONG_MS, .memory_limit = FAKE_DROWSY};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    return worker;
}

/* Of starting a process, which may take long: it goes on, and serves the next call. */
static void test_cancelled_while_it_starts(void **state)
{
    const struct worker_request echo = {.kind = FAKE_ECHO, .max_reply = 10};
    struct worker_reply reply;

    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        struct worker *worker = create_drowsy();
        struct cancel cancel;
        pthread_t thread;

        cancel_init(&cancel, NULL);
        assert_int_equal(thread_start(&thread, raise_soon, &cancel), 0);
        assert_int_equal(ahead ? worker_start(worker, &cancel)
                               : worker_call(worker, &echo, &cancel, &reply),
                         -EINTR);
        pthread_join(thread, NULL);
        assert_int_equal(worker_start(worker, NULL), 0); /* it runs */
        kill(worker_process(worker), SIGUSR1);
        assert_echo(worker);
        assert_int_equal(worker_starts(worker), 1);
        worker_destroy(&worker);
        assert_no_children();
    }
}

static struct worker *create_restless(void)
{
    const struct worker_params params = {
        .program = program, .time_limit_ms = LONG_MS, .idle_ms = 1};
    struct worker *worker = NULL;

    assert_int_equal(worker_create(&params, &worker), 0);
    return worker;
}

/* It is reaped, too: nobody has that number any more. */
static void wait_for_end(pid_t process)
{
    for (int i = 0; i < LONG_MS && kill(process, 0) == 0; i++)
        usleep(1000);
    assert_int_equal(kill(process, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void test_leaves_when_nobody_needs_it(void **state)
{
    struct worker *worker = create_restless();
    const struct worker_request old = {.kind = FAKE_ECHO, .max_reply = 10, .generation = 1};
    struct worker_reply reply;
    pid_t process = 0;

    (void)state;
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_echo(worker);
        process = worker_process(worker);
        assert_true(process > 0);
        worker_release(worker);
        wait_for_end(process);

        assert_int_equal(worker_acquire(worker, NULL), 0);
        assert_int_equal(worker_process(worker), 0);
        assert_int_equal(worker_call(worker, &old, NULL, &reply), -ESTALE);
        assert_false(reply.died);
        assert_int_equal(worker_starts(worker), i);
        worker_release(worker);
    }
    worker_destroy(&worker);
    assert_no_children();
}

/* Between the calls of a thread that has acquired it. */
static void test_stays_while_it_is_needed(void **state)
{
    struct worker *worker = create_restless();
    pid_t process;

    (void)state;
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_echo(worker);
    process = worker_process(worker);
    for (int i = 0; i < 20; i++) {
        usleep(3000);
        assert_echo(worker);
    }
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_release(worker);
    worker_destroy(&worker);
    assert_no_children();
}

/* For a caller that has something to do meanwhile: the first call finds it. */
static void test_started_ahead(void **state)
{
    struct worker *worker = create();
    struct cancel cancel;
    pid_t process;

    (void)state;
    assert_int_equal(worker_start(worker, NULL), 0);
    process = worker_process(worker);
    assert_int_not_equal(process, 0);
    assert_int_equal(worker_start(worker, NULL), 0);
    assert_echo(worker);
    assert_int_equal(worker_process(worker), process);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);

    /* By a caller that has gone away already. */
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    worker = create();
    assert_int_equal(worker_start(worker, &cancel), -EINTR);
    assert_echo(worker);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    assert_no_children();
}

/* What was cancelled and hangs costs the next call nothing. */
static void test_cancelled_and_hung(void **state)
{
    const struct worker_request hang = {
        .kind = FAKE_HANG, .max_reply = 10, .time_limit_ms = LONG_MS};
    struct worker *worker = create_with(0);
    struct worker_reply reply;
    struct cancel cancel;

    (void)state;
    assert_echo(worker);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(worker_call(worker, &hang, &cancel, &reply), -EINTR);
    assert_echo(worker);
    assert_int_equal(worker_starts(worker), 2);
    worker_destroy(&worker);
    assert_no_children();
}

static void test_deaf(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;
    size_t size = 8 << 20;
    uint8_t *bytes = calloc(1, size);

    (void)state;
    assert_int_equal(call(worker, FAKE_DEAF, "", 0, &reply), 0);
    blob_unref(&reply.payload);
    assert_int_equal(call_within(worker, SHORT_MS, FAKE_ECHO, bytes, size, &reply), -ETIMEDOUT);
    assert_echo(worker);
    free(bytes);
    worker_destroy(&worker);
}

static void test_killed_between_calls(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_echo(worker);
    kill(worker_process(worker), SIGKILL);
    assert_int_equal(call(worker, FAKE_ECHO, "", 0, &reply), -EIO);
    assert_true(reply.died && reply.killed);
    assert_echo(worker);
    worker_destroy(&worker);
    assert_no_children();
}

static void test_inherits_five_descriptors(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_int_equal(call(worker, FAKE_DESCRIPTORS, "", 0, &reply), 0);
    assert_int_equal(bytes_le32(reply.payload->data), LAUNCH_BREADCRUMB + 1);
    blob_unref(&reply.payload);
    worker_destroy(&worker);
}

static void test_too_much(void **state)
{
    struct worker *worker = create();
    struct worker_reply reply;

    (void)state;
    assert_echo(worker);
    assert_int_equal(call(worker, FAKE_ECHO, "", WORKER_PAYLOAD_MAX + 1, &reply), -EFBIG);
    assert_echo(worker);
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
        if (call(crowd->worker, FAKE_ECHO, &i, sizeof(i), &reply) == 0)
            atomic_fetch_add(&crowd->done, memcmp(reply.payload->data, &i, sizeof(i)) == 0);
        blob_unref(&reply.payload);
        atomic_fetch_sub(&crowd->inside, 1);
        worker_release(crowd->worker);
    }
    return NULL;
}

static void test_one_after_the_other(void **state)
{
    struct crowd crowd = {.worker = create()};
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
    struct worker *worker = create();
    struct cancel cancel;
    pthread_t thread;

    (void)state;
    cancel_init(&cancel, NULL);
    assert_int_equal(worker_acquire(worker, &cancel), 0);
    assert_int_equal(thread_start(&thread, raise_soon, &cancel), 0);
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
        const struct worker_params params = {.program = program};
        struct worker *worker = NULL;
        struct worker_reply reply = {.payload = NULL};
        int status;

        support_fail_allocation(n);
        status = worker_create(&params, &worker);
        if (status == 0)
            status = call(worker, FAKE_ECHO, "hello", 5, &reply);
        failed = support_allocation_failed();
        support_fail_allocation(-1);
        assert_int_equal(status, failed ? -ENOMEM : 0);
        blob_unref(&reply.payload);
        if (worker != NULL)
            assert_echo(worker);
        worker_destroy(&worker);
        assert_no_children();
    }
}

/* The real program, as far as it goes without a driver. */
static void test_the_real_worker(void **state)
{
    const struct worker_params params = {.program = NULL};
    const struct worker_request hello = {.kind = MESSAGE_HELLO, .max_reply = 64};
    struct worker_reply reply;
    struct worker *worker;

    char *path = worker_program();
    bool built = path != NULL && access(path, X_OK) == 0;

    (void)state;
    free(path);
    if (!built)
        support_skip("built without the graphics worker");
    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_call(worker, &hello, NULL, &reply), 0);
    assert_int_equal(reply.payload->size, 4);
    assert_true((bytes_le32(reply.payload->data) & 1) != 0);
    blob_unref(&reply.payload);
    assert_int_equal(call(worker, 999, "", 0, &reply), -EOPNOTSUPP);
    assert_int_equal(call(worker, MESSAGE_HELLO, "more", 4, &reply), -EPROTO);
    assert_int_equal(worker_starts(worker), 1);
    worker_destroy(&worker);
    assert_no_children();
}

/* What cannot be read stands for it: opening a dump costs nothing of what a picture needs. */
static void test_dump_is_not_read_before_a_start(void **state)
{
    const size_t size = 1 << 20;
    struct source source = {.size = size, .file_size = size};
    const struct worker_params params = {.program = program, .kept_for = &source};
    struct worker *worker;

    (void)state;
    source.data = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(source.data, MAP_FAILED);
    assert_int_equal(worker_create(&params, &worker), 0);
    worker_drop_shaders(worker);
    worker_destroy(&worker);
    assert_int_equal(munmap((void *)(uintptr_t)source.data, size), 0);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_started),
        cmocka_unit_test(test_dump_is_not_read_before_a_start),
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_stays_alive),
        cmocka_unit_test(test_large_messages),
        cmocka_unit_test(test_parts_are_joined),
        cmocka_unit_test(test_failures_cost_one_call),
        cmocka_unit_test(test_breadcrumb),
        cmocka_unit_test(test_memory_is_shared),
        cmocka_unit_test(test_one_that_holds_too_much_is_told),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_cancel_leaves_the_process),
        cmocka_unit_test(test_cancel_ends_what_goes_on),
        cmocka_unit_test(test_shrunk_files),
        cmocka_unit_test(test_failures_have_a_limit),
        cmocka_unit_test(test_processor_limit),
        cmocka_unit_test(test_cancelled_while_it_starts),
        cmocka_unit_test(test_leaves_when_nobody_needs_it),
        cmocka_unit_test(test_stays_while_it_is_needed),
        cmocka_unit_test(test_started_ahead),
        cmocka_unit_test(test_cancelled_and_hung),
        cmocka_unit_test(test_deaf),
        cmocka_unit_test(test_killed_between_calls),
        cmocka_unit_test(test_inherits_five_descriptors),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_acquire_is_cancelled),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_the_real_worker),
    };
    const char *slash = strrchr(arguments[0], '/');

    (void)count;
    snprintf(program, sizeof(program), "%.*s/fakeworker",
             slash == NULL ? 1 : (int)(slash - arguments[0]), slash == NULL ? "." : arguments[0]);
    return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}

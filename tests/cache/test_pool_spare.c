/* SPDX-License-Identifier: MIT */
/*
 * Jobs that take long, and other jobs at the same time. Each long job waits until the gate is
 * opened.
 */
#include "cache/pool.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 24 };

static struct watchdog *watchdog;
static struct pool *pool;
static atomic_uint begun, ended;
static atomic_bool open_gate;

struct held_job {
    struct pool_job job;
    atomic_bool works; /* uses the processor while it waits */
    atomic_int tid;
};

static struct held_job jobs[JOBS];

/* The linker replaces the original by this, see local.mk. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context);

static atomic_bool no_threads;
static atomic_uint refused;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *context), void *context)
{
    if (!atomic_load(&no_threads))
        return __real_pthread_create(thread, attributes, run, context);
    atomic_fetch_add(&refused, 1);
    return EAGAIN;
}

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void run_held(struct pool_job *job)
{
    struct held_job *held = (struct held_job *)job;

    atomic_store(&held->tid, (int)syscall(SYS_gettid));
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&open_gate))
        if (!atomic_load(&held->works))
            pause_a_little();
    atomic_fetch_add(&ended, 1);
}

static void run_brief(struct pool_job *job)
{
    (void)job;
    atomic_fetch_add(&ended, 1);
}

static void begin(unsigned threads)
{
    memset(jobs, 0, sizeof(jobs));
    begun = ended = 0;
    open_gate = false;
    assert_int_equal(watchdog_create(&watchdog), 0);
    assert_int_equal(pool_create(threads, &pool), 0);
    pool_set_watchdog(pool, watchdog);
}

static void finish(void)
{
    open_gate = true;
    watchdog_stop(watchdog);
    pool_destroy(&pool);
    watchdog_destroy(&watchdog);
}

static void submit(unsigned n, enum pool_priority priority)
{
    jobs[n].job.run = run_held;
    pool_submit(pool, &jobs[n].job, priority);
}

static void wait_until(const atomic_uint *value, unsigned wanted)
{
    while (atomic_load(value) < wanted)
        pause_a_little();
}

static struct pool_statistics statistics(void)
{
    struct pool_statistics out;

    pool_statistics(pool, &out);
    return out;
}

static void wait_for_long(unsigned wanted)
{
    while (statistics().running_long < wanted)
        pause_a_little();
}

/* A spare thread runs the brief job, although all threads of the pool are taken. */
static void a_brief_job_does_not_wait_for_long_ones(void **state)
{
    struct pool_job brief = {.run = run_brief};

    (void)state;
    begin(2);
    for (unsigned n = 0; n < 3; n++)
        submit(n, POOL_READER);
    wait_until(&begun, 3); /* including the third one */
    wait_for_long(3);
    pool_submit(pool, &brief, POOL_READER);
    wait_until(&ended, 1);
    assert_int_equal(statistics().running_long, 3);
    assert_int_equal(statistics().threads, 5);
    finish();
}

static void background_jobs_have_their_share(void **state)
{
    struct pool_job brief = {.run = run_brief};

    (void)state;
    begin(2);
    for (unsigned n = 0; n < JOBS; n++)
        submit(n, POOL_BACKGROUND);
    wait_until(&begun, 1 + POOL_BACKGROUND_SPARES);
    wait_for_long(1 + POOL_BACKGROUND_SPARES);
    pool_submit(pool, &brief, POOL_READER);
    wait_until(&ended, 1);
    assert_int_equal(begun, 1 + POOL_BACKGROUND_SPARES);
    finish();
}

static void threads_are_bounded(void **state)
{
    (void)state;
    begin(2);
    for (unsigned n = 0; n < JOBS; n++)
        submit(n, POOL_READER);
    wait_until(&begun, 2 + POOL_SPARES);
    wait_for_long(2 + POOL_SPARES);
    assert_int_equal(begun, 2 + POOL_SPARES);
    assert_int_equal(statistics().threads, 2 + POOL_SPARES);
    open_gate = true;
    wait_until(&ended, JOBS); /* the rest is done in the end */
    while (statistics().threads != 2)
        pause_a_little();
    finish();
}

/*
 * If there are more long jobs than processors, the long jobs have a lower priority, and other jobs
 * the usual one.
 */
static void long_jobs_give_way(void **state)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = processors > JOBS / 2 ? JOBS / 2 : (unsigned)processors + 1;
    int usual = getpriority(PRIO_PROCESS, 0);

    (void)state;
    if (usual >= POOL_NICE || processors > JOBS / 2)
        support_skip("no room for priorities");
    begin(count + 1);
    for (unsigned n = 0; n < count; n++)
        submit(n, POOL_READER);
    wait_until(&begun, count);
    wait_for_long(count);
    for (unsigned n = 0; n < count; n++)
        while (getpriority(PRIO_PROCESS, (id_t)atomic_load(&jobs[n].tid)) != POOL_NICE)
            pause_a_little();
    submit(count, POOL_READER);
    wait_until(&begun, count + 1);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)atomic_load(&jobs[count].tid)), usual);
    open_gate = true;
    wait_until(&ended, count + 1);
    /* The threads with a lower priority have ended, so that the next job has the usual one, too. */
    open_gate = false;
    submit(count + 1, POOL_READER);
    wait_until(&begun, count + 2);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)atomic_load(&jobs[count + 1].tid)), usual);
    finish();
}

/* A thread of low priority is better than none. */
static void threads_that_gave_way_stay_when_none_takes_their_place(void **state)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = processors > JOBS / 2 ? JOBS / 2 : (unsigned)processors + 1;
    struct pool_job brief = {.run = run_brief};

    (void)state;
    if (getpriority(PRIO_PROCESS, 0) >= POOL_NICE || processors > JOBS / 2)
        support_skip("no room for priorities");
    begin(count);
    no_threads = true;
    for (unsigned n = 0; n < count; n++)
        submit(n, POOL_READER);
    wait_for_long(count);
    for (unsigned n = 0; n < count; n++)
        while (getpriority(PRIO_PROCESS, (id_t)atomic_load(&jobs[n].tid)) != POOL_NICE)
            pause_a_little();
    refused = 0;
    open_gate = true;
    wait_until(&ended, count);
    wait_until(&refused, count); /* each has checked whether it may end */
    assert_int_equal(statistics().threads, count);
    pool_submit(pool, &brief, POOL_READER);
    wait_until(&ended, count + 1);
    no_threads = false;
    finish();
}

static void without_a_watchdog_there_are_no_spare_threads(void **state)
{
    struct timespec wait = {.tv_nsec = 120000000};

    (void)state;
    memset(jobs, 0, sizeof(jobs));
    begun = ended = 0;
    open_gate = false;
    assert_int_equal(pool_create(1, &pool), 0);
    submit(0, POOL_READER);
    submit(1, POOL_READER);
    wait_until(&begun, 1);
    nanosleep(&wait, NULL);
    assert_int_equal(begun, 1);
    assert_int_equal(statistics().threads, 1);
    open_gate = true;
    wait_until(&ended, 2);
    pool_destroy(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brief_job_does_not_wait_for_long_ones),
        cmocka_unit_test(background_jobs_have_their_share),
        cmocka_unit_test(threads_are_bounded),
        cmocka_unit_test(long_jobs_give_way),
        cmocka_unit_test(threads_that_gave_way_stay_when_none_takes_their_place),
        cmocka_unit_test(without_a_watchdog_there_are_no_spare_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

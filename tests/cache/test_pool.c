/* SPDX-License-Identifier: MIT */
#include "cache/pool.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Jobs append their number to `order`. If they are gated, they wait for the gate before. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool gate_open;
static int waiting_at_gate, order[64], ended;

struct test_job {
    struct pool_job job;
    int number;
    bool gated;
};

static void run_test_job(struct pool_job *job)
{
    struct test_job *test = (struct test_job *)job;

    pthread_mutex_lock(&lock);
    waiting_at_gate += test->gated;
    pthread_cond_broadcast(&changed);
    while (test->gated && !gate_open)
        pthread_cond_wait(&changed, &lock);
    waiting_at_gate -= test->gated;
    order[ended++] = test->number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static struct test_job make_job(int number, bool gated)
{
    return (struct test_job){.job = {.run = run_test_job}, .number = number, .gated = gated};
}

static void open_gate(void)
{
    pthread_mutex_lock(&lock);
    gate_open = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for(const int *value, int wanted)
{
    pthread_mutex_lock(&lock);
    while (*value != wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static int set_up(void **state)
{
    (void)state;
    gate_open = false;
    waiting_at_gate = ended = 0;
    return 0;
}

static void test_none(void **state)
{
    struct pool *pool = NULL;

    (void)state;
    pool_destroy(&pool);
    assert_int_equal(pool_create(0, &pool), -EINVAL);
    assert_int_equal(pool_create(3, &pool), 0);
    assert_int_equal(pool_threads(pool), 3);
    pool_destroy(&pool);
    assert_null(pool);
}

static void test_newest_first(void **state)
{
    struct test_job jobs[] = {make_job(0, true), make_job(1, false), make_job(2, false),
                              make_job(3, false), make_job(4, false)};
    static const int expected[] = {0, 1, 4, 3, 2};
    struct pool *pool = NULL;

    (void)state;
    assert_int_equal(pool_create(1, &pool), 0);
    pool_submit(pool, &jobs[0].job, POOL_READER);
    wait_for(&waiting_at_gate, 1);
    pool_submit(pool, &jobs[1].job, POOL_BACKGROUND);
    pool_submit(pool, &jobs[2].job, POOL_BACKGROUND);
    pool_submit(pool, &jobs[3].job, POOL_READER);
    pool_submit(pool, &jobs[4].job, POOL_READER);
    pool_submit(pool, &jobs[1].job, POOL_READER); /* moved to the front */
    open_gate();
    wait_for(&ended, 5);
    assert_memory_equal(order, expected, sizeof(expected));
    pool_destroy(&pool);
}

static void test_what_is_ahead_comes_last(void **state)
{
    struct test_job jobs[] = {make_job(0, true), make_job(1, false), make_job(2, false),
                              make_job(3, false)};
    static const int expected[] = {0, 3, 2, 1};
    struct pool *pool = NULL;

    (void)state;
    assert_int_equal(pool_create(1, &pool), 0);
    assert_false(pool_is_wanted(pool));
    pool_submit(pool, &jobs[0].job, POOL_AHEAD);
    wait_for(&waiting_at_gate, 1);
    pool_submit(pool, &jobs[1].job, POOL_AHEAD);
    assert_false(pool_is_wanted(pool));
    pool_submit(pool, &jobs[2].job, POOL_BACKGROUND);
    assert_true(pool_is_wanted(pool));
    pool_submit(pool, &jobs[3].job, POOL_READER);
    assert_true(pool_is_wanted(pool));
    open_gate();
    wait_for(&ended, 4);
    assert_memory_equal(order, expected, sizeof(expected));
    pool_destroy(&pool);
}

static void test_withdraw(void **state)
{
    struct test_job jobs[] = {make_job(0, true), make_job(1, false), make_job(2, false),
                              make_job(3, false)};
    struct pool *pool = NULL;

    (void)state;
    assert_int_equal(pool_create(1, &pool), 0);
    pool_submit(pool, &jobs[0].job, POOL_READER);
    wait_for(&waiting_at_gate, 1);
    for (size_t i = 1; i < COUNT_OF(jobs); i++)
        pool_submit(pool, &jobs[i].job, POOL_READER);
    assert_true(pool_withdraw(pool, &jobs[2].job)); /* in the middle */
    assert_false(pool_withdraw(pool, &jobs[2].job));
    assert_true(pool_withdraw(pool, &jobs[1].job)); /* at the end */
    assert_true(pool_withdraw(pool, &jobs[3].job));
    assert_false(pool_withdraw(pool, &jobs[0].job)); /* already begun */
    pool_submit(pool, &jobs[2].job, POOL_READER);
    open_gate();
    wait_for(&ended, 2);
    assert_int_equal(order[1], 2);
    pool_destroy(&pool);
}

static void test_background_leaves_a_thread(void **state)
{
    struct test_job background[] = {make_job(0, true), make_job(1, true), make_job(2, true)};
    struct test_job reader = make_job(9, false);
    struct pool *pool = NULL;

    (void)state;
    assert_int_equal(pool_create(3, &pool), 0);
    for (size_t i = 0; i < COUNT_OF(background); i++)
        pool_submit(pool, &background[i].job, POOL_BACKGROUND);
    wait_for(&waiting_at_gate, 2);
    pool_submit(pool, &reader.job, POOL_READER);
    wait_for(&ended, 1);
    assert_int_equal(order[0], 9);
    open_gate();
    wait_for(&ended, 4); /* the third job begins when another one has ended */
    pool_destroy(&pool);
}

static void *open_gate_later(void *context)
{
    (void)context;
    open_gate();
    return NULL;
}

static void test_destroy_drops_what_is_queued(void **state)
{
    struct test_job jobs[] = {make_job(0, true), make_job(1, false), make_job(2, false)};
    struct pool *pool = NULL;
    pthread_t opener;

    (void)state;
    assert_int_equal(pool_create(1, &pool), 0);
    pool_submit(pool, &jobs[1].job, POOL_BACKGROUND);
    wait_for(&ended, 1);
    pool_submit(pool, &jobs[0].job, POOL_READER);
    wait_for(&waiting_at_gate, 1);
    pool_submit(pool, &jobs[1].job, POOL_BACKGROUND);
    pool_submit(pool, &jobs[2].job, POOL_BACKGROUND);
    assert_true(jobs[2].job.queued);
    assert_int_equal(pthread_create(&opener, NULL, open_gate_later, NULL), 0);
    pool_destroy(&pool);
    pthread_join(opener, NULL);
    assert_in_range(ended, 2, 4); /* jobs that had begun before pool_destroy() were completed */
    assert_false(jobs[1].job.queued);
    assert_false(jobs[2].job.queued);
}

static atomic_int freed;

static void free_job(struct pool_job *job)
{
    free(job);
    atomic_fetch_add(&freed, 1);
}

static void test_a_job_may_free_itself(void **state)
{
    struct pool *pool = NULL;

    (void)state;
    assert_int_equal(pool_create(2, &pool), 0);
    for (int i = 0; i < 1000; i++) {
        struct pool_job *job = calloc(1, sizeof(*job));

        job->run = free_job;
        pool_submit(pool, job, i % 2 ? POOL_READER : POOL_BACKGROUND);
    }
    while (atomic_load(&freed) < 1000)
        sched_yield();
    pool_destroy(&pool);
}

static void test_no_memory(void **state)
{
    struct pool *pool = NULL;

    (void)state;
    support_fail_allocation(0);
    assert_int_equal(pool_create(2, &pool), -ENOMEM);
    support_fail_allocation(-1);
    assert_null(pool);
}

/*
 * A job that submits a brief job for handoff and another job, and records which thread ran the
 * brief one.
 */
struct splitting {
    struct pool_job job;
    struct test_job brief, other;
    struct pool *pool;
    pthread_t by;
};

static pthread_t brief_by;

static void run_brief(struct pool_job *job)
{
    brief_by = pthread_self();
    run_test_job(job);
}

static void run_splitting(struct pool_job *job)
{
    struct splitting *splitting = (struct splitting *)job;

    splitting->by = pthread_self();
    splitting->brief = make_job(1, false);
    splitting->brief.job.run = run_brief;
    splitting->brief.job.handoff = true;
    splitting->other = make_job(2, false);
    pool_submit(splitting->pool, &splitting->other.job, POOL_BACKGROUND);
    pool_submit(splitting->pool, &splitting->brief.job, POOL_READER);
}

static void test_elsewhere(void **state)
{
    struct splitting splitting = {.job = {.run = run_splitting}};

    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++)
        for (int n = 0; n < 50; n++) {
            set_up(state);
            assert_int_equal(pool_create(threads, &splitting.pool), 0);
            pool_submit(splitting.pool, &splitting.job, POOL_BACKGROUND);
            wait_for(&ended, 2);
            pool_destroy(&splitting.pool);
            assert_int_equal(order[0] + order[1], 3);
            if (threads == 1)
                assert_true(pthread_equal(brief_by, splitting.by));
        }
}

/*
 * If all other threads run jobs that may take long, the thread that submits the brief job runs it.
 */
static void test_elsewhere_with_nobody_there(void **state)
{
    struct splitting splitting = {.job = {.run = run_splitting}};
    struct test_job busy = make_job(0, true);

    (void)state;
    assert_int_equal(pool_create(2, &splitting.pool), 0);
    pool_submit(splitting.pool, &busy.job, POOL_READER);
    wait_for(&waiting_at_gate, 1);
    pool_submit(splitting.pool, &splitting.job, POOL_READER);
    wait_for(&ended, 2);
    assert_true(pthread_equal(brief_by, splitting.by));
    open_gate();
    wait_for(&ended, 3);
    pool_destroy(&splitting.pool);
}

/*
 * While another thread runs such a job for the first time, this thread continues with another job.
 */
static void test_a_handoff_waits_for_an_idle_thread(void **state)
{
    struct splitting splitting = {.job = {.run = run_splitting}};
    struct test_job brief = make_job(0, true);

    (void)state;
    brief.job.handoff = true;
    assert_int_equal(pool_create(2, &splitting.pool), 0);
    pool_submit(splitting.pool, &brief.job, POOL_READER);
    wait_for(&waiting_at_gate, 1);
    pool_submit(splitting.pool, &splitting.job, POOL_BACKGROUND);
    wait_for(&ended, 1);
    assert_int_equal(order[0], 2);
    open_gate();
    wait_for(&ended, 3);
    assert_false(pthread_equal(brief_by, splitting.by));
    pool_destroy(&splitting.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_none, set_up),
        cmocka_unit_test_setup(test_newest_first, set_up),
        cmocka_unit_test_setup(test_what_is_ahead_comes_last, set_up),
        cmocka_unit_test_setup(test_withdraw, set_up),
        cmocka_unit_test_setup(test_background_leaves_a_thread, set_up),
        cmocka_unit_test_setup(test_destroy_drops_what_is_queued, set_up),
        cmocka_unit_test_setup(test_a_job_may_free_itself, set_up),
        cmocka_unit_test_setup(test_no_memory, set_up),
        cmocka_unit_test_setup(test_elsewhere, set_up),
        cmocka_unit_test_setup(test_elsewhere_with_nobody_there, set_up),
        cmocka_unit_test_setup(test_a_handoff_waits_for_an_idle_thread, set_up),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}

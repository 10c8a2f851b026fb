/* SPDX-License-Identifier: MIT */
/* Items that are made in two stages, possibly by two threads. */
#include "cache/cache.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { ITEM_BYTES = 1000 };

/* The second stage may be held at the gate, where it stops when it is cancelled. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool gate_closed;
static int first_stages, told, begun, answered, failure;
static struct pool *pool;
static struct cache *cache;

static void count(int *counter)
{
    pthread_mutex_lock(&lock);
    ++*counter;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static bool is_held(void)
{
    bool held;

    pthread_mutex_lock(&lock);
    held = gate_closed;
    pthread_mutex_unlock(&lock);
    return held;
}

static int make_half(void *context, struct cache_key key, const struct cancel *cancel,
                     struct blob **out)
{
    (void)context, (void)cancel;
    count(&first_stages);
    if (failure != 0)
        return failure;
    assert_int_equal(blob_create(1, out), 0);
    (*out)->data[0] = (uint8_t)key.item;
    return CACHE_FIRST_STAGE;
}

static int finish_half(void *context, struct cache_key key, const struct cancel *cancel,
                       const struct blob *stage, struct blob **out)
{
    int status;

    (void)context;
    assert_int_equal(stage->data[0], (uint8_t)key.item);
    count(&begun);
    while (is_held() && !cancel_requested(cancel))
        usleep(500);
    if (cancel_requested(cancel))
        return -EINTR;
    status = blob_create(ITEM_BYTES, out);
    if (status == 0)
        (*out)->data[0] = stage->data[0];
    return status;
}

static const struct cache_maker two_stages = {
    .work = CACHE_RENDER, .make = make_half, .finish = finish_half};

static void set_gate(bool closed)
{
    pthread_mutex_lock(&lock);
    gate_closed = closed;
    pthread_mutex_unlock(&lock);
}

static void wait_for(const int *value, int wanted)
{
    pthread_mutex_lock(&lock);
    while (*value < wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void make_cache(unsigned threads)
{
    struct cache_params params = {.budget = 10 * ITEM_BYTES};

    if (threads > 0)
        assert_int_equal(pool_create(threads, &pool), 0);
    params.pool = pool;
    assert_int_equal(cache_create(&params, &cache), 0);
}

static uint64_t renders(void)
{
    struct cache_statistics statistics;

    cache_statistics(cache, &statistics);
    return statistics.made[CACHE_RENDER];
}

static int set_up(void **state)
{
    (void)state;
    gate_closed = false;
    first_stages = told = begun = answered = failure = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cache_destroy(&cache);
    pool_destroy(&pool);
    return 0;
}

static struct cache_key key_of(uint64_t item)
{
    return (struct cache_key){item, 0};
}

struct test_request {
    struct cache_request request;
    int status;
    struct blob *blob;
};

static void note_answer(struct cache_request *request, int status, struct blob *blob)
{
    struct test_request *test = (struct test_request *)request;

    test->status = status;
    test->blob = blob;
    count(&answered);
}

static void note_first_stage(struct cache_request *request, struct cache_key key)
{
    if (memcmp(&key, &request->key, sizeof(key)) == 0) /* not asserted: this thread is the pool's */
        count(&told);
}

static void ask_for_halves(uint64_t item, struct test_request *request)
{
    *request = (struct test_request){
        .request = {.done = note_answer, .first_stage_done = note_first_stage}};
    cache_submit_request(cache, key_of(item), &two_stages, NULL, &request->request);
}

static void test_halves_in_one_thread(void **state)
{
    struct blob *blob = NULL;

    (void)state;
    make_cache(0);
    assert_int_equal(cache_get(cache, key_of(3), &two_stages, NULL, NULL, &blob), 0);
    assert_int_equal(blob->size, ITEM_BYTES);
    blob_unref(&blob);
    failure = -EIO;
    assert_int_equal(cache_get(cache, key_of(4), &two_stages, NULL, NULL, &blob), -EIO);
    assert_int_equal(first_stages, 2);
    assert_int_equal(begun, 1);
    assert_int_equal(renders(), 1);
}

static void test_halves_in_the_pool(void **state)
{
    struct test_request request;

    for (unsigned threads = 1; threads <= 3; threads++) {
        (void)state;
        set_up(state);
        make_cache(threads);
        set_gate(true);
        ask_for_halves(5, &request);
        wait_for(&told, 1);
        assert_int_equal(answered, 0);
        set_gate(false);
        wait_for(&answered, 1);
        assert_int_equal(request.status, 0);
        assert_int_equal(request.blob->data[0], 5);
        blob_unref(&request.blob);
        assert_int_equal(first_stages, 1);
        assert_int_equal(renders(), 1);
        tear_down(state);
    }
}

/* A request that comes during the second stage usually needs no further first stage. */
static void test_a_half_survives_its_maker(void **state)
{
    struct test_request first, second;

    (void)state;
    make_cache(2);
    set_gate(true);
    ask_for_halves(6, &first);
    wait_for(&begun, 1);
    cache_cancel_request(cache, &first.request);
    assert_int_equal(first.status, -EINTR);
    ask_for_halves(6, &second);
    set_gate(false);
    wait_for(&answered, 2);
    assert_int_equal(second.status, 0);
    blob_unref(&second.blob);
    assert_in_range(first_stages, 1, 2);
}

static void test_a_half_that_nobody_wants_goes(void **state)
{
    struct test_request request;

    (void)state;
    make_cache(2);
    set_gate(true);
    ask_for_halves(7, &request);
    wait_for(&told, 1);
    cache_cancel_request(cache, &request.request);
    wait_for(&answered, 1);
    for (int i = 0; i < 10000 && !cache_is_idle(cache); i++)
        usleep(500);
    assert_true(cache_is_idle(cache));
    assert_null(cache_peek(cache, key_of(7)));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_halves_in_one_thread),
        TEST(test_halves_in_the_pool),
        TEST(test_a_half_survives_its_maker),
        TEST(test_a_half_that_nobody_wants_goes),
    };

    return cmocka_run_group_tests_name("cache stages", tests, NULL, NULL);
}

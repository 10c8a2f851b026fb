/* SPDX-License-Identifier: MIT */
/* Many threads use one cache, with a small budget and few keys. */
#include "cache/cache.h"

#include "tests/support/support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { STRESS_KEYS = 24, STRESS_ROUNDS = 1500 };

static struct pool *pool;
static struct cache *cache;

struct stress_request {
    struct cache_request request;
    int status;
    bool done;
    struct blob *blob;
};

static struct cache_key key_of(uint64_t item)
{
    return (struct cache_key){item, item / 2};
}

static void note_stress(struct cache_request *request, int status, struct blob *blob)
{
    struct stress_request *test = (struct stress_request *)request;

    test->status = status;
    test->blob = blob;
    __atomic_store_n(&test->done, true, __ATOMIC_RELEASE);
}

static int make_stress(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    static const struct cache_maker stress = {.work = CACHE_RENDER, .make = make_stress};
    struct blob *below = NULL;
    int status = 0;

    if (key.item % 5 == 4)
        status = cache_get(cache, key_of(key.item - 1), &stress, context, cancel, &below);
    blob_unref(&below);
    for (int i = 0; i < 5 && status == 0; i++) {
        sched_yield();
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    if (status == 0 && key.item % 7 == 6)
        status = -EIO;
    if (status == 0)
        status = blob_create(500 + key.item * 40, out);
    if (status == 0)
        memset((*out)->data, (int)key.item, (*out)->size);
    return status;
}

static const struct cache_maker stress_maker = {.work = CACHE_RENDER, .make = make_stress};

static void check_stress(uint64_t item, int status, struct blob **blob)
{
    bool fails = item % 7 == 6 || (item % 5 == 4 && (item - 1) % 7 == 6);

    if (status == 0) {
        assert_false(fails);
        assert_int_equal((*blob)->data[(*blob)->size - 1], (uint8_t)item);
    } else {
        assert_true(status == -EINTR || (status == -EIO && fails));
    }
    blob_unref(blob);
}

static void stress_request(uint64_t item, bool cancelled)
{
    struct stress_request *request = calloc(1, sizeof(*request));

    request->request.done = note_stress;
    cache_submit_request(cache, key_of(item), &stress_maker, NULL, &request->request);
    if (cancelled)
        cache_cancel_request(cache, &request->request);
    while (!__atomic_load_n(&request->done, __ATOMIC_ACQUIRE))
        sched_yield();
    assert_true(cancelled || request->status != -EINTR);
    check_stress(item, request->status, &request->blob);
    free(request);
}

static void stress_get(uint64_t item, bool cancelled, bool pin)
{
    struct cancel cancel;
    struct blob *blob = NULL;
    int status;

    cancel_init(&cancel, NULL);
    if (cancelled)
        cancel_raise(&cancel);
    status = cache_get(cache, key_of(item), &stress_maker, NULL, &cancel, &blob);
    if (status == 0 && pin && cache_pin(cache, blob) == 0)
        cache_unpin(cache, blob);
    assert_true(cancelled || status != -EINTR);
    check_stress(item, status, &blob);
}

static void *stress(void *context)
{
    uint64_t random = (uint64_t)(uintptr_t)context;

    for (int i = 0; i < STRESS_ROUNDS; i++) {
        uint64_t item = support_random(&random) % STRESS_KEYS, what = random >> 20;

        if (what % 2 == 0)
            stress_request(item, what % 8 == 0);
        else
            stress_get(item, what % 16 == 1, what % 3 == 0);
    }
    return NULL;
}

static void test_stress(void **state)
{
    struct cache_params params = {.budget = 8000, .overdraft = 4000};
    struct cache_statistics now;
    pthread_t threads[6];

    (void)state;
    assert_int_equal(pool_create(2, &pool), 0);
    params.pool = pool;
    assert_int_equal(cache_create(&params, &cache), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, stress, (void *)(i + 1)), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    cache_statistics(cache, &now);
    assert_true(now.held <= 8000);
    assert_int_equal(now.pinned, 0);
    assert_true(now.hits > 0 && now.evictions > 0);
    cache_destroy(&cache);
    pool_destroy(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

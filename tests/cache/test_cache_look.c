/* SPDX-License-Identifier: MIT */
/*
 * Items that are looked up before their reader needs them, and dropped after it: neither affects
 * the statistics.
 */
#include "cache/cache.h"

#include "tests/support/support.h"

static const struct cache_key key = {.item = 1};

static struct cache *make_cache(void)
{
    const struct cache_params params = {.budget = 10000};
    struct cache *cache = NULL;

    assert_int_equal(cache_create(&params, &cache), 0);
    return cache;
}

static bool is_kept(struct cache *cache)
{
    struct blob *blob = cache_look(cache, key);
    bool kept = blob != NULL;

    blob_unref(&blob);
    return kept;
}

static void what_is_dropped_is_no_eviction(void **state)
{
    struct cache *cache = make_cache();
    struct cache_statistics statistics;
    struct blob *blob = NULL;

    (void)state;
    cache_drop(cache, key); /* no such item */
    assert_int_equal(blob_create(100, &blob), 0);
    cache_offer(cache, key, blob);
    assert_true(is_kept(cache));
    cache_drop(cache, key);
    assert_false(is_kept(cache));
    cache_statistics(cache, &statistics);
    assert_int_equal(statistics.held, 0);
    assert_int_equal(statistics.items, 0);
    assert_int_equal(statistics.evictions, 0);
    assert_int_equal(statistics.hits, 0);
    assert_int_equal(statistics.misses, 0);
    blob_unref(&blob);
    cache_destroy(&cache);
}

static void what_is_pinned_stays(void **state)
{
    struct cache *cache = make_cache();
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(blob_create(100, &blob), 0);
    cache_offer(cache, key, blob);
    assert_int_equal(cache_pin(cache, blob), 0);
    cache_drop(cache, key);
    assert_true(is_kept(cache));
    cache_unpin(cache, blob);
    cache_drop(cache, key);
    assert_false(is_kept(cache));
    blob_unref(&blob);
    cache_destroy(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_dropped_is_no_eviction),
        cmocka_unit_test(what_is_pinned_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

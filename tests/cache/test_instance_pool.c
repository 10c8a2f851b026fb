/* SPDX-License-Identifier: MIT */
/* Unused instances: which one is taken, which ones are dropped, and what the cache is charged. */
#include "config.h"

#include "cache/instance_pool.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>

enum { LIMIT = 3, BYTES = 1000, BUDGET = 1 << 20 };

struct machine {
    struct instance_pool_item idle;
    unsigned place;
};

struct scene {
    struct instance_pool idle;
    struct cache *cache;
};

static unsigned alive;

static struct machine *machine_of(const struct instance_pool_item *item)
{
    return (struct machine *)(uintptr_t)item;
}

static void destroy(struct instance_pool_item *item)
{
    free(machine_of(item));
    alive--;
}

static void scene_begin(struct scene *scene, uint64_t budget, uint64_t bytes)
{
    const struct instance_pool_params params = {
        .max_count = LIMIT, .max_bytes = bytes, .destroy = destroy, .cache = &scene->cache};

    alive = 0;
    assert_int_equal(cache_create(&(struct cache_params){.budget = budget}, &scene->cache), 0);
    instance_pool_init(&scene->idle, &params);
}

static struct cache_statistics statistics(const struct scene *scene)
{
    struct cache_statistics now;

    cache_statistics(scene->cache, &now);
    return now;
}

static void scene_end(struct scene *scene)
{
    instance_pool_clear(&scene->idle);
    assert_int_equal(alive, 0);
    assert_int_equal(statistics(scene).charged, 0);
    assert_int_equal(statistics(scene).beyond, 0);
    cache_destroy(&scene->cache);
}

static void give(struct scene *scene, unsigned place, uint64_t bytes, bool spare)
{
    struct machine *machine = calloc(1, sizeof(*machine));

    assert_non_null(machine);
    alive++;
    machine->place = place;
    machine->idle.bytes = bytes;
    machine->idle.spare = spare;
    instance_pool_give(&scene->idle, &machine->idle);
}

/* Rates the nearest instance best, unless it is after the position. */
static uint64_t rate_before(const void *context, const struct instance_pool_item *item)
{
    unsigned place = machine_of(item)->place;

    return place <= *(const unsigned *)context ? place + 1 : 0;
}

static uint64_t rate_there(const void *context, const struct instance_pool_item *item)
{
    return machine_of(item)->place == *(const unsigned *)context;
}

static void expect_taken(struct scene *scene, unsigned wanted, unsigned place)
{
    struct instance_pool_item *item = instance_pool_take(&scene->idle, rate_before, &wanted);

    assert_non_null(item);
    assert_int_equal(machine_of(item)->place, place);
    destroy(item);
}

static void expect_none(struct scene *scene, unsigned wanted)
{
    assert_null(instance_pool_take(&scene->idle, rate_before, &wanted));
}

static void an_empty_list_serves_nobody(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    expect_none(&scene, 100);
    assert_null(instance_pool_take_surplus(&scene.idle));
    scene_end(&scene);
}

static void the_best_one_is_taken(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    give(&scene, 30, BYTES, false);
    give(&scene, 10, BYTES, false);
    give(&scene, 20, BYTES, false);
    expect_none(&scene, 9);
    expect_taken(&scene, 25, 20);
    expect_taken(&scene, 25, 10);
    expect_none(&scene, 25);
    expect_taken(&scene, 30, 30);
    scene_end(&scene);
}

static void the_one_that_waits_longest_goes(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    for (unsigned place = 1; place <= LIMIT + 2; place++)
        give(&scene, place, BYTES, false);
    assert_int_equal(alive, LIMIT);
    expect_none(&scene, 2);
    expect_taken(&scene, 3, 3);
    scene_end(&scene);
}

/*
 * Spare instances are dropped first, except one, which is enough to work in. Instances from which a
 * replay can continue stay.
 */
static void of_spare_ones_all_but_one_go_first(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    give(&scene, 1, BYTES, false);
    give(&scene, 2, BYTES, true);
    give(&scene, 3, BYTES, true);
    give(&scene, 4, BYTES, false);
    expect_taken(&scene, 2, 1);
    expect_taken(&scene, 3, 3);
    give(&scene, 5, BYTES, true);
    give(&scene, 6, BYTES, false);
    give(&scene, 7, BYTES, false);
    expect_none(&scene, 4); /* the only spare instance stayed */
    expect_taken(&scene, 5, 5);
    scene_end(&scene);
}

static void the_surplus_serves_for_its_memory(void **state)
{
    struct scene scene;
    struct instance_pool_item *item = NULL;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    for (unsigned place = 1; place < LIMIT; place++)
        give(&scene, place, BYTES, false);
    assert_null(instance_pool_take_surplus(&scene.idle));
    give(&scene, LIMIT, BYTES, false);
    item = instance_pool_take_surplus(&scene.idle);
    assert_non_null(item);
    assert_int_equal(machine_of(item)->place, 1);
    destroy(item);
    assert_int_equal(statistics(&scene).charged, (LIMIT - 1) * BYTES);
    scene_end(&scene);
}

static void what_is_idle_is_charged(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    for (unsigned n = 1; n <= LIMIT; n++) {
        give(&scene, n, BYTES, false);
        assert_int_equal(statistics(&scene).charged, n * BYTES);
    }
    give(&scene, LIMIT, 3 * BYTES, false);
    assert_int_equal(statistics(&scene).charged, 5 * BYTES);
    expect_taken(&scene, 2, 2);
    assert_int_equal(statistics(&scene).charged, 4 * BYTES);
    assert_int_equal(statistics(&scene).held, 4 * BYTES);
    scene_end(&scene);
}

static void there_are_no_more_than_their_share(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET, 2 * BYTES);
    give(&scene, 1, BYTES, false);
    give(&scene, 2, BYTES, false);
    give(&scene, 3, BYTES, false);
    assert_int_equal(alive, 2);
    assert_int_equal(statistics(&scene).charged, 2 * BYTES);
    give(&scene, 4, BYTES + 1, false);
    assert_int_equal(alive, 1);
    assert_int_equal(statistics(&scene).charged, BYTES + 1);
    scene_end(&scene);
}

static void one_is_kept_in_any_case_and_that_is_told(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, BYTES, UINT64_MAX);
    give(&scene, 1, BYTES, false);
    give(&scene, 2, 5 * BYTES, false);
    assert_int_equal(alive, 1);
    assert_int_equal(statistics(&scene).charged, 0);
    assert_int_equal(statistics(&scene).beyond, 5 * BYTES);
    give(&scene, 3, BYTES, false);
    assert_int_equal(alive, 1);
    assert_int_equal(statistics(&scene).charged, BYTES);
    assert_int_equal(statistics(&scene).beyond, 0);
    give(&scene, 4, 2 * BYTES, false);
    expect_taken(&scene, 4, 4);
    assert_int_equal(statistics(&scene).beyond, 0);
    scene_end(&scene);
}

/* The share limits a pool that has no cache yet, as that of a dump without a tree. */
static void without_a_cache_the_share_holds_too(void **state)
{
    struct scene scene;
    struct cache *cache = NULL;

    (void)state;
    scene_begin(&scene, BUDGET, 2 * BYTES);
    cache = scene.cache;
    scene.cache = NULL;
    give(&scene, 1, BYTES, false);
    give(&scene, 2, 2 * BYTES, false);
    assert_int_equal(alive, 1);
    scene.cache = cache;
    assert_int_equal(statistics(&scene).charged, 0);
    give(&scene, 3, BYTES, false);
    assert_int_equal(statistics(&scene).charged, BYTES);
    scene_end(&scene);
}

static int note_place(void *context, const struct instance_pool_item *item)
{
    *(unsigned *)context = machine_of(item)->place;
    return -EXDEV;
}

static void looking_takes_nothing(void **state)
{
    struct scene scene;
    unsigned wanted = 7, seen = 0;

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    assert_int_equal(instance_pool_look(&scene.idle, rate_there, &wanted, note_place, &seen),
                     -ENOENT);
    give(&scene, 6, BYTES, false);
    assert_int_equal(instance_pool_look(&scene.idle, rate_there, &wanted, note_place, &seen),
                     -ENOENT);
    give(&scene, 7, BYTES, false);
    assert_int_equal(instance_pool_look(&scene.idle, rate_there, &wanted, note_place, &seen),
                     -EXDEV);
    assert_int_equal(seen, 7);
    assert_int_equal(statistics(&scene).charged, 2 * BYTES);
    scene_end(&scene);
}

static void *take_and_give(void *context)
{
    struct scene *scene = context;

    for (unsigned n = 0; n < 2000; n++) {
        struct instance_pool_item *item = instance_pool_take(&scene->idle, rate_before, &n);

        if (item == NULL)
            continue;
        machine_of(item)->place = n % 50;
        instance_pool_give(&scene->idle, item);
    }
    return NULL;
}

static void many_threads_take_and_give(void **state)
{
    struct scene scene;
    pthread_t threads[4];

    (void)state;
    scene_begin(&scene, BUDGET, UINT64_MAX);
    for (unsigned n = 0; n < LIMIT; n++)
        give(&scene, 0, BYTES, n == 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &scene), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(alive, LIMIT);
    assert_int_equal(statistics(&scene).charged, LIMIT * BYTES);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_serves_nobody),
        cmocka_unit_test(the_best_one_is_taken),
        cmocka_unit_test(the_one_that_waits_longest_goes),
        cmocka_unit_test(of_spare_ones_all_but_one_go_first),
        cmocka_unit_test(the_surplus_serves_for_its_memory),
        cmocka_unit_test(what_is_idle_is_charged),
        cmocka_unit_test(there_are_no_more_than_their_share),
        cmocka_unit_test(one_is_kept_in_any_case_and_that_is_told),
        cmocka_unit_test(without_a_cache_the_share_holds_too),
        cmocka_unit_test(looking_takes_nothing),
        cmocka_unit_test(many_threads_take_and_give),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

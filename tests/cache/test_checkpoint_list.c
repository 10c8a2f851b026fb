/* SPDX-License-Identifier: MIT */
/* Checkpoints: which one is found, which ones are dropped, and what the cache is charged. */
#include "config.h"

#include "cache/checkpoint_list.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>

enum { BYTES = 100, BUDGET = 1 << 20, PLENTY = 1 << 19 };

struct scene {
    struct checkpoint_list list;
    struct cache *cache;
};

static unsigned alive;

static void destroy(struct checkpoint_list *list, struct checkpoint_item *item)
{
    (void)list;
    free(item);
    alive--;
}

static void scene_begin(struct scene *scene, uint64_t max_bytes)
{
    const struct checkpoint_list_params params = {
        .max_bytes = max_bytes, .destroy = destroy, .cache = &scene->cache};

    alive = 0;
    assert_int_equal(cache_create(&(struct cache_params){.budget = BUDGET}, &scene->cache), 0);
    checkpoint_list_init(&scene->list, &params);
}

static uint64_t charged(const struct scene *scene)
{
    struct cache_statistics now;

    cache_statistics(scene->cache, &now);
    return now.charged;
}

static void scene_end(struct scene *scene)
{
    checkpoint_list_clear(&scene->list);
    assert_int_equal(alive, 0);
    assert_int_equal(atomic_load(&scene->list.bytes), 0);
    assert_int_equal(charged(scene), 0);
    cache_destroy(&scene->cache);
}

/* Adds a checkpoint. Returns how many times every second checkpoint was dropped. */
static unsigned add(struct scene *scene, uint64_t position)
{
    struct checkpoint_item *item = calloc(1, sizeof(*item));
    unsigned halvings = 99;

    assert_non_null(item);
    alive++;
    item->position = position;
    item->bytes = BYTES;
    assert_int_equal(checkpoint_list_add(&scene->list, item, &halvings), 0);
    return halvings;
}

/* Returns the position of the checkpoint that is found, or 0 if there is none. */
static uint64_t before(struct scene *scene, uint64_t position)
{
    struct checkpoint_item *item = checkpoint_list_before(&scene->list, position);
    uint64_t found = item != NULL ? item->position : 0;

    if (item != NULL)
        checkpoint_list_unref(&scene->list, item);
    return found;
}

static void test_empty(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, PLENTY);
    assert_int_equal(before(&scene, UINT64_MAX), 0);
    scene_end(&scene);
}

static void test_nearest(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, PLENTY);
    for (uint64_t n = 1; n <= 200; n++) /* more than the list has room for at first */
        assert_int_equal(add(&scene, n * 10), 0);
    assert_int_equal(before(&scene, 9), 0);
    assert_int_equal(before(&scene, 10), 10);
    assert_int_equal(before(&scene, 1239), 1230);
    assert_int_equal(before(&scene, UINT64_MAX), 2000);
    assert_int_equal(charged(&scene), 200 * BYTES);
    scene_end(&scene);
}

static void test_thinning(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 4 * BYTES);
    for (uint64_t n = 1; n <= 4; n++)
        assert_int_equal(add(&scene, n), 0);
    assert_int_equal(add(&scene, 5), 1);
    assert_int_equal(alive, 3);
    assert_int_equal(before(&scene, 2), 1);
    assert_int_equal(before(&scene, 4), 3);
    assert_int_equal(before(&scene, 5), 5); /* the last one stays */
    assert_int_equal(charged(&scene), 3 * BYTES);
    scene_end(&scene);
}

static void test_referenced(void **state)
{
    struct checkpoint_item *held;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 4 * BYTES);
    for (uint64_t n = 1; n <= 4; n++)
        add(&scene, n);
    held = checkpoint_list_before(&scene.list, 2);
    add(&scene, 5);
    assert_int_equal(before(&scene, 2), 1);
    assert_int_equal(held->position, 2);
    assert_int_equal(alive, 4); /* its bytes count as long as it is held */
    assert_int_equal(atomic_load(&scene.list.bytes), 4 * BYTES);
    checkpoint_list_unref(&scene.list, held);
    assert_int_equal(alive, 3);
    scene_end(&scene);
}

/* If no checkpoint fits, the list stays empty. */
static void test_no_room(void **state)
{
    struct checkpoint_item *held;
    struct scene scene;

    (void)state;
    scene_begin(&scene, 0);
    assert_int_equal(add(&scene, 1), 1);
    assert_int_equal(alive, 0);
    scene.list.params.max_bytes = BYTES;
    assert_int_equal(add(&scene, 2), 0);
    held = checkpoint_list_before(&scene.list, 2);
    assert_int_equal(add(&scene, 3), 2); /* the one that is held leaves no room */
    assert_int_equal(before(&scene, 3), 0);
    checkpoint_list_unref(&scene.list, held);
    scene_end(&scene);
}

static void test_without_cache(void **state)
{
    struct scene scene = {0};

    (void)state;
    alive = 0;
    checkpoint_list_init(
        &scene.list, &(struct checkpoint_list_params){.max_bytes = 2 * BYTES, .destroy = destroy});
    assert_int_equal(add(&scene, 1), 0);
    assert_int_equal(add(&scene, 2), 0);
    assert_int_equal(add(&scene, 3), 1);
    assert_int_equal(before(&scene, 2), 1);
    checkpoint_list_clear(&scene.list);
    assert_int_equal(alive, 0);
}

static void test_no_memory(void **state)
{
    struct checkpoint_item item = {.position = 1, .bytes = BYTES};
    struct scene scene;
    unsigned halvings = 1;

    (void)state;
    scene_begin(&scene, PLENTY);
    support_fail_allocation(0);
    assert_int_equal(checkpoint_list_add(&scene.list, &item, &halvings), -ENOMEM);
    support_fail_allocation(-1);
    assert_int_equal(halvings, 0);
    assert_int_equal(atomic_load(&scene.list.bytes), 0);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),     cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_thinning),  cmocka_unit_test(test_referenced),
        cmocka_unit_test(test_no_room),   cmocka_unit_test(test_without_cache),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests_name("checkpoint_list", tests, NULL, NULL);
}

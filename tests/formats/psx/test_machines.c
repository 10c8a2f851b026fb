/* SPDX-License-Identifier: MIT */
/*
 * The instance pool: which idle instance is used, which is dropped, and what the cache is charged
 * with.
 */
#include "tests/formats/psx/build.h"
#include "tests/support/support.h"

#include "formats/psx/replay/gpu_instance.h"

#include <string.h>

enum { BUDGET = 64 << 20, LIMIT = 3 };

struct scene {
    struct psx_build build;
    struct psx_opened opened;
    struct cache *cache;
    struct psx_gpu_instance_pool instances;
};

static unsigned instances_idle(const struct scene *scene) LOCKS_UNCHECKED
{
    return scene->instances.idle.count;
}

static void scene_begin(struct scene *scene, uint64_t budget)
{
    const struct cache_params params = {.budget = budget};

    psx_build_start(&scene->build, PSX_MAGIC_16);
    GP0(&scene->build, 0x02000000, 0, 0x00100010);
    psx_build_vsync(&scene->build, 1);
    psx_opened_init(&scene->opened, scene->build.bytes, scene->build.size);
    assert_int_equal(psx_opened_open(&scene->opened), 0);
    assert_int_equal(cache_create(&params, &scene->cache), 0);
    psx_gpu_instance_pool_init(&scene->instances, LIMIT, &scene->cache);
}

static void scene_end(struct scene *scene)
{
    struct cache_statistics now;

    psx_gpu_instance_pool_clear(&scene->instances);
    cache_statistics(scene->cache, &now);
    assert_int_equal(now.charged, 0);
    cache_destroy(&scene->cache);
    psx_opened_close(&scene->opened);
    psx_build_free(&scene->build);
}

static uint64_t charged(const struct scene *scene)
{
    struct cache_statistics now;

    cache_statistics(scene->cache, &now);
    return now.charged;
}

static struct psx_gpu_instance *create(struct scene *scene, uint64_t packet,
                                       enum psx_gpu_instance_part part)
{
    struct psx_gpu_instance *instance = NULL;

    assert_int_equal(psx_gpu_instance_create(psx_opened_index(&scene->opened), &instance), 0);
    instance->packet = packet;
    instance->part = part;
    return instance;
}

static void give(struct scene *scene, uint64_t packet, enum psx_gpu_instance_part part)
{
    struct psx_gpu_instance *instance = create(scene, packet, part);

    psx_gpu_instance_pool_give(&scene->instances, &instance);
    assert_null(instance);
}

/*
 * Takes an instance for the request. Returns the packet that it is at, or UINT64_MAX if there is
 * none.
 */
static uint64_t take(struct scene *scene, enum psx_gpu_instance_use use,
                     const struct psx_vram_request *request)
{
    struct psx_tiles tiles = {0};
    struct psx_gpu_instance *instance;
    uint64_t packet = UINT64_MAX;

    if (request != NULL)
        psx_vram_request_tiles(request, PSX_VRAM_HEIGHT, &tiles);
    instance = psx_gpu_instance_pool_take(&scene->instances, use, request, &tiles);
    if (instance != NULL)
        packet = instance->packet;
    psx_gpu_instance_destroy(&instance);
    return packet;
}

static void none_serves_where_there_is_none(void **state)
{
    struct psx_vram_request request = {.packet = 0, .upto = 10, .shown = true};
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET);
    for (int use = PSX_INSTANCE_THERE; use <= PSX_INSTANCE_MEMORY; use++)
        assert_int_equal(take(&scene, (enum psx_gpu_instance_use)use, &request), UINT64_MAX);
    assert_int_equal(charged(&scene), 0);
    scene_end(&scene);
}

static void the_nearest_before_goes_on(void **state)
{
    struct psx_vram_request request = {
        .packet = 10, .upto = 12, .area = {0, 0, 320, 240}, .shown = true};
    struct psx_vram_request read = {
        .packet = 10, .upto = 12, .area = {0, 0, 320, 240}, .read = true};
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET);
    give(&scene, 4, PSX_GPU_INSTANCE_WHOLE);
    give(&scene, 8, PSX_GPU_INSTANCE_SHOWN);
    give(&scene, 11, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(take(&scene, PSX_INSTANCE_THERE, &request), 11);
    assert_int_equal(take(&scene, PSX_INSTANCE_BEFORE, &read), 4); /* 8 has no latch of a read */
    assert_int_equal(take(&scene, PSX_INSTANCE_BEFORE, &request), 8);
    assert_int_equal(take(&scene, PSX_INSTANCE_BEFORE, &request), UINT64_MAX);
    scene_end(&scene);
}

static void a_slice_serves_where_it_stands_or_as_memory(void **state)
{
    struct psx_vram_request request = {
        .packet = 5, .upto = 5, .area = {0, 0, 64, 16}, .shown = true};
    struct psx_vram_request other = {
        .packet = 5, .upto = 5, .area = {512, 0, 64, 16}, .shown = true};
    struct psx_vram_request later = {.packet = 6, .upto = 6, .area = {0, 0, 64, 16}, .shown = true};
    struct psx_gpu_instance *instance;
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET);
    instance = create(&scene, 5, PSX_GPU_INSTANCE_TILES);
    psx_vram_request_tiles(&request, PSX_VRAM_HEIGHT, &instance->tiles);
    psx_gpu_instance_pool_give(&scene.instances, &instance);
    assert_int_equal(take(&scene, PSX_INSTANCE_THERE, &other), UINT64_MAX);
    assert_int_equal(take(&scene, PSX_INSTANCE_THERE, &later), UINT64_MAX);
    assert_int_equal(take(&scene, PSX_INSTANCE_BEFORE, &later), UINT64_MAX);
    give(&scene, 3, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(take(&scene, PSX_INSTANCE_MEMORY, NULL), 5);
    assert_int_equal(take(&scene, PSX_INSTANCE_MEMORY, NULL), UINT64_MAX);
    scene_end(&scene);
}

static void the_oldest_gives_way_and_slices_first(void **state)
{
    struct psx_vram_request request = {.packet = 100, .upto = 100, .shown = true};
    struct scene scene;

    (void)state;
    scene_begin(&scene, BUDGET);
    give(&scene, 9, PSX_GPU_INSTANCE_WHOLE);
    give(&scene, 1, PSX_GPU_INSTANCE_TILES);
    give(&scene, 2, PSX_GPU_INSTANCE_TILES);
    give(&scene, 3, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(instances_idle(&scene), LIMIT);
    assert_int_equal(take(&scene, PSX_INSTANCE_MEMORY, NULL), 2);
    give(&scene, 4, PSX_GPU_INSTANCE_WHOLE);
    give(&scene, 5, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(take(&scene, PSX_INSTANCE_BEFORE, &request), 5); /* 9 has been dropped */
    scene_end(&scene);
}

static void the_cache_is_charged_with_those_that_are_idle(void **state)
{
    struct psx_gpu_instance *instance;
    struct scene scene;
    uint64_t bytes;

    (void)state;
    scene_begin(&scene, BUDGET);
    instance = create(&scene, 1, PSX_GPU_INSTANCE_WHOLE);
    bytes = psx_gpu_instance_bytes(instance);
    assert_in_range(bytes, 2 << 20, (2 << 20) + 65536);
    psx_gpu_instance_destroy(&instance);
    for (unsigned n = 1; n <= LIMIT; n++) {
        give(&scene, n, PSX_GPU_INSTANCE_WHOLE);
        assert_int_equal(charged(&scene), n * bytes);
    }
    give(&scene, 9, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(charged(&scene), LIMIT * bytes);
    take(&scene, PSX_INSTANCE_THERE, &(struct psx_vram_request){.packet = 9, .upto = 9});
    assert_int_equal(charged(&scene), (LIMIT - 1) * bytes);
    scene_end(&scene);
}

static void one_is_kept_whatever_the_budget(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene, 1 << 20);
    give(&scene, 1, PSX_GPU_INSTANCE_WHOLE);
    give(&scene, 2, PSX_GPU_INSTANCE_WHOLE);
    assert_int_equal(instances_idle(&scene), 1);
    assert_int_equal(charged(&scene), 0);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_serves_where_there_is_none),
        cmocka_unit_test(the_nearest_before_goes_on),
        cmocka_unit_test(a_slice_serves_where_it_stands_or_as_memory),
        cmocka_unit_test(the_oldest_gives_way_and_slices_first),
        cmocka_unit_test(the_cache_is_charged_with_those_that_are_idle),
        cmocka_unit_test(one_is_kept_whatever_the_budget),
    };

    return cmocka_run_group_tests_name("machines", tests, NULL, NULL);
}

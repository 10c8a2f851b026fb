/* SPDX-License-Identifier: MIT */
/*
 * Keyframes: which one is found, which are shared and dropped, how threads wait for them, and when
 * building them ends.
 */
#include "tests/formats/psx/build.h"
#include "tests/support/support.h"

#include "formats/psx/replay/keyframe_builder.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/tile_liveness.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SHORT_MS = 30,
    LONG_MS = 3600000, /* longer than a test program may take */
    TILE_BYTES = PSX_TILE_WIDTH * 2 * (PSX_VRAM_HEIGHT / PSX_TILE_ROWS),
};

struct scene {
    struct psx_keyframe_store *keyframes;
    struct psx_gpu *gpu;
    struct psx_tiles tiles; /* the tiles 0,0 and 1,0 */
};

static int scene_begin(void **state)
{
    struct scene *scene = calloc(1, sizeof(*scene));

    assert_non_null(scene);
    assert_int_equal(psx_keyframe_store_create(UINT64_MAX, NULL, &scene->keyframes), 0);
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &scene->gpu), 0);
    scene->tiles.row[0] = 3;
    *state = scene;
    return 0;
}

static int scene_end(void **state)
{
    struct scene *scene = *state;

    psx_keyframe_store_destroy(&scene->keyframes);
    psx_gpu_destroy(&scene->gpu);
    free(scene);
    return 0;
}

static void add(struct scene *scene, uint64_t place, uint16_t pixel)
{
    unsigned halvings = 1;

    scene->gpu->vram[0] = pixel;
    assert_int_equal(psx_keyframe_store_add(scene->keyframes, place, &scene->tiles, &scene->tiles,
                                            scene->gpu, &halvings),
                     0);
    assert_int_equal(halvings, 0);
}

/*
 * Returns the pixel in the keyframe that is used for a position, or -1 if there is none. Sets
 * *found to its checkpoint.
 */
static int pixel_at(struct scene *scene, uint64_t place, uint64_t *found)
{
    struct psx_keyframe *keyframe = psx_keyframe_store_before(scene->keyframes, place);
    int pixel = -1;

    if (keyframe != NULL) {
        *found = psx_keyframe_checkpoint(keyframe);
        memset(scene->gpu->vram, 0xFF, 4096);
        psx_keyframe_load(keyframe, &scene->tiles, scene->gpu);
        pixel = scene->gpu->vram[0];
    }
    psx_keyframe_unref(&keyframe);
    assert_null(keyframe);
    return pixel;
}

static void there_are_none_at_first(void **state)
{
    struct psx_keyframe_store *none = NULL;
    struct scene *scene = *state;
    uint64_t found;

    assert_int_equal(pixel_at(scene, UINT64_MAX, &found), -1);
    assert_int_equal(psx_keyframe_store_bytes(scene->keyframes), 0);
    psx_keyframe_store_destroy(&none);
}

static void the_last_one_before_is_found(void **state)
{
    struct scene *scene = *state;
    uint64_t found = 0;

    add(scene, 10, 1);
    add(scene, 20, 2);
    assert_int_equal(pixel_at(scene, 9, &found), -1);
    assert_int_equal(pixel_at(scene, 10, &found), 1);
    assert_int_equal(pixel_at(scene, 19, &found), 1);
    assert_int_equal(found, 10);
    assert_int_equal(pixel_at(scene, 20, &found), 2);
    assert_int_equal(pixel_at(scene, UINT64_MAX, &found), 2);
}

static void equal_tiles_are_shared(void **state)
{
    struct scene *scene = *state;
    uint64_t one, two, three;

    add(scene, 1, 1);
    one = psx_keyframe_store_bytes(scene->keyframes);
    add(scene, 2, 1); /* both tiles as before */
    two = psx_keyframe_store_bytes(scene->keyframes);
    add(scene, 3, 5); /* one of the tiles changed */
    three = psx_keyframe_store_bytes(scene->keyframes);
    assert_true(one >= 2 * TILE_BYTES);
    assert_true(two - one < TILE_BYTES);
    assert_in_range(three - two, TILE_BYTES, 2 * TILE_BYTES - 1);
}

static void a_wait_has_an_end(void **state)
{
    struct scene *scene = *state;

    assert_false(psx_keyframe_store_wait(scene->keyframes, 5, SHORT_MS, NULL));
}

static void no_wait_for_what_is_there(void **state)
{
    struct scene *scene = *state;

    psx_keyframe_store_reach(scene->keyframes, 5);
    assert_true(psx_keyframe_store_wait(scene->keyframes, 5, LONG_MS, NULL));
    assert_true(psx_keyframe_store_wait(scene->keyframes, 0, LONG_MS, NULL));
    psx_keyframe_store_reach(scene->keyframes, UINT64_MAX);
    assert_true(psx_keyframe_store_wait(scene->keyframes, UINT64_MAX, LONG_MS, NULL));
}

struct later {
    struct psx_keyframe_store *keyframes;
    struct cancel *cancel; /* NULL: the keyframes come instead */
};

static void *do_later(void *context)
{
    struct later *later = context;

    nanosleep(&(struct timespec){.tv_nsec = SHORT_MS * 1000000}, NULL);
    if (later->cancel != NULL)
        cancel_raise(later->cancel);
    else
        psx_keyframe_store_reach(later->keyframes, 5);
    return NULL;
}

/* Returns whether the keyframes had come when the wait ended. */
static bool wait_until_later(struct scene *scene, struct cancel *cancel)
{
    struct later later = {.keyframes = scene->keyframes, .cancel = cancel};
    pthread_t thread;
    bool reached;

    assert_int_equal(pthread_create(&thread, NULL, do_later, &later), 0);
    reached = psx_keyframe_store_wait(scene->keyframes, 5, LONG_MS, cancel);
    pthread_join(thread, NULL);
    return reached;
}

static void a_wait_ends_when_they_come(void **state)
{
    assert_true(wait_until_later(*state, NULL));
}

static void a_wait_ends_when_it_is_cancelled(void **state)
{
    struct cancel cancel;

    cancel_init(&cancel, NULL);
    assert_false(wait_until_later(*state, &cancel));
}

static void making_them_gives_way_to_reading_in_order(void **state)
{
    struct scene *scene = *state;

    assert_false(psx_keyframe_store_give_way(scene->keyframes, NULL));
    do /* again if this thread was not scheduled while the order was remembered */
        psx_keyframe_store_note_order(scene->keyframes);
    while (!psx_keyframe_store_give_way(scene->keyframes, NULL));
}

/* Builds frames that are blended over their predecessors, so that each depends on all before it. */
static void build_layers(struct psx_build *build, unsigned frames)
{
    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    GP1(build, 0x03000000); /* turns the display on */
    for (unsigned frame = 0; frame < frames; frame++) {
        for (unsigned i = 0; i < 8; i++)
            GP0(build, 0x62000000 | (frame * 77 + i), 0, 256 << 16 | 320);
        psx_build_vsync(build, frame + 1);
    }
}

struct made {
    int status;
    uint64_t last, bytes;
};

/* Builds the keyframes of such a dump, within limits. */
static struct made make_layers(uint64_t max_pixels, uint64_t max_bytes)
{
    enum { FRAMES = 40 };
    struct psx_build build;
    struct psx_opened opened;
    struct psx_tile_liveness liveness;
    struct psx_keyframe_store *keyframes;
    struct psx_keyframe *last;
    struct psx_keyframe_builder_params params = {
        .liveness = &liveness, .pixels = 1, .max_pixels = max_pixels};
    struct made made = {0};

    build_layers(&build, FRAMES);
    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    params.index = psx_opened_index(&opened);
    assert_int_equal(psx_index_wait_all(psx_opened_index(&opened), NULL), 0);
    assert_int_equal(psx_tile_liveness_make(params.index, 200, NULL, &liveness), 0);
    assert_int_equal(psx_keyframe_store_create(max_bytes, NULL, &keyframes), 0);
    params.keyframes = keyframes;
    made.status = psx_keyframe_builder_run(&params, NULL);
    made.bytes = psx_keyframe_store_bytes(keyframes);
    last = psx_keyframe_store_before(keyframes, UINT64_MAX);
    if (last != NULL)
        made.last = psx_keyframe_checkpoint(last);
    psx_keyframe_unref(&last);
    psx_keyframe_store_destroy(&keyframes);
    psx_tile_liveness_clear(&liveness);
    psx_opened_close(&opened);
    psx_build_free(&build);
    return made;
}

static void the_limit_of_pixels_ends_the_making(void **state)
{
    struct made all = make_layers(0, UINT64_MAX);
    struct made some = make_layers(20 * 8 * 320 * 256, UINT64_MAX);
    struct made plenty = make_layers(UINT64_MAX, UINT64_MAX);

    (void)state;
    assert_int_equal(all.status, 0);
    assert_int_equal(plenty.status, 0);
    assert_int_equal(plenty.last, all.last);
    assert_int_equal(some.status, -E2BIG);
    assert_in_range(some.last, 1, all.last - 1); /* those that were built are used */
    assert_true(some.bytes < all.bytes);
}

struct maker {
    struct psx_keyframe_store *keyframes;
    atomic_bool works;
};

static void *wait_until_wanted(void *context)
{
    struct maker *maker = context;

    psx_keyframe_store_await_want(maker->keyframes);
    atomic_store(&maker->works, true);
    return NULL;
}

static void nobody_makes_them_unasked(void **state)
{
    struct scene *scene = *state;
    struct maker maker = {.keyframes = scene->keyframes};
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, wait_until_wanted, &maker), 0);
    nanosleep(&(struct timespec){.tv_nsec = SHORT_MS * 1000000}, NULL);
    assert_false(atomic_load(&maker.works));
    psx_keyframe_store_want(scene->keyframes);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&maker.works));
    psx_keyframe_store_want(scene->keyframes);
    psx_keyframe_store_await_want(scene->keyframes); /* from then on it returns at once */
}

static void too_many_bytes_thin_them(void **state)
{
    struct made all = make_layers(0, UINT64_MAX), fewer, none;

    (void)state;
    fewer = make_layers(0, all.bytes / 3);
    assert_int_equal(fewer.status, 0);
    assert_in_range(fewer.bytes, 1, all.bytes / 3);
    none = make_layers(0, 0);
    assert_int_equal(none.bytes, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_begin, scene_end)
    const struct CMUnitTest tests[] = {
        TEST(there_are_none_at_first),
        TEST(the_last_one_before_is_found),
        TEST(equal_tiles_are_shared),
        TEST(a_wait_has_an_end),
        TEST(no_wait_for_what_is_there),
        TEST(a_wait_ends_when_they_come),
        TEST(a_wait_ends_when_it_is_cancelled),
        TEST(making_them_gives_way_to_reading_in_order),
        TEST(nobody_makes_them_unasked),
        cmocka_unit_test(the_limit_of_pixels_ends_the_making),
        cmocka_unit_test(too_many_bytes_thin_them),
    };

    return cmocka_run_group_tests_name("keyframes", tests, NULL, NULL);
}

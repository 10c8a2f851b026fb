/* SPDX-License-Identifier: MIT */
/* Allocations that are lost, and those that defragmentation moves (vma.md 3). */
#include "config.h"

#include "tests/formats/vma/calls.h"
#include "tests/support/support.h"

#include <stdio.h>

/* Losing allocations */

#define LOSABLE 8  /* CAN_BECOME_LOST */
#define LOSER   16 /* CAN_MAKE_OTHER_LOST */

static void test_a_ring_loses_its_oldest(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", LINEAR_POOL(1000), ALLOCATE(0, 300, 8, AA, 1),
             ALLOCATE(0, 300, 8, AA, 2), ALLOCATE(0, 300, 8, AA, 3), ALLOCATE(1, 400, 16, AA, 4));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_LOST);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_LOST);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_BLOCK);
    assert_int_equal(vma_play_offset(&play, 4), 0);
    assert_int_equal(play.replay.allocator.lost, 2);
    /* Lost bytes stay in the budget until their allocation is freed. */
    assert_int_equal(play.replay.allocator.heaps[0].allocation_bytes, 1300);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_a_ring_that_loses_everything(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", LINEAR_POOL(1000), ALLOCATE(0, 300, 8, AA, 1),
             ALLOCATE(0, 600, 8, AA, 2), ALLOCATE(1, 950, 16, AA, 3), ALLOCATE(2, 100, 16, AA, 4),
             ALLOCATE(2, 40, 0, AA, 5));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_LOST);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_LOST);
    assert_int_equal(vma_play_offset(&play, 3), 0);
    assert_int_equal(place_of(&play, 4), VMA_PLACE_NULL); /* allocations in use may not be lost */
    assert_int_equal(vma_play_offset(&play, 5), 950);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_frames_in_use_protect(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,1,2,AA", ALLOCATE(0, 600, 8, AA, 1),
             ALLOCATE(2, 600, 16, AA, 2), ALLOCATE(3, 600, 16, AA, 3));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_BLOCK);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_LOST);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_touching_protects(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,1,0,AA", ALLOCATE(0, 600, 8, AA, 1),
             "1,vmaTouchAllocation,1", ALLOCATE(1, 600, 16, AA, 2),
             "2,vmaMakePoolAllocationsLost,AA", "2,vmaTouchAllocation,1", "2,vmaMapMemory,1");
    vma_play_until(&play, UINT32_MAX - 0);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_LOST);
    assert_int_equal(vma_play_find(&play, 1)->last_use, 1);
    assert_true(vma_play_complains(&play, "vmaMapMemory failed (-5)"));
    vma_play_check(&play);
    vma_play_close(&play);
}

/* The cheapest position is chosen: a victim costs 1 MiB and its bytes. */
static void test_the_cheapest_victims(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,1,0,AA", ALLOCATE(0, 200, 8, AA, 1),
             ALLOCATE(0, 200, 8, AA, 2), ALLOCATE(0, 350, 8, AA, 3), ALLOCATE(0, 250, 0, AA, 4),
             ALLOCATE(1, 340, 16, AA, 5));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_LOST);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_BLOCK);
    assert_int_equal(vma_play_offset(&play, 5), 400);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* With first fit the position that was found is dropped, as in 2.3.0. */
static void test_first_fit_loses_nothing(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,1,0,AA", ALLOCATE(0, 600, 8, AA, 1),
             ALLOCATE(1, 600, 262160, AA, 2), ALLOCATE(1, 400, 262160, AA, 3));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_BLOCK);
    assert_int_equal(vma_play_offset(&play, 3), 600); /* fits without losing anything */
    vma_play_close(&play);
}

static void test_lost_frames_wrap(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "4294967295,vmaCreatePool,0,0,1000,0,1,1,AA",
             ALLOCATE(4294967295, 600, 8, AA, 1), ALLOCATE(0, 600, 16, AA, 2),
             ALLOCATE(1, 600, 16, AA, 3));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL); /* 4294967295 + 1 is 0, not below 0 */
    assert_int_equal(place_of(&play, 3), VMA_PLACE_BLOCK);
    vma_play_close(&play);
}

/* Defragmentation */

#define DEFRAGMENT(list, pools, cpu_bytes, cpu_moves, gpu_bytes, gpu_moves, commands, context)     \
    "0,vmaDefragmentationBegin,0," list "," pools "," #cpu_bytes "," #cpu_moves "," #gpu_bytes     \
    "," #gpu_moves "," #commands "," #context

/*
 * Three blocks of 1000 bytes in a pool, with allocations 1 and 2, 3 and 4, and 5. Then 1 and 3 are
 * freed.
 */
#define FRAGMENTS                                                                                  \
    "0,vmaCreatePool,0,0,1000,0,0,0,AA", ALLOCATE(0, 600, 0, AA, 1), ALLOCATE(0, 400, 0, AA, 2),   \
        ALLOCATE(0, 600, 0, AA, 3), ALLOCATE(0, 400, 0, AA, 4), ALLOCATE(0, 500, 0, AA, 5),        \
        FREE(0, 1), FREE(0, 3)

static uint32_t pool_blocks(const struct vma_play *play)
{
    const struct vma_allocator *allocator = &play->replay.allocator;

    return vma_vector(allocator, vma_pool(allocator, allocator->first_pool)->vector)->count;
}

static void test_defragmentation_frees_blocks(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, HOST_ONLY, "", FRAGMENTS, DEFRAGMENT("", "AA", 9999, 99, 0, 0, 0, 0));
    vma_play_until(&play, play.recording.packets - 1);
    assert_int_equal(pool_blocks(&play), 3);
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(pool_blocks(&play), 2);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_defragmentation_limits(void **state)
{
    static const struct {
        const char *limits;
        unsigned moved;
    } cases[] = {{"9999,99,0,0,0,0", 2}, {"9999,1,0,0,0,0", 1}, {"450,99,0,0,0,0", 1},
                 {"0,99,0,0,0,0", 0},    {"9999,0,0,0,0,0", 0}, {"0,0,9999,99,0,0", 0}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct vma_play play;
        uint32_t blocks[6];
        uint64_t offsets[6];
        unsigned moved = 0;
        char call[128];

        snprintf(call, sizeof(call), "0,vmaDefragmentationBegin,0,2 4,,%s", cases[i].limits);
        VMA_PLAY(&play, HOST_ONLY, "", FRAGMENTS, call);
        vma_play_until(&play, play.recording.packets - 1);
        for (unsigned name = 2; name <= 5; name++)
            if (name != 3) {
                blocks[name] = vma_play_block(&play, name);
                offsets[name] = vma_play_offset(&play, name);
            }
        vma_play_until(&play, UINT32_MAX);
        for (unsigned name = 2; name <= 5; name++)
            moved += name != 3 && (blocks[name] != vma_play_block(&play, name) ||
                                   offsets[name] != vma_play_offset(&play, name));
        assert_int_equal(moved, cases[i].moved);
        vma_play_check(&play);
        vma_play_close(&play);
    }
}

static void test_gpu_defragmentation_ends_with_its_context(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", FRAGMENTS, DEFRAGMENT("", "AA", 9999, 99, 9999, 99, C, DD),
             "0,vmaDefragmentationEnd,DD", "0,vmaDefragmentationEnd,DD");
    vma_play_until(&play, play.recording.packets - 2);
    assert_int_equal(pool_blocks(&play), 3); /* still there, although empty */
    assert_int_equal(play.replay.contexts.count, 1);
    vma_play_until(&play, play.recording.packets - 1);
    assert_int_equal(pool_blocks(&play), 2);
    assert_int_equal(play.replay.contexts.count, 0);
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "Defragmentation context DD not found."));
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_a_pool_goes_within_a_defragmentation(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", FRAGMENTS, DEFRAGMENT("", "AA", 0, 0, 9999, 99, C, DD),
             "0,vmaDestroyPool,AA", "0,vmaCreatePool,0,0,1000,3,0,0,BB",
             "0,vmaDefragmentationEnd,DD");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(pool_blocks(&play), 3); /* the blocks of another pool are left alone */
    vma_play_check(&play);
    vma_play_close(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ring_loses_its_oldest),
        cmocka_unit_test(test_a_ring_that_loses_everything),
        cmocka_unit_test(test_frames_in_use_protect),
        cmocka_unit_test(test_touching_protects),
        cmocka_unit_test(test_the_cheapest_victims),
        cmocka_unit_test(test_first_fit_loses_nothing),
        cmocka_unit_test(test_lost_frames_wrap),
        cmocka_unit_test(test_defragmentation_frees_blocks),
        cmocka_unit_test(test_defragmentation_limits),
        cmocka_unit_test(test_gpu_defragmentation_ends_with_its_context),
        cmocka_unit_test(test_a_pool_goes_within_a_defragmentation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Rules of the simulated allocator on which no recording of the corpus depends (vma.md 6.5), each
 * with lines written for it: types, alignments, linear pools, names. The expected results were
 * worked out from vma.md 3.
 */
#include "config.h"

#include "tests/formats/vma/calls.h"
#include "tests/support/support.h"

#include <stdio.h>

/* Types and dedicated memory */

static void test_usages_choose_types(void **state)
{
    /* device local; host; device local and host; host cached; lazily allocated */
    static const uint32_t types[] = {1, 6, 7, 14, 17, 0};
    static const struct {
        const char *usage, *required, *preferred;
        uint8_t type;
    } cases[] = {
        {"0", "0", "0", 0}, {"1", "0", "0", 0}, {"2", "0", "0", 1}, {"3", "0", "0", 2},
        {"4", "0", "0", 3}, {"5", "0", "0", 1}, {"0", "8", "0", 3}, {"0", "0", "6", 1},
        {"1", "2", "0", 2}, {"6", "0", "0", 4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct vma_play play;
        char call[128];

        snprintf(call, sizeof(call), "0,vmaAllocateMemory,64,1,31,0,%s,%s,%s,0,0,1,",
                 cases[i].usage, cases[i].required, cases[i].preferred);
        VMA_PLAY(&play, types, "", call);
        vma_play_until(&play, UINT32_MAX);
        assert_int_equal(vma_play_find(&play, 1)->type, cases[i].type);
        /* Lazily allocated memory is always dedicated. */
        assert_int_equal(place_of(&play, 1),
                         cases[i].type == 4 ? VMA_PLACE_DEDICATED : VMA_PLACE_BLOCK);
        vma_play_close(&play);
    }
}

static void test_integrated_gpus_do_not_prefer_device_memory(void **state)
{
    static const uint32_t types[] = {6, 7, 0};
    static const struct {
        const char *device, *preferred;
        uint8_t type;
    } cases[] = {{"2", "2", 1}, {"1", "2", 0}, {"1", "0", 1}, {"1", "4", 1}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct vma_play play;
        char call[128], device[64];

        snprintf(device, sizeof(device), "PhysicalDevice,deviceType,%s\n", cases[i].device);
        snprintf(call, sizeof(call), "0,vmaAllocateMemory,64,1,3,0,1,0,%s,0,0,1,",
                 cases[i].preferred);
        VMA_PLAY(&play, types, device, call);
        vma_play_until(&play, UINT32_MAX);
        assert_int_equal(vma_play_find(&play, 1)->type, cases[i].type);
        vma_play_close(&play);
    }
}

static void test_lazily_allocated_types_are_for_transient_images(void **state)
{
    static const uint32_t types[] = {17, 1, 0};
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, types, "", "0,vmaCreateImage,0,1,37,64,64,1,1,1,1,0,16,0,0,0,0,0,0,0,0,1,",
             "0,vmaCreateImage,0,1,37,64,64,1,1,1,1,0,80,0,0,0,0,0,0,0,0,2,",
             "0,vmaCreateBuffer,0,64,1,0,0,6,0,0,0,0,3,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_find(&play, 1)->type, 1);
    assert_int_equal(vma_play_find(&play, 2)->type, 0);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_NULL);
    assert_true(vma_play_complains(&play, "vmaCreateBuffer failed, while originally succeeded."));
    vma_play_close(&play);
}

static void test_always_dedicated(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "Macro,VMA_DEBUG_ALWAYS_DEDICATED_MEMORY,1\n",
             ALLOCATE(0, 64, 0, 0, 1), ALLOCATE(0, 64, 2, 0, 2));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_DEDICATED);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL); /* NEVER_ALLOCATE, and no block */
    vma_play_close(&play);
}

static void test_flags_that_contradict_each_other(void **state)
{
    static const char *const calls[] = {
        ALLOCATE(0, 0, 0, 0, 1),
        ALLOCATE(0, 64, 3, 0, 1),
        ALLOCATE(0, 64, 12, 0, 1),
        ALLOCATE(0, 64, 1, AA, 1),
        ALLOCATE(0, 64, 64, 0, 1),
        ALLOCATE(0, 64, 196608, 0, 1),
        "0,vmaAllocateMemoryForBuffer,64,1,15,1,0,2,0,0,0,0,0,1,",
        "0,vmaAllocateMemoryForBuffer,64,1,15,1,0,0,0,0,0,0,AA,1,",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        struct vma_play play;

        VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,0,0,0,0,AA",
                 /* Since dedicated memory is possible, only the flags can make it fail. */
                 calls[i]);
        vma_play_until(&play, UINT32_MAX);
        if (i == 4 || i == 5)
            assert_int_equal(place_of(&play, 1), VMA_PLACE_DEDICATED);
        else
            assert_int_equal(place_of(&play, 1), VMA_PLACE_NULL);
        vma_play_close(&play);
    }
}

static void test_within_budget(void **state)
{
    struct vma_play play;

    (void)state;
    /* The budget of the 1 GiB heap is 858993459 bytes. */
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 800000000, 257, 0, 1),
             ALLOCATE(0, 60000000, 257, 0, 2), ALLOCATE(0, 58993459, 257, 0, 3),
             ALLOCATE(0, 60000000, 1, 0, 4), ALLOCATE(0, 64, 0, 0, 5));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_DEDICATED);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_DEDICATED);
    assert_int_equal(place_of(&play, 4), VMA_PLACE_DEDICATED); /* the budget is not heeded */
    assert_int_equal(place_of(&play, 5), VMA_PLACE_DEDICATED); /* no budget for a block */
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_without_budgets_blocks_are_made(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 900000000, 1, 0, 1), ALLOCATE(0, 64, 0, 0, 2));
    play.replay.allocator.budget = false;
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_BLOCK);
    vma_play_close(&play);
}

/* Alignments */

static void test_alignments(void **state)
{
    static const uint32_t types[] = {2, 6, 0}; /* not coherent; coherent */
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, types, "", "0,vmaAllocateMemory,1,1,1,0,0,0,0,0,0,1,",
             "0,vmaAllocateMemory,1,1,1,0,0,0,0,0,0,2,", "0,vmaAllocateMemory,1,1,2,0,0,0,0,0,0,3,",
             "0,vmaAllocateMemory,1,1,2,0,0,0,0,0,0,4,", "0,vmaAllocateMemory,1,0,2,0,0,0,0,0,0,5,",
             "0,vmaAllocateMemory,1,12,2,0,0,0,0,0,0,6,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 2), 64); /* nonCoherentAtomSize */
    assert_int_equal(vma_play_offset(&play, 4), 1);
    assert_int_equal(vma_play_offset(&play, 5), 2);
    assert_int_equal(vma_play_offset(&play, 6), 12); /* by division, since it is no power of two */
    assert_true(vma_play_complains(&play, "Alignment 0 is not a power of two."));
    assert_true(vma_play_complains(&play, "Alignment 12 is not a power of two."));
    vma_play_check(&play);
    vma_play_close(&play);
    VMA_PLAY(&play, types, "Macro,VMA_MIN_ALIGNMENT,32\n",
             "0,vmaAllocateMemory,1,1,2,0,0,0,0,0,0,1,",
             "0,vmaAllocateMemory,1,16,2,0,0,0,0,0,0,2,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 2), 32);
    vma_play_close(&play);
}

static void test_corruption_detection_rounds_to_four(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_AND_HOST,
             "Macro,VMA_DEBUG_MARGIN,16\nMacro,VMA_DEBUG_DETECT_CORRUPTION,1\n",
             "0,vmaAllocateMemory,5,1,2,0,0,0,0,0,0,1,", "0,vmaAllocateMemory,5,1,2,0,0,0,0,0,0,2,",
             "0,vmaAllocateMemory,5,1,1,0,0,0,0,0,0,3,", "0,vmaAllocateMemory,5,1,1,0,0,0,0,0,0,4,",
             "0,vmaAllocateMemory,5,1,2,1,0,0,0,0,0,5,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_find(&play, 1)->size, 8);
    assert_int_equal(vma_play_offset(&play, 1), 16);
    assert_int_equal(vma_play_offset(&play, 2), 40);
    assert_int_equal(vma_play_find(&play, 3)->size, 5); /* its type is not host visible */
    assert_int_equal(vma_play_offset(&play, 4), 37);
    assert_int_equal(vma_play_find(&play, 5)->size, 5); /* dedicated memory is not rounded */
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Granularity of the default algorithm */

static void test_granularity(void **state)
{
    struct vma_play play;

    (void)state;
    /*
     * An optimal image after a buffer on its page is raised to the next page. Linear images may
     * share pages with buffers.
     */
    VMA_PLAY(&play, LOCAL_ONLY, "PhysicalDeviceLimits,bufferImageGranularity,65536\n",
             "0,vmaCreateBuffer,0,64,1,0,0,0,0,0,0,0,1,",
             "0,vmaCreateImage,0,1,37,4,4,1,1,1,1,1,1,0,0,0,0,0,0,0,0,2,",
             "0,vmaCreateImage,0,1,37,4,4,1,1,1,1,0,4,0,0,0,0,0,0,0,0,3,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 1), 0);
    assert_int_equal(vma_play_offset(&play, 2), 256);
    assert_int_equal(vma_play_offset(&play, 3), 65536);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Linear pools */

static void test_double_stack(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", LINEAR_POOL(1000), ALLOCATE(0, 100, 0, AA, 1),
             ALLOCATE(0, 100, 64, AA, 2), ALLOCATE_ALIGNED(0, 100, 64, 64, AA, 3),
             ALLOCATE(0, 669, 0, AA, 4), ALLOCATE(0, 668, 0, AA, 5), FREE(0, 3),
             ALLOCATE(0, 132, 64, AA, 6), ALLOCATE(0, 1, 64, AA, 7), FREE(0, 1), FREE(0, 5),
             ALLOCATE(0, 768, 0, AA, 8));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 2), 900);
    assert_int_equal(place_of(&play, 4), VMA_PLACE_NULL); /* 100 + 669 > 768 */
    assert_int_equal(vma_play_offset(&play, 6), 768);
    assert_int_equal(place_of(&play, 7), VMA_PLACE_NULL);
    assert_int_equal(vma_play_offset(&play, 8), 0);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_a_stack_becomes_plain_again(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", LINEAR_POOL(1000), ALLOCATE(0, 400, 0, AA, 1),
             ALLOCATE(0, 400, 64, AA, 2), FREE(0, 2), ALLOCATE(0, 500, 0, AA, 3), FREE(0, 1),
             ALLOCATE(0, 300, 0, AA, 4), ALLOCATE(0, 100, 64, AA, 5));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 3), 400);
    assert_int_equal(vma_play_offset(&play, 4), 0);       /* the ring wraps */
    assert_int_equal(place_of(&play, 5), VMA_PLACE_NULL); /* a ring has no upper addresses */
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_upper_addresses_need_a_linear_pool_of_one_block(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,4,1000,0,2,0,AA",
             "0,vmaCreatePool,0,0,1000,0,1,0,BB", ALLOCATE(0, 10, 64, AA, 1),
             ALLOCATE(0, 10, 64, BB, 2));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    vma_play_close(&play);
}

static void test_granularity_in_a_stack(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "PhysicalDeviceLimits,bufferImageGranularity,256\n",
             LINEAR_POOL(4096), ALLOCATE(0, 16, 64, AA, 1),
             /* A buffer next to a resource of unknown kind is lowered to the page before. */
             "0,vmaCreateBuffer,0,16,1,0,64,0,0,0,0,AA,2,",
             "0,vmaCreateBuffer,0,16,1,0,64,0,0,0,0,AA,3,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 1), 4080);
    /*
     * 4080 - 16, aligned down to 64: 4032, which is on the page of 4080; so aligned down to 256:
     * 3840
     */
    assert_int_equal(vma_play_offset(&play, 2), 3840);
    assert_int_equal(vma_play_offset(&play, 3), 3776);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Pools and names */

static void test_orphans(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,0,0,AA", ALLOCATE(0, 600, 0, AA, 1),
             "0,vmaDestroyPool,AA", "0,vmaTouchAllocation,1", FREE(0, 1), FREE(0, 1));
    vma_play_until(&play, play.recording.packets - 2);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_ORPHAN);
    assert_int_equal(block_bytes(&play), 0);
    assert_true(vma_play_complains(&play, "Pool AA is destroyed with 1 allocations."));
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "The pool of allocation 1 was destroyed."));
    assert_true(vma_play_complains(&play, "Allocation 1 not found."));
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_null_allocations(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 0, 0, 0, 1), "0,vmaMapMemory,1",
             "0,vmaSetAllocationUserData,1,AB", FREE(0, 1), FREE(0, 0));
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "Cannot call vmaMapMemory - allocation is null."));
    assert_int_equal(problems_count(play.problems), 2);
    assert_int_equal(play.replay.allocator.null, 0);
    vma_play_close(&play);
}

static void test_what_failed_then_succeeds_now(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 64, 0, 0, 0), "0,vmaCreatePool,0,0,64,1,0,0,0",
             "0,vmaCreatePool,9,0,64,1,0,0,AA", ALLOCATE(0, 64, 0, AA, 1));
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "vmaAllocateMemory succeeded, originally failed."));
    assert_true(vma_play_complains(&play, "vmaCreatePool succeeded, originally failed."));
    assert_true(vma_play_complains(&play, "vmaCreatePool failed, while originally succeeded."));
    assert_int_equal(place_of(&play, 1), VMA_PLACE_BLOCK); /* a failed pool counts as none */
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_a_name_taken_twice(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 64, 0, 0, 1), ALLOCATE(0, 64, 0, 0, 1), FREE(0, 1),
             FREE(0, 1));
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "Allocation 1 already exists."));
    assert_true(vma_play_complains(&play, "Allocation 1 not found."));
    assert_int_equal(play.replay.allocator.live, 1); /* the old allocation leaks */
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_pages_are_all_or_nothing(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,2,0,AA",
             "0,vmaAllocateMemoryPages,400,1,1,0,0,0,0,0,AA,1 2 3 4,",
             "0,vmaAllocateMemoryPages,400,1,1,0,0,0,0,0,AA,5,", "0,vmaFreeMemoryPages,1 3 0",
             "0,vmaAllocateMemoryPages,400,1,1,0,0,0,0,0,AA,5 6 7,",
             "0,vmaAllocateMemoryPages,400,1,1,0,0,0,0,0,0,,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 2), 400);
    for (uint64_t name = 5; name <= 7; name++)
        assert_int_equal(place_of(&play, name), VMA_PLACE_NULL);
    assert_int_equal(play.replay.allocator.live, 2);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_user_data(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaAllocateMemory,64,1,1,32,0,0,0,0,0,1,a, b",
             "0,vmaAllocateMemory,64,1,1,0,0,0,0,0,0,2,ABC,9",
             "0,vmaAllocateMemory,64,1,1,0,0,0,0,0,0,3,a name",
             "0,vmaAllocateMemory,64,1,1,32,0,0,0,0,0,4", "0,vmaSetAllocationUserData,1,c,d",
             "0,vmaSetAllocationUserData,2");
    vma_play_until(&play, play.recording.packets - 2);
    assert_true(vma_play_find(&play, 1)->string);
    assert_int_equal(vma_play_find(&play, 1)->user_length, 4);
    assert_int_equal(vma_play_find(&play, 2)->user, 0xABC);
    assert_true(vma_play_complains(&play, "Surplus columns after the user data pointer."));
    assert_true(vma_play_complains(&play, "User data is not a pointer; treated as null."));
    assert_int_equal(vma_play_find(&play, 3)->user, 0);
    assert_false(vma_play_find(&play, 4)->string);
    vma_play_until(&play, UINT32_MAX);
    assert_memory_equal(play.bytes + vma_play_find(&play, 1)->user, "c,d", 3);
    assert_int_equal(vma_play_find(&play, 2)->user, 0);
    vma_play_check(&play);
    vma_play_close(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usages_choose_types),
        cmocka_unit_test(test_integrated_gpus_do_not_prefer_device_memory),
        cmocka_unit_test(test_lazily_allocated_types_are_for_transient_images),
        cmocka_unit_test(test_always_dedicated),
        cmocka_unit_test(test_flags_that_contradict_each_other),
        cmocka_unit_test(test_within_budget),
        cmocka_unit_test(test_without_budgets_blocks_are_made),
        cmocka_unit_test(test_alignments),
        cmocka_unit_test(test_corruption_detection_rounds_to_four),
        cmocka_unit_test(test_granularity),
        cmocka_unit_test(test_double_stack),
        cmocka_unit_test(test_a_stack_becomes_plain_again),
        cmocka_unit_test(test_upper_addresses_need_a_linear_pool_of_one_block),
        cmocka_unit_test(test_granularity_in_a_stack),
        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_null_allocations),
        cmocka_unit_test(test_what_failed_then_succeeds_now),
        cmocka_unit_test(test_a_name_taken_twice),
        cmocka_unit_test(test_pages_are_all_or_nothing),
        cmocka_unit_test(test_user_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Calls that no game makes: absurd numbers, and work that is given up in time */
#include "config.h"

#include "tests/formats/vma/calls.h"
#include "tests/support/support.h"

#include <string.h>

/* Hostile calls */

static void test_sizes_near_the_end_of_numbers(void **state)
{
    static const char *const calls[] = {
        "0,vmaAllocateMemory,18446744073709551615,1,1,0,0,0,0,0,0,1,",
        "0,vmaAllocateMemory,18446744073709551615,18446744073709551615,1,1,0,0,0,0,0,1,",
        "0,vmaAllocateMemory,1,18446744073709551615,1,0,0,0,0,0,0,1,",
        "0,vmaAllocateMemory,1,9223372036854775808,1,0,0,0,0,0,0,1,",
        "0,vmaAllocateMemory,18446744073709551600,1,1,0,0,0,0,0,AA,1,",
        "0,vmaAllocateMemory,18446744073709551600,1,1,64,0,0,0,0,BB,1,",
        "0,vmaAllocateMemory,18446744073709551600,1,1,0,0,0,0,0,CC,1,",
        "0,vmaAllocateMemoryPages,9223372036854775808,1,1,257,0,0,0,0,0,1 2 3,",
        "0,vmaCreateBuffer,0,18446744073709551615,16,0,0,0,0,0,0,0,1,",
        ("0,vmaCreateImage,0,1,37,4294967295,4294967295,4294967295,4294967295,4294967295,"
         "4294967295,0,4,0,0,0,0,0,0,0,0,1,"),
        "0,vmaCreateImage,0,1,37,4294967295,1,1,1,1,1,1,4,0,0,0,0,0,0,0,0,1,",
        "0,vmaCreateImage,0,1,37,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,",
        "0,vmaFlushAllocation,1,18446744073709551615,18446744073709551615",
    };
    static const char *const margins[] = {"",
                                          "Macro,VMA_DEBUG_MARGIN,9223372036854775808\n",
                                          "Macro,VMA_DEBUG_MARGIN,18446744073709551615\n",
                                          "Macro,VMA_SMALL_HEAP_MAX_SIZE,0\n"
                                          "Macro,VMA_DEFAULT_LARGE_HEAP_BLOCK_SIZE,"
                                          "18446744073709551615\n",
                                          "Macro,VMA_DEFAULT_LARGE_HEAP_BLOCK_SIZE,0\n"
                                          "Macro,VMA_SMALL_HEAP_MAX_SIZE,0\n",
                                          "Macro,VMA_DEBUG_ALIGNMENT,18446744073709551615\n",
                                          "PhysicalDeviceLimits,bufferImageGranularity,"
                                          "18446744073709551615\n",
                                          "PhysicalDeviceLimits,nonCoherentAtomSize,0\n",
                                          "PhysicalDeviceMemory,Heap,0,size,"
                                          "18446744073709551615\n"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        for (size_t j = 0; j < COUNT_OF(margins); j++) {
            struct vma_play play;

            VMA_PLAY(&play, LOCAL_ONLY, margins[j], "0,vmaCreatePool,0,0,1000,0,0,0,AA",
                     LINEAR_POOL(1000), "0,vmaCreatePool,0,4,1000,0,1,0,BB",
                     "0,vmaCreatePool,0,8,1000,0,1,0,CC", ALLOCATE(0, 64, 0, AA, E1), calls[i],
                     ALLOCATE(0, 64, 0, BB, E2), ALLOCATE(0, 64, 64, BB, E3),
                     ALLOCATE(0, 64, 0, CC, E4));
            vma_play_until(&play, UINT32_MAX);
            vma_play_check(&play);
            vma_play_close(&play);
        }
}

static void test_pools_of_absurd_counts(void **state)
{
    static const char *const calls[] = {
        "0,vmaCreatePool,0,0,0,18446744073709551615,18446744073709551615,0,AA",
        "0,vmaCreatePool,0,0,1,18446744073709551615,0,0,AA",
        "0,vmaCreatePool,0,8,1,18446744073709551615,0,0,AA",
        "0,vmaCreatePool,0,0,18446744073709551615,1,0,0,AA",
        "0,vmaCreatePool,0,0,64,2,1,0,AA",
        "0,vmaCreatePool,4294967295,0,64,2,1,0,AA",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        struct vma_play play;

        VMA_PLAY(&play, LOCAL_ONLY, "PhysicalDeviceLimits,maxMemoryAllocationCount,4294967295\n",
                 calls[i], ALLOCATE(0, 1, 0, AA, 1));
        vma_play_until(&play, UINT32_MAX);
        assert_true(vma_play_complains(&play, "vmaCreatePool failed, while originally succeeded."));
        assert_int_equal(play.replay.allocator.blocks.used, 1); /* a default one */
        vma_play_check(&play);
        vma_play_close(&play);
    }
}

static void test_many_empty_pools(void **state)
{
    enum { POOLS = 20000 };
    struct text text = TEXT_INIT;
    struct vma_play play;

    (void)state;
    text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,0\n");
    for (unsigned i = 1; i <= POOLS; i++)
        text_printf(&text, "1,0.0,0,vmaCreatePool,0,0,0,0,0,0,%X\n", i);
    vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(play.recording.counts.max_pools, POOLS);
    assert_int_equal(play.replay.allocator.pools.used, POOLS);
    vma_play_check(&play);
    vma_play_close(&play);
}

/*
 * Alignments that no free range can satisfy, in a block with many ranges: the search is given up in
 * time.
 */
static void test_searches_end(void **state)
{
    enum { HOLES = 3000, TRIES = 3000 };
    struct text text = TEXT_INIT;
    struct vma_play play;

    (void)state;
    text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,0\n"
                    "1,0.0,0,vmaCreatePool,0,0,1048576,0,1,0,AAAAAAAA\n");
    for (unsigned i = 1; i <= HOLES; i++)
        text_printf(&text, "1,0.0,0,vmaAllocateMemory,%u,1,1,0,0,0,0,0,AAAAAAAA,%X,\n",
                    i % 2 == 0 ? 300 : 40, i);
    for (unsigned i = 2; i <= HOLES; i += 2)
        text_printf(&text, "1,0.0,0,vmaFreeMemory,%X\n", i);
    for (unsigned i = 1; i <= TRIES; i++)
        text_printf(&text, "1,0.0,1,vmaAllocateMemory,100,1048576,1,16,0,0,0,0,AAAAAAAA,F%07X,\n",
                    i);
    vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(play.replay.allocator.live, HOLES / 2);
    vma_play_check(&play);
    /* Once all steps are used up, a call gets only a few. */
    play.replay.allocator.all_steps = VMA_STEPS_ALL;
    vma_allocator_begin_call(&play.replay.allocator);
    for (unsigned i = 0; i < VMA_STEPS_LATER; i++)
        assert_true(vma_step(&play.replay.allocator));
    assert_false(vma_step(&play.replay.allocator));
    vma_play_close(&play);
}

/*
 * A pool of many allocations that cannot be lost, requested to lose them again and again: each
 * allocation visited is a step.
 */
static void test_losing_takes_steps(void **state)
{
    enum { ALLOCATIONS = 600, CALLS = 100 };
    struct text text = TEXT_INIT;
    struct vma_play play;

    (void)state;
    text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,0\n"
                    "1,0.0,0,vmaCreatePool,0,0,1048576,0,1,0,AAAAAAAA\n");
    for (unsigned i = 1; i <= ALLOCATIONS; i++)
        text_printf(&text, "1,0.0,0,vmaAllocateMemory,64,1,1,0,0,0,0,0,AAAAAAAA,%X,\n", i);
    for (unsigned i = 0; i <= CALLS; i++)
        text_add(&text, "1,0.0,1,vmaMakePoolAllocationsLost,AAAAAAAA\n");
    vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
    vma_play_until(&play, 2 + 1 + ALLOCATIONS + CALLS);
    assert_true(play.replay.allocator.all_steps >= (CALLS - 1) * ALLOCATIONS);
    assert_false(vma_play_complains(&play, "takes too much work"));
    play.replay.allocator.all_steps = VMA_STEPS_ALL;
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "vmaMakePoolAllocationsLost takes too much work"));
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Each free visits all blocks of its pool, to find two to exchange. */
static void test_sorting_takes_steps(void **state)
{
    enum { BLOCKS = 2000, FREES = 50 };
    struct text text = TEXT_INIT;
    struct vma_play play;

    (void)state;
    text_printf(&text,
                "Vulkan Memory Allocator,Calls recording\n1,8\nConfig,Begin\n"
                "PhysicalDeviceLimits,maxMemoryAllocationCount,4294967295\n"
                "PhysicalDeviceMemory,HeapCount,1\nPhysicalDeviceMemory,Heap,0,size,1073741824\n"
                "PhysicalDeviceMemory,TypeCount,1\nPhysicalDeviceMemory,Type,0,heapIndex,0\n"
                "PhysicalDeviceMemory,Type,0,propertyFlags,1\nConfig,End\n"
                "1,0.0,0,vmaCreatePool,0,0,64,%u,%u,0,AA\n",
                BLOCKS, BLOCKS);
    for (unsigned i = 0; i <= FREES; i++)
        text_printf(&text,
                    "1,0.0,0,vmaAllocateMemory,64,1,1,0,0,0,0,0,AA,%X,\n1,0.0,0,vmaFreeMemory,%X\n",
                    i + 1, i + 1);
    vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
    vma_play_until(&play, play.recording.packets - 2);
    assert_in_range(play.replay.allocator.sorting_steps, FREES * (BLOCKS - 1), FREES * BLOCKS);
    assert_false(vma_play_complains(&play, "takes too much work"));
    play.replay.allocator.sorting_steps = VMA_SORTING_STEPS_ALL;
    vma_play_until(&play, UINT32_MAX);
    assert_in_range(play.replay.allocator.sorting_steps, VMA_SORTING_STEPS_ALL,
                    VMA_SORTING_STEPS_ALL + VMA_STEPS_LATER + 1);
    assert_true(vma_play_complains(&play, "vmaFreeMemory takes too much work"));
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_defects_have_a_limit(void **state)
{
    enum { MORE = 100000 };
    struct vma_diagnostics diagnostics = {0};
    struct text text = TEXT_INIT;

    (void)state;
    assert_int_equal(problems_create(&diagnostics.problems), 0);
    for (uint64_t n = 0; n < VMA_DEFECTS_MAX + MORE; n++)
        vma_diagnostics_add(&diagnostics, PROBLEM_WARNING, n, n, "Wrong.");
    assert_int_equal(diagnostics.count, VMA_DEFECTS_MAX + MORE);
    assert_in_range(problems_count(diagnostics.problems), VMA_DEFECTS_MAX / 2, VMA_DEFECTS_MAX + 1);
    problems_write(diagnostics.problems, &text);
    text_add_char(&text, '\0');
    assert_non_null(strstr(text.bytes, "error: more than 262144 defects in lines"));
    text_clear(&text);
    problems_destroy(&diagnostics.problems);
}

static void test_state_has_a_limit(void **state)
{
    enum { ALLOCATIONS = 5000 };
    struct text text = TEXT_INIT;
    struct vma_play play;

    (void)state;
    text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,5\n"
                    "1,0.0,0,vmaAllocateMemoryPages,64,1,1,0,0,0,0,0,0,");
    for (unsigned i = 1; i <= ALLOCATIONS; i++)
        text_printf(&text, "%X ", i);
    text_add(&text, ",\n");
    for (unsigned i = 1; i <= ALLOCATIONS; i++)
        text_printf(&text, "1,0.0,0,vmaAllocateMemory,64,1,1,0,0,0,0,0,0,F%07X,\n", i);
    vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
    play.replay.allocator.max_bytes = 300000;
    vma_play_until(&play, UINT32_MAX);
    assert_true(vma_play_complains(&play, "would need too much memory and fails"));
    assert_true(vma_allocator_bytes(&play.replay.allocator) < 600000);
    vma_play_check(&play);
    vma_play_close(&play);
}

static void test_no_types_and_no_heaps(void **state)
{
    static const char *const preambles[] = {
        "Config,Begin\nConfig,End\n",
        "Config,Begin\nPhysicalDeviceMemory,TypeCount,2\nConfig,End\n",
        "Config,Begin\nPhysicalDeviceMemory,HeapCount,1\nConfig,End\n",
        ("Config,Begin\nPhysicalDeviceMemory,HeapCount,1\nPhysicalDeviceMemory,TypeCount,1\n"
         "Config,End\n"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(preambles); i++) {
        struct text text = TEXT_INIT;
        struct vma_play play;

        text_printf(&text,
                    "Vulkan Memory Allocator,Calls recording\n1,8\n%s"
                    "1,0.0,0,vmaAllocateMemory,64,1,15,0,0,0,0,0,0,1,\n"
                    "1,0.0,0,vmaCreatePool,0,0,0,0,0,0,A\n",
                    preambles[i]);
        vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
        vma_play_until(&play, UINT32_MAX);
        assert_int_equal(place_of(&play, 1), VMA_PLACE_NULL);
        vma_play_check(&play);
        vma_play_close(&play);
    }
}

/* Pools without blocks, pools that cannot be created, and contexts, each of a few bytes a line */
static void test_what_has_no_blocks_has_a_limit(void **state)
{
    static const char *const lines[] = {"1,0.0,0,vmaCreatePool,0,0,0,0,0,0,",
                                        "1,0.0,0,vmaCreatePool,99,0,0,0,0,0,",
                                        "1,0.0,0,vmaDefragmentationBegin,0,,,0,0,0,0,0,"};
    enum { LINES = 10000 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct text text = TEXT_INIT;
        struct vma_play play;

        text_add(&text, "Vulkan Memory Allocator,Calls recording\n1,8\n");
        for (unsigned n = 1; n <= LINES; n++) {
            text_add(&text, lines[i]);
            text_printf(&text, "%X\n", n);
        }
        vma_play_open(&play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
        play.replay.allocator.max_bytes = 50000;
        vma_play_until(&play, UINT32_MAX);
        assert_true(vma_play_complains(&play, " would need too much memory and fails."));
        assert_in_range(vma_allocator_bytes(&play.replay.allocator), 10000, 75000);
        vma_play_check(&play);
        vma_play_close(&play);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_near_the_end_of_numbers),
        cmocka_unit_test(test_pools_of_absurd_counts),
        cmocka_unit_test(test_many_empty_pools),
        cmocka_unit_test(test_searches_end),
        cmocka_unit_test(test_defects_have_a_limit),
        cmocka_unit_test(test_losing_takes_steps),
        cmocka_unit_test(test_sorting_takes_steps),
        cmocka_unit_test(test_state_has_a_limit),
        cmocka_unit_test(test_what_has_no_blocks_has_a_limit),
        cmocka_unit_test(test_no_types_and_no_heaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

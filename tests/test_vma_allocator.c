/*
 * Rules of the simulated allocator that no recording of the corpus depends on
 * (vma.md 6.5), by lines made up for each, and its caps. What is expected was worked
 * out from vma.md 3.
 */
#include "config.h"

#include "support.h"
#include "vma_play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory types by their property flags. */
#define LOCAL_AND_HOST ((const uint32_t[]){1, 6, 0})
#define LOCAL_ONLY     ((const uint32_t[]){1, 0})
#define HOST_ONLY      ((const uint32_t[]){6, 0})

/* `FRAME,vmaAllocateMemory` of any alignment in type bits 15: flags, then pool, then name. */
#define ALLOCATE(frame, size, flags, pool, name)                                                   \
#frame ",vmaAllocateMemory," #size ",1,15," #flags ",0,0,0,0," #pool "," #name ","
#define ALLOCATE_ALIGNED(frame, size, alignment, flags, pool, name)                                \
#frame ",vmaAllocateMemory," #size "," #alignment ",15," #flags ",0,0,0,0," #pool "," #name ","
#define FREE(frame, name) #frame ",vmaFreeMemory," #name
#define LINEAR_POOL(size) "0,vmaCreatePool,0,4," #size ",0,1,0,AA"

/* Of the only heap. */
static uint64_t block_bytes(const struct vma_play *play)
{
    return play->replay.allocator.heaps[0].block_bytes;
}

static enum vma_place_kind place_of(const struct vma_play *play, uint64_t pointer)
{
    return (enum vma_place_kind)vma_play_find(play, pointer)->place;
}

/* Types and dedicated memory. */

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

static void test_integrated_gpus_do_not_wish_for_device_memory(void **state)
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
                 /* With dedicated memory as a way out, only the flags can fail it. */
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
    /* Of the 1 GiB heap 858993459 bytes are budget. */
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 800000000, 257, 0, 1),
             ALLOCATE(0, 60000000, 257, 0, 2), ALLOCATE(0, 58993459, 257, 0, 3),
             ALLOCATE(0, 60000000, 1, 0, 4), ALLOCATE(0, 64, 0, 0, 5));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_DEDICATED);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 3), VMA_PLACE_DEDICATED);
    assert_int_equal(place_of(&play, 4), VMA_PLACE_DEDICATED); /* nothing asked for the budget */
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

/* Alignments. */

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
    assert_int_equal(vma_play_offset(&play, 6), 12); /* by division */
    assert_true(vma_play_complains(&play, "Alignment 0 is no power of two."));
    assert_true(vma_play_complains(&play, "Alignment 12 is no power of two."));
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

/* Granularity of the default algorithm. */

static void test_granularity(void **state)
{
    struct vma_play play;

    (void)state;
    /* A buffer, then an optimal image on its page: raised. Linear images share with buffers. */
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

/* Linear pools. */

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
    assert_int_equal(place_of(&play, 5), VMA_PLACE_NULL); /* no upper address in a ring */
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
             /* A buffer beside what is unknown: lowered to the page before. */
             "0,vmaCreateBuffer,0,16,1,0,64,0,0,0,0,AA,2,",
             "0,vmaCreateBuffer,0,16,1,0,64,0,0,0,0,AA,3,");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_play_offset(&play, 1), 4080);
    /* 4080 - 16, down to 64: 4032, on the page of 4080; down to 256: 3840 */
    assert_int_equal(vma_play_offset(&play, 2), 3840);
    assert_int_equal(vma_play_offset(&play, 3), 3776);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Losing. */

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
    assert_int_equal(place_of(&play, 4), VMA_PLACE_NULL); /* what lives may not be lost */
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

/* The cheapest place: 1 MiB for each victim, and their bytes. */
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

/* With first fit the place that was found is dropped, as 2.3.0 does. */
static void test_first_fit_loses_nothing(void **state)
{
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", "0,vmaCreatePool,0,0,1000,0,1,0,AA", ALLOCATE(0, 600, 8, AA, 1),
             ALLOCATE(1, 600, 262160, AA, 2), ALLOCATE(1, 400, 262160, AA, 3));
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(place_of(&play, 2), VMA_PLACE_NULL);
    assert_int_equal(place_of(&play, 1), VMA_PLACE_BLOCK);
    assert_int_equal(vma_play_offset(&play, 3), 600); /* without losing it fits */
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

/* Defragmentation. */

#define DEFRAGMENT(list, pools, cpu_bytes, cpu_moves, gpu_bytes, gpu_moves, commands, context)     \
    "0,vmaDefragmentationBegin,0," list "," pools "," #cpu_bytes "," #cpu_moves "," #gpu_bytes     \
    "," #gpu_moves "," #commands "," #context

/* Three blocks of 1000 bytes in a pool: 1 and 2, 3 and 4, 5. Then 1, 3 are freed. */
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
    assert_int_equal(pool_blocks(&play), 3); /* still there, though empty */
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
    assert_int_equal(pool_blocks(&play), 3); /* another pool's are not its business */
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Pools and names. */

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
    assert_int_equal(play.replay.allocator.live, 1); /* the old one leaks */
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
    assert_true(vma_play_complains(&play, "Surplus columns behind the user data pointer."));
    assert_true(vma_play_complains(&play, "User data is no pointer; taken as null."));
    assert_int_equal(vma_play_find(&play, 3)->user, 0);
    assert_false(vma_play_find(&play, 4)->string);
    vma_play_until(&play, UINT32_MAX);
    assert_memory_equal(play.bytes + vma_play_find(&play, 1)->user, "c,d", 3);
    assert_int_equal(vma_play_find(&play, 2)->user, 0);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Hostile calls. */

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
    assert_int_equal(play.recording.most_pools, POOLS);
    assert_int_equal(play.replay.allocator.pools.used, POOLS);
    vma_play_check(&play);
    vma_play_close(&play);
}

/* Alignments that no free range can satisfy, in a block with many: given up in time. */
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
    /* Once all steps are used up, a call gets few. */
    play.replay.allocator.all_steps = VMA_STEPS_ALL;
    vma_allocator_begin_call(&play.replay.allocator);
    for (unsigned i = 0; i < VMA_STEPS_LATER; i++)
        assert_true(vma_step(&play.replay.allocator));
    assert_false(vma_step(&play.replay.allocator));
    vma_play_close(&play);
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
    play.replay.allocator.most_bytes = 300000;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usages_choose_types),
        cmocka_unit_test(test_integrated_gpus_do_not_wish_for_device_memory),
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
        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_null_allocations),
        cmocka_unit_test(test_what_failed_then_succeeds_now),
        cmocka_unit_test(test_a_name_taken_twice),
        cmocka_unit_test(test_pages_are_all_or_nothing),
        cmocka_unit_test(test_user_data),
        cmocka_unit_test(test_sizes_near_the_end_of_numbers),
        cmocka_unit_test(test_pools_of_absurd_counts),
        cmocka_unit_test(test_many_empty_pools),
        cmocka_unit_test(test_searches_end),
        cmocka_unit_test(test_state_has_a_limit),
        cmocka_unit_test(test_no_types_and_no_heaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

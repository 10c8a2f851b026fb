/* SPDX-License-Identifier: MIT */
/* Reasons why calls fail (vma.md 3.14), with lines written for each */
#include "config.h"

#include "tests/formats/vma/calls.h"
#include "tests/support/support.h"

#include "formats/vma/replay/history.h"

#include <stdio.h>

#define POOL_OF_ONE(size) "0,vmaCreatePool,0,0," #size ",0,1,0,AA"
#define LAZILY            "0,vmaAllocateMemory,100,1,15,0,0,16,0,0,0,1,"

/* Replays what the caller has opened, and checks its only failure, at the last packet. */
static void expect(struct vma_play *play, enum vma_failure reason)
{
    struct vma_history history;

    vma_history_init(&history);
    play->replay.history = &history;
    vma_play_until(play, UINT32_MAX);
    assert_int_equal(history.failure_count, 1);
    assert_int_equal(history.failures[0].reason, reason);
    assert_int_equal(history.failures[0].packet, play->recording.packets - 1);
    assert_true(history.failures[0].succeeded);
    play->replay.history = NULL;
    vma_history_clear(&history);
    vma_play_check(play);
    vma_play_close(play);
}

#define EXPECT(reason, more, ...)                                                                  \
    do {                                                                                           \
        struct vma_play play;                                                                      \
                                                                                                   \
        VMA_PLAY(&play, LOCAL_ONLY, more, __VA_ARGS__);                                            \
        expect(&play, reason);                                                                     \
    } while (false)

static void test_requests_that_are_none(void **state)
{
    (void)state;
    EXPECT(VMA_FAILURE_REQUEST, "", ALLOCATE(0, 0, 0, 0, 1));
    EXPECT(VMA_FAILURE_REQUEST, "", ALLOCATE(0, 100, 3, 0, 1)); /* dedicated, but none allowed */
    EXPECT(VMA_FAILURE_REQUEST, "", "0,vmaCreatePool,0,0,1000,2,1,0,AA");
}

static void test_types(void **state)
{
    (void)state;
    EXPECT(VMA_FAILURE_TYPE, "", LAZILY);
    EXPECT(VMA_FAILURE_TYPE, "", "0,vmaCreatePool,1,0,1000,0,1,0,AA");
}

static void test_blocks(void **state)
{
    (void)state;
    EXPECT(VMA_FAILURE_NEVER, "", ALLOCATE(0, 100, 2, 0, 1));
    EXPECT(VMA_FAILURE_BLOCK_SIZE, "", POOL_OF_ONE(1000), ALLOCATE(0, 1001, 0, AA, 1));
    EXPECT(VMA_FAILURE_POOL, "", POOL_OF_ONE(1000), ALLOCATE(0, 600, 0, AA, 1),
           ALLOCATE(0, 600, 0, AA, 2));
}

static void test_the_device(void **state)
{
    (void)state;
    EXPECT(VMA_FAILURE_HEAP, "", ALLOCATE(0, 1073741825, 0, 0, 1));
    EXPECT(VMA_FAILURE_BUDGET, "", ALLOCATE(0, 900000000, 256, 0, 1)); /* within the budget */
    EXPECT(VMA_FAILURE_COUNT, "PhysicalDeviceLimits,maxMemoryAllocationCount,1\n",
           ALLOCATE(0, 100, 1, 0, 1), ALLOCATE(0, 100, 1, 0, 2));
}

static void test_what_was_recorded_as_failed(void **state)
{
    struct vma_history history;
    struct vma_play play;

    (void)state;
    VMA_PLAY(&play, LOCAL_ONLY, "", ALLOCATE(0, 100, 2, 0, 0), ALLOCATE(0, 100, 0, 0, 1),
             ALLOCATE(0, 100, 2, 0, 2));
    vma_history_init(&history);
    play.replay.history = &history;
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(history.failure_count, 1); /* the last call succeeds */
    assert_false(history.failures[0].succeeded);
    play.replay.history = NULL;
    vma_history_clear(&history);
    vma_play_close(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_that_are_none),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_the_device),
        cmocka_unit_test(test_what_was_recorded_as_failed),
    };

    return cmocka_run_group_tests_name("failures_vma", tests, NULL, NULL);
}

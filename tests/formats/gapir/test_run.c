/* SPDX-License-Identifier: MIT */
/* Running programs: budgets, positions, frames, the choice of dialect and tables */
#include "config.h"

#include "formats/gapir/decode/dialect.h"
#include "formats/gapir/replay/vm_pool.h"

#include "tests/formats/gapir/run.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/*
 * Begins a loop of `times` rounds, with its counter at the volatile address `counter` and label
 * JUMP_LABEL 1.
 */
static void begin_loop(struct build *build, uint32_t counter, uint32_t times)
{
    build_push(build, GAPIR_INT32, times);
    build_op(build, GAPIR_STORE_V, counter);
    build_op(build, GAPIR_JUMP_LABEL, 1);
}

static void end_loop(struct build *build, uint32_t counter)
{
    build_typed(build, GAPIR_LOAD_V, GAPIR_INT32, counter);
    build_push(build, GAPIR_INT32, UINT64_MAX);
    build_op(build, GAPIR_ADD, 2);
    build_op(build, GAPIR_CLONE, 0);
    build_op(build, GAPIR_STORE_V, counter);
    build_op(build, GAPIR_JUMP_NZ, 1);
}

static void test_nothing_runs_well(void **state)
{
    struct build build = {0};
    struct run run;

    (void)state;
    run_build(&build, &run);
    run_expect(&run, "ok");
    assert_int_equal(run.index.frame_count, 0);
    assert_int_equal(run.replay->scan.packet_count, 0);
    run_clear(&run);
}

/* A run that stops at every step ends as a run that does not. */
static void test_steps_make_no_difference(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 64};
    struct run run;

    (void)state;
    begin_loop(&build, 0, 9);
    build_op(&build, GAPIR_LABEL, 7);
    build_typed(&build, GAPIR_LOAD_V, GAPIR_UINT32, 8);
    build_push(&build, GAPIR_UINT32, 0x12345678);
    build_op(&build, GAPIR_ADD, 2);
    build_op(&build, GAPIR_STORE_V, 8);
    build_post(&build, GAPIR_VOLATILE_POINTER, 0, 16);
    end_loop(&build, 0);
    run_build(&build, &run);
    struct gapir_vm_instance *whole = run_play(&run, GAPIR_TO_THE_END), *steps = run_play(&run, 0);
    while (!steps->vm->ended)
        assert_int_equal(gapir_vm_instance_run(steps, steps->vm->steps + 1, NULL), 0);
    assert_int_equal(steps->vm->steps, whole->vm->steps);
    assert_int_equal(run.index.end.steps, whole->vm->steps);
    assert_memory_equal(steps->vm->memory, whole->vm->memory, 64);
    assert_int_equal(bytes_le32(whole->vm->memory + 8), 9 * UINT64_C(0x12345678) & UINT32_MAX);
    assert_int_equal(run.index.post_count, 9);
    gapir_vm_instance_destroy(&whole);
    gapir_vm_instance_destroy(&steps);
    run_clear(&run);
}

/* What was never written is not read, and is shown as zeros. */
static void test_copies_of_memory(void **state)
{
    enum { SIZE = 1 << 20, AT_END = SIZE - 4 };
    static const uint32_t stored[] = {60, 128, 132, 4096 * 3, 70000, 70064, AT_END};
    struct build build = {.stack_size = 8, .volatile_size = SIZE};
    struct gapir_extent extent = {.region = GAPIR_VOLATILE};
    uint8_t *copy = test_malloc(SIZE);
    struct gapir_vm_instance *instance;
    struct run run;

    (void)state;
    for (size_t n = 0; n < COUNT_OF(stored); n++) {
        build_push(&build, GAPIR_UINT32, 0x12345 + n);
        build_op(&build, GAPIR_STORE_V, stored[n]);
    }
    run_build(&build, &run);
    instance = run_play(&run, GAPIR_TO_THE_END);
    assert_int_equal(bytes_le32(instance->vm->memory + AT_END), 0x12345 + COUNT_OF(stored) - 1);
    assert_int_equal(gapir_vm_instance_crc32(instance),
                     libdeflate_crc32(0, instance->vm->memory, SIZE));
    for (uint64_t size = 1; size <= SIZE; size = size * 3 + 1)
        for (extent.offset = 0; extent.offset <= SIZE - size; extent.offset += size * 5 + 1237) {
            memset(copy, 0xEE, size);
            assert_true(gapir_vm_instance_copy(instance, &extent, size, copy));
            assert_memory_equal(copy, instance->vm->memory + extent.offset, size);
        }
    test_free(copy);
    gapir_vm_instance_destroy(&instance);
    run_clear(&run);
}

static void test_cancelled_runs_go_on(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    struct run run;
    struct cancel cancel;

    (void)state;
    begin_loop(&build, 0, 100);
    end_loop(&build, 0);
    run_build(&build, &run);
    struct gapir_vm_instance *instance = run_play(&run, 50);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(gapir_vm_instance_run(instance, GAPIR_TO_THE_END, &cancel), -EINTR);
    assert_int_equal(instance->vm->steps, 50);
    assert_int_equal(gapir_vm_instance_run(instance, GAPIR_TO_THE_END, NULL), 0);
    assert_int_equal(instance->vm->steps, run.index.end.steps);
    gapir_vm_instance_destroy(&instance);
    struct gapir_index index;
    assert_int_equal(gapir_index_run(run.replay, &cancel, &index), -EINTR);
    gapir_index_clear(&index);
    run_clear(&run);
}

static struct cancel raised_by_fence;

static int raise_cancel(void *context, struct gapir_vm *vm, uint32_t id)
{
    (void)context, (void)vm, (void)id;
    cancel_raise(&raised_by_fence);
    return 0;
}

/* A few instructions can move many bytes. */
static void test_cancelled_between_copies(void **state)
{
    enum { COPIED = 4 << 20, ROUNDS = 100 };
    struct build build = {.stack_size = 8, .volatile_size = 1 << 24};
    struct gapir_host host;
    struct run run;

    (void)state;
    build_op(&build, GAPIR_WAIT, 1);
    begin_loop(&build, 0, ROUNDS);
    build_push(&build, GAPIR_VOLATILE_POINTER, 16);
    build_push(&build, GAPIR_VOLATILE_POINTER, 1 << 23);
    build_op(&build, GAPIR_COPY, COPIED);
    end_loop(&build, 0);
    run_build(&build, &run);
    struct gapir_vm_instance *instance = run_play(&run, 0);
    cancel_init(&raised_by_fence, NULL);
    host = *instance->vm->host;
    host.fence = raise_cancel;
    instance->vm->host = &host;
    assert_int_equal(gapir_vm_instance_run(instance, GAPIR_TO_THE_END, &raised_by_fence), -EINTR);
    assert_in_range(instance->vm->moved, COPIED, ROUNDS / 10 * COPIED);
    assert_int_equal(gapir_vm_instance_run(instance, GAPIR_TO_THE_END, NULL), 0);
    assert_int_equal(instance->vm->moved, run.index.moved);
    gapir_vm_instance_destroy(&instance);
    run_clear(&run);
}

static void test_budget_of_instructions(void **state)
{
    struct build build = {.stack_size = 8};
    struct run run;

    (void)state;
    build_op(&build, GAPIR_JUMP_LABEL, 1);
    build_push(&build, GAPIR_INT32, 1);
    build_op(&build, GAPIR_JUMP_NZ, 1);
    run_build(&build, &run);
    run_expect(&run, "err:steps@1"); /* a million steps, at three a round */
    assert_int_equal(run.index.end.steps, 1000001);
    run_clear(&run);
}

static void test_budget_of_bytes(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 1 << 24};
    struct run run;

    (void)state;
    begin_loop(&build, 0, 1000);
    build_push(&build, GAPIR_VOLATILE_POINTER, 16);
    build_push(&build, GAPIR_VOLATILE_POINTER, 1 << 23);
    build_op(&build, GAPIR_COPY, 1 << 22);
    end_loop(&build, 0);
    run_build(&build, &run);
    assert_int_equal(run.index.fault, GAPIR_FAULT_STEPS);
    assert_int_equal(run.index.moved, 1 << 30);
    run_clear(&run);
}

static void test_too_many_posts_end_the_run(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    struct run run;

    (void)state;
    build_op(&build, GAPIR_JUMP_LABEL, 1);
    for (unsigned n = 0; n < 20000; n++)
        build_op(&build, GAPIR_WAIT, n);
    build_push(&build, GAPIR_INT32, 1);
    build_op(&build, GAPIR_JUMP_NZ, 1);
    run_build(&build, &run);
    assert_int_equal(run.index.fault, GAPIR_FAULT_STEPS); /* either budget may be exceeded first */
    assert_in_range(run.index.fence_count, 900000, GAPIR_POSTS_MAX);
    run_clear(&run);
}

/* Frames */

static void test_frames_of_a_loop_share_packets(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_op(&build, GAPIR_LABEL, 1);
    begin_loop(&build, 0, 3);
    build_op(&build, GAPIR_LABEL, 2);
    run_read_pixels(&build, 2, 2, 0x1908, 0x1401, 16);
    build_op(&build, GAPIR_LABEL, 3);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16);
    BUILD_CALL(&build, GLES, "replayFrameDelimiter", 0); /* ends no frame if there are posts */
    build_op(&build, GAPIR_LABEL, 4);
    end_loop(&build, 0);
    run_build(&build, &run);
    run_expect(&run, "ok");
    assert_int_equal(run.index.frame_count, 3);
    for (unsigned n = 0; n < 3; n++) {
        const struct gapir_frame_record *frame = &run.index.frames[n];
        assert_int_equal(frame->post, n);
        assert_int_equal(frame->call_end - frame->first_call, 2);
        assert_int_equal(frame->first_packet, 0); /* the jump goes to packet 0 */
        assert_int_equal(frame->last_packet, n == 0 ? 2 : 3);
        assert_int_equal(run.index.posts[n].frame, n);
    }
    assert_int_equal(gapir_index_packet_frame(&run.index, 2), 0);
    assert_int_equal(gapir_index_packet_frame(&run.index, 3), 1);
    run_clear(&run);
}

static void test_frames_by_presenting(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        build_op(&build, GAPIR_LABEL, n);
        BUILD_CALL(&build, VK, "vkQueuePresentKHR", 1, RUN_INFO);
    }
    build_op(&build, GAPIR_LABEL, 9);
    BUILD_CALL(&build, VK, "vkDeviceWaitIdle", 1);
    run_build(&build, &run);
    assert_int_equal(run.index.frame_count, 3);
    assert_string_equal(run.index.frames[0].end, "present");
    assert_string_equal(run.index.frames[1].end, "present");
    assert_string_equal(run.index.frames[2].end, "-"); /* calls follow: unfinished */
    assert_int_equal(run.index.frames[2].first_packet, 2);
    assert_int_equal(run.index.frames[1].post, GAPIR_NO_POST);
    run_clear(&run);
}

static void test_two_frames_in_a_packet(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_op(&build, GAPIR_LABEL, 1);
    for (unsigned n = 0; n < 2; n++) {
        run_read_pixels(&build, 2, 2, 0x1908, 0x1401, 16);
        build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16);
    }
    BUILD_CALL(&build, GLES, "glFlush");
    run_build(&build, &run);
    assert_int_equal(run.index.frame_count, 2);
    assert_int_equal(run.index.frames[0].call_end, 1);
    assert_int_equal(run.index.frames[1].first_call, 1);
    assert_int_equal(run.index.frames[1].call_end, 3);
    run_clear(&run);
}

static void test_end_marker_is_no_frame(void **state)
{
    struct build build = {.stack_size = 64};
    struct run run;

    (void)state;
    build_end(&build);
    run_build(&build, &run);
    assert_int_equal(run.index.frame_count, 0);
    assert_int_equal(run.index.posts[0].kind, GAPIR_POST_END);
    run_clear(&run);
}

/* What the words say */

static void test_packets(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 64};
    const uint32_t label = 0x3c00002a; /* LABEL 42, as data */
    struct run run;

    (void)state;
    build_push(&build, GAPIR_UINT8, 1);
    build_op(&build, GAPIR_LABEL, 5);
    build_inline(&build, 0, &label, 4);
    build_op(&build, GAPIR_LABEL, 5);
    build_op(&build, GAPIR_LABEL, GAPIR_LABEL_NONE);
    run_build(&build, &run);
    const struct gapir_scan *scan = &run.replay->scan;
    assert_int_equal(scan->packet_count, 4);
    assert_int_equal(scan->packets[0].label, GAPIR_LABEL_START);
    assert_int_equal(scan->packets[1].words, 5);
    assert_int_equal(scan->packets[1].instructions, 3);
    assert_int_equal(scan->packets[1].inline_bytes, 4);
    assert_int_equal(scan->packets[2].label, 5);
    assert_int_equal(scan->packets[3].label, GAPIR_LABEL_NONE);
    for (uint32_t pc = 0; pc < scan->code.count; pc++)
        assert_int_equal(gapir_scan_packet(scan, pc), pc < 1 ? 0 : pc < 6 ? 1 : pc < 7 ? 2 : 3);
    run_clear(&run);
}

static void detect(const struct build *build, enum gapir_dialect wanted, uint32_t wanted_pc)
{
    struct build_files files;
    struct gapir_payload payload;
    uint32_t pc;

    build_files(build, &files);
    assert_int_equal(gapir_payload_read(files.payload, files.payload_size, NULL, NULL, &payload),
                     0);
    const struct gapir_code code = {payload.opcodes.data, (uint32_t)payload.opcodes.size / 4,
                                    GAPIR_AGI};
    assert_int_equal(gapir_dialect_detect(&code, &pc), wanted);
    assert_int_equal(pc, wanted_pc);
    gapir_payload_clear(&payload);
    build_files_clear(&files);
}

static void test_dialects_are_told_by_operands(void **state)
{
    struct build build = {0};

    (void)state;
    detect(&build, GAPIR_AGI, 0);
    build_push(&build, GAPIR_VOLATILE_POINTER, 0);
    build_push(&build, GAPIR_UINT32, 4);
    build_op(&build, GAPIR_JUMP_Z, 0); /* opcode 19 */
    detect(&build, GAPIR_GAPID16, 2);
    build_clear(&build);
    build_push(&build, GAPIR_VOLATILE_POINTER, 0);
    build_push(&build, GAPIR_UINT32, 2);
    build_push(&build, GAPIR_UINT32, 4);
    build_op(&build, GAPIR_JUMP_Z, 0);
    detect(&build, GAPIR_GAPID17DEV, 3);
    build_clear(&build);
    build_push(&build, GAPIR_INT32, 4);
    build_op(&build, GAPIR_JUMP_Z, 0);
    detect(&build, GAPIR_AGI, 1);
    build_clear(&build);
    build_push(&build, GAPIR_UINT8, 4);
    build_op(&build, GAPIR_WAIT, 0);
    detect(&build, GAPIR_AGI, 1);
    build_clear(&build);
}

static void test_notification_of_an_old_dialect(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    struct run run;

    (void)state;
    build_push(&build, GAPIR_VOLATILE_POINTER, 2);
    build_push(&build, GAPIR_UINT32, 4);
    build_op(&build, GAPIR_JUMP_Z, 0);
    run_build(&build, &run);
    run_expect(&run, "ok");
    assert_int_equal(run.replay->scan.code.dialect, GAPIR_GAPID16);
    assert_int_equal(run.index.notification_count, 1);
    assert_int_equal(run.index.notifications[0].bytes.size, 4);
    assert_int_equal(run.index.notifications[0].bytes.offset, 2);
    run_clear(&run);
}

/* A call of one release is recognized by its number of arguments. */
static void test_release_is_told_by_arguments(void **state)
{
    static const char *const releases[] = {"vulkan_v1.2.0", "vulkan_v1.6.1",
                                           "vulkan_v1.7.0-dev-20191021", "vulkan_v3.3.1",
                                           "vulkan_master-20220606"};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(releases); n++) {
        struct build build = {.stack_size = 64, .volatile_size = 4096};
        struct run run;
        BUILD_CALL(&build, releases[n], "vkMapMemory", 1, 2, 0, 16, 0, RUN_OUT);
        BUILD_CALL(&build, releases[n], "vkQueuePresentKHR", 1, RUN_INFO);
        BUILD_CALL(&build, releases[n], "vkCmdCopyImageToBuffer", 1, 2, 3, 4, 0, RUN_INFO);
        BUILD_CALL(&build, releases[n], "replayAllocateImageMemory", 1, RUN_INFO, 3, RUN_OUT);
        BUILD_CALL(&build, releases[n], "vkCreateImage", 1, RUN_INFO, BUILD_NULL, RUN_OUT);
        BUILD_CALL(&build, releases[n], "vkCmdDrawIndexed", 1, 2, 3, 4, 5, 6);
        run_build(&build, &run);
        run_expect_table(&run, 2, releases[n]);
        run_expect(&run, "ok");
        run_clear(&run);
    }
}

static void test_left_overs_are_no_arguments(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_push(&build, GAPIR_UINT32, 1);
    build_push(&build, GAPIR_UINT32, 2);
    BUILD_CALL(&build, VK, "vkQueuePresentKHR", 1, RUN_INFO);
    build_op(&build, GAPIR_POP, 2);
    run_build(&build, &run);
    assert_int_equal(run.replay->scan.usages[0].count, 2);
    assert_int_equal(run.replay->scan.usages[0].types[0], GAPIR_UINT64);
    run_expect(&run, "ok");
    run_clear(&run);
}

static void test_parked_runs_serve_any_order(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    struct gapir_vm_pool *pool = NULL;
    uint64_t random = 5;
    struct run run;

    (void)state;
    begin_loop(&build, 0, 200);
    end_loop(&build, 0);
    run_build(&build, &run);
    assert_int_equal(gapir_vm_pool_create(run.replay, 100, NULL, &pool), 0);
    for (unsigned n = 0; n < 200; n++) {
        uint64_t steps = support_random(&random) % (run.index.end.steps + 1);
        struct gapir_vm_instance *instance = NULL, *fresh = run_play(&run, steps);
        assert_int_equal(gapir_vm_pool_take(pool, steps, NULL, &instance), 0);
        assert_int_equal(instance->vm->steps, steps);
        assert_int_equal(instance->vm->pc, fresh->vm->pc);
        assert_int_equal(instance->vm->depth, fresh->vm->depth);
        assert_memory_equal(instance->vm->memory, fresh->vm->memory, 8);
        gapir_vm_pool_park(pool, &instance);
        gapir_vm_instance_destroy(&fresh);
    }
    gapir_vm_pool_destroy(&pool);
    run_clear(&run);
}

static void test_no_memory(void **state)
{
    const struct gapir_replay_params params = {
        .limits = {.instructions = 1000, .moved = 1000, .memory = 1 << 20}, .pointer_size = 8};
    struct build build = {.stack_size = 8, .volatile_size = 4096};
    struct build_files files;

    (void)state;
    build_op(&build, GAPIR_JUMP_LABEL, 1);
    build_op(&build, GAPIR_SWITCH_THREAD, 1);
    build_op(&build, GAPIR_WAIT, 1);
    run_create_image(&build, 37, 1, 1);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 2, 0, 16, 0, RUN_OUT);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 4);
    build_resource(&build, "A", NULL, 1);
    build_files(&build, &files);
    build_clear(&build);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct gapir_replay *replay = NULL;
        struct gapir_index index = {0};
        support_fail_allocation(n);
        int status = gapir_replay_open((struct gapir_bytes){files.payload, files.payload_size},
                                       (struct gapir_bytes){files.index, files.index_size},
                                       (struct gapir_bytes){files.data, files.data_size}, &params,
                                       NULL, NULL, &replay);
        if (status == 0)
            status = gapir_index_run(replay, NULL, &index);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        gapir_index_clear(&index);
        gapir_replay_close(&replay);
    }
    support_fail_allocation(-1);
    build_files_clear(&files);
}

/* Builds a program whose calls need our own memory: it creates an image, and maps memory. */
static void open_mapping(struct run *run)
{
    struct build build = {.stack_size = 8, .volatile_size = 4096};

    run_create_image(&build, 37, 1, 1);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 2, 0, 16, 0, RUN_OUT);
    BUILD_CALL(&build, VK, "vkDeviceWaitIdle", 1);
    run_build(&build, run);
    run_expect(run, "ok");
}

/*
 * If the driver has no memory to record an image or a mapping, the program does not get another
 * answer.
 */
static void test_no_memory_is_no_answer(void **state)
{
    struct run run;

    (void)state;
    open_mapping(&run);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct gapir_index index = {0};
        int status;

        support_fail_allocation(n);
        status = gapir_index_run(run.replay, NULL, &index);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        gapir_index_clear(&index);
    }
    support_fail_allocation(-1);
    run_clear(&run);
}

static int look_at_nothing(void *context, const struct gapir_vm_instance *instance)
{
    (void)context, (void)instance;
    return 0;
}

/* A run that ended within an instruction is not used for others. */
static void test_runs_without_memory_are_not_parked(void **state)
{
    struct gapir_vm_pool *pool = NULL;
    struct run run;
    unsigned failed = 0;

    (void)state;
    open_mapping(&run);
    assert_int_equal(gapir_vm_pool_create(run.replay, 100, NULL, &pool), 0);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct gapir_vm_instance *instance = NULL;
        uint64_t steps;
        int status;

        assert_int_equal(gapir_vm_instance_create(run.replay, &instance), 0);
        support_fail_allocation(n);
        status = gapir_vm_instance_run(instance, GAPIR_TO_THE_END, NULL);
        steps = instance->vm->steps;
        failed += status != 0;
        gapir_vm_pool_park(pool, &instance);
        status = status != 0 ? -ENOENT : 0;
        assert_int_equal(gapir_vm_pool_look(pool, steps, look_at_nothing, NULL), status);
    }
    support_fail_allocation(-1);
    assert_true(failed > 0);
    gapir_vm_pool_destroy(&pool);
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_runs_well),
        cmocka_unit_test(test_steps_make_no_difference),
        cmocka_unit_test(test_copies_of_memory),
        cmocka_unit_test(test_cancelled_runs_go_on),
        cmocka_unit_test(test_cancelled_between_copies),
        cmocka_unit_test(test_budget_of_instructions),
        cmocka_unit_test(test_budget_of_bytes),
        cmocka_unit_test(test_too_many_posts_end_the_run),
        cmocka_unit_test(test_frames_of_a_loop_share_packets),
        cmocka_unit_test(test_frames_by_presenting),
        cmocka_unit_test(test_two_frames_in_a_packet),
        cmocka_unit_test(test_end_marker_is_no_frame),
        cmocka_unit_test(test_packets),
        cmocka_unit_test(test_dialects_are_told_by_operands),
        cmocka_unit_test(test_notification_of_an_old_dialect),
        cmocka_unit_test(test_release_is_told_by_arguments),
        cmocka_unit_test(test_left_overs_are_no_arguments),
        cmocka_unit_test(test_parked_runs_serve_any_order),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_memory_is_no_answer),
        cmocka_unit_test(test_runs_without_memory_are_not_parked),
    };

    return cmocka_run_group_tests_name("gapir_run", tests, NULL, NULL);
}

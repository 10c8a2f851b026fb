/* Running: budgets, positions, the null driver, readbacks, frames, the choice of tables. */
#include "config.h"

#include "formats/gapir/index.h"
#include "formats/gapir/players.h"

#include "../examples/gapir_build.h"
#include "support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VK   "vulkan_v3.3.1"
#define GLES "gles_v1.6.1"

/* A program that was built, opened and indexed. */
struct run {
    struct build_files files;
    struct gapir_replay *replay;
    struct gapir_index index;
};

static struct gapir_replay *open_files(const struct build_files *files)
{
    const struct gapir_replay_params params = {
        .limits = {.instructions = 1000000, .moved = 1 << 30, .memory = 1 << 28},
        .pointer_size = 8};
    struct gapir_replay *replay = NULL;

    assert_int_equal(gapir_replay_open((struct gapir_bytes){files->payload, files->payload_size},
                                       (struct gapir_bytes){files->index, files->index_size},
                                       (struct gapir_bytes){files->data, files->data_size}, &params,
                                       NULL, NULL, &replay),
                     0);
    return replay;
}

static void run_build(struct build *build, struct run *run)
{
    build_files(build, &run->files);
    build_clear(build);
    run->replay = open_files(&run->files);
    assert_int_equal(gapir_index_run(run->replay, NULL, &run->index), 0);
}

static void run_clear(struct run *run)
{
    gapir_index_clear(&run->index);
    gapir_replay_close(&run->replay);
    build_files_clear(&run->files);
}

static void expect_result(const struct run *run, const char *wanted)
{
    char result[32];

    gapir_index_result(&run->index, result);
    assert_string_equal(result, wanted);
}

static void expect_table(const struct run *run, unsigned api, const char *wanted)
{
    assert_non_null(run->replay->scan.tables[api]);
    assert_string_equal(run->replay->scan.tables[api]->release, wanted);
    assert_true(run->replay->scan.table_fits[api]);
}

static struct gapir_player *play(const struct run *run, uint64_t steps)
{
    struct gapir_player *player = NULL;

    assert_int_equal(gapir_player_create(run->replay, &player), 0);
    assert_int_equal(gapir_player_run(player, steps, NULL), 0);
    return player;
}

/* counter: a loop of `times` rounds around what `body` writes; from JUMP_LABEL 1. */
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
    expect_result(&run, "ok");
    assert_int_equal(run.index.frame_count, 0);
    assert_int_equal(run.replay->scan.packet_count, 0);
    run_clear(&run);
}

/* A run that stops at every step ends as one that does not. */
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
    struct gapir_player *whole = play(&run, GAPIR_TO_THE_END), *steps = play(&run, 0);
    while (!steps->vm->ended)
        assert_int_equal(gapir_player_run(steps, steps->vm->steps + 1, NULL), 0);
    assert_int_equal(steps->vm->steps, whole->vm->steps);
    assert_int_equal(run.index.end.steps, whole->vm->steps);
    assert_memory_equal(steps->vm->memory, whole->vm->memory, 64);
    assert_int_equal(bytes_le32(whole->vm->memory + 8), 9 * UINT64_C(0x12345678) & UINT32_MAX);
    assert_int_equal(run.index.post_count, 9);
    gapir_player_destroy(&whole);
    gapir_player_destroy(&steps);
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
    struct gapir_player *player = play(&run, 50);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(gapir_player_run(player, GAPIR_TO_THE_END, &cancel), -EINTR);
    assert_int_equal(player->vm->steps, 50);
    assert_int_equal(gapir_player_run(player, GAPIR_TO_THE_END, NULL), 0);
    assert_int_equal(player->vm->steps, run.index.end.steps);
    gapir_player_destroy(&player);
    struct gapir_index index;
    assert_int_equal(gapir_index_run(run.replay, &cancel, &index), -EINTR);
    gapir_index_clear(&index);
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
    expect_result(&run, "err:steps@1"); /* a million, and three a round */
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
    assert_int_equal(run.index.fault, GAPIR_FAULT_STEPS); /* either budget may be the first */
    assert_in_range(run.index.fence_count, 900000, GAPIR_POSTS_MAX);
    run_clear(&run);
}

/* Vulkan structures, as they lie in memory. */
static void put32(uint8_t *bytes, unsigned offset, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        bytes[offset + n] = (uint8_t)(value >> 8 * n);
}

enum { INFO = 0x100, OUT = 0x200, REGION = 0x300 };

static void create_image(struct build *build, uint32_t format, uint32_t width, uint32_t height)
{
    uint8_t info[88] = {14};

    put32(info, 24, format);
    put32(info, 28, width);
    put32(info, 32, height);
    build_inline(build, INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkCreateImage", 1, INFO, BUILD_NULL, OUT);
}

static void create_buffer(struct build *build, uint32_t size)
{
    uint8_t info[56] = {12};

    put32(info, 24, size);
    build_inline(build, INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkCreateBuffer", 1, INFO, BUILD_NULL, OUT);
}

static void allocate_memory(struct build *build, uint32_t size)
{
    uint8_t info[32] = {5};

    put32(info, 16, size);
    build_inline(build, INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkAllocateMemory", 1, INFO, BUILD_NULL, OUT);
}

static void copy_image(struct build *build, uint64_t image, uint64_t buffer, uint32_t width,
                       uint32_t height)
{
    uint8_t region[56] = {0};

    put32(region, 16, 1);
    put32(region, 44, width);
    put32(region, 48, height);
    put32(region, 52, 1);
    build_inline(build, REGION, region, sizeof(region));
    BUILD_CALL(build, VK, "vkCmdCopyImageToBuffer", 2, image, 6, buffer, 1, REGION);
}

/* Handles are given out in order. */
enum { HANDLE = 0x1001 };

static void post_window(struct build *build, uint32_t slot, uint32_t size)
{
    build_typed(build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, slot);
    build_push(build, GAPIR_UINT32, size);
    build_op(build, GAPIR_POST, 0);
}

/* Two images of one size, two buffers: the memory that is posted tells which it was. */
static void test_readback_by_bound_memory(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    create_image(&build, 37, 4, 2); /* R8G8B8A8_UNORM, HANDLE */
    create_image(&build, 44, 4, 2); /* B8G8R8A8_UNORM, HANDLE + 1 */
    create_buffer(&build, 32);      /* HANDLE + 2 */
    create_buffer(&build, 32);      /* HANDLE + 3 */
    allocate_memory(&build, 32);    /* HANDLE + 4 */
    allocate_memory(&build, 32);    /* HANDLE + 5 */
    BUILD_CALL(&build, VK, "vkBindBufferMemory", 1, HANDLE + 2, HANDLE + 4, 0);
    BUILD_CALL(&build, VK, "vkBindBufferMemory", 1, HANDLE + 3, HANDLE + 5, 0);
    copy_image(&build, HANDLE, HANDLE + 2, 4, 2);
    copy_image(&build, HANDLE + 1, HANDLE + 3, 4, 2);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 4, 0, UINT64_MAX, 0, 0x400);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 5, 0, 32, 0, 0x408);
    post_window(&build, 0x400, 32);
    post_window(&build, 0x408, 32);
    post_window(&build, 0x408, 31); /* no whole picture */
    run_build(&build, &run);
    expect_result(&run, "ok");
    expect_table(&run, 2, VK);
    assert_int_equal(run.index.post_count, 3);
    assert_int_equal(run.index.posts[0].shape.format->vulkan, 37);
    assert_int_equal(run.index.posts[1].shape.format->vulkan, 44);
    assert_int_equal(run.index.posts[1].shape.width, 4);
    assert_int_equal(run.index.posts[1].shape.height, 2);
    assert_false(run.index.posts[1].shape.bottom_up);
    assert_int_equal(run.index.posts[1].content, GAPIR_BY_DRIVER);
    assert_int_equal(run.index.posts[2].kind, GAPIR_POST_DATA);
    assert_int_equal(run.index.window_count, 2);
    assert_int_equal(run.index.windows[0].size, 32); /* VK_WHOLE_SIZE */
    run_clear(&run);
}

static void test_who_made_the_pixels(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    create_image(&build, 37, 4, 2);
    create_buffer(&build, 32);
    copy_image(&build, HANDLE, HANDLE + 1, 4, 2);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, 32, 0, 0x400);
    for (unsigned size = 8; size <= 32; size += 24) {
        build_push(&build, GAPIR_VOLATILE_POINTER, 0);
        build_typed(&build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, 0x400);
        build_op(&build, GAPIR_COPY, size);
        post_window(&build, 0x400, 32);
    }
    BUILD_CALL(&build, VK, "vkUnmapMemory", 1, 99);
    post_window(&build, 0x400, 32);
    run_build(&build, &run);
    assert_int_equal(run.index.posts[0].content, GAPIR_BY_BOTH);
    assert_int_equal(run.index.posts[1].content, GAPIR_BY_VM);
    assert_int_equal(run.index.post_count, 2);
    assert_int_equal(run.index.fault, GAPIR_FAULT_RANGE); /* unmapped */
    assert_false(run.index.windows[0].mapped);
    run_clear(&run);
}

/* Windows that are unmapped give up their bytes when memory runs short. */
static void test_windows_within_the_limit(void **state)
{
    enum { TIMES = 40, SIZE = 16 << 20 }; /* 640 MiB; the limit is 256 MiB */
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    for (unsigned n = 0; n < TIMES; n++) {
        BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, SIZE, 0, OUT);
        BUILD_CALL(&build, VK, "vkUnmapMemory", 1, 99);
    }
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 98, 0, UINT64_C(1) << 29, 0, OUT); /* refused */
    run_build(&build, &run);
    expect_result(&run, "ok");
    assert_int_equal(run.index.window_count, TIMES);
    struct gapir_player *player = play(&run, GAPIR_TO_THE_END);
    assert_null(player->vm->windows[0].data);
    assert_non_null(player->vm->windows[TIMES - 1].data);
    assert_in_range(player->vm->window_bytes, SIZE, 1 << 28);
    assert_int_equal(bytes_le64(player->vm->memory + OUT), 0);
    gapir_player_destroy(&player);
    run_clear(&run);
}

static void test_handles(void **state)
{
    static const uint8_t allocate[32] = {[28] = 3};
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_inline(&build, INFO, allocate, sizeof(allocate));
    BUILD_CALL(&build, VK, "vkAllocateCommandBuffers", 1, INFO, OUT);
    BUILD_CALL(&build, VK, "vkCreateGraphicsPipelines", 1, 0, 2, INFO, BUILD_NULL, OUT + 24);
    BUILD_CALL(&build, VK, "vkGetDeviceQueue", 1, 0, 0, OUT + 40);
    run_build(&build, &run);
    expect_result(&run, "ok");
    struct gapir_player *player = play(&run, GAPIR_TO_THE_END);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(bytes_le64(player->vm->memory + OUT + 8 * n), HANDLE + n);
    gapir_player_destroy(&player);
    run_clear(&run);
}

static void test_memory_of_an_image(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    create_image(&build, 37, 5, 3);
    BUILD_CALL(&build, VK, "replayAllocateImageMemory", 1, INFO, HANDLE, OUT);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 1, 20, UINT64_MAX, 0, OUT);
    run_build(&build, &run);
    expect_result(&run, "ok");
    assert_int_equal(run.index.windows[0].size, 5 * 3 * 4 - 20);
    run_clear(&run);
}

static void test_unknown_function(void **state)
{
    struct build build = {.stack_size = 64};
    struct run run;

    (void)state;
    build_word(&build, gapir_encode_call(2, 0x7000, false));
    run_build(&build, &run);
    expect_result(&run, "err:nofunc@0");
    assert_false(run.replay->scan.table_fits[2]);
    run_clear(&run);
}

static void test_known_function_with_other_types(void **state)
{
    struct build build = {.stack_size = 64};
    struct run run;

    (void)state;
    build_push(&build, GAPIR_FLOAT, 0);
    BUILD_CALL(&build, GLES, "glUseProgram", 1);
    build.words[build.count - 2] = gapir_encode_typed(GAPIR_PUSH_I, GAPIR_INT32, 1);
    run_build(&build, &run);
    expect_result(&run, "err:type@2");
    run_clear(&run);
}

static void read_pixels(struct build *build, uint32_t width, uint32_t height, uint32_t format,
                        uint32_t type, uint32_t address)
{
    BUILD_CALL(build, GLES, "glReadPixels", 0, 0, width, height, format, type, address);
}

static void test_rows_of_opengl_are_aligned(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    read_pixels(&build, 3, 2, 0x1907, 0x1401, 16); /* RGB8: 9 bytes, in rows of 12 */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 24);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 21); /* the last row cut to its pixels */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 18); /* in spite of it tight */
    BUILD_CALL(&build, GLES, "glPixelStorei", 0x0d05, 1);
    read_pixels(&build, 3, 2, 0x1907, 0x1401, 16);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 18);
    build_post(&build, GAPIR_VOLATILE_POINTER, 20, 18); /* not where it was read to */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 19); /* no such rows */
    run_build(&build, &run);
    expect_result(&run, "ok");
    assert_int_equal(run.index.post_count, 6);
    assert_int_equal(run.index.posts[0].shape.stride, 12);
    assert_true(run.index.posts[0].shape.bottom_up);
    assert_int_equal(run.index.posts[1].shape.stride, 12);
    assert_int_equal(run.index.posts[2].shape.stride, 9);
    assert_int_equal(run.index.posts[3].shape.stride, 9);
    assert_int_equal(run.index.posts[4].kind, GAPIR_POST_DATA);
    assert_int_equal(run.index.posts[5].kind, GAPIR_POST_DATA);
    run_clear(&run);
}

/* Where the format had to be queried, the post begins with it. */
static void test_queried_format(void **state)
{
    uint8_t head[12] = {0x07, 0x19, 0, 0, 0x63, 0x83}; /* GL_RGB, 5_6_5 */
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_inline(&build, 16, head, sizeof(head));
    read_pixels(&build, 3, 2, 0x1908, 0x1401, 28);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16 * 3 * 2 + 12);
    run_build(&build, &run);
    assert_int_equal(run.index.posts[0].kind, GAPIR_POST_IMAGE);
    assert_string_equal(run.index.posts[0].shape.format->name, "RGB565");
    assert_int_equal(run.index.posts[0].shape.offset, 12);
    assert_int_equal(run.index.posts[0].shape.stride, 6);
    run_clear(&run);
}

/* As the exporter asks: the answers go to the post and back into the call. */
static void test_queried_format_is_answered(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    BUILD_CALL(&build, GLES, "glGetIntegerv", 0x8b9b, 16);
    BUILD_CALL(&build, GLES, "glGetIntegerv", 0x8b9a, 20);
    for (unsigned n = 0; n < 4; n++)
        build_push(&build, GAPIR_INT32, n < 2 ? 0 : 2);
    build_typed(&build, GAPIR_LOAD_V, GAPIR_UINT32, 16);
    build_typed(&build, GAPIR_LOAD_V, GAPIR_UINT32, 20);
    build_push(&build, GAPIR_INT32, 64);
    build_push(&build, GAPIR_VOLATILE_POINTER, 28);
    build_word(&build, gapir_encode_call(1, 589, false)); /* glReadnPixels */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16 * 2 * 2 + 12);
    run_build(&build, &run);
    expect_result(&run, "ok");
    assert_string_equal(run.index.posts[0].shape.format->name, "RGBA8");
    assert_int_equal(run.index.posts[0].shape.stride, 8);
    run_clear(&run);
}

/* Frames. */

static void test_frames_of_a_loop_share_packets(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_op(&build, GAPIR_LABEL, 1);
    begin_loop(&build, 0, 3);
    build_op(&build, GAPIR_LABEL, 2);
    read_pixels(&build, 2, 2, 0x1908, 0x1401, 16);
    build_op(&build, GAPIR_LABEL, 3);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16);
    BUILD_CALL(&build, GLES, "replayFrameDelimiter", 0); /* no end beside posts */
    build_op(&build, GAPIR_LABEL, 4);
    end_loop(&build, 0);
    run_build(&build, &run);
    expect_result(&run, "ok");
    assert_int_equal(run.index.frame_count, 3);
    for (unsigned n = 0; n < 3; n++) {
        const struct gapir_frame_record *frame = &run.index.frames[n];
        assert_int_equal(frame->post, n);
        assert_int_equal(frame->call_end - frame->first_call, 2);
        assert_int_equal(frame->first_packet, 0); /* the jump goes into packet 0 */
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
        BUILD_CALL(&build, VK, "vkQueuePresentKHR", 1, INFO);
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
        read_pixels(&build, 2, 2, 0x1908, 0x1401, 16);
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

/* What the words tell. */

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
    assert_int_equal(gapir_payload_read(files.payload, files.payload_size, NULL, &payload), 0);
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
    expect_result(&run, "ok");
    assert_int_equal(run.replay->scan.code.dialect, GAPIR_GAPID16);
    assert_int_equal(run.index.notification_count, 1);
    assert_int_equal(run.index.notifications[0].bytes.size, 4);
    assert_int_equal(run.index.notifications[0].bytes.offset, 2);
    run_clear(&run);
}

/* Calls of one release, told from the others by their numbers of arguments. */
static void test_release_is_told_by_arguments(void **state)
{
    static const char *const releases[] = {"vulkan_v1.2.0", "vulkan_v1.6.1",
                                           "vulkan_v1.7.0-dev-20191021", "vulkan_v3.3.1",
                                           "vulkan_master-20220606"};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(releases); n++) {
        struct build build = {.stack_size = 64, .volatile_size = 4096};
        struct run run;
        BUILD_CALL(&build, releases[n], "vkMapMemory", 1, 2, 0, 16, 0, OUT);
        BUILD_CALL(&build, releases[n], "vkQueuePresentKHR", 1, INFO);
        BUILD_CALL(&build, releases[n], "vkCmdCopyImageToBuffer", 1, 2, 3, 4, 0, INFO);
        BUILD_CALL(&build, releases[n], "replayAllocateImageMemory", 1, INFO, 3, OUT);
        BUILD_CALL(&build, releases[n], "vkCreateImage", 1, INFO, BUILD_NULL, OUT);
        BUILD_CALL(&build, releases[n], "vkCmdDrawIndexed", 1, 2, 3, 4, 5, 6);
        run_build(&build, &run);
        expect_table(&run, 2, releases[n]);
        expect_result(&run, "ok");
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
    BUILD_CALL(&build, VK, "vkQueuePresentKHR", 1, INFO);
    build_op(&build, GAPIR_POP, 2);
    run_build(&build, &run);
    assert_int_equal(run.replay->scan.usages[0].count, 2);
    assert_int_equal(run.replay->scan.usages[0].types[0], GAPIR_UINT64);
    expect_result(&run, "ok");
    run_clear(&run);
}

static void test_parked_runs_serve_any_order(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    struct gapir_players *players = NULL;
    uint64_t random = 5;
    struct run run;

    (void)state;
    begin_loop(&build, 0, 200);
    end_loop(&build, 0);
    run_build(&build, &run);
    assert_int_equal(gapir_players_create(run.replay, 100, &players), 0);
    for (unsigned n = 0; n < 200; n++) {
        uint64_t steps = support_random(&random) % (run.index.end.steps + 1);
        struct gapir_player *player = NULL, *fresh = play(&run, steps);
        assert_int_equal(gapir_players_take(players, steps, NULL, &player), 0);
        assert_int_equal(player->vm->steps, steps);
        assert_int_equal(player->vm->pc, fresh->vm->pc);
        assert_int_equal(player->vm->depth, fresh->vm->depth);
        assert_memory_equal(player->vm->memory, fresh->vm->memory, 8);
        gapir_players_park(players, &player);
        gapir_player_destroy(&fresh);
    }
    gapir_players_destroy(&players);
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
    create_image(&build, 37, 1, 1);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 2, 0, 16, 0, OUT);
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
        /* A driver that cannot remember an image, or map memory, says so to the program. */
        assert_true(status == 0 || (status == -ENOMEM && support_allocation_failed()));
        support_fail_allocation(-1);
        gapir_index_clear(&index);
        gapir_replay_close(&replay);
    }
    build_files_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_runs_well),
        cmocka_unit_test(test_steps_make_no_difference),
        cmocka_unit_test(test_cancelled_runs_go_on),
        cmocka_unit_test(test_budget_of_instructions),
        cmocka_unit_test(test_budget_of_bytes),
        cmocka_unit_test(test_too_many_posts_end_the_run),
        cmocka_unit_test(test_readback_by_bound_memory),
        cmocka_unit_test(test_who_made_the_pixels),
        cmocka_unit_test(test_windows_within_the_limit),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_memory_of_an_image),
        cmocka_unit_test(test_unknown_function),
        cmocka_unit_test(test_known_function_with_other_types),
        cmocka_unit_test(test_rows_of_opengl_are_aligned),
        cmocka_unit_test(test_queried_format),
        cmocka_unit_test(test_queried_format_is_answered),
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
    };

    return cmocka_run_group_tests_name("gapir_run", tests, NULL, NULL);
}

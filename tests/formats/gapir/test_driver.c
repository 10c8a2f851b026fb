/* SPDX-License-Identifier: MIT */
/* The null driver: windows, handles, readbacks, and which posts are framebuffers */
#include "config.h"

#include "tests/formats/gapir/run.h"

#include <string.h>

static void create_buffer(struct build *build, uint32_t size)
{
    uint8_t info[56] = {12};

    run_put32(info, 24, size);
    build_inline(build, RUN_INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkCreateBuffer", 1, RUN_INFO, BUILD_NULL, RUN_OUT);
}

static void allocate_memory(struct build *build, uint32_t size)
{
    uint8_t info[32] = {5};

    run_put32(info, 16, size);
    build_inline(build, RUN_INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkAllocateMemory", 1, RUN_INFO, BUILD_NULL, RUN_OUT);
}

static void copy_image(struct build *build, uint64_t image, uint64_t buffer, uint32_t width,
                       uint32_t height)
{
    uint8_t region[56] = {0};

    run_put32(region, 16, 1);
    run_put32(region, 44, width);
    run_put32(region, 48, height);
    run_put32(region, 52, 1);
    build_inline(build, RUN_REGION, region, sizeof(region));
    BUILD_CALL(build, VK, "vkCmdCopyImageToBuffer", 2, image, 6, buffer, 1, RUN_REGION);
}

/* Handles are given out in order. */
enum { HANDLE = 0x1001 };

static void post_window(struct build *build, uint32_t slot, uint32_t size)
{
    build_typed(build, GAPIR_LOAD_V, GAPIR_ABSOLUTE_POINTER, slot);
    build_push(build, GAPIR_UINT32, size);
    build_op(build, GAPIR_POST, 0);
}

/* Two images of one size and two buffers: the posted memory tells which image it was. */
static void test_readback_by_bound_memory(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    run_create_image(&build, 37, 4, 2); /* R8G8B8A8_UNORM, HANDLE */
    run_create_image(&build, 44, 4, 2); /* B8G8R8A8_UNORM, HANDLE + 1 */
    create_buffer(&build, 32);          /* HANDLE + 2 */
    create_buffer(&build, 32);          /* HANDLE + 3 */
    allocate_memory(&build, 32);        /* HANDLE + 4 */
    allocate_memory(&build, 32);        /* HANDLE + 5 */
    BUILD_CALL(&build, VK, "vkBindBufferMemory", 1, HANDLE + 2, HANDLE + 4, 0);
    BUILD_CALL(&build, VK, "vkBindBufferMemory", 1, HANDLE + 3, HANDLE + 5, 0);
    copy_image(&build, HANDLE, HANDLE + 2, 4, 2);
    copy_image(&build, HANDLE + 1, HANDLE + 3, 4, 2);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 4, 0, UINT64_MAX, 0, 0x400);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 5, 0, 32, 0, 0x408);
    post_window(&build, 0x400, 32);
    post_window(&build, 0x408, 32);
    post_window(&build, 0x408, 31); /* not a complete picture */
    run_build(&build, &run);
    run_expect(&run, "ok");
    run_expect_table(&run, 2, VK);
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

static void test_origin_of_pixels(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    run_create_image(&build, 37, 4, 2);
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

/* Windows that are unmapped release their bytes when memory runs short. */
static void test_windows_within_the_limit(void **state)
{
    enum { TIMES = 40, SIZE = 16 << 20 }; /* 640 MiB; the limit is 256 MiB */
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    for (unsigned n = 0; n < TIMES; n++) {
        BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, SIZE, 0, RUN_OUT);
        BUILD_CALL(&build, VK, "vkUnmapMemory", 1, 99);
    }
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 98, 0, UINT64_C(1) << 29, 0, RUN_OUT); /* refused */
    run_build(&build, &run);
    run_expect(&run, "ok");
    assert_int_equal(run.index.window_count, TIMES);
    struct gapir_vm_instance *instance = run_play(&run, GAPIR_TO_THE_END);
    assert_null(instance->vm->windows[0].data);
    assert_non_null(instance->vm->windows[TIMES - 1].data);
    assert_in_range(instance->vm->window_bytes, SIZE, 1 << 28);
    assert_int_equal(bytes_le64(instance->vm->memory + RUN_OUT), 0);
    gapir_vm_instance_destroy(&instance);
    run_clear(&run);
}

/* The extent of a window that one run recorded is not searched beyond the window of another run. */
static void test_extents_end_with_their_window(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct gapir_extent extent = {.region = GAPIR_WINDOW, .offset = 96, .size = 32};
    uint8_t copy[64] = {1};
    struct run run;

    (void)state;
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, 128, 0, RUN_OUT);
    run_build(&build, &run);
    run_expect(&run, "ok");
    struct gapir_vm_instance *instance = run_play(&run, GAPIR_TO_THE_END);
    assert_int_equal(instance->vm->windows[0].size, 128);
    assert_non_null(gapir_vm_instance_bytes(instance, &extent));
    assert_true(gapir_vm_instance_copy(instance, &extent, 32, copy));
    assert_int_equal(copy[0], 0);
    assert_false(gapir_vm_instance_copy(instance, &extent, 33, copy));
    extent.size = 33;
    assert_null(gapir_vm_instance_bytes(instance, &extent));
    extent = (struct gapir_extent){.region = GAPIR_WINDOW, .offset = UINT64_MAX, .size = 2};
    assert_null(gapir_vm_instance_bytes(instance, &extent));
    assert_false(gapir_vm_instance_copy(instance, &extent, 2, copy));
    gapir_vm_instance_destroy(&instance);
    run_clear(&run);
}

/* A capture that maps its memory once in each of many frames: addresses are never reused. */
static void test_many_windows(void **state)
{
    enum { TIMES = 10000 };
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    for (unsigned n = 0; n < TIMES; n++) {
        BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, 16, 0, RUN_OUT);
        BUILD_CALL(&build, VK, "vkUnmapMemory", 1, 99);
    }
    BUILD_CALL(&build, VK, "vkMapMemory", 1, 99, 0, 16, 0, RUN_OUT);
    post_window(&build, RUN_OUT, 16);
    run_build(&build, &run);
    run_expect(&run, "ok");
    assert_int_equal(run.index.window_count, TIMES + 1);
    assert_int_equal(run.index.posts[0].bytes.window, TIMES);
    run_clear(&run);
}

static void test_handles(void **state)
{
    static const uint8_t allocate[32] = {[28] = 3};
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_inline(&build, RUN_INFO, allocate, sizeof(allocate));
    BUILD_CALL(&build, VK, "vkAllocateCommandBuffers", 1, RUN_INFO, RUN_OUT);
    BUILD_CALL(&build, VK, "vkCreateGraphicsPipelines", 1, 0, 2, RUN_INFO, BUILD_NULL,
               RUN_OUT + 24);
    BUILD_CALL(&build, VK, "vkGetDeviceQueue", 1, 0, 0, RUN_OUT + 40);
    run_build(&build, &run);
    run_expect(&run, "ok");
    struct gapir_vm_instance *instance = run_play(&run, GAPIR_TO_THE_END);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(bytes_le64(instance->vm->memory + RUN_OUT + 8 * n), HANDLE + n);
    gapir_vm_instance_destroy(&instance);
    run_clear(&run);
}

static void test_memory_of_an_image(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    run_create_image(&build, 37, 5, 3);
    BUILD_CALL(&build, VK, "replayAllocateImageMemory", 1, RUN_INFO, HANDLE, RUN_OUT);
    BUILD_CALL(&build, VK, "vkMapMemory", 1, HANDLE + 1, 20, UINT64_MAX, 0, RUN_OUT);
    run_build(&build, &run);
    run_expect(&run, "ok");
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
    run_expect(&run, "err:nofunc@0");
    assert_false(run.replay->scan.table_fits[2]);
    run_clear(&run);
}

/* No release has a function of that id without arguments: the call is not taken for another. */
static void test_call_that_fits_no_release(void **state)
{
    struct build build = {.stack_size = 64};
    struct run run;

    (void)state;
    build_word(&build, gapir_encode_call(2, 0x111, false));
    run_build(&build, &run);
    run_expect(&run, "err:nofunc@0");
    assert_null(run.replay->scan.tables[2]);
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
    run_expect(&run, "err:type@2");
    run_clear(&run);
}

static void test_rows_of_opengl_are_aligned(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    run_read_pixels(&build, 3, 2, 0x1907, 0x1401, 16); /* RGB8: 9 bytes, in rows of 12 */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 24);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 21); /* the last row ends after its pixels */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 18); /* tight rows all the same */
    BUILD_CALL(&build, GLES, "glPixelStorei", 0x0d05, 1);
    run_read_pixels(&build, 3, 2, 0x1907, 0x1401, 16);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 18);
    build_post(&build, GAPIR_VOLATILE_POINTER, 20, 18); /* not the address that was read to */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 19); /* no such row length */
    run_build(&build, &run);
    run_expect(&run, "ok");
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

/* Packed words, as desktop programs read them, have a picture as well. */
static void test_packed_words_are_read(void **state)
{
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    run_read_pixels(&build, 3, 2, 0x80E1, 0x8367, 16); /* GL_BGRA, 8_8_8_8_REV */
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 4 * 3 * 2);
    run_build(&build, &run);
    assert_int_equal(run.index.posts[0].kind, GAPIR_POST_IMAGE);
    assert_string_equal(run.index.posts[0].shape.format->name, "BGRA8");
    assert_int_equal(run.index.posts[0].shape.stride, 12);
    run_clear(&run);
}

/* If the format had to be queried, the post begins with it. */
static void test_queried_format(void **state)
{
    uint8_t head[12] = {0x07, 0x19, 0, 0, 0x63, 0x83}; /* GL_RGB, 5_6_5 */
    struct build build = {.stack_size = 64, .volatile_size = 4096};
    struct run run;

    (void)state;
    build_inline(&build, 16, head, sizeof(head));
    run_read_pixels(&build, 3, 2, 0x1908, 0x1401, 28);
    build_post(&build, GAPIR_VOLATILE_POINTER, 16, 16 * 3 * 2 + 12);
    run_build(&build, &run);
    assert_int_equal(run.index.posts[0].kind, GAPIR_POST_IMAGE);
    assert_string_equal(run.index.posts[0].shape.format->name, "RGB565");
    assert_int_equal(run.index.posts[0].shape.offset, 12);
    assert_int_equal(run.index.posts[0].shape.stride, 6);
    run_clear(&run);
}

/* As the exporter does: the answers go to the post and back into the call. */
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
    run_expect(&run, "ok");
    assert_string_equal(run.index.posts[0].shape.format->name, "RGBA8");
    assert_int_equal(run.index.posts[0].shape.stride, 8);
    run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readback_by_bound_memory),
        cmocka_unit_test(test_origin_of_pixels),
        cmocka_unit_test(test_windows_within_the_limit),
        cmocka_unit_test(test_extents_end_with_their_window),
        cmocka_unit_test(test_many_windows),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_memory_of_an_image),
        cmocka_unit_test(test_unknown_function),
        cmocka_unit_test(test_call_that_fits_no_release),
        cmocka_unit_test(test_known_function_with_other_types),
        cmocka_unit_test(test_rows_of_opengl_are_aligned),
        cmocka_unit_test(test_packed_words_are_read),
        cmocka_unit_test(test_queried_format),
        cmocka_unit_test(test_queried_format_is_answered),
    };

    return cmocka_run_group_tests_name("gapir_driver", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Random AeroGPU traces: pictures must be the same in any order of requests, and those without
 * shaders must be the same from the CPU and from the graphics worker.
 */
#include "config.h"

#include "formats/aerogpu/replay/replay.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/formats/aerogpu/random.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = 64 }; /* bytes that may differ even in small pictures */

static void open_random(struct opened *opened, const struct random_params *params)
{
    struct trace_writer writer;

    random_trace(params, &writer);
    opened_bytes(opened, writer.bytes.data, writer.bytes.size);
    trace_free(&writer);
}

static uint32_t crc_of(const struct opened *opened, unsigned frame)
{
    char path[64];
    size_t size = 0;
    char *bytes = NULL;
    uint32_t crc = 0;

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    bytes = walk_read(opened->tree, path, &size);
    crc = support_crc32(bytes, size);
    free(bytes);
    return crc;
}

static void test_order_does_not_matter(void **state)
{
    struct random_params params = {.frames = 8, .commands = 30};
    uint64_t random = 5;

    (void)state;
    for (params.number = 1; params.number <= 6; params.number++) {
        struct opened ascending, other;
        uint32_t crcs[8];

        open_random(&ascending, &params);
        open_random(&other, &params);
        for (unsigned i = 0; i < 8; i++)
            crcs[i] = crc_of(&ascending, i);
        for (int i = 0; i < 16; i++) {
            unsigned frame = support_random(&random) % 8;

            assert_int_equal(crc_of(&other, frame), crcs[frame]);
        }
        opened_close(&ascending);
        opened_close(&other);
    }
}

static void test_random_traces_keep_the_rules(void **state)
{
    struct random_params params = {.frames = 2, .commands = 60};

    (void)state;
    for (params.number = 100; params.number < 104; params.number++) {
        struct walk_result result;
        struct opened opened;

        open_random(&opened, &params);
        walk_tree(opened.tree, &(struct walk_params){.max_entries = 12}, &result);
        opened_close(&opened);
    }
}

/*
 * Colours between vertices may differ by one, because of rounding. A clipped edge has other
 * corners, so that a pixel whose centre it nearly touches may be in or out.
 */
static void expect_alike(const struct aerogpu_pixels *soft, const struct aerogpu_picture *drawn,
                         uint64_t number, uint32_t present)
{
    size_t bytes = (size_t)soft->width * soft->height * 4, off = 0;

    assert_int_equal(drawn->width, soft->width);
    assert_int_equal(drawn->height, soft->height);
    for (size_t i = 0; i < bytes; i++)
        off += abs(soft->data[i] - drawn->pixels[i]) > 1;
    if (off > bytes / 100 + EDGES)
        fail_msg("trace %u, PRESENT %u: %zu of %zu bytes differ", (unsigned)number, present, off,
                 bytes);
}

/* The fourth channel of X8 formats is kept by both, bit-identically. */
static void compare_x8(struct aerogpu_dump *dump, struct aerogpu_gpu_replay *worker,
                       const struct aerogpu_scan *scan, uint64_t number)
{
    for (uint32_t i = 0; i < scan->life_count; i++) {
        const struct aerogpu_life *life = &scan->lives[i];
        struct blob *soft = NULL, *drawn = NULL;

        if (life->object.kind != AEROGPU_OBJECT_TEXTURE ||
            (life->object.shape.format != AEROGPU_R8G8B8X8 &&
             life->object.shape.format != AEROGPU_B8G8R8X8))
            continue;
        assert_int_equal(
            aerogpu_replay_contents(dump, i, 0, (size_t)aerogpu_replay_contents_size(&life->object),
                                    NULL, &soft),
            0);
        assert_int_equal(
            aerogpu_gpu_replay_content(worker, life->end, life->object.handle, NULL, &drawn), 0);
        assert_int_equal(soft->size, drawn->size);
        for (size_t byte = 3; byte < soft->size; byte += 4)
            if (soft->data[byte] != drawn->data[byte])
                fail_msg("trace %u, resource %u: byte %zu is %u, by the worker %u",
                         (unsigned)number, i, byte, soft->data[byte], drawn->data[byte]);
        blob_unref(&soft);
        blob_unref(&drawn);
    }
}

static void compare(struct aerogpu_dump *dump, struct aerogpu_gpu_replay *worker, uint64_t number)
{
    const struct aerogpu_scan *scan = NULL;

    assert_int_equal(aerogpu_dump_scan(dump, NULL, &scan), 0);
    for (uint32_t i = 0; i < scan->present_count; i++) {
        const struct aerogpu_shot *shot = &scan->presents[i].shot;
        const struct aerogpu_picture_request request = aerogpu_replay_request(dump, shot);
        struct aerogpu_picture drawn = {0};
        struct aerogpu_pixels soft;

        assert_int_equal(aerogpu_gpu_replay_picture(worker, shot->tick, &request, NULL, &drawn), 0);
        assert_false(shot->drawn);
        assert_int_equal(aerogpu_replay_shot(dump, shot, NULL, &soft), 0);
        expect_alike(&soft, &drawn, number, i);
        free(soft.data);
        blob_unref(&drawn.owner);
    }
    compare_x8(dump, worker, scan, number);
}

static void test_the_worker_agrees(void **state)
{
    struct random_params params = {.frames = 4, .commands = 60, .plain_formats = true};

    (void)state;
    opened_need_driver();
    for (params.number = 200; params.number < 216; params.number++) {
        struct aerogpu_gpu_replay *worker = NULL;
        struct aerogpu_dump *dump = NULL;
        struct opened opened;

        open_random(&opened, &params);
        dump = aerogpu_dump_of(tree_dump(opened.tree));
        assert_int_equal(aerogpu_gpu_replay_create(dump, &worker), 0);
        compare(dump, worker, params.number);
        aerogpu_gpu_replay_destroy(&worker);
        opened_close(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_random_traces_keep_the_rules),
        cmocka_unit_test(test_the_worker_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

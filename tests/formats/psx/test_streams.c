/* SPDX-License-Identifier: MIT */
/*
 * Compares random streams, as a mount shows them, with the model: commands of all kinds, 480i,
 * aborts, textures that are drawn over while they are sampled, areas with ten bits of Y, the first
 * GPU, 2 MiB. Runs a few of each kind; GPUDUMPFS_STREAMS sets the number, to try more by hand, and
 * GPUDUMPFS_STREAM_SEED the first seed.
 */
#include "tests/formats/psx/model.h"
#include "tests/formats/psx/modelplay.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 4, FIRST_SEED = 1000 };

static uint64_t number_from(const char *variable, uint64_t standard)
{
    const char *text = getenv(variable);

    return text != NULL ? strtoull(text, NULL, 10) : standard;
}

/* A stream and its opened dump */
struct streamed {
    const char *kind;
    uint64_t seed;
    struct psx_build build;
    struct psx_opened opened;
};

static uint8_t *read_vram(const struct streamed *streamed, unsigned frame, size_t *size)
{
    char path[40];

    snprintf(path, sizeof(path), "by-frame/%06u/vram.bin", frame);
    return (uint8_t *)walk_read(streamed->opened.tree, path, size);
}

/* Compares VRAM after frame `frame`. Fails the test at the first pixel that differs. */
static void compare(const struct streamed *streamed, unsigned frame, const struct psx_model *model)
{
    const uint16_t *wanted = psx_model_vram(model);
    size_t size, pixels = (size_t)MODEL_WIDTH * psx_model_height(model);
    uint8_t *vram = read_vram(streamed, frame, &size);

    assert_int_equal(size, 2 * pixels);
    for (size_t i = 0; i < pixels; i++) {
        unsigned found = vram[2 * i] | (unsigned)vram[2 * i + 1] << 8;

        if (found != wanted[i])
            fail_msg("stream %s %llu, frame %u: pixel %zu,%zu is %04x, the model has %04x",
                     streamed->kind, (unsigned long long)streamed->seed, frame, i % MODEL_WIDTH,
                     i / MODEL_WIDTH, found, wanted[i]);
    }
    free(vram);
}

static void open_stream(struct streamed *streamed)
{
    assert_true(psx_streams_build(streamed->kind, streamed->seed, &streamed->build));
    psx_opened_init(&streamed->opened, streamed->build.bytes, streamed->build.size);
    psx_opened_tree(&streamed->opened);
}

/* Reads the last frame first, without those before it, then a frame in the middle. */
static void check_stream(const char *kind, uint64_t seed)
{
    static const unsigned frames[] = {STREAM_FRAMES - 1, STREAM_FRAMES / 2};
    struct streamed streamed = {.kind = kind, .seed = seed};

    open_stream(&streamed);
    for (unsigned i = 0; i < COUNT_OF(frames); i++) {
        struct psx_model *model =
            psx_modelplay(streamed.build.bytes, streamed.build.size, frames[i], MODEL_FAULT_NONE);

        assert_non_null(model);
        compare(&streamed, frames[i], model);
        psx_model_destroy(&model);
    }
    psx_opened_close(&streamed.opened);
    psx_build_free(&streamed.build);
}

static void check_streams(const char *kind)
{
    uint64_t first = number_from("GPUDUMPFS_STREAM_SEED", FIRST_SEED);
    uint64_t count = number_from("GPUDUMPFS_STREAMS", STREAMS);

    for (uint64_t seed = first; seed < first + count; seed++)
        check_stream(kind, seed);
}

static void test_clean_streams(void **state)
{
    (void)state;
    check_streams("clean");
}

static void test_interlaced_streams(void **state)
{
    (void)state;
    check_streams("interlaced");
}

static void test_streams_with_aborts(void **state)
{
    (void)state;
    check_streams("aborts");
}

static void test_textures_that_are_drawn_over(void **state)
{
    (void)state;
    check_streams("feedback");
}

static void test_areas_with_ten_bits(void **state)
{
    (void)state;
    check_streams("areas");
}

static void test_the_first_gpu(void **state)
{
    (void)state;
    check_streams("first-gpu");
}

static void test_2_mib(void **state)
{
    (void)state;
    check_streams("2-mib");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_streams),
        cmocka_unit_test(test_interlaced_streams),
        cmocka_unit_test(test_streams_with_aborts),
        cmocka_unit_test(test_textures_that_are_drawn_over),
        cmocka_unit_test(test_areas_with_ten_bits),
        cmocka_unit_test(test_the_first_gpu),
        cmocka_unit_test(test_2_mib),
    };

    return cmocka_run_group_tests_name("psx_streams", tests, NULL, NULL);
}

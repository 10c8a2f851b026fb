/* SPDX-License-Identifier: MIT */
/* Fills, copies, uploads and reads: psx-gpu.md 11, psx-dump.md 3.1, 3.2, 3.6. */

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define XY psx_play_xy

static void put(struct psx_gpu *gpu, int x, int y, uint16_t pixel)
{
    gpu->vram[(y & 511) * PSX_VRAM_WIDTH + (x & 1023)] = pixel;
}

static uint16_t get(const struct psx_gpu *gpu, int x, int y)
{
    return psx_play_pixel(gpu, x & 1023, y & 511);
}

static void number_all(struct psx_gpu *gpu, uint64_t seed)
{
    for (int i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        gpu->vram[i] = (uint16_t)support_random(&seed);
}

static unsigned count_of(const struct psx_gpu *gpu, uint16_t pixel)
{
    unsigned count = 0;

    for (int i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        count += gpu->vram[i] == pixel;
    return count;
}

static void test_fill_rounds_to_16_columns(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    /* Area, offset and mask bits have no effect. */
    PSX_PLAY(gpu, 0xE4000000, 0xE5000000 | 5, 0xE6000003);
    put(gpu, 0x20, 3, 0x8000);
    PSX_PLAY(gpu, 0x020000FF, XY(0x2F, 3), XY(1, 2));
    assert_int_equal(count_of(gpu, 0x001F), 32);
    assert_int_equal(get(gpu, 0x20, 3), 0x001F);
    assert_int_equal(get(gpu, 0x2F, 4), 0x001F);
    PSX_PLAY(gpu, 0x0200FF00, XY(0, 100), XY(0x3F1, 1));
    assert_int_equal(count_of(gpu, 0x03E0), 1024);
    PSX_PLAY(gpu, 0x02FF0000, 0, XY(0x400, 1), 0x02FF0000, 0, XY(16, 0), 0x02FF0000, 0,
             XY(16, 512));
    assert_int_equal(count_of(gpu, 0x7C00), 0);
    psx_gpu_destroy(&gpu);
}

static void test_fill_wraps(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x020000FF, XY(1008, 511), XY(32, 2));
    assert_int_equal(count_of(gpu, 0x001F), 64);
    assert_int_equal(get(gpu, 1023, 511), 0x001F);
    assert_int_equal(get(gpu, 15, 0), 0x001F);
    psx_gpu_destroy(&gpu);
}

/* A row is read before it is written, and written before the next one is read. */
static void test_overlapping_copies(void **state)
{
    static const int shifts[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {3, 2}, {127, 0}, {1, 1}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(shifts); i++) {
        struct psx_gpu *gpu = psx_play_gpu(), *must = psx_play_gpu();
        int dx = shifts[i][0], dy = shifts[i][1];

        number_all(gpu, 1);
        number_all(must, 1);
        for (int y = 0; y < 40; y++) {
            uint16_t row[120];

            for (int x = 0; x < 120; x++)
                row[x] = get(must, 200 + x, 200 + y);
            for (int x = 0; x < 120; x++)
                put(must, 200 + dx + x, 200 + dy + y, row[x]);
        }
        PSX_PLAY(gpu, 0x80000000, XY(200, 200), XY(200 + dx, 200 + dy), XY(120, 40));
        assert_int_equal(psx_play_crc32(gpu), psx_play_crc32(must));
        psx_gpu_destroy(&gpu);
        psx_gpu_destroy(&must);
    }
}

/* The same for any width: 1 to 300 are copied to 101 to 400, and back. */
static void test_wide_rows_are_read_whole(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int x = 0; x < 500; x++)
        put(gpu, x, 0, (uint16_t)x);
    PSX_PLAY(gpu, 0x80000000, XY(1, 0), XY(101, 0), XY(300, 1));
    for (int x = 0; x < 500; x++)
        assert_int_equal(get(gpu, x, 0), x > 100 && x <= 400 ? x - 100 : x);
    PSX_PLAY(gpu, 0x80000000, XY(101, 0), XY(1, 0), XY(300, 1));
    for (int x = 0; x < 500; x++)
        assert_int_equal(get(gpu, x, 0), x > 300 && x <= 400 ? x - 100 : x);
    psx_gpu_destroy(&gpu);
}

/* A complete line is rotated by one: each end is read before the other is written. */
static void test_a_whole_line_turns(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    for (int x = 0; x < 1024; x++)
        put(gpu, x, 7, (uint16_t)x);
    PSX_PLAY(gpu, 0x80000000, XY(0, 7), XY(1, 7), XY(0, 1));
    for (int x = 0; x < 1024; x++)
        assert_int_equal(get(gpu, x, 7), (x - 1) & 1023);
    PSX_PLAY(gpu, 0x80000000, XY(1023, 7), XY(511, 7), XY(0, 1));
    for (int x = 0; x < 1024; x++)
        assert_int_equal(get(gpu, x, 7), (x + 511) & 1023);
    psx_gpu_destroy(&gpu);
}

static void test_copies_wrap(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 1023, 511, 1);
    put(gpu, 0, 511, 2);
    put(gpu, 1023, 0, 3);
    put(gpu, 0, 0, 4);
    PSX_PLAY(gpu, 0x80000000, XY(1023, 511), XY(100, 100), XY(2, 2));
    PSX_PLAY(gpu, 0x80000000, XY(100, 100), XY(1023, 1535), XY(1026, 514));
    for (int i = 0; i < 4; i++)
        assert_int_equal(get(gpu, 1023 + i % 2, 511 + i / 2), i + 1);
    psx_gpu_destroy(&gpu);
}

static int below(uint64_t *random, int bound)
{
    return (int)((support_random(random) >> 20) % (unsigned)bound);
}

static void model_copy(struct psx_gpu *gpu, const int from[2], const int to[2], const int size[2],
                       unsigned mask)
{
    for (int y = 0; y < size[1]; y++) {
        uint16_t row[1024];

        for (int x = 0; x < size[0]; x++)
            row[x] = get(gpu, from[0] + x, from[1] + y);
        for (int x = 0; x < size[0]; x++)
            if (!(mask & 2) || !(get(gpu, to[0] + x, to[1] + y) & 0x8000))
                put(gpu, to[0] + x, to[1] + y, row[x] | (mask & 1 ? 0x8000 : 0));
    }
}

/* Near and far, around both edges, wide and narrow, with all masks */
static void test_random_copies(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu(), *must = psx_play_gpu();
    uint64_t random = 31;

    (void)state;
    number_all(gpu, 3);
    number_all(must, 3);
    for (unsigned n = 0; n < 400; n++) {
        int size[2], from[2], to[2];
        unsigned mask = n & 3;

        for (unsigned i = 0; i < 2; i++) {
            int max = i == 0 ? 1024 : 512, wide = n % 5 == 0 && i == 0 ? 1024 : 40;

            size[i] = 1 + below(&random, wide);
            from[i] = below(&random, max);
            to[i] = below(&random, max);
            if (n % 3 == 0)
                to[i] = (from[i] + below(&random, 5) - 2) & (max - 1);
        }
        if (n % 7 == 0)
            to[1] = from[1];
        PSX_PLAY(gpu, 0xE6000000 | mask, 0x80000000, XY(from[0], from[1]), XY(to[0], to[1]),
                 XY(size[0], size[1]));
        model_copy(must, from, to, size, mask);
    }
    assert_int_equal(psx_play_crc32(gpu), psx_play_crc32(must));
    psx_gpu_destroy(&gpu);
    psx_gpu_destroy(&must);
}

static void test_size_zero_copies_all(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    number_all(gpu, 2);

    uint32_t before = psx_play_crc32(gpu);

    PSX_PLAY(gpu, 0x80000000, 0, 0, 0);
    assert_int_equal(psx_play_crc32(gpu), before);
    PSX_PLAY(gpu, 0xE6000001, 0x80000000, 0, 0, 0);
    for (int i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        assert_true(gpu->vram[i] & 0x8000);
    psx_gpu_destroy(&gpu);
}

static void test_transfers_heed_the_mask(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 1, 0, 0x8001);
    PSX_PLAY(gpu, 0xE6000003, 0xA0000000, 0, XY(4, 1), 0x00120011, 0x00140013);
    assert_int_equal(get(gpu, 0, 0), 0x8011);
    assert_int_equal(get(gpu, 1, 0), 0x8001);
    assert_int_equal(get(gpu, 2, 0), 0x8013); /* the protected pixel uses up its source */
    PSX_PLAY(gpu, 0xE6000000, 0xA0000000, XY(0, 1), XY(2, 1), 0x80020001, 0xE6000002);
    PSX_PLAY(gpu, 0x80000000, XY(2, 0), XY(0, 1), XY(2, 1));
    assert_int_equal(get(gpu, 0, 1), 0x8013);
    assert_int_equal(get(gpu, 1, 1), 0x8002);
    psx_gpu_destroy(&gpu);
}

static void test_odd_uploads(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xA0000000, XY(10, 10), XY(3, 3), 0x00020001, 0x00040003, 0x00060005, 0x00080007,
             0xFFFF0009, 0x680000FF, 0);
    for (int i = 0; i < 9; i++)
        assert_int_equal(get(gpu, 10 + i % 3, 10 + i / 3), i + 1);
    assert_int_equal(count_of(gpu, 0xFFFF), 0);
    assert_int_equal(get(gpu, 0, 0), 0x001F);
    psx_gpu_destroy(&gpu);
}

static void test_uploads_wrap(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xA0000000, XY(1023, 511), XY(2, 2), 0x00020001, 0x00040003);
    assert_int_equal(get(gpu, 1023, 511), 1);
    assert_int_equal(get(gpu, 0, 511), 2);
    assert_int_equal(get(gpu, 1023, 0), 3);
    assert_int_equal(get(gpu, 0, 0), 4);
    psx_gpu_destroy(&gpu);
}

/* However the words are split, pixels are written as the words come. */
static void test_uploads_in_parts(void **state)
{
    struct psx_gpu *whole = psx_play_gpu();
    uint32_t words[3 + 61] = {0xA0000000, XY(1000, 500), XY(11, 11)};
    uint64_t random = 7;

    (void)state;
    for (size_t i = 3; i < COUNT_OF(words); i++)
        words[i] = (uint32_t)support_random(&random);
    psx_play_gp0(whole, words, COUNT_OF(words));
    for (size_t part = 1; part < 14; part++) {
        struct psx_gpu *gpu = psx_play_gpu();

        for (size_t i = 0; i < COUNT_OF(words); i += part)
            psx_play_gp0(gpu, words + i, part < COUNT_OF(words) - i ? part : COUNT_OF(words) - i);
        assert_int_equal(psx_play_crc32(gpu), psx_play_crc32(whole));
        assert_int_equal(gpu->state.upload.total, 0);
        psx_gpu_destroy(&gpu);
    }
    psx_gpu_destroy(&whole);
}

static void test_unfinished_upload_shows(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xA0000000, 0, XY(4, 4), 0x00020001);
    assert_int_equal(get(gpu, 1, 0), 2);
    assert_int_equal(gpu->state.upload.done, 2);
    psx_gpu_gp1(gpu, 0x01000000); /* dropped after that */
    PSX_PLAY(gpu, 0x680000FF, XY(5, 5));
    assert_int_equal(get(gpu, 5, 5), 0x001F);
    assert_int_equal(get(gpu, 2, 0), 0);
    psx_gpu_destroy(&gpu);
}

static void test_reset_drops_a_command_and_keeps_vram(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    put(gpu, 9, 9, 0x1234);
    PSX_PLAY(gpu, 0x20FFFFFF, XY(0, 0), XY(9, 0));
    psx_gpu_gp1(gpu, 0x00000000);
    PSX_PLAY(gpu, XY(0, 9), 0x680000FF, 0);
    assert_int_equal(gpu->pixels, 1); /* the area is one pixel again */
    assert_int_equal(get(gpu, 0, 0), 0x001F);
    assert_int_equal(get(gpu, 9, 9), 0x1234);
    psx_gpu_destroy(&gpu);
}

/* Other GP1 words take effect between the parts of a GP0 command, which continues. */
static void test_gp1_within_a_command(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0x680000FF);
    psx_gpu_gp1(gpu, 0x05000123);
    psx_gpu_gp1(gpu, 0x04000002);
    PSX_PLAY(gpu, XY(3, 3));
    assert_int_equal(get(gpu, 3, 3), 0x001F);
    psx_gpu_destroy(&gpu);
}

static void upload_all(struct psx_gpu *gpu, uint32_t size, uint32_t word)
{
    uint32_t *words = malloc(4 * (3 + 1024 * 256));

    assert_non_null(words);
    words[0] = 0xA0000000;
    words[1] = 0;
    words[2] = size;
    for (size_t i = 3; i < 3 + 1024 * 256; i++)
        words[i] = word;
    psx_play_gp0(gpu, words, 3 + 1024 * 256);
    free(words);
}

static void test_restoring_vram_ignores_the_mask(void **state)
{
    static const uint32_t sizes[2] = {0, 0x02000400};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct psx_gpu *gpu = psx_play_gpu();

        gpu->state.restoring = true;
        put(gpu, 5, 5, 0x8000);
        PSX_PLAY(gpu, 0xE6000003);
        upload_all(gpu, sizes[i], 0x12341234);
        assert_int_equal(count_of(gpu, 0x1234), 1024 * 512);
        assert_int_equal(gpu->state.registers.e[6], 3);
        /* A smaller upload heeds the mask, before Trace begin as well. */
        PSX_PLAY(gpu, 0xA0000000, 0, XY(1, 1), 0x0001);
        assert_int_equal(get(gpu, 0, 0), 0x8001);
        gpu->state.restoring = false;
        upload_all(gpu, sizes[i], 0x00010001);
        assert_int_equal(count_of(gpu, 0x8001), 1024 * 512);
        psx_gpu_destroy(&gpu);
    }
}

static void test_reads_give_the_words(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint8_t out[5 * 4] = {0};

    (void)state;
    assert_int_equal(psx_gpu_read(gpu, 5, out), 0);
    for (int i = 0; i < 9; i++)
        put(gpu, 1023 + i % 3, 511 + i / 3, (uint16_t)(0x1100 + i));
    PSX_PLAY(gpu, 0xC0000000, XY(1023, 511), XY(3, 3));
    assert_int_equal(psx_gpu_status(gpu) >> 27 & 1, 1);
    assert_int_equal(psx_gpu_read(gpu, 2, out), 2);
    assert_int_equal(psx_gpu_read(gpu, UINT32_MAX, out + 8), 3);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(out[2 * i], i);
        assert_int_equal(out[2 * i + 1], 0x11);
    }
    assert_int_equal(out[18] | out[19], 0);
    assert_int_equal(psx_gpu_status(gpu) >> 27 & 1, 0);
    assert_int_equal(psx_gpu_read(gpu, 1, NULL), 0);
    psx_gpu_destroy(&gpu);
}

/* Commands after the C0 are executed, but the words read are those from before them. */
static void test_reads_show_vram_at_their_command(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();
    uint8_t out[4];

    (void)state;
    put(gpu, 0, 0, 0x1234);
    PSX_PLAY(gpu, 0xC0000000, 0, XY(2, 1), 0x02FFFFFF, 0, XY(16, 1));
    assert_int_equal(get(gpu, 0, 0), 0x7FFF);
    assert_int_equal(psx_gpu_read(gpu, 1, out), 1);
    assert_int_equal(out[0] | out[1] << 8, 0x1234);
    psx_gpu_destroy(&gpu);
}

static void test_a_read_is_dropped_by_gp1(void **state)
{
    struct psx_gpu *gpu = psx_play_gpu();

    (void)state;
    PSX_PLAY(gpu, 0xC0000000, 0, 0);
    psx_gpu_gp1(gpu, 0x01000000);
    assert_int_equal(psx_gpu_read(gpu, 1, NULL), 0);
    PSX_PLAY(gpu, 0xC0000000, 0, 0);
    assert_int_equal(psx_gpu_read(gpu, UINT32_MAX, NULL), 1024 * 512 / 2);
    psx_gpu_destroy(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_rounds_to_16_columns),
        cmocka_unit_test(test_fill_wraps),
        cmocka_unit_test(test_overlapping_copies),
        cmocka_unit_test(test_wide_rows_are_read_whole),
        cmocka_unit_test(test_a_whole_line_turns),
        cmocka_unit_test(test_copies_wrap),
        cmocka_unit_test(test_random_copies),
        cmocka_unit_test(test_size_zero_copies_all),
        cmocka_unit_test(test_transfers_heed_the_mask),
        cmocka_unit_test(test_odd_uploads),
        cmocka_unit_test(test_uploads_wrap),
        cmocka_unit_test(test_uploads_in_parts),
        cmocka_unit_test(test_unfinished_upload_shows),
        cmocka_unit_test(test_reset_drops_a_command_and_keeps_vram),
        cmocka_unit_test(test_gp1_within_a_command),
        cmocka_unit_test(test_restoring_vram_ignores_the_mask),
        cmocka_unit_test(test_reads_give_the_words),
        cmocka_unit_test(test_reads_show_vram_at_their_command),
        cmocka_unit_test(test_a_read_is_dropped_by_gp1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "image/gl_format.h"

#include "tests/support/support.h"

#include <string.h>

/* Expects that a pixel in memory is converted to this pixel of a picture. */
static void expect(uint32_t format, uint32_t type, const char *pixel, enum picture_colour look,
                   const char *wanted)
{
    struct gl_format found;
    uint8_t out[8] = {0};

    assert_true(gl_format_find(format, type, &found));
    assert_int_equal(found.pixel.look, look);
    pixel_format_lines(&found.pixel, (const uint8_t *)pixel, 0, 1, 0, 1, out);
    assert_memory_equal(out, wanted, (size_t)look);
}

static void test_components(void **state)
{
    (void)state;
    expect(0x1908, 0x1401, "\x01\x02\x03\x04", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect(0x80E1, 0x1401, "\x01\x02\x03\x04", PICTURE_RGBA, "\x03\x02\x01\x04");
    expect(0x8000, 0x1401, "\x01\x02\x03\x04", PICTURE_RGBA, "\x04\x03\x02\x01");
    expect(0x1907, 0x1403, "\xff\xff\x00\x80\x00\x00", PICTURE_RGB, "\xff\x80\x00");
    expect(0x8227, 0x1401, "\x01\x02", PICTURE_RGB, "\x01\x02\x00");
    expect(0x1903, 0x1401, "\x07", PICTURE_GREY, "\x07");
    expect(0x190A, 0x1401, "\x07\x08", PICTURE_RGBA, "\x07\x07\x07\x08");
    expect(0x1902, 0x1406, "\x00\x00\x80\x3f", PICTURE_GREY, "\xff");
}

static void test_words(void **state)
{
    (void)state;
    expect(0x1907, 0x8032, "\xe3", PICTURE_RGB, "\xff\x00\xff");
    expect(0x1907, 0x8362, "\x07", PICTURE_RGB, "\xff\x00\x00");
    expect(0x1907, 0x8363, "\x00\xf8", PICTURE_RGB, "\xff\x00\x00");
    expect(0x1908, 0x8035, "\x04\x03\x02\x01", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect(0x1908, 0x8367, "\x01\x02\x03\x04", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect(0x84F9, 0x84FA, "\x55\xff\xff\xff", PICTURE_GREY, "\xff");
    expect(0x84F9, 0x8DAD, "\x00\x00\x80\x3f\x55\x66\x77\x88", PICTURE_GREY, "\xff");
}

static void test_integers(void **state)
{
    (void)state;
    expect(0x8D99, 0x1401, "\x01\x02\x03\x04", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect(0x8D98, 0x1403, "\x05\x00\xff\x00\x00\x01", PICTURE_RGB, "\x05\xff\xff");
    expect(0x8D94, 0x1404, "\xff\xff\xff\xff", PICTURE_GREY, "\x00");
}

static bool lies_within(struct pixel_channel channel, const struct gl_format *format)
{
    return channel.shift + channel.bits <= 8 * format->pixel.bytes;
}

static void test_all_lie_within_their_pixel(void **state)
{
    unsigned known = 0;

    (void)state;
    for (uint32_t format = 0x1900; format < 0x9000; format++)
        for (uint32_t type = 0x1400; type < 0x9000; type = type == 0x140F ? 0x8000 : type + 1) {
            struct gl_format found;

            if (!gl_format_find(format, type, &found))
                continue;
            known++;
            assert_true(lies_within(found.pixel.red, &found));
            assert_true(lies_within(found.pixel.green, &found));
            assert_true(lies_within(found.pixel.blue, &found));
            assert_true(lies_within(found.pixel.alpha, &found));
            assert_int_equal(found.pixel.bytes % found.unit, 0);
        }
    assert_in_range(known, 200, 400);
}

static void test_what_does_not_go_together(void **state)
{
    struct gl_format found;

    (void)state;
    assert_false(gl_format_find(0, 0x1401, &found));
    assert_false(gl_format_find(0x1908, 0, &found));
    assert_false(gl_format_find(0x1908, 0x8363, &found)); /* RGBA in 5_6_5 */
    assert_false(gl_format_find(0x1907, 0x8033, &found)); /* RGB in 4_4_4_4 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_all_lie_within_their_pixel),
        cmocka_unit_test(test_what_does_not_go_together),
    };

    return cmocka_run_group_tests_name("gl_format", tests, NULL, NULL);
}

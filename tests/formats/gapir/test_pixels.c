/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/gapir/decode/pixels.h"

#include "tests/support/support.h"

#include <string.h>

static const struct gapir_format *named(const char *name)
{
    const struct gapir_format *format = gapir_format_named(name, strlen(name));

    if (format == NULL)
        fail_msg("no format %s", name);
    return format;
}

/* Checks one pixel, given as in memory and as in its picture. */
static void expect(const char *name, const char *pixel, enum picture_colour look,
                   const char *wanted)
{
    const struct gapir_format *format = named(name);
    uint8_t out[2][8] = {{0}};
    uint8_t two[32];

    assert_int_equal(format->pixel.look, look);
    memcpy(two, pixel, format->pixel.bytes);
    memcpy(two + format->pixel.bytes, pixel, format->pixel.bytes);
    pixel_format_lines(&format->pixel, two, 0, 2, 0, 1, &out[0][0]);
    assert_memory_equal(&out[0][0], wanted, (size_t)look);
    assert_memory_equal(&out[0][0] + look, wanted, (size_t)look);
}

static void test_bytes(void **state)
{
    (void)state;
    expect("RGBA8", "\x01\x02\x03\x04", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect("B8G8R8A8_UNORM", "\x01\x02\x03\x04", PICTURE_RGBA, "\x03\x02\x01\x04");
    expect("VK_FORMAT_R8G8B8A8_SRGB", "\x01\x02\x03\x04", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect("B8G8R8_UNORM", "\x01\x02\x03", PICTURE_RGB, "\x03\x02\x01");
    expect("R8_UNORM", "\x07", PICTURE_RGB, "\x07\x00\x00");
    expect("R8G8_UNORM", "\x07\x08", PICTURE_RGB, "\x07\x08\x00");
    expect("L8", "\x07", PICTURE_GREY, "\x07");
    expect("R8G8B8A8_SNORM", "\x7f\x80\x01\x7f", PICTURE_RGBA, "\xff\x00\x02\xff");
}

static void test_packed(void **state)
{
    (void)state;
    expect("RGB565", "\x00\xf8", PICTURE_RGB, "\xff\x00\x00");
    expect("RGB565", "\xe0\x07", PICTURE_RGB, "\x00\xff\x00");
    expect("R5G6B5_UNORM_PACK16", "\x1f\x00", PICTURE_RGB, "\x00\x00\xff");
    expect("B5G6R5_UNORM_PACK16", "\x1f\x00", PICTURE_RGB, "\xff\x00\x00");
    expect("RGBA4", "\x1f\x84", PICTURE_RGBA, "\x88\x44\x11\xff");
    expect("RGB5_A1", "\x01\x00", PICTURE_RGBA, "\x00\x00\x00\xff");
    expect("A1R5G5B5_UNORM_PACK16", "\x00\x80", PICTURE_RGBA, "\x00\x00\x00\xff");
    expect("A2B10G10R10_UNORM_PACK32", "\xff\x03\x00\xc0", PICTURE_RGBA16,
           "\xff\xff\x00\x00\x00\x00\xff\xff");
    expect("A2R10G10B10_UNORM_PACK32", "\xff\x03\x00\xc0", PICTURE_RGBA16,
           "\x00\x00\x00\x00\xff\xff\xff\xff");
}

/* Clamped to the range of a picture; NaN is black. */
static void test_floating(void **state)
{
    (void)state;
    expect("RGBA16F", "\x00\x3c\x00\x38\x00\xbc\x00\x7c", PICTURE_RGBA16,
           "\xff\xff\x80\x00\x00\x00\xff\xff");
    expect("R16G16B16A16_SFLOAT", "\x00\x7e\x01\x00\x00\x40\x00\x3c", PICTURE_RGBA16,
           "\x00\x00\x00\x00\xff\xff\xff\xff");
    expect("RGBA32F", "\x00\x00\x80\x3f\x00\x00\x00\x3f\x00\x00\x00\xbf\x00\x00\xc0\x7f",
           PICTURE_RGBA16, "\xff\xff\x80\x00\x00\x00\x00\x00");
    expect("R32_SFLOAT", "\x00\x00\x00\x3f", PICTURE_RGBA16, "\x80\x00\x00\x00\x00\x00\xff\xff");
    expect("B10G11R11_UFLOAT_PACK32", "\xc0\x03\x00\x00", PICTURE_RGBA16,
           "\xff\xff\x00\x00\x00\x00\xff\xff");
    expect("E5B9G9R9_UFLOAT_PACK32", "\x00\x01\x00\x80", PICTURE_RGBA16,
           "\xff\xff\x00\x00\x00\x00\xff\xff");
    expect("R16G16B16A16_UNORM", "\x34\x12\xff\xff\x00\x00\x00\x80", PICTURE_RGBA16,
           "\x12\x34\xff\xff\x00\x00\x80\x00");
}

static void test_depth(void **state)
{
    (void)state;
    expect("D16_UNORM", "\x34\x12", PICTURE_GREY16, "\x12\x34");
    expect("X8_D24_UNORM_PACK32", "\xff\xff\xff\x55", PICTURE_GREY16, "\xff\xff");
    expect("D24_UNORM_S8_UINT", "\x00\x00\x80\x55", PICTURE_GREY16, "\x80\x00");
    expect("D32_SFLOAT", "\x00\x00\x00\x3f", PICTURE_GREY16, "\x80\x00");
    expect("DEPTH24_STENCIL8", "\x55\xff\xff\xff", PICTURE_GREY16, "\xff\xff");
}

/* Relative to their largest value; negative values are black. */
static void test_integers(void **state)
{
    (void)state;
    expect("R8G8B8A8_SINT", "\x7f\x80\x01\x7f", PICTURE_RGBA, "\xff\x00\x02\xff");
    expect("R16_UINT", "\x34\x12", PICTURE_RGBA16, "\x12\x34\x00\x00\x00\x00\xff\xff");
    expect("R32G32_UINT", "\0\0\0\x80\xff\xff\xff\xff", PICTURE_RGBA16,
           "\x80\x00\xff\xff\x00\x00\xff\xff");
    expect("RGBA32I", "\xff\xff\xff\x7f\0\0\0\x80\0\0\0\0\xff\xff\xff\x7f", PICTURE_RGBA16,
           "\xff\xff\x00\x00\x00\x00\xff\xff");
    expect("RGB10_A2UI", "\xff\x03\x00\xc0", PICTURE_RGBA16, "\xff\xff\x00\x00\x00\x00\xff\xff");
}

static void test_rare_orders(void **state)
{
    (void)state;
    expect("R4G4_UNORM_PACK8", "\x1f", PICTURE_RGB, "\x11\xff\x00");
    expect("LA8", "\x12\x34", PICTURE_RGBA, "\x12\x12\x12\x34");
    expect("BGRA4", "\x21\x43", PICTURE_RGBA, "\x33\x22\x11\x44");
    expect("BGR5_A1", "\x1f\x80", PICTURE_RGBA, "\x00\x00\xff\xff");
    expect("DEPTH32F_STENCIL8", "\x00\x00\x00\x3f\x55\x66\x77\x88", PICTURE_GREY16, "\x80\x00");
}

/* What OpenGL reads as a word, or in an order of its own, is named by its layout in memory. */
static void test_formats_of_opengl(void **state)
{
    static const struct {
        uint32_t format, type;
        const char *name;
    } rows[] = {
        {0x1908, 0x8367, "RGBA8"},    {0x80E1, 0x8367, "BGRA8"},  {0x1908, 0x8035, "ABGR8"},
        {0x8000, 0x1401, "ABGR8"},    {0x80E0, 0x1401, "BGR8"},   {0x1907, 0x8032, "RGB332"},
        {0x80E1, 0x8368, "BGR10_A2"}, {0x8D98, 0x1401, "RGB8UI"}, {0x8D98, 0x1404, "RGB32I"},
        {0x1903, 0x1400, "R8_SNORM"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        const struct gapir_format *format = gapir_format_gl(rows[n].format, rows[n].type);

        assert_non_null(format);
        assert_string_equal(format->name, rows[n].name);
        assert_int_equal(format->pixel.bytes, named(rows[n].name)->pixel.bytes);
        assert_int_equal(format->pixel.red.shift, named(rows[n].name)->pixel.red.shift);
    }
    expect("ABGR8", "\x04\x03\x02\x01", PICTURE_RGBA, "\x01\x02\x03\x04");
    expect("BGR8", "\x03\x02\x01", PICTURE_RGB, "\x01\x02\x03");
    expect("RGB332", "\xe3", PICTURE_RGB, "\xff\x00\xff");
    expect("RGB565_REV", "\x1f\x00", PICTURE_RGB, "\xff\x00\x00");
    expect("BGR10_A2", "\xff\x03\x00\xc0", PICTURE_RGBA16, "\x00\x00\x00\x00\xff\xff\xff\xff");
    expect("R8_SNORM", "\x7f", PICTURE_RGB, "\xff\x00\x00");
    expect("RGB16UI", "\x34\x12\xff\xff\x00\x00", PICTURE_RGBA16,
           "\x12\x34\xff\xff\x00\x00\xff\xff");
}

static bool lies_within(struct pixel_channel channel, unsigned bits)
{
    return channel.shift + channel.bits <= bits;
}

static void test_channels_lie_within_their_pixel(void **state)
{
    unsigned known = 0;

    (void)state;
    for (uint32_t number = 0; number < 1024; number++) {
        const struct gapir_format *format = gapir_format_vulkan(number, 1);
        if (format == NULL)
            continue;
        unsigned bits = 8u * format->pixel.bytes;
        assert_ptr_equal(named(format->name), format);
        assert_true(
            lies_within(format->pixel.red, bits) && lies_within(format->pixel.green, bits) &&
            lies_within(format->pixel.blue, bits) && lies_within(format->pixel.alpha, bits));
        known++;
    }
    assert_in_range(known, 80, 130);
}

static void test_stencil_is_read_apart(void **state)
{
    (void)state;
    assert_string_equal(gapir_format_vulkan(129, 2)->name, "VK_FORMAT_D24_UNORM_S8_UINT");
    assert_string_equal(gapir_format_vulkan(129, 4)->name, "VK_FORMAT_S8_UINT");
    assert_null(gapir_format_vulkan(0, 1));
    assert_null(gapir_format_vulkan(0x7fffffff, 1));
    assert_null(gapir_format_gl(0x1908, 0));
    assert_null(gapir_format_named("RGBA", 4));
    assert_null(gapir_format_named("", 0));
    assert_ptr_equal(named("rgba8"), gapir_format_gl(0x1908, 0x1401));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_floating),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_rare_orders),
        cmocka_unit_test(test_formats_of_opengl),
        cmocka_unit_test(test_channels_lie_within_their_pixel),
        cmocka_unit_test(test_stencil_is_read_apart),
    };

    return cmocka_run_group_tests_name("gapir_pixels", tests, NULL, NULL);
}

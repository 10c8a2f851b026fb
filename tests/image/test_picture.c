/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/memory.h"
#include "image/picture.h"
#include "image/picture_stored.h"

#include "tests/support/support.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct picture_text texts[] = {
    {"Frame", "000012"}, {"Time", "0.2"}, {"Software", "gpudumpfs"}, {"Comment", ""}};

static const uint8_t palette_colours[][3] = {{255, 255, 255}, {0, 0, 0}, {12, 34, 56}};
static const struct picture_palette palette = {palette_colours, 3};

static const struct picture_header geometries[] = {
    {1, 1, PICTURE_GREY, 8, NULL, 0, NULL},
    {1, 1, PICTURE_RGBA, 8, NULL, 0, NULL},
    {1, 1, PICTURE_RGB, 5, texts, 4, NULL},
    {7, 3, PICTURE_RGB, 0, texts, 1, NULL},
    {320, 240, PICTURE_RGB, 5, texts, 3, NULL},
    {640, 480, PICTURE_RGB, 8, NULL, 0, NULL},
    {256, 256, PICTURE_RGBA, 5, texts, 2, NULL},
    {1024, 512, PICTURE_RGB, 5, NULL, 0, NULL},
    {65534, 1, PICTURE_GREY, 8, NULL, 0, NULL}, /* too wide */
    {16384, 1, PICTURE_RGBA, 8, NULL, 0, NULL}, /* a row longer than a block */
    {16384, 9, PICTURE_RGBA, 8, texts, 4, NULL},
    {16384, 4, PICTURE_GREY, 3, NULL, 0, NULL}, /* 65540 bytes: a block, and five bytes */
    {1, 16384, PICTURE_RGB, 8, NULL, 0, NULL},
    {13106, 5, PICTURE_GREY, 8, NULL, 0, NULL}, /* 65535 bytes: exactly one block */
    {4368, 5, PICTURE_RGB, 8, NULL, 0, NULL},   /* a block ends within a row */
    {9, 5, PICTURE_GREY16, 8, NULL, 0, NULL},
    {640, 30, PICTURE_RGBA16, 5, texts, 1, NULL}, /* no sBIT with 16 bits */
};

static uint8_t *make_pixels(const struct picture_header *header, size_t stride)
{
    uint8_t *pixels = malloc(stride * header->height);
    uint64_t random = 42;

    assert_non_null(pixels);
    for (size_t i = 0; i < stride * header->height; i++)
        pixels[i] = (uint8_t)support_random(&random);
    return pixels;
}

static size_t row_bytes(const struct picture_header *header)
{
    return (size_t)header->width * header->colour;
}

static unsigned sample_bytes(const struct picture_header *header)
{
    return header->colour == PICTURE_GREY16 || header->colour == PICTURE_RGBA16 ? 2 : 1;
}

static void fail_png(png_structp png, png_const_charp message)
{
    (void)png;
    fail_msg("libpng: %s", message);
}

struct reading {
    const uint8_t *next, *end;
};

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct reading *reading = png_get_io_ptr(png);

    assert_true(size <= (size_t)(reading->end - reading->next));
    memcpy(bytes, reading->next, size);
    reading->next += size;
}

static void check_texts(png_structp png, png_infop info, const struct picture_header *header)
{
    png_textp found = NULL;
    int count = 0;

    png_get_text(png, info, &found, &count);
    assert_int_equal(count, header->text_count);
    for (size_t i = 0; i < header->text_count; i++) {
        assert_string_equal(found[i].key, header->texts[i].keyword);
        assert_string_equal(found[i].text, header->texts[i].text);
        assert_int_equal(found[i].compression, PNG_TEXT_COMPRESSION_NONE);
    }
}

static void check_significant_bits(png_structp png, png_infop info,
                                   const struct picture_header *header)
{
    bool expected =
        header->significant_bits > 0 && header->significant_bits < 8 && sample_bytes(header) == 1;
    png_color_8p bits = NULL;

    assert_int_equal(png_get_sBIT(png, info, &bits) != 0, expected);
    if (!expected)
        return;
    if (header->colour == PICTURE_GREY) {
        assert_int_equal(bits->gray, header->significant_bits);
        return;
    }
    assert_int_equal(bits->red, header->significant_bits);
    assert_int_equal(bits->green, header->significant_bits);
    assert_int_equal(bits->blue, header->significant_bits);
    if (header->colour == PICTURE_RGBA)
        assert_int_equal(bits->alpha, 8);
}

/* Reads the PNG with libpng, which is made to treat every warning as an error. */
static void check_png(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                      const struct blob *blob)
{
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail_png, fail_png);
    png_infop info = png_create_info_struct(png);
    struct reading reading = {blob->data, blob->data + blob->size};
    uint8_t *row = malloc(row_bytes(header));

    png_set_read_fn(png, &reading, read_bytes);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_read_info(png, info);
    assert_int_equal(png_get_image_width(png, info), header->width);
    assert_int_equal(png_get_image_height(png, info), header->height);
    assert_int_equal(png_get_channels(png, info), header->colour / sample_bytes(header));
    assert_int_equal(png_get_bit_depth(png, info), 8 * sample_bytes(header));
    check_significant_bits(png, info, header);
    check_texts(png, info, header);
    for (uint32_t y = 0; y < header->height; y++) {
        png_read_row(png, row, NULL);
        assert_memory_equal(row, pixels + y * stride, row_bytes(header));
    }
    png_read_end(png, NULL);
    assert_ptr_equal(reading.next, reading.end);
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
}

static void test_sizes_out_of_range(void **state)
{
    static const uint32_t bad[][2] = {
        {0, 0}, {0, 1}, {1, 0}, {PICTURE_MAX + 1, 1}, {1, PICTURE_MAX + 1}, {UINT32_MAX, 1}};
    struct picture_writer writer;
    struct blob *blob = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct picture_header header = {bad[i][0], bad[i][1], PICTURE_RGB, 8, NULL, 0, NULL};

        assert_int_equal(picture_size(&header), 0);
        assert_int_equal(picture_begin(&header, &writer), -EINVAL);
        assert_int_equal(picture_encode(&header, NULL, 0, PICTURE_STORED, &blob), -EINVAL);
        assert_int_equal(picture_encode(&header, NULL, 0, PICTURE_SMALL, &blob), -EINVAL);
        assert_null(blob);
    }
    /* one chunk of a PNG holds less than 2 GiB */
    struct picture_header large = {PICTURE_MAX, PICTURE_MAX, PICTURE_RGBA16, 8, NULL, 0, NULL};
    assert_int_equal(picture_size(&large), 0);
    large.colour = PICTURE_RGBA;
    assert_true(picture_size(&large) > UINT64_C(4) * PICTURE_MAX * PICTURE_MAX);
}

/* The sizes in fuse.md, "Sizes decide everything". */
static void test_published_size(void **state)
{
    struct picture_header header = {640, 480, PICTURE_RGB, 8, NULL, 0, NULL};

    (void)state;
    assert_int_equal(picture_size(&header), 922218);
    header.significant_bits = 5;
    assert_int_equal(picture_size(&header), 922218 + 15);
}

static void test_encoded_and_read_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(geometries); i++) {
        const struct picture_header *header = &geometries[i];
        size_t stride = row_bytes(header) + i % 3;
        struct blob *blob = NULL;
        uint8_t *pixels;

        if (header->width > PICTURE_MAX) {
            assert_int_equal(picture_size(header), 0);
            continue;
        }
        pixels = make_pixels(header, stride);
        assert_int_equal(picture_encode(header, pixels, stride, PICTURE_STORED, &blob), 0);
        assert_int_equal(blob->size, picture_size(header));
        check_png(header, pixels, stride, blob);
        blob_unref(&blob);
        assert_int_equal(picture_encode(header, pixels, stride, PICTURE_SMALL, &blob), 0);
        check_png(header, pixels, stride, blob);
        blob_unref(&blob);
        free(pixels);
    }
}

static void test_size_of_many_geometries(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (int i = 0; i < 300; i++) {
        static const enum picture_colour colours[] = {PICTURE_GREY, PICTURE_RGB, PICTURE_RGBA};
        struct picture_header header = {.width = (uint32_t)(1 + support_random(&random) % 700),
                                        .height = (uint32_t)(1 + support_random(&random) % 300),
                                        .colour = colours[i % 3],
                                        .significant_bits = (uint8_t)(i % 9),
                                        .texts = texts,
                                        .text_count = (size_t)i % 5};
        struct blob *blob = NULL;
        uint8_t *pixels = make_pixels(&header, row_bytes(&header));

        assert_int_equal(picture_encode(&header, pixels, row_bytes(&header), PICTURE_STORED, &blob),
                         0);
        assert_int_equal(blob->size, picture_size(&header));
        if (i % 10 == 0)
            check_png(&header, pixels, row_bytes(&header), blob);
        blob_unref(&blob);
        free(pixels);
    }
}

static void test_rows_in_any_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(geometries); i++) {
        const struct picture_header *header = &geometries[i];
        struct picture_writer writer;
        struct blob *blob = NULL;
        uint8_t *pixels, *scratch;
        unsigned in_place = 0;

        if (header->width > PICTURE_MAX)
            continue;
        pixels = make_pixels(header, row_bytes(header));
        scratch = malloc(row_bytes(header));
        assert_int_equal(picture_begin(header, &writer), 0);
        for (uint32_t y = header->height; y-- > 0;) {
            uint8_t *row = picture_row(&writer, y, scratch);

            in_place += row != scratch;
            memcpy(row, pixels + y * row_bytes(header), row_bytes(header));
            picture_put_row(&writer, y, row);
        }
        assert_int_equal(picture_finish(&writer, &blob), 0);
        picture_abandon(&writer);
        check_png(header, pixels, row_bytes(header), blob);
        if (row_bytes(header) < 4000) /* only a few rows contain the end of a block */
            assert_true(in_place * 10 >= header->height * 9);
        blob_unref(&blob);
        free(scratch);
        free(pixels);
    }
}

struct painting {
    const struct picture_header *header;
    const uint8_t *pixels;
    struct cancel *cancel;
    uint32_t rows, cancel_at;
};

/* The rows are requested from the top, each once. */
static void paint(const void *context, uint32_t y, uint8_t *pixels)
{
    struct painting *painting = (struct painting *)(uintptr_t)context;
    size_t bytes = row_bytes(painting->header);

    assert_int_equal(y, painting->rows++);
    memcpy(pixels, painting->pixels + y * bytes, bytes);
    if (y == painting->cancel_at && painting->cancel != NULL)
        cancel_raise(painting->cancel);
}

static void test_painted(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(geometries); i++) {
        const struct picture_header *header = &geometries[i / 2];
        enum picture_encoding encoding = i % 2 == 0 ? PICTURE_STORED : PICTURE_SMALL;
        struct painting painting = {.header = header};
        struct blob *blob = NULL, *encoded = NULL;
        uint8_t *pixels;

        if (header->width > PICTURE_MAX)
            continue;
        painting.pixels = pixels = make_pixels(header, row_bytes(header));
        assert_int_equal(picture_write(header, encoding, paint, &painting, NULL, &blob), 0);
        assert_int_equal(painting.rows, header->height);
        assert_int_equal(picture_encode(header, pixels, row_bytes(header), encoding, &encoded), 0);
        assert_int_equal(blob->size, encoded->size);
        assert_memory_equal(blob->data, encoded->data, blob->size);
        blob_unref(&blob);
        blob_unref(&encoded);
        free(pixels);
    }
}

static void test_painting_cancelled(void **state)
{
    struct picture_header header = {100, 80, PICTURE_RGB, 8, NULL, 0, NULL}, none = {0};
    uint8_t *pixels = make_pixels(&header, row_bytes(&header));

    (void)state;
    for (int encoding = PICTURE_STORED; encoding <= PICTURE_SMALL; encoding++) {
        struct cancel cancel;
        struct painting painting = {
            .header = &header, .pixels = pixels, .cancel = &cancel, .cancel_at = 20};
        struct blob *blob = NULL;

        cancel_init(&cancel, NULL);
        assert_int_equal(picture_write(&header, (enum picture_encoding)encoding, paint, &painting,
                                       &cancel, &blob),
                         -EINTR);
        assert_int_equal(painting.rows, 21);
        assert_int_equal(
            picture_write(&none, (enum picture_encoding)encoding, paint, &painting, NULL, &blob),
            -EINVAL);
        assert_null(blob);
    }
    free(pixels);
}

static void test_abandoned(void **state)
{
    struct picture_writer writer;

    (void)state;
    assert_int_equal(picture_begin(&geometries[4], &writer), 0);
    picture_abandon(&writer);
    assert_null(writer.blob);
}

static void test_small_is_smaller(void **state)
{
    struct picture_header header = {320, 240, PICTURE_RGB, 8, NULL, 0, NULL};
    uint8_t *pixels = calloc(320 * 240, 3);
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(picture_encode(&header, pixels, 320 * 3, PICTURE_SMALL, &blob), 0);
    assert_true(blob->size < picture_size(&header) / 100);
    blob_unref(&blob);
    free(pixels);
}

static void test_pngcheck(void **state)
{
    char *folder, *path, *command = NULL;

    (void)state;
    if (system("command -v pngcheck >/dev/null 2>&1") != 0)
        support_skip("pngcheck is not installed");
    folder = support_folder();
    path = support_path(folder, "picture.png");
    assert_true(asprintf(&command, "pngcheck -q '%s'", path) > 0);
    for (size_t i = 0; i < COUNT_OF(geometries); i++) {
        const struct picture_header *header = &geometries[i];
        struct blob *blob = NULL;
        uint8_t *pixels;

        if (header->width > PICTURE_MAX)
            continue;
        pixels = make_pixels(header, row_bytes(header));
        assert_int_equal(picture_encode(header, pixels, row_bytes(header), PICTURE_STORED, &blob),
                         0);
        support_write(path, blob->data, blob->size);
        assert_int_equal(system(command), 0);
        blob_unref(&blob);
        free(pixels);
    }
    free(command);
    free(path);
    support_remove(&folder);
}

static void test_no_memory(void **state)
{
    static const enum picture_encoding encodings[] = {PICTURE_STORED, PICTURE_SMALL};
    struct picture_header header = {320, 240, PICTURE_RGB, 5, texts, 2, NULL};
    uint8_t *pixels = make_pixels(&header, row_bytes(&header));

    (void)state;
    for (size_t i = 0; i < COUNT_OF(encodings); i++) {
        for (int n = 0; n == 0 || support_allocation_failed(); n++) {
            struct blob *blob = NULL;
            int status;

            memory_trim();
            support_fail_allocation(n);
            status = picture_encode(&header, pixels, row_bytes(&header), encodings[i], &blob);
            if (support_allocation_failed() && status != 0)
                assert_int_equal(status, -ENOMEM);
            else
                assert_int_equal(status, 0);
            blob_unref(&blob);
        }
        support_fail_allocation(-1);
    }
    free(pixels);
}

/*
 * A decoded picture has the pixels that were encoded; without alpha, transparent pixels are black.
 */
static void test_decoded(void **state)
{
    static const uint8_t rgba[2][8] = {{1, 2, 3, 255, 9, 9, 9, 0}, {7, 8, 9, 255, 0, 0, 0, 255}};
    static const uint8_t rgb[] = {1, 2, 3, 0, 0, 0, 7, 8, 9, 0, 0, 0};
    const struct picture_header header = {.width = 2, .height = 2, .colour = PICTURE_RGBA};
    struct picture_shape shape;
    struct picture_pixels pixels;
    struct blob *png;

    (void)state;
    assert_int_equal(picture_encode(&header, rgba[0], 8, PICTURE_SMALL, &png), 0);
    assert_int_equal(picture_look(png->data, png->size, &shape), 0);
    assert_int_equal(shape.width, 2);
    assert_int_equal(shape.height, 2);
    assert_false(shape.is_16bit);
    assert_int_equal(picture_decode(png->data, png->size, PICTURE_RGBA, &pixels), 0);
    assert_memory_equal(pixels.bytes, rgba, sizeof(rgba));
    picture_pixels_clear(&pixels);
    assert_int_equal(picture_decode(png->data, png->size, PICTURE_RGB, &pixels), 0);
    assert_memory_equal(pixels.bytes, rgb, sizeof(rgb));
    picture_pixels_clear(&pixels);
    for (size_t size = 0; size < 50; size++) /* sizes up to the beginning of the data */
        assert_int_equal(picture_decode(png->data, size, PICTURE_RGB, &pixels), -EIO);
    blob_unref(&png);
}

/* Returns the pixels that libpng decodes, or NULL if the bytes are not a valid PNG. */
static uint8_t *read_by_libpng(const struct blob *png, enum picture_colour colour)
{
    static const png_color black = {0, 0, 0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;

    if (png_image_begin_read_from_memory(&image, png->data, png->size)) {
        image.format = colour == PICTURE_RGBA ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        assert_non_null(pixels);
        if (!png_image_finish_read(&image, &black, pixels, 0, NULL)) {
            free(pixels);
            pixels = NULL;
        }
    }
    png_image_free(&image);
    return pixels;
}

static void expect_as_libpng(const struct blob *png, enum picture_colour colour)
{
    uint8_t *expected = read_by_libpng(png, colour);
    struct picture_pixels pixels;
    int status = picture_decode(png->data, png->size, colour, &pixels);

    assert_int_equal(status, expected != NULL ? 0 : -EIO);
    if (status == 0)
        assert_memory_equal(pixels.bytes, expected,
                            (size_t)pixels.width * pixels.height * pixels.colour);
    picture_pixels_clear(&pixels);
    free(expected);
}

static bool is_copied(const struct blob *png, enum picture_colour colour)
{
    struct picture_pixels pixels = {0};
    int status = picture_decode_stored(png->data, png->size, colour, &pixels);

    picture_pixels_clear(&pixels);
    assert_true(status == 0 || status == -ENOTSUP);
    return status == 0;
}

static void make_opaque(const struct picture_header *header, uint8_t *pixels)
{
    for (size_t i = 3; header->colour == PICTURE_RGBA && i < row_bytes(header) * header->height;
         i += 4)
        pixels[i] = 255;
}

/*
 * Stored pictures in colour are copied, and all other pictures are decoded. The pixels are always
 * those of libpng.
 */
static void test_stored_is_copied(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(geometries); i++) {
        const struct picture_header *header = &geometries[i];
        bool coloured = header->colour == PICTURE_RGB || header->colour == PICTURE_RGBA;
        struct blob *png = NULL;
        uint8_t *pixels;

        if (header->width > PICTURE_MAX)
            continue;
        pixels = make_pixels(header, row_bytes(header));
        for (int opaque = 0; opaque < 2; opaque++) {
            assert_int_equal(
                picture_encode(header, pixels, row_bytes(header), PICTURE_STORED, &png), 0);
            expect_as_libpng(png, PICTURE_RGB);
            expect_as_libpng(png, PICTURE_RGBA);
            assert_int_equal(is_copied(png, PICTURE_RGBA), coloured);
            assert_int_equal(is_copied(png, PICTURE_RGB),
                             header->colour == PICTURE_RGB ||
                                 (header->colour == PICTURE_RGBA && opaque));
            blob_unref(&png);
            make_opaque(header, pixels);
        }
        free(pixels);
    }
}

/*
 * Damages each byte, and tries each length: the result is that of libpng, which also checks all
 * checksums.
 */
static void test_damaged_is_not_copied(void **state)
{
    const struct picture_header header = {7, 3, PICTURE_RGB, 5, texts, 2, NULL};
    uint8_t *pixels = make_pixels(&header, row_bytes(&header));
    struct blob *png = NULL;

    (void)state;
    assert_int_equal(picture_encode(&header, pixels, row_bytes(&header), PICTURE_STORED, &png), 0);
    assert_true(is_copied(png, PICTURE_RGB));
    for (size_t i = 0; i < png->size; i++) {
        const struct blob cut = {.data = png->data, .size = i};

        assert_false(is_copied(&cut, PICTURE_RGB));
        png->data[i] ^= 1;
        assert_false(is_copied(png, PICTURE_RGB));
        expect_as_libpng(png, PICTURE_RGB);
        png->data[i] ^= 1;
    }
    blob_unref(&png);
    assert_int_equal(picture_encode(&header, pixels, row_bytes(&header), PICTURE_SMALL, &png), 0);
    assert_false(is_copied(png, PICTURE_RGB));
    expect_as_libpng(png, PICTURE_RGB);
    blob_unref(&png);
    free(pixels);
}

/* Pictures with a palette have the correct pixels, and the size that was computed before. */
static void test_palette(void **state)
{
    enum { PALETTE_WIDTH = 641, PALETTE_HEIGHT = 120 };
    const struct picture_header header = {.width = PALETTE_WIDTH,
                                          .height = PALETTE_HEIGHT,
                                          .colour = PICTURE_GREY,
                                          .significant_bits = 5, /* has no meaning with a palette */
                                          .texts = texts,
                                          .text_count = 2,
                                          .palette = &palette};
    uint8_t *pixels = malloc(PALETTE_WIDTH * PALETTE_HEIGHT);

    (void)state;
    assert_non_null(pixels);
    for (size_t i = 0; i < PALETTE_WIDTH * PALETTE_HEIGHT; i++)
        pixels[i] = (uint8_t)(i % palette.count);
    for (int encoding = PICTURE_STORED; encoding <= PICTURE_SMALL; encoding++) {
        png_image image = {.version = PNG_IMAGE_VERSION};
        struct blob *blob = NULL;
        uint8_t *rgb;

        assert_int_equal(
            picture_encode(&header, pixels, PALETTE_WIDTH, (enum picture_encoding)encoding, &blob),
            0);
        if (encoding == PICTURE_STORED)
            assert_int_equal(blob->size, picture_size(&header));
        assert_int_equal(blob->data[25], PNG_COLOR_TYPE_PALETTE);
        assert_true(png_image_begin_read_from_memory(&image, blob->data, blob->size));
        image.format = PNG_FORMAT_RGB;
        rgb = malloc(PNG_IMAGE_SIZE(image));
        assert_non_null(rgb);
        assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
        for (size_t i = 0; i < PALETTE_WIDTH * PALETTE_HEIGHT; i++)
            assert_memory_equal(rgb + 3 * i, palette_colours[pixels[i]], 3);
        free(rgb);
        blob_unref(&blob);
    }
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoded),
        cmocka_unit_test(test_stored_is_copied),
        cmocka_unit_test(test_damaged_is_not_copied),
        cmocka_unit_test(test_palette),
        cmocka_unit_test(test_sizes_out_of_range),
        cmocka_unit_test(test_published_size),
        cmocka_unit_test(test_encoded_and_read_again),
        cmocka_unit_test(test_size_of_many_geometries),
        cmocka_unit_test(test_rows_in_any_order),
        cmocka_unit_test(test_painted),
        cmocka_unit_test(test_painting_cancelled),
        cmocka_unit_test(test_abandoned),
        cmocka_unit_test(test_small_is_smaller),
        cmocka_unit_test(test_pngcheck),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}

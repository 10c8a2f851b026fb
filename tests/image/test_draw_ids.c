/* SPDX-License-Identifier: MIT */
#include "image/draw_ids.h"

#include "tests/support/support.h"

#include <png.h>
#include <string.h>

enum { WIDTH = 3, HEIGHT = 2, PIXELS = WIDTH * HEIGHT };

static void ids_are_little_endian_pairs(void **state)
{
    static const uint8_t expected[DRAW_IDS_BYTES] = {4, 3, 2, 1, 8, 7, 6, 5};
    uint8_t bytes[DRAW_IDS_BYTES];
    struct draw_id id;

    (void)state;
    draw_ids_store((struct draw_id){0x01020304, 0x05060708}, bytes);
    assert_memory_equal(bytes, expected, sizeof(expected));
    id = draw_ids_load(bytes);
    assert_int_equal(id.frame, 0x01020304);
    assert_int_equal(id.writer, 0x05060708);
    assert_false(draw_ids_is_none(bytes));
    draw_ids_clear(bytes, 1);
    assert_true(draw_ids_is_none(bytes));
    assert_int_equal(draw_ids_load(bytes).writer, UINT32_MAX);
}

/* Stores the pixels of the picture of these ids. */
static void paint(const struct draw_id *ids, uint8_t rgb[3 * PIXELS])
{
    struct picture_header header = {.width = WIDTH, .height = HEIGHT, .colour = PICTURE_RGB};
    struct blob *bytes = NULL, *png = NULL;
    png_image picture = {.version = PNG_IMAGE_VERSION};

    assert_int_equal(blob_create(PIXELS * DRAW_IDS_BYTES, &bytes), 0);
    for (unsigned i = 0; i < PIXELS; i++)
        draw_ids_store(ids[i], bytes->data + (size_t)i * DRAW_IDS_BYTES);
    assert_int_equal(draw_ids_write(&header, PICTURE_STORED, bytes, NULL, &png), 0);
    assert_true(png_image_begin_read_from_memory(&picture, png->data, png->size));
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    assert_int_equal(picture.format, PNG_FORMAT_RGB);
    assert_true(png_image_finish_read(&picture, NULL, rgb, 0, NULL));
    blob_unref(&bytes);
    blob_unref(&png);
}

/*
 * Ids that follow each other have different colours, no colour is black, and a colour depends only
 * on its id.
 */
static void an_id_has_one_colour(void **state)
{
    struct draw_id ids[PIXELS] = {{0, 0}, {0, 1}, {1, 0}, {0, 0}, draw_id_none, {7, UINT32_MAX}};
    uint8_t rgb[3 * PIXELS], again[3 * PIXELS];

    (void)state;
    paint(ids, rgb);
    for (unsigned i = 0; i < PIXELS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_int_equal(memcmp(rgb + 3 * i, rgb + 3 * j, 3) == 0, i == 3 && j == 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(rgb[3 * 4 + i], 0);
        assert_true(rgb[i] >= 48);
    }
    ids[1] = ids[2] = ids[3] = draw_id_none;
    paint(ids, again);
    assert_memory_equal(rgb, again, 3);
    assert_memory_equal(rgb + 3 * 5, again + 3 * 5, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_little_endian_pairs),
        cmocka_unit_test(an_id_has_one_colour),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Memory maps, charts over the frames and the thumbnail, by their pixels (vma.md 4.5, 4.7) */
#include "config.h"

#include "formats/format.h"
#include "formats/vma/views/charts.h"
#include "formats/vma/views/memory_map_parts.h"

#include "tests/formats/vma/play.h"
#include "tests/support/options.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t three_types[] = {1, 6, 14, 0};

static struct canvas draw(struct vma_play *play)
{
    struct canvas canvas;

    vma_play_until(play, UINT32_MAX);
    assert_int_equal(vma_map_draw(&play->replay, VMA_SCALE_LANE, &canvas), 0);
    assert_int_equal(canvas.height, vma_map_height(&play->recording));
    return canvas;
}

static uint8_t pixel(const struct canvas *canvas, int64_t x, int64_t y)
{
    return canvas->pixels[(size_t)y * canvas->width + (size_t)x];
}

/*
 * Returns the number of rows of a column with that colour, from `from` on. Sets *first to the first
 * of them.
 */
static int64_t run_of(const struct canvas *canvas, int64_t x, int64_t from, uint8_t colour,
                      int64_t *first)
{
    int64_t y = from, end;

    while (y < canvas->height && pixel(canvas, x, y) != colour)
        y++;
    for (end = y; end < canvas->height && pixel(canvas, x, end) == colour; end++)
        ;
    *first = y;
    return end - y;
}

enum { RIGHT = VMA_MAP_WIDTH - VMA_MAP_MARGIN - 40, BELOW_LEGEND = 60 };

/* One block in one of three types: its bar is higher than if each type has a block. */
static void test_what_holds_nothing_takes_no_rows(void **state)
{
    struct vma_play one, all;
    struct canvas few, many;
    int64_t first, high, low;

    (void)state;
    VMA_PLAY(&one, three_types, "", "0,vmaCreateBuffer,0,1048576,128,0,0,0,0,0,1,0,0000000A,");
    VMA_PLAY(&all, three_types, "", "0,vmaCreateBuffer,0,1048576,128,0,0,0,0,0,1,0,0000000A,",
             "0,vmaCreateBuffer,0,1048576,128,0,0,0,0,0,2,0,0000000B,",
             "0,vmaCreateBuffer,0,1048576,128,0,0,0,0,0,4,0,0000000C,");
    few = draw(&one);
    many = draw(&all);
    assert_int_equal(few.height, many.height);
    high = run_of(&few, RIGHT, BELOW_LEGEND + 20, VMA_COLOUR_FREE, &first);
    assert_true(high > 40);
    run_of(&few, RIGHT, first + high, VMA_COLOUR_FREE, &first);
    assert_int_equal(first, few.height); /* no second bar */
    low = run_of(&many, RIGHT, BELOW_LEGEND + 20, VMA_COLOUR_FREE, &first);
    assert_true(low >= 27);
    assert_true(run_of(&many, RIGHT, first + low, VMA_COLOUR_FREE, &first) == low);
    canvas_clear(&few);
    canvas_clear(&many);
    vma_play_close(&one);
    vma_play_close(&all);
}

/* Returns whether a line of text appears anywhere in a picture. */
static bool shows(const struct canvas *canvas, const char *line)
{
    struct canvas wanted;
    bool found = false;

    assert_int_equal(canvas_init(&wanted, font_width(strlen(line)), 8, VMA_COLOUR_PAPER), 0);
    font_draw(&wanted, 0, 0, wanted.width, line, strlen(line), VMA_COLOUR_TEXT);
    for (int64_t y = 0; !found && y + 8 <= canvas->height; y++)
        for (int64_t x = 0; !found && x + wanted.width <= canvas->width; x++) {
            int64_t row = 0;

            while (row < 8 && memcmp(canvas->pixels + (size_t)(y + row) * canvas->width + x,
                                     wanted.pixels + (size_t)row * wanted.width, wanted.width) == 0)
                row++;
            found = row == 8;
        }
    canvas_clear(&wanted);
    return found;
}

/* Sizes of buffers are estimated by rule R1, those of memory are in the file. */
static void test_maps_tell_whether_sizes_are_estimated(void **state)
{
    static const char buffer[] = "0,vmaCreateBuffer,0,64,128,0,0,0,0,0,1,0,0000000A,";
    static const char memory[] = "0,vmaAllocateMemory,64,1,1,0,0,0,0,0,0,0000000B,";
    struct vma_play all, some, none;
    struct canvas map;

    (void)state;
    VMA_PLAY(&all, three_types, "", buffer);
    VMA_PLAY(&some, three_types, "", buffer, memory);
    VMA_PLAY(&none, three_types, "", memory);
    map = draw(&all);
    assert_true(shows(&map, " %   sizes estimated"));
    canvas_clear(&map);
    map = draw(&some);
    assert_true(shows(&map, " %   sizes partly estimated"));
    canvas_clear(&map);
    map = draw(&none);
    assert_false(shows(&map, " estimated"));
    canvas_clear(&map);
    vma_play_close(&all);
    vma_play_close(&some);
    vma_play_close(&none);
}

/* The same as in metadata.txt */
static void test_no_flags_are_a_dash(void **state)
{
    struct vma_play play;
    struct canvas map;

    (void)state;
    VMA_PLAY(&play, three_types, "PhysicalDeviceMemory,Heap,0,flags,0\n",
             "0,vmaCreateBuffer,0,64,128,0,0,0,0,0,1,0,0000000A,");
    map = draw(&play);
    assert_true(shows(&map, "Heap 0  flags -  "));
    canvas_clear(&map);
    vma_play_close(&play);
}

static void test_an_empty_map_has_no_bars(void **state)
{
    struct vma_play play;
    struct canvas canvas;
    int64_t first;

    (void)state;
    VMA_PLAY(&play, three_types, "", "0,vmaCreateBuffer,0,64,128,0,0,0,0,0,1,0,0000000A,",
             "0,vmaDestroyBuffer,0000000A");
    canvas = draw(&play);
    canvas_clear(&canvas);
    vma_play_close(&play);
    VMA_PLAY(&play, three_types, "", "0,vmaCreateAllocator,");
    canvas = draw(&play);
    run_of(&canvas, RIGHT, BELOW_LEGEND, VMA_COLOUR_FREE, &first);
    assert_int_equal(first, canvas.height);
    canvas_clear(&canvas);
    vma_play_close(&play);
}

/* The first block is an eighth of 128 MiB, 16 MiB, with ticks every 2 MiB below the bar. */
static void test_ticks_stand_at_round_sizes(void **state)
{
    struct vma_play play;
    struct canvas canvas;
    int64_t first, end;

    (void)state;
    VMA_PLAY(&play, three_types, "", "0,vmaCreateBuffer,0,64,128,0,0,0,0,0,1,0,0000000A,");
    canvas = draw(&play);
    end = run_of(&canvas, RIGHT, BELOW_LEGEND + 20, VMA_COLOUR_FREE, &first) + first;
    for (unsigned tick = 0; tick <= 8; tick++) {
        int64_t x = VMA_MAP_MARGIN + vma_part_of(tick, 8, VMA_BAND_WIDTH - 1);

        assert_int_equal(pixel(&canvas, x, end + 1), VMA_COLOUR_OUTLINE);
        if (tick > 0)
            assert_int_equal(pixel(&canvas, x - VMA_BAND_WIDTH / 16, end + 1), VMA_COLOUR_PAPER);
    }
    canvas_clear(&canvas);
    vma_play_close(&play);
}

/* Heights are proportional, from the bottom, and the scale ends at a round number. */
static void test_areas_are_in_proportion(void **state)
{
    static const uint64_t values[] = {10, 30, 40, 0};
    static const uint8_t colours[] = {VMA_COLOUR_BUFFER_OTHER, VMA_COLOUR_IMAGE_OTHER};
    const struct vma_strip strip = {.caption = "",
                                    .values = values,
                                    .colours = colours,
                                    .series = 2,
                                    .height = 100,
                                    .numbers = true};
    struct canvas canvas;
    struct vma_chart chart = {.canvas = &canvas, .columns = 2, .frames = 2};
    int64_t first;

    (void)state;
    assert_int_equal(vma_strip_greatest(&strip, 2), 40);
    assert_int_equal(canvas_init(&canvas, VMA_MAP_WIDTH, 160, VMA_COLOUR_PAPER), 0);
    vma_chart_strip(&chart, &strip);
    assert_int_equal(run_of(&canvas, VMA_CHART_X + 100, 0, VMA_COLOUR_IMAGE_OTHER, &first), 75);
    assert_int_equal(first, VMA_CHART_CAPTION);
    assert_int_equal(run_of(&canvas, VMA_CHART_X + 100, 0, VMA_COLOUR_BUFFER_OTHER, &first), 25);
    assert_int_equal(run_of(&canvas, VMA_CHART_X + 1000, 0, VMA_COLOUR_BUFFER_OTHER, &first), 100);
    canvas_clear(&canvas);
}

/* labels.png and the thumbnail show the complete recording, and have the size that they say. */
static void test_pictures_of_all_frames(void **state)
{
    char *path = support_corpus("vma/recordings/gen_mixed_v1_5.csv");
    struct source_params params = {.max_expand = UINT64_C(1) << 32};
    struct options options;
    struct text message = TEXT_INIT;
    struct format_dump dump;
    struct blob *blob = NULL;
    uint64_t size = 0;

    (void)state;
    assert_int_equal(format_options_init(&options), 0);
    support_take_common_options(&options);
    assert_int_equal(format_open(path, &options, &params, &message, &dump), 0);
    assert_int_equal(vma_labels_png_size(dump.dump, 0, &size), 0);
    assert_int_equal(vma_labels_png_make(dump.dump, 0, NULL, &blob), 0);
    assert_int_equal(blob->size, size);
    blob_unref(&blob);
    for (uint32_t side = 1; side <= 512; side *= 2) {
        struct picture_pixels pixels;
        bool coloured = false;

        assert_int_equal(dump.dump->ops->pictures.thumbnail(dump.dump, side, NULL, &blob), 0);
        assert_int_equal(picture_decode(blob->data, blob->size, PICTURE_RGB, &pixels), 0);
        assert_int_equal(pixels.width, side < 16 ? 16 : side);
        for (size_t i = 0; i < (size_t)pixels.width * pixels.height; i++)
            coloured |= memcmp(pixels.bytes + 3 * i, (uint8_t[]){255, 148, 148}, 3) == 0;
        assert_true(coloured); /* vertex buffers */
        picture_pixels_clear(&pixels);
        blob_unref(&blob);
    }
    format_close(&dump);
    options_clear(&options);
    text_clear(&message);
    free(path);
}

/* A block of which half is a uniform buffer: its colour, then that of unused memory. */
static void test_small_maps_have_bars_alone(void **state)
{
    struct vma_play play;
    struct picture_pixels pixels;
    const uint8_t *row, uniform[3] = {255, 255, 0};

    (void)state;
    VMA_PLAY(&play, three_types, "", "0,vmaCreateBuffer,0,67108864,16,0,0,0,0,0,1,0,0000000A,",
             "0,vmaCreateBuffer,0,1024,16,0,0,0,0,0,1,0,0000000B,", "0,vmaDestroyBuffer,0000000B");
    vma_play_until(&play, UINT32_MAX);
    assert_int_equal(vma_small_map_draw(&play.replay.allocator, 100, 40, NULL, &pixels), 0);
    assert_int_equal(pixels.width, 100);
    assert_int_equal(pixels.height, 40);
    row = pixels.bytes + (size_t)3 * 100 * 20;
    assert_memory_equal(row, uniform, 3);
    assert_memory_not_equal(row + (size_t)3 * 98, uniform, 3);
    assert_memory_equal(row + (size_t)3 * 98, row + (size_t)3 * 97, 3);
    picture_pixels_clear(&pixels);
    vma_play_close(&play);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_holds_nothing_takes_no_rows),
        cmocka_unit_test(test_small_maps_have_bars_alone),
        cmocka_unit_test(test_maps_tell_whether_sizes_are_estimated),
        cmocka_unit_test(test_no_flags_are_a_dash),
        cmocka_unit_test(test_an_empty_map_has_no_bars),
        cmocka_unit_test(test_ticks_stand_at_round_sizes),
        cmocka_unit_test(test_areas_are_in_proportion),
        cmocka_unit_test(test_pictures_of_all_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

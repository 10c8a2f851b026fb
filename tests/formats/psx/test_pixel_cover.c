/* SPDX-License-Identifier: MIT */
/* Compares the pixels that a slice needs with a map of one byte a pixel. */
#include "tests/support/support.h"

#include "formats/psx/replay/pixel_cover.h"

#include <string.h>

enum { STEPS = 4000, LARGE = 700 };

static uint8_t map[PSX_VRAM_HEIGHT][PSX_VRAM_WIDTH]; /* 1: needed */

static struct psx_box random_box(uint64_t *random)
{
    unsigned large = support_random(random) % 4 == 0 ? LARGE : 40;

    return (struct psx_box){.x = (int)(support_random(random) % PSX_VRAM_WIDTH),
                            .y = (int)(support_random(random) % PSX_VRAM_HEIGHT),
                            .width = (int)(support_random(random) % large),
                            .height = (int)(support_random(random) % large)};
}

/*
 * Sets the box, which wraps around, to `value` if `sets`. Returns whether any of it was needed
 * before.
 */
static bool in_map(const struct psx_box *box, bool sets, uint8_t value)
{
    bool met = false;

    for (int y = 0; y < box->height; y++)
        for (int x = 0; x < box->width; x++) {
            uint8_t *pixel = &map[(box->y + y) % PSX_VRAM_HEIGHT][(box->x + x) % PSX_VRAM_WIDTH];

            met |= *pixel;
            *pixel = sets ? value : *pixel;
        }
    return met;
}

static void check_tile(const struct psx_tiles *needed, unsigned x, unsigned y)
{
    bool any = false;

    for (unsigned line = y * 16; line < (y + 1) * 16; line++)
        for (unsigned column = x * 64; column < (x + 1) * 64; column++)
            any |= map[line][column];
    assert_int_equal(psx_tiles_have(needed, x, y), any);
}

static void test_as_a_map_of_pixels(void **state)
{
    struct psx_pixel_cover *cover = psx_pixel_cover_create();
    struct psx_tiles needed;
    uint64_t random = 7;

    (void)state;
    assert_non_null(cover);
    psx_tiles_fill(&needed);
    memset(map, 1, sizeof(map));
    for (unsigned step = 0; step < STEPS; step++) {
        struct psx_box box = random_box(&random);
        unsigned what = support_random(&random) % 3;

        if (what == 0)
            psx_pixel_cover_add(cover, &needed, &box);
        else if (what == 1 && box.width < 40 && box.height < 40)
            psx_pixel_cover_need(cover, &needed, &box);
        else
            what = 2;
        if (what == 2)
            assert_int_equal(psx_pixel_cover_meets(cover, &needed, &box), in_map(&box, false, 0));
        else
            in_map(&box, true, what == 1);
        for (unsigned tile = step % 97; tile < PSX_TILES; tile += 97)
            check_tile(&needed, tile % PSX_TILE_COLUMNS, tile / PSX_TILE_COLUMNS);
    }
    psx_pixel_cover_destroy(&cover);
}

static void test_nothing_is_in_an_empty_box(void **state)
{
    struct psx_pixel_cover *cover = psx_pixel_cover_create();
    struct psx_tiles needed = {0}, none = {0};
    struct psx_box empty = {.x = 5, .y = 5, .width = 0, .height = 3}, below = {1, 1, 4, -2};

    (void)state;
    psx_pixel_cover_need(cover, &needed, &empty);
    psx_pixel_cover_need(cover, &needed, &below);
    assert_memory_equal(&needed, &none, sizeof(needed));
    psx_tiles_fill(&needed);
    assert_false(psx_pixel_cover_meets(cover, &needed, &empty));
    psx_pixel_cover_destroy(&cover);
    assert_null(cover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_a_map_of_pixels),
        cmocka_unit_test(test_nothing_is_in_an_empty_box),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

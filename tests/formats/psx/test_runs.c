/* SPDX-License-Identifier: MIT */
/*
 * Compares every vector version of the runs with plain C: all lengths up to some hundred, at every
 * alignment, with no byte written outside.
 */
#include "config.h"

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum {
    LIMIT = 200,     /* pixels of a run */
    ALIGNMENTS = 16, /* in pixels */
    GUARD = 64,      /* bytes on both sides that must not be written */
    LONG = PSX_VRAM_WIDTH,
};

struct run {
    uint16_t to[LONG + ALIGNMENTS + GUARD];
    uint8_t from[2 * LONG + GUARD];
    uint8_t rgb[3 * LONG + 2 * GUARD];
};

static void fill_random(uint64_t *random, struct run *run)
{
    uint8_t *bytes = (uint8_t *)run;

    for (size_t i = 0; i < sizeof(*run); i++)
        bytes[i] = (uint8_t)(support_random(random) >> 32);
}

static void check_equal(const struct run *run, const struct run *must, const char *what,
                        const struct psx_raster_ops *ops, uint32_t count)
{
    if (memcmp(run, must, sizeof(*run)) != 0)
        fail_msg("%s: %s of %u pixels", ops->name, what, count);
}

static void compare(const struct psx_raster_ops *ops, uint32_t count, uint32_t place,
                    uint64_t *random)
{
    static struct run run, must;
    uint16_t pixel = (uint16_t)(support_random(random) >> 16);

    fill_random(random, &run);
    must = run;
    ops->runs->fill(run.to + place, count, pixel);
    psx_runs_c.fill(must.to + place, count, pixel);
    check_equal(&run, &must, "fill", ops, count);
    for (unsigned mask = 0; mask < 4; mask++) {
        uint16_t set = mask & 1 ? PIXEL_MASK : 0, check = mask & 2 ? PIXEL_MASK : 0;

        fill_random(random, &run);
        must = run;
        ops->runs->move(run.to + place, run.from + place, count, set, check);
        psx_runs_c.move(must.to + place, must.from + place, count, set, check);
        check_equal(&run, &must, "move", ops, count);
    }
    ops->runs->expand(run.to + place, count, run.rgb + GUARD + place);
    psx_runs_c.expand(must.to + place, count, must.rgb + GUARD + place);
    check_equal(&run, &must, "expand", ops, count);
}

static void test_all_of_this_processor(void **state)
{
    const struct psx_raster_ops *ops;
    uint64_t random = 23;

    (void)state;
    for (unsigned n = 0; (ops = psx_raster_ops_get(n)) != &psx_raster_ops_c; n++) {
        print_message("%s\n", ops->name);
        for (uint32_t count = 0; count <= LIMIT; count++)
            compare(ops, count, count % ALIGNMENTS, &random);
        for (uint32_t place = 0; place < ALIGNMENTS; place++)
            for (uint32_t count = LONG - 2 * ALIGNMENTS; count <= LONG; count += 3)
                compare(ops, count, place, &random);
    }
}

static void test_plain_moves(void **state)
{
    static const uint16_t from[] = {0x1234, 0x9234, 0x0000, 0x7FFF};
    static const struct {
        uint16_t set, check, must[4];
    } cases[] = {
        {0, 0, {0x1234, 0x9234, 0x0000, 0x7FFF}},
        {0x8000, 0, {0x9234, 0x9234, 0x8000, 0xFFFF}},
        {0, 0x8000, {0x8001, 0x9234, 0xFFFF, 0x7FFF}},
        {0x8000, 0x8000, {0x8001, 0x9234, 0xFFFF, 0xFFFF}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint16_t to[] = {0x8001, 0x0001, 0xFFFF, 0x7000};

        psx_runs_c.move(to, from, 4, cases[i].set, cases[i].check);
        assert_memory_equal(to, cases[i].must, sizeof(to));
    }
}

static void test_plain_fills_and_colours(void **state)
{
    uint16_t pixels[4] = {0, 0, 0, 7};
    uint8_t rgb[12];

    (void)state;
    psx_runs_c.fill(pixels, 0, 5);
    psx_runs_c.fill(pixels + 1, 2, 0x7C1F);
    psx_runs_c.expand(pixels, 4, rgb);
    assert_memory_equal(rgb, ((const uint8_t[]){0, 0, 0, 255, 0, 255, 255, 0, 255, 57, 0, 0}), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_moves),
        cmocka_unit_test(test_plain_fills_and_colours),
        cmocka_unit_test(test_all_of_this_processor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

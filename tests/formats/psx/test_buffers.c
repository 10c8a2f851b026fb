/* SPDX-License-Identifier: MIT */
/* Translates positions in one of two buffers to the same positions in the other. */
#include "config.h"

#include "formats/psx/views/buffers.h"

#include "tests/support/support.h"

#include <string.h>

/* Returns a display of 320 columns and `lines` lines at x, y. */
static struct psx_display display_at(uint32_t x, uint32_t y, uint32_t lines)
{
    return (struct psx_display){.start = x | y << 10,
                                .x = 0x260 | (0x260 + 320 * 8) << 12,
                                .y = 0x10 | (0x10 + lines) << 10,
                                .mode = 1};
}

static struct psx_buffers buffers_of(uint32_t x, uint32_t y, uint32_t other_x, uint32_t other_y,
                                     uint32_t lines)
{
    struct psx_display display = display_at(x, y, lines),
                       other = display_at(other_x, other_y, lines);
    struct psx_buffers buffers;

    psx_buffers_of(&display, &other, &buffers);
    return buffers;
}

/* Checks the words that a command is translated to, under these registers. */
static void expect(const struct psx_buffers *buffers, struct psx_registers *registers,
                   const uint32_t *words, unsigned count, const uint32_t *expected)
{
    struct psx_gp0_event event = {
        .type = GP0_EVENT_COMMAND, .op = (uint8_t)(words[0] >> 24), .count = (uint8_t)count};
    struct psx_box box = {0};

    memcpy(event.words, words, count * sizeof(*words));
    psx_buffers_gp0(buffers, &event, registers, &box);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(event.words[i], expected[i]);
}

static void only_the_second_buffer_is_swapped(void **state)
{
    (void)state;
    assert_false(buffers_of(0, 0, 0, 240, 240).swapped);
    assert_true(buffers_of(0, 240, 0, 0, 240).swapped);
    assert_true(buffers_of(320, 0, 0, 0, 240).swapped);
    assert_false(buffers_of(0, 120, 0, 0, 240).swapped); /* they overlap */
    assert_false(buffers_of(0, 240, 0, 240, 240).swapped);
}

static void drawing_area_and_offset(void **state)
{
    struct psx_buffers buffers = buffers_of(0, 240, 0, 0, 240);
    struct psx_registers registers = {.e = {[3] = 0, [4] = 319 | 239 << 10, [5] = 160 | 120 << 11}};
    const uint32_t corners[] = {0xE3000000, 0xE4000000 | 319 | 239 << 10};
    const uint32_t moved[] = {0xE3000000 | 240 << 10, 0xE4000000 | 319 | 479 << 10};
    const uint32_t offset = 0xE5000000 | 160 | 120 << 11,
                   moved_offset = 0xE5000000 | 160 | 360 << 11;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct psx_registers before = registers;

        expect(&buffers, &before, &corners[i], 1, &moved[i]);
        assert_int_equal(before.e[3], 240 << 10);
        assert_int_equal(before.e[4], 319 | 479 << 10);
        assert_int_equal(before.e[5], 160 | 360 << 11);
        expect(&buffers, &before, &moved[i], 1, &corners[i]);
        assert_int_equal(before.e[3], 0);
    }
    expect(&buffers, &registers, &offset, 1, &moved_offset);
}

/* An area that covers all of video memory belongs to no buffer, wherever it begins. */
static void whole_memory_is_not_moved(void **state)
{
    struct psx_buffers buffers = buffers_of(0, 240, 0, 0, 240);
    struct psx_registers registers = {.e = {[3] = 0, [4] = 1023 | 511 << 10}};
    const uint32_t corner = 0xE3000000, fill[] = {0x02000000, 0, 512 << 16 | 0x3F0};

    (void)state;
    expect(&buffers, &registers, &corner, 1, &corner);
    expect(&buffers, &registers, fill, 3, fill);
    assert_int_equal(registers.e[3], 0);
}

static void rectangles(void **state)
{
    struct psx_buffers buffers = buffers_of(0, 256, 0, 0, 240);
    struct psx_registers registers = {0};
    const uint32_t fill[] = {0x02FF0000, 0, 240 << 16 | 320};
    const uint32_t moved_fill[] = {0x02FF0000, 256 << 16, 240 << 16 | 320};
    const uint32_t copy[] = {0x80000000, 16 << 16 | 8, 100 << 16 | 640, 4 << 16 | 4};
    const uint32_t moved_copy[] = {0x80000000, 272 << 16 | 8, 100 << 16 | 640, 4 << 16 | 4};
    const uint32_t palette[] = {0xA0000000, 240 << 16, 1 << 16 | 16}; /* next to the display */
    const uint32_t texture[] = {0xA0000000, 640, 64 << 16 | 64};

    (void)state;
    expect(&buffers, &registers, fill, 3, moved_fill);
    expect(&buffers, &registers, copy, 4, moved_copy);
    expect(&buffers, &registers, palette, 3, palette);
    expect(&buffers, &registers, texture, 3, texture);
    buffers.swapped = false;
    expect(&buffers, &registers, fill, 3, fill);
}

static void display_start(void **state)
{
    struct psx_buffers buffers = buffers_of(0, 248, 0, 8, 224);

    (void)state;
    assert_int_equal(psx_buffers_gp1(&buffers, 0x05000000 | 248 << 10), 0x05000000 | 8 << 10);
    assert_int_equal(psx_buffers_gp1(&buffers, 0x05000000 | 8 << 10), 0x05000000 | 248 << 10);
    assert_int_equal(psx_buffers_gp1(&buffers, 0x05000000 | 640), 0x05000000 | 640);
    assert_int_equal(psx_buffers_gp1(&buffers, 0x06000000), 0x06000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_second_buffer_is_swapped),
        cmocka_unit_test(drawing_area_and_offset),
        cmocka_unit_test(whole_memory_is_not_moved),
        cmocka_unit_test(rectangles),
        cmocka_unit_test(display_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

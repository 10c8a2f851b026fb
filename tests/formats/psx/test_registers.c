/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/registers.h"
#include "formats/psx/gpu/scanout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct psx_registers power_on(void)
{
    struct psx_registers registers;

    psx_registers_reset(&registers, PSX_GPU_SECOND);
    return registers;
}

static void test_reset_values(void **state)
{
    struct psx_registers registers = power_on();
    struct psx_area area = psx_registers_area(&registers);

    (void)state;
    assert_int_equal(psx_registers_status(&registers, false), 0x14802000);
    assert_int_equal(area.x0 | area.y0 | area.x1 | area.y1, 0);
    assert_int_equal(registers.display.x, 0xC00200);
    assert_int_equal(registers.display.y, 0x040010);
}

static void test_gp1_reset_keeps_the_gate(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_gp1(&registers, 0x09000001);
    psx_registers_gp1(&registers, 0x03000000);
    psx_registers_environment(&registers, 0xE6000003);
    registers.irq = true;
    psx_registers_gp1(&registers, 0x00000000);
    assert_int_equal(registers.display.high_lines, 1);
    assert_int_equal(registers.e[6], 0);
    assert_int_equal(psx_registers_status(&registers, false), 0x14802000);
}

static void test_gp1_mirrors(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_gp1(&registers, 0x43000000);
    assert_int_equal(registers.display.off, 0);
    psx_registers_gp1(&registers, 0xC3000001);
    assert_int_equal(registers.display.off, 1);
}

static void test_e1_bit_11_is_gated(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_environment(&registers, 0xE1FFFFFF);
    assert_int_equal(registers.e[1], 0x37FF);
    psx_registers_texture_page(&registers, 0xFFFF);
    assert_int_equal(registers.e[1], 0x37FF);
    psx_registers_gp1(&registers, 0x09000001);
    psx_registers_texture_page(&registers, 0x0800);
    assert_int_equal(registers.e[1], 0x3E00);
    psx_registers_environment(&registers, 0xE1000800);
    assert_int_equal(registers.e[1], 0x0800);
}

static void test_texture_page_keeps_dither_and_flips(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_environment(&registers, 0xE1003600);
    psx_registers_texture_page(&registers, 0x01FF);
    assert_int_equal(registers.e[1], 0x37FF);
    psx_registers_environment(&registers, 0xE1000000);
    psx_registers_texture_page(&registers, 0xFFFF);
    assert_int_equal(registers.e[1], 0x01FF);
}

static void test_status_bits(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_environment(&registers, 0xE10007FF);
    psx_registers_environment(&registers, 0xE6000003);
    assert_int_equal(psx_registers_status(&registers, false), 0x14803FFF);
    psx_registers_gp1(&registers, 0x080000FF);
    assert_int_equal(psx_registers_status(&registers, false) & 0x7F4000, 0x7F4000);
    assert_int_equal(psx_registers_status(&registers, false) & 0x2000, 0);
    registers.field = 1;
    assert_int_equal(psx_registers_status(&registers, false) & 0x2000, 0x2000);
    registers.irq = true;
    assert_int_equal(psx_registers_status(&registers, false) >> 24 & 1, 1);
    psx_registers_gp1(&registers, 0x02000000);
    assert_int_equal(psx_registers_status(&registers, false) >> 24 & 1, 0);
}

static void test_status_dma_request(void **state)
{
    struct psx_registers registers = power_on();
    static const uint32_t expected[2][4] = {
        {0x14000000, 0x36000000, 0x56000000, 0x74000000},
        {0x1C000000, 0x3E000000, 0x5E000000, 0x7E000000},
    };

    (void)state;
    for (uint32_t direction = 0; direction < 4; direction++) {
        psx_registers_gp1(&registers, 0x04000000 | direction);
        for (unsigned reading = 0; reading < 2; reading++)
            assert_int_equal(psx_registers_status(&registers, reading) & 0x7F000000,
                             expected[reading][direction]);
    }
}

static void test_gpuread_latch(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    psx_registers_environment(&registers, 0xE2012345);
    psx_registers_environment(&registers, 0xE3023456);
    psx_registers_environment(&registers, 0xE4034567);
    psx_registers_environment(&registers, 0xE5345678);
    psx_registers_gp1(&registers, 0x10000002);
    assert_int_equal(registers.gpuread, 0x12345);
    psx_registers_gp1(&registers, 0x10000003);
    assert_int_equal(registers.gpuread, 0x23456);
    psx_registers_gp1(&registers, 0x1F000004);
    assert_int_equal(registers.gpuread, 0x34567);
    psx_registers_gp1(&registers, 0x10000005);
    assert_int_equal(registers.gpuread, 0x345678);
    psx_registers_gp1(&registers, 0x10000006);
    assert_int_equal(registers.gpuread, 0x345678);
    psx_registers_gp1(&registers, 0x10000007);
    assert_int_equal(registers.gpuread, 2);
    psx_registers_gp1(&registers, 0x10000000);
    assert_int_equal(registers.gpuread, 2);
    psx_registers_gp1(&registers, 0x10000009);
    assert_int_equal(registers.gpuread, 2);
    psx_registers_gp1(&registers, 0x10000008);
    assert_int_equal(registers.gpuread, 0);
    psx_registers_gp1(&registers, 0x10000007);
    psx_registers_gp1(&registers, 0x10000018); /* and its mirror */
    assert_int_equal(registers.gpuread, 0);
}

/* Eight answers, mirrored by 8 to 15; no version, and 9 bits of Y. */
static void test_gpuread_latch_of_the_first_gpu(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    registers.model = PSX_GPU_FIRST;
    psx_registers_environment(&registers, 0xE3FFFFFF);
    psx_registers_environment(&registers, 0xE4FFFFFF);
    psx_registers_gp1(&registers, 0x10000003);
    assert_int_equal(registers.gpuread, 0x7FFFF);
    psx_registers_environment(&registers, 0xE5000123);
    psx_registers_gp1(&registers, 0x1000000D);
    assert_int_equal(registers.gpuread, 0x123);
    psx_registers_gp1(&registers, 0x10000007);
    psx_registers_gp1(&registers, 0x10000008);
    psx_registers_gp1(&registers, 0x1000000F);
    assert_int_equal(registers.gpuread, 0x123);
    psx_registers_gp1(&registers, 0x1000000C);
    assert_int_equal(registers.gpuread, 0x7FFFF);
}

static void test_area_and_offset(void **state)
{
    struct psx_registers registers = power_on();
    struct psx_area area;
    int x, y;

    (void)state;
    psx_registers_environment(&registers, 0xE3000000 | 511 << 10 | 1023);
    psx_registers_environment(&registers, 0xE4000000 | 479 << 10 | 319);
    area = psx_registers_area(&registers);
    assert_int_equal(area.x0, 1023);
    assert_int_equal(area.y0, 511);
    assert_int_equal(area.x1, 319);
    assert_int_equal(area.y1, 479);
    psx_registers_environment(&registers, 0xE5000000 | 0x7FF | 0x400 << 11);
    psx_registers_offset(&registers, &x, &y);
    assert_int_equal(x, -1);
    assert_int_equal(y, -1024);
}

struct screen_case {
    uint32_t x1, x2, y1, y2, mode;
    uint32_t width, height;
};

static void test_picture_sizes(void **state)
{
    static const struct screen_case cases[] = {
        {0x260, 0xC60, 16, 255, 1, 320, 239},
        {0x260, 0xC60, 16, 256, 0, 256, 240},
        {0x260, 0xC60, 16, 256, 2, 512, 240},
        {0x260, 0xC60, 16, 256, 3, 640, 240},
        {0x200, 0xC80, 16, 256, 0x40, 384, 240},
        {0x200, 0xC00, 16, 256, 0x41, 364, 240},
        {0x260, 0xC60, 16, 256, 0x27, 640, 480},
        {0x260, 0xC60, 16, 256, 0x07, 640, 240},
        {0x260, 0xC60, 16, 256, 0x21, 320, 240},
        {0x260, 0xC60, 19, 307, 0x2F, 640, 576},
        {483, 3293, 16, 256, 3, 704, 240},
        {0, 4095, 0, 1023, 0x27, 1024, 2046},
        {100, 107, 0, 1, 2, 4, 1},
        {100, 104, 0, 1, 2, 1, 1},
        {100, 100, 0, 1, 2, 1, 1},
        {200, 100, 0, 1, 2, 1, 1},
        {0x260, 0xC60, 20, 20, 1, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct screen_case *c = &cases[i];
        struct psx_registers registers = power_on();
        struct psx_screen screen;

        psx_registers_gp1(&registers, 0x06000000 | c->x1 | c->x2 << 12);
        psx_registers_gp1(&registers, 0x07000000 | c->y1 | c->y2 << 10);
        psx_registers_gp1(&registers, 0x08000000 | c->mode);
        psx_display_screen(&registers.display, &screen);
        assert_int_equal(screen.width, c->width);
        assert_int_equal(screen.height, c->height);
        assert_int_equal(screen.empty, c->width == 1);
    }
}

static void test_screen_place_and_flags(void **state)
{
    struct psx_registers registers = power_on();
    struct psx_screen screen;

    (void)state;
    psx_display_screen(&registers.display, &screen);
    assert_true(screen.off);
    assert_false(screen.empty);
    psx_registers_gp1(&registers, 0x03000000);
    psx_registers_gp1(&registers, 0x05000000 | 511 << 10 | 1023); /* bit 0 is ignored */
    psx_registers_gp1(&registers, 0x0800003F);
    psx_display_screen(&registers.display, &screen);
    assert_int_equal(screen.x, 1022);
    assert_int_equal(screen.y, 511);
    assert_true(screen.pal && screen.depth24 && screen.interlaced && screen.woven);
    assert_false(screen.off);
}

static void test_line_skipping(void **state)
{
    struct psx_registers registers = power_on();

    (void)state;
    assert_false(psx_registers_skips_lines(&registers));
    psx_registers_gp1(&registers, 0x08000004);
    assert_false(psx_registers_skips_lines(&registers));
    psx_registers_gp1(&registers, 0x08000020);
    assert_false(psx_registers_skips_lines(&registers));
    psx_registers_gp1(&registers, 0x08000024);
    assert_true(psx_registers_skips_lines(&registers));
    psx_registers_environment(&registers, 0xE1000400);
    assert_false(psx_registers_skips_lines(&registers));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset_values),
        cmocka_unit_test(test_gp1_reset_keeps_the_gate),
        cmocka_unit_test(test_gp1_mirrors),
        cmocka_unit_test(test_e1_bit_11_is_gated),
        cmocka_unit_test(test_texture_page_keeps_dither_and_flips),
        cmocka_unit_test(test_status_bits),
        cmocka_unit_test(test_status_dma_request),
        cmocka_unit_test(test_gpuread_latch),
        cmocka_unit_test(test_gpuread_latch_of_the_first_gpu),
        cmocka_unit_test(test_area_and_offset),
        cmocka_unit_test(test_picture_sizes),
        cmocka_unit_test(test_screen_place_and_flags),
        cmocka_unit_test(test_line_skipping),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

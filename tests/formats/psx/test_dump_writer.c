/* SPDX-License-Identifier: MIT */
#include "tests/support/support.h"

#include "examples/display_list.h"
#include "examples/dump_writer.h"
#include "formats/psx/container.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/gp0.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void begins_with_either_magic(void **state)
{
    struct dump_writer dump;

    (void)state;
    dump_writer_init(&dump, DUMP_MAGIC_16);
    assert_int_equal(dump.size, 16);
    assert_int_equal(psx_magic_read(dump.bytes, dump.size), PSX_MAGIC_16);
    dump_writer_clear(&dump);
    dump_writer_init(&dump, DUMP_MAGIC_14);
    assert_int_equal(dump.size, 14);
    assert_int_equal(psx_magic_read(dump.bytes, dump.size), PSX_MAGIC_14);
    dump_writer_clear(&dump);
}

static void writes_packets_that_our_reader_reads(void **state)
{
    struct dump_writer dump;
    struct psx_packet packet;
    const uint32_t words[2] = {0x11223344, 0xa0b0c0d0};

    (void)state;
    dump_writer_init(&dump, DUMP_MAGIC_14);
    dump_writer_packet(&dump, DUMP_GP0, words, 2);
    dump_writer_string(&dump, DUMP_GAME, "SLUS");
    dump_writer_gp1(&dump, 0x05, 0x3c00);
    dump_writer_vsync(&dump, 0x0000000500000006);
    dump_writer_packet(&dump, DUMP_BEGIN, NULL, 0);

    assert_true(psx_packet_read(dump.bytes, dump.size, 14, &packet));
    assert_int_equal(packet.type, PSX_PACKET_GP0);
    assert_memory_equal(packet.payload, "\x44\x33\x22\x11\xd0\xc0\xb0\xa0", 8);
    assert_true(psx_packet_read(dump.bytes, dump.size, psx_packet_end(&packet), &packet));
    assert_int_equal(packet.type, PSX_PACKET_GAME);
    assert_memory_equal(packet.payload, "SLUS\0\0\0\0", 8);
    assert_true(psx_packet_read(dump.bytes, dump.size, psx_packet_end(&packet), &packet));
    assert_memory_equal(packet.payload, "\x00\x3c\x00\x05", 4);
    assert_true(psx_packet_read(dump.bytes, dump.size, psx_packet_end(&packet), &packet));
    assert_int_equal(packet.type, PSX_PACKET_VSYNC);
    assert_memory_equal(packet.payload, "\6\0\0\0\5\0\0\0", 8);
    assert_true(psx_packet_read(dump.bytes, dump.size, psx_packet_end(&packet), &packet));
    assert_int_equal(packet.type, PSX_PACKET_BEGIN);
    assert_int_equal(psx_packet_end(&packet), dump.size);
    dump_writer_clear(&dump);
}

static void refuses_a_packet_that_is_too_long(void **state)
{
    struct dump_writer dump;

    (void)state;
    dump_writer_init(&dump, DUMP_MAGIC_16);
    dump_writer_packet(&dump, DUMP_GP0, NULL, 1 << 24);
    assert_int_equal(dump.status, -EFBIG);
    assert_int_equal(dump_writer_save(&dump, "/dev/null"), -EFBIG);
    dump_writer_clear(&dump);
}

static void survives_without_memory(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct dump_writer dump;
        struct display_list list;

        support_fail_allocation(n);
        dump_writer_init(&dump, DUMP_MAGIC_16);
        display_list_init(&list, &dump);
        list_environment(&list, 0, 0, 320, 240);
        display_list_send(&list);
        assert_true(dump.status == 0 || (dump.status == -ENOMEM && support_allocation_failed()));
        display_list_clear(&list);
        dump_writer_clear(&dump);
    }
    support_fail_allocation(-1);
}

/* Parses the first command of a list with our decoder. */
static void first_command(struct display_list *list, struct psx_gp0_event *event)
{
    struct psx_gp0_parser parser;
    struct psx_packet packet;

    display_list_send(list);
    assert_true(psx_packet_read(list->dump->bytes, list->dump->size, 16, &packet));
    psx_gp0_parser_reset(&parser);
    psx_gp0_parse(&parser, packet.payload, packet.words, event);
    assert_int_equal(event->type, GP0_EVENT_COMMAND);
}

static void makes_polygons_of_every_style(void **state)
{
    const struct texture texture = {640, 256, DEPTH_8, 32, 481};
    const struct corner corners[4] = {
        {-8, 10, 0x112233, 1, 2}, {20, 10, 0x445566, 3, 4}, {-8, 40, 0, 5, 6}, {20, 40, 0, 7, 255}};

    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        struct style style = {.texture = bits & 1 ? &texture : NULL,
                              .blend = bits & 2 ? BLEND_AVERAGE : BLEND_OFF,
                              .gouraud = bits & 4,
                              .raw = bits & 8};
        int count = bits & 16 ? 4 : 3;
        struct dump_writer dump;
        struct display_list list;
        struct psx_gp0_event event;
        struct psx_registers registers;
        struct psx_draw draw;

        dump_writer_init(&dump, DUMP_MAGIC_16);
        display_list_init(&list, &dump);
        list_polygon(&list, corners, count, style);
        first_command(&list, &event);
        psx_registers_reset(&registers, PSX_GPU_SECOND);
        psx_draw_decode(&event, &registers, &draw);
        assert_int_equal(draw.vertex_count, count);
        assert_int_equal(draw.textured, style.texture != NULL);
        assert_int_equal(draw.semi, style.blend != BLEND_OFF);
        assert_int_equal(draw.gouraud, style.gouraud);
        assert_int_equal(draw.vertex[0].colour, 0x112233);
        assert_int_equal(draw.vertex[0].x, -8);
        assert_int_equal(draw.vertex[1].y, 10);
        if (style.texture != NULL) {
            assert_int_equal(draw.page, 26);
            assert_int_equal(draw.depth, PSX_DEPTH_8);
            assert_int_equal(draw.clut, 481 << 6 | 2);
            assert_int_equal(draw.vertex[count - 1].v, count == 4 ? 255 : 6);
        }
        display_list_clear(&list);
        dump_writer_clear(&dump);
    }
}

static void sends_a_drawing_mode_only_where_it_changes(void **state)
{
    struct dump_writer dump;
    struct display_list list;
    const struct corner at = {.x = 1, .y = 2, .colour = 3};

    (void)state;
    dump_writer_init(&dump, DUMP_MAGIC_16);
    display_list_init(&list, &dump);
    list_rectangle(&list, at, 8, 8, (struct style){.blend = BLEND_OFF});
    assert_int_equal(list.count, 2);
    list_rectangle(&list, at, 8, 8, (struct style){.blend = BLEND_ADD});
    assert_int_equal(list.count, 5);
    list_rectangle(&list, at, 8, 8, (struct style){.blend = BLEND_ADD});
    assert_int_equal(list.count, 7);
    display_list_clear(&list);
    dump_writer_clear(&dump);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_with_either_magic),
        cmocka_unit_test(writes_packets_that_our_reader_reads),
        cmocka_unit_test(refuses_a_packet_that_is_too_long),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(makes_polygons_of_every_style),
        cmocka_unit_test(sends_a_drawing_mode_only_where_it_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

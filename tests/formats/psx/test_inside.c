/* SPDX-License-Identifier: MIT */
/*
 * Inside a frame: each draw's picture, what the draw touched, the frame without it, what wrote each
 * pixel and how often; on small dumps whose pixels can be counted by hand.
 */
#include "tests/formats/psx/view.h"

#include "base/bytes.h"
#include "formats/psx/frame/frame.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdlib.h>

/* Returns the cell of draws.tsv in that row, counted from 0, and column. */
static const char *cell(const struct psx_opened *opened, unsigned frame, unsigned row,
                        const char *column)
{
    char *table = psx_opened_read(opened, psx_view_path(frame, "draws.tsv"));
    const char *value = psx_view_cell(table, row, column);

    assert_non_null(value);
    free(table);
    return value;
}

#define assert_cell(opened, frame, row, column, expected)                                          \
    assert_string_equal(cell(opened, frame, row, column), expected)

/* Builds frame 0: five draws and an upload, whose pixels can be counted by hand. */
static void build_small(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    GP1(build, 0x03000000);
    GP1(build, 0x06C60260);
    GP1(build, 0x07040010);
    GP0(build, 0xE4000000 | 63 | 47 << 10);                     /* 64 x 48 */
    GP0(build, 0x02FF0000, 0, 0x00100020);                      /* 0: 32 x 16, blue */
    GP0(build, 0x600000FF, 0x00040004, 0x00080008);             /* 1: 8 x 8 at 4,4, red */
    GP0(build, 0x400000FF, 0x00040004, 0x00040007);             /* 2: 4 pixels, red on red */
    GP0(build, 0xA0000000, 0x00000200, 0x00010002, 0x801F0000); /* texels: none, red */
    GP0(build, 0xE1000108);                                     /* 15 bits, page 8: x 512 */
    GP0(build, 0x65808080, 0x00140000, 0, 0x00010002); /* 3: raw, 1 of 2 texels transparent */
    GP0(build, 0x60FFFFFF, 0x00000100, 0x00010001);    /* 4: outside the area */
    psx_build_vsync(build, 1000);
    psx_build_vsync(build, 2000);
}

static void rows_tell_what_was_written(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_small(&build);
    psx_opened_build(&opened, &build);
    assert_cell(&opened, 0, 0, "kind", "fill");
    assert_cell(&opened, 0, 0, "pixels", "0000000512");
    assert_cell(&opened, 0, 1, "pixels", "0000000064");
    assert_cell(&opened, 0, 1, "colours", "FF0000");
    assert_cell(&opened, 0, 2, "pixels", "0000000004");
    assert_cell(&opened, 0, 3, "pixels", "0000000001");
    assert_cell(&opened, 0, 3, "page", "8");
    assert_cell(&opened, 0, 3, "clut", "none");
    assert_cell(&opened, 0, 3, "raw", "1");
    assert_cell(&opened, 0, 4, "pixels", "0000000000");
    assert_cell(&opened, 0, 4, "cull", "clip");
    assert_cell(&opened, 0, 4, "area", "0,0,63,47");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void pictures_follow_the_draws(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;

    (void)state;
    build_small(&build);
    psx_opened_build(&opened, &build);
    psx_view_picture(&opened, psx_view_path(0, "draws/00000.png"), &picture);
    assert_int_equal(picture.width, 64);
    assert_int_equal(picture.height, 48);
    assert_int_equal(psx_view_pixel(&picture, 5, 5), 0x0000FF);
    psx_view_free(&picture);
    psx_view_picture(&opened, psx_view_path(0, "draws/00001.png"), &picture);
    assert_int_equal(psx_view_pixel(&picture, 5, 5), 0xFF0000);
    assert_int_equal(psx_view_pixel(&picture, 12, 5), 0x0000FF);
    psx_view_free(&picture);
    psx_view_picture(&opened, psx_view_path(0, "draws/00002-touched.png"), &picture);
    assert_int_equal(psx_view_pixel(&picture, 4, 4), 0xFF00FF); /* red on red is shown */
    assert_int_equal(psx_view_pixel(&picture, 7, 4), 0xFF00FF);
    assert_int_equal(psx_view_pixel(&picture, 8, 4), 0x7F0000);
    psx_view_free(&picture);
    psx_view_picture(&opened, psx_view_path(0, "draws/00000.png"), &picture); /* backwards */
    assert_int_equal(psx_view_pixel(&picture, 5, 5), 0x0000FF);
    psx_view_free(&picture);
    psx_view_picture(&opened, psx_view_path(0, "without/00001-area.png"), &picture);
    assert_int_equal(psx_view_pixel(&picture, 5, 5), 0x0000FF);
    assert_int_equal(psx_view_pixel(&picture, 5, 4), 0xFF0000); /* the line is still there */
    psx_view_free(&picture);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static int32_t writer_at(const char *map, unsigned x, unsigned y)
{
    return (int32_t)bytes_le32((const uint8_t *)map + 4 * ((size_t)y * 1024 + x));
}

static void each_pixel_knows_its_writer(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    size_t size;
    char *map;

    (void)state;
    build_small(&build);
    psx_opened_build(&opened, &build);
    map = walk_read(opened.tree, psx_view_path(0, "last-writer.bin"), &size);
    assert_int_equal(size, 4 * 1024 * 512);
    assert_int_equal(writer_at(map, 0, 0), 0);
    assert_int_equal(writer_at(map, 5, 5), 1);
    assert_int_equal(writer_at(map, 5, 4), 2);
    assert_int_equal(writer_at(map, 0, 20), -1); /* its texel is transparent */
    assert_int_equal(writer_at(map, 1, 20), 3);
    assert_int_equal(writer_at(map, 513, 0), -2); /* upload 0 */
    assert_int_equal(writer_at(map, 256, 0), -1);
    free(map);
    psx_view_picture(&opened, psx_view_path(0, "overdraw.png"), &picture);
    assert_int_equal(picture.height, 512 + 16);
    assert_int_equal(psx_view_pixel(&picture, 100, 100), 0);
    assert_int_not_equal(psx_view_pixel(&picture, 0, 0), psx_view_pixel(&picture, 5, 5));
    assert_int_not_equal(psx_view_pixel(&picture, 5, 4), psx_view_pixel(&picture, 5, 5));
    assert_int_equal(psx_view_pixel(&picture, 94, 512),
                     psx_view_pixel(&picture, 100, 100)); /* the legend */
    assert_int_equal(psx_view_pixel(&picture, 160, 512), psx_view_pixel(&picture, 0, 0));
    psx_view_free(&picture);
    map = walk_read(opened.tree, psx_view_path(1, "last-writer.bin"), &size);
    assert_int_equal(writer_at(map, 5, 5), -1);
    free(map);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A texture that draws over itself, masked pixels, a polyline over two packets */
static void writes_are_counted_as_they_happen(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xA0000000, 0, 0x00010004, 0x00010001, 0x00010001); /* texels 1 1 1 1 */
    GP0(&build, 0xE1000100);                                        /* 15 bit, page 0 */
    GP0(&build, 0x65808080, 0x00000004, 0, 0x0001000C); /* at 4,0 from 0,0: 4 feed the next */
    GP0(&build, 0xE6000002);
    GP0(&build, 0x68FFFFFF, 0x00000000);
    GP0(&build, 0xE6000003);
    GP0(&build, 0x68FFFFFF, 0x00000000); /* sets the mask bit */
    GP0(&build, 0x68FFFFFF, 0x00000000); /* and is rejected by it */
    GP0(&build, 0xE6000000);
    GP0(&build, 0x48FFFFFF, 0x00100000, 0x00100003);
    GP0(&build, 0x00130003, 0x55555555);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    assert_cell(&opened, 0, 0, "pixels", "0000000012");
    assert_cell(&opened, 0, 1, "pixels", "0000000001");
    assert_cell(&opened, 0, 2, "pixels", "0000000001");
    assert_cell(&opened, 0, 3, "pixels", "0000000000");
    assert_cell(&opened, 0, 4, "pixels", "0000000008"); /* the joint is counted twice */
    assert_cell(&opened, 0, 4, "vertices", "0,16/3,16/3,19");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void expect_line(const struct psx_opened *opened, const char *path, const char *line)
{
    char *text = psx_opened_read(opened, path);

    if (strstr(text, line) == NULL)
        fail_msg("%s has no %s:\n%s", path, line, text);
    free(text);
}

/* The count includes what is drawn after the frame's end. */
static void polylines_are_culled_with_all_segments(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0xE3000000, 0xE4000000 | 63 | 47 << 10);
    GP0(&build, 0x48FFFFFF, 100, 200, 300, 0x55555555);
    GP0(&build, 0x48FFFFFF, 100, 200, 10, 0x55555555);
    psx_build_vsync(&build, 1000);
    GP0(&build, 0x48FFFFFF, 100, 200);
    psx_build_vsync(&build, 2000);
    psx_build_vsync(&build, 3000);
    GP0(&build, 10, 20, 0x55555555, 0x60FFFFFF, 100, 0x00080008);
    psx_build_vsync(&build, 4000);
    psx_opened_build(&opened, &build);
    expect_line(&opened, psx_view_path(0, "statistics.txt"), "culled: 1\n");
    expect_line(&opened, psx_view_path(1, "statistics.txt"), "culled: 0\n");
    expect_line(&opened, psx_view_path(2, "statistics.txt"), "culled: 0\n");
    expect_line(&opened, psx_view_path(3, "statistics.txt"), "culled: 1\n");
    expect_line(&opened, "statistics.txt", "culled: 2\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* What a frame counts without a replay is counted for the dump as well. */
static void statistics_of_the_dump_count_draws_and_uploads(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    for (unsigned frame = 0; frame < 2; frame++) {
        for (unsigned n = 0; n <= frame; n++)
            GP0(&build, 0xA0000000, 0, 0x00010002, 0x56781234);
        GP0(&build, 0x60FFFFFF, 0, 0x00080008);
        psx_build_vsync(&build, 1000 * (frame + 1));
    }
    psx_opened_build(&opened, &build);
    expect_line(&opened, psx_view_path(1, "statistics.txt"), "\nuploads: 2\n");
    expect_line(&opened, "statistics.txt", "\ndraws: 2\ntriangles: 0\n");
    expect_line(&opened, "statistics.txt", "\nuploads: 3\nupload_bytes: 12\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/*
 * A command may begin long before its end: only the frame in which it begins is followed that far.
 */
static void frames_end_within_a_command(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    const struct psx_index *index;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0x60FFFFFF, 0);
    for (unsigned frame = 0; frame < 3; frame++)
        psx_build_vsync(&build, 1000 * frame);
    GP0(&build, 0x00080008);
    psx_build_vsync(&build, 3000);
    psx_opened_build(&opened, &build);
    index = psx_opened_index(&opened);
    assert_int_equal(psx_index_wait_all(psx_opened_index(&opened), NULL), 0);
    for (unsigned frame = 0; frame < 3; frame++) {
        struct psx_walk walk;

        psx_walk_start(&walk, index);
        assert_int_equal(psx_walk_to(&walk, index->frames[frame + 1].packet, 0, NULL), 0);
        assert_int_equal(psx_find_goes_on(&walk, frame), frame == 0);
    }
    expect_line(&opened, psx_view_path(0, "statistics.txt"), "rectangles: 1\n");
    expect_line(&opened, psx_view_path(0, "info.txt"), "rectangles: 1\n");
    expect_line(&opened, psx_view_path(1, "info.txt"), "rectangles: 0\n");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/*
 * Pictures of draws are drawn by a GPU of their own, on whose memory later frames may be replayed.
 */
static void both_fields_stay_drawn_behind_a_draw(void **state)
{
    struct text error = TEXT_INIT;
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    size_t size;
    char *vram;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP1(&build, 0x08000024); /* 480i */
    GP0(&build, 0xE1000000, 0xE3000000, 0xE407FFFF, 0x60FFFFFF, 0, 0x00400040);
    psx_build_vsync(&build, 1000);
    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(options_parse(&opened.options, "field=both", &error), 1);
    psx_opened_tree(&opened);
    psx_view_picture(&opened, psx_view_path(0, "draws/00000.png"), &picture);
    psx_view_free(&picture);
    vram = walk_read(opened.tree, "vram/000000.bin", &size);
    for (size_t y = 0; y < 64; y++)
        assert_int_equal(bytes_le16((const uint8_t *)vram + 2048 * y), 0x7FFF);
    free(vram);
    psx_opened_close(&opened);
    psx_build_free(&build);
    text_clear(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_tell_what_was_written),
        cmocka_unit_test(pictures_follow_the_draws),
        cmocka_unit_test(each_pixel_knows_its_writer),
        cmocka_unit_test(writes_are_counted_as_they_happen),
        cmocka_unit_test(statistics_of_the_dump_count_draws_and_uploads),
        cmocka_unit_test(polylines_are_culled_with_all_segments),
        cmocka_unit_test(frames_end_within_a_command),
        cmocka_unit_test(both_fields_stay_drawn_behind_a_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

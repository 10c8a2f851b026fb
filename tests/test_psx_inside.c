/*
 * Inside a frame: each draw's picture, what it touched, the frame without it, who
 * wrote what how often; on small dumps to the pixel, and on recordings against
 * the frame's VRAM and the replay's own counts.
 */
#include "psx_build.h"

#include "core/bytes.h"
#include "formats/psx/inside/inside.h"
#include "formats/psx/scanout.h"

#include "support.h"
#include "walk.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 128 };

/* "A small set for quick runs" of psx-dump.md 6.2, some of it. */
static const char *const quick[] = {
    "cube",           "hello",         "hello-bulk",    "lines",          "bezier480i",
    "teapot-magic14", "nb-render2tex", "nb-rgb24-boot", "nb-tilesasm",    "pt-triangle",
    "pt-quad",        "raster-phase1", "raster-phase5", "raster-phase10", "raster-phase12"};

static void read_recording(const char *name, struct psx_build *out)
{
    char file[PATH_BYTES], *path;

    snprintf(file, sizeof(file), "psx/real/%s.psxgpu.zst", name);
    path = support_corpus(file);
    *out = (struct psx_build){0};
    out->bytes = support_read_zst(path, &out->size);
    out->room = out->size;
    free(path);
}

/* A picture as it is read back. */
struct picture {
    png_image image;
    uint8_t *rgba;
};

static void read_picture(const struct psx_opened *opened, const char *path, struct picture *out)
{
    size_t size;
    char *bytes = walk_read(opened->tree, path, &size);

    memset(out, 0, sizeof(*out));
    out->image.version = PNG_IMAGE_VERSION;
    assert_true(png_image_begin_read_from_memory(&out->image, bytes, size));
    out->image.format = PNG_FORMAT_RGBA;
    out->rgba = malloc(PNG_IMAGE_SIZE(out->image));
    assert_non_null(out->rgba);
    assert_true(png_image_finish_read(&out->image, NULL, out->rgba, 0, NULL));
    free(bytes);
}

static void free_picture(struct picture *picture)
{
    free(picture->rgba);
}

static uint32_t pixel_at(const struct picture *picture, unsigned x, unsigned y)
{
    const uint8_t *p = picture->rgba + 4 * ((size_t)y * picture->image.width + x);

    assert_true(x < picture->image.width && y < picture->image.height);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/* `by-frame/NNNNNN/rest` */
static const char *in_frame(unsigned frame, const char *rest)
{
    static char path[2 * PATH_BYTES];

    snprintf(path, sizeof(path), "by-frame/%06u/%s", frame, rest);
    return path;
}

/* The cell of draws.tsv in that row, from 0, and column. */
static const char *cell(const struct psx_opened *opened, unsigned frame, unsigned row,
                        const char *column)
{
    static char value[PATH_BYTES];
    char *text = psx_opened_read(opened, in_frame(frame, "draws.tsv")), *rest = text, *line, *name;
    char *head = strsep(&rest, "\n");
    unsigned number = 0;

    while ((name = strsep(&head, "\t")) != NULL && strcmp(name, column) != 0)
        number++;
    assert_non_null(name);
    do {
        line = strsep(&rest, "\n");
        assert_non_null(line);
    } while (row-- > 0);
    for (unsigned i = 0; i < number; i++)
        strsep(&line, "\t");
    snprintf(value, sizeof(value), "%s", strsep(&line, "\t"));
    free(text);
    return value;
}

#define assert_cell(opened, frame, row, column, expected)                                          \
    assert_string_equal(cell(opened, frame, row, column), expected)

/* Frame 0: five draws and an upload, whose pixels can be counted by hand. */
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
    GP0(build, 0xE1000108);                                     /* 15 bit, page 8: x 512 */
    GP0(build, 0x65808080, 0x00140000, 0, 0x00010002); /* 3: raw, one of its two texels is clear */
    GP0(build, 0x60FFFFFF, 0x00000100, 0x00010001);    /* 4: outside */
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
    assert_cell(&opened, 0, 0, "pixels", "       512");
    assert_cell(&opened, 0, 1, "pixels", "        64");
    assert_cell(&opened, 0, 1, "colours", "FF0000");
    assert_cell(&opened, 0, 2, "pixels", "         4");
    assert_cell(&opened, 0, 3, "pixels", "         1");
    assert_cell(&opened, 0, 3, "page", "8");
    assert_cell(&opened, 0, 3, "clut", "none");
    assert_cell(&opened, 0, 3, "raw", "1");
    assert_cell(&opened, 0, 4, "pixels", "         0");
    assert_cell(&opened, 0, 4, "cull", "clip");
    assert_cell(&opened, 0, 4, "area", "0,0,63,47");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void pictures_follow_the_draws(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct picture picture;

    (void)state;
    build_small(&build);
    psx_opened_build(&opened, &build);
    read_picture(&opened, in_frame(0, "draws/00000.png"), &picture);
    assert_int_equal(picture.image.width, 64);
    assert_int_equal(picture.image.height, 48);
    assert_int_equal(pixel_at(&picture, 5, 5), 0x0000FF);
    free_picture(&picture);
    read_picture(&opened, in_frame(0, "draws/00001.png"), &picture);
    assert_int_equal(pixel_at(&picture, 5, 5), 0xFF0000);
    assert_int_equal(pixel_at(&picture, 12, 5), 0x0000FF);
    free_picture(&picture);
    read_picture(&opened, in_frame(0, "draws/00002-touched.png"), &picture);
    assert_int_equal(pixel_at(&picture, 4, 4), 0xFF00FF); /* red on red is seen */
    assert_int_equal(pixel_at(&picture, 7, 4), 0xFF00FF);
    assert_int_equal(pixel_at(&picture, 8, 4), 0x7F0000);
    free_picture(&picture);
    read_picture(&opened, in_frame(0, "draws/00000.png"), &picture); /* backward */
    assert_int_equal(pixel_at(&picture, 5, 5), 0x0000FF);
    free_picture(&picture);
    read_picture(&opened, in_frame(0, "without/00001-area.png"), &picture);
    assert_int_equal(pixel_at(&picture, 5, 5), 0x0000FF);
    assert_int_equal(pixel_at(&picture, 5, 4), 0xFF0000); /* the line is still there */
    free_picture(&picture);
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
    struct picture picture;
    size_t size;
    char *map;

    (void)state;
    build_small(&build);
    psx_opened_build(&opened, &build);
    map = walk_read(opened.tree, in_frame(0, "last-writer.bin"), &size);
    assert_int_equal(size, 4 * 1024 * 512);
    assert_int_equal(writer_at(map, 0, 0), 0);
    assert_int_equal(writer_at(map, 5, 5), 1);
    assert_int_equal(writer_at(map, 5, 4), 2);
    assert_int_equal(writer_at(map, 0, 20), -1); /* its texel is clear */
    assert_int_equal(writer_at(map, 1, 20), 3);
    assert_int_equal(writer_at(map, 513, 0), -2); /* upload 0 */
    assert_int_equal(writer_at(map, 256, 0), -1);
    free(map);
    read_picture(&opened, in_frame(0, "overdraw.png"), &picture);
    assert_int_equal(picture.image.height, 512 + 16);
    assert_int_equal(pixel_at(&picture, 100, 100), 0);
    assert_int_not_equal(pixel_at(&picture, 0, 0), pixel_at(&picture, 5, 5));
    assert_int_not_equal(pixel_at(&picture, 5, 4), pixel_at(&picture, 5, 5));
    assert_int_equal(pixel_at(&picture, 0, 512), pixel_at(&picture, 100, 100)); /* the legend */
    assert_int_equal(pixel_at(&picture, 72, 512), pixel_at(&picture, 0, 0));
    free_picture(&picture);
    map = walk_read(opened.tree, in_frame(1, "last-writer.bin"), &size);
    assert_int_equal(writer_at(map, 5, 5), -1);
    free(map);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A texture that draws over itself, masked pixels, a polyline over two packets. */
static void writes_are_counted_as_they_happen(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xA0000000, 0, 0x00010004, 0x00000001, 0x00000000); /* texels 1 0 0 0 */
    GP0(&build, 0xE1000100);                                        /* 15 bit, page 0 */
    GP0(&build, 0x65808080, 0x00000001, 0, 0x00010003); /* at 1,0 from 0,0: each feeds the next */
    GP0(&build, 0xE6000002);
    GP0(&build, 0x68FFFFFF, 0x00000000);
    GP0(&build, 0xE6000003);
    GP0(&build, 0x68FFFFFF, 0x00000000); /* now marked */
    GP0(&build, 0x68FFFFFF, 0x00000000); /* and so kept */
    GP0(&build, 0xE6000000);
    GP0(&build, 0x48FFFFFF, 0x00100000, 0x00100003);
    GP0(&build, 0x00130003, 0x55555555);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    assert_cell(&opened, 0, 0, "pixels", "         3");
    assert_cell(&opened, 0, 1, "pixels", "         1");
    assert_cell(&opened, 0, 2, "pixels", "         1");
    assert_cell(&opened, 0, 3, "pixels", "         0");
    assert_cell(&opened, 0, 4, "pixels", "         8"); /* the joint twice */
    assert_cell(&opened, 0, 4, "vertices", "0,16/3,16/3,19");
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* VRAM of a frame within a box, as the picture shows it. */
static void expect_vram(const char *name, const struct psx_opened *opened, unsigned frame,
                        const struct picture *picture, int x0, int y0)
{
    char path[PATH_BYTES], *vram;
    size_t size;

    snprintf(path, sizeof(path), "vram/%06u.bin", frame);
    vram = walk_read(opened->tree, path, &size);
    for (unsigned y = 0; y < picture->image.height; y++)
        for (unsigned x = 0; x < picture->image.width; x++) {
            uint16_t pixel = bytes_le16((const uint8_t *)vram +
                                        2 * ((((size_t)y0 + y) & 511) * 1024 + ((x0 + x) & 1023)));
            uint8_t rgb[3];

            psx_scanout_expand(&pixel, 1, rgb);
            if (pixel_at(picture, x, y) !=
                ((uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]))
                fail_msg("%s: frame %u, pixel %u,%u of the last draw", name, frame, x, y);
        }
    free(vram);
}

static void expect_last_draw(const char *name, const struct psx_opened *opened, unsigned frame)
{
    unsigned draws = psx_opened_index(opened)->counts[frame].draws;
    char rest[PATH_BYTES];
    struct picture picture;
    struct found found;
    struct psx_area area;

    assert_int_equal(
        find_command(psx_dump_of(opened->dump), frame, FIND_DRAW, draws - 1, NULL, &found), 0);
    area = psx_registers_area(&found.walk.at.state.registers);
    snprintf(rest, sizeof(rest), "draws/%05u.png", draws - 1);
    read_picture(opened, in_frame(frame, rest), &picture);
    if ((int)picture.image.width == area.x1 - area.x0 + 1 &&
        (int)picture.image.height == area.y1 - area.y0 + 1)
        expect_vram(name, opened, frame, &picture, area.x0, area.y0);
    free_picture(&picture);
}

static void the_last_draw_shows_the_frames_vram(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(quick); i++) {
        struct psx_build build;
        struct psx_opened opened;
        const struct psx_index *index;
        unsigned drawn = 0;

        read_recording(quick[i], &build);
        psx_opened_build(&opened, &build);
        index = psx_opened_index(&opened);
        assert_int_equal(psx_index_wait_all(psx_opened_index(&opened), NULL), 0);
        for (unsigned frame = 0; frame < index->frame_count; frame++)
            if (index->counts[frame].draws > 0 && (++drawn < 10 || drawn % 31 == 0)) {
                expect_last_draw(quick[i], &opened, frame);
                checked++;
            }
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
    assert_in_range(checked, 100, 10000); /* not all recordings draw: some only upload */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_tell_what_was_written),
        cmocka_unit_test(pictures_follow_the_draws),
        cmocka_unit_test(each_pixel_knows_its_writer),
        cmocka_unit_test(writes_are_counted_as_they_happen),
        cmocka_unit_test(the_last_draw_shows_the_frames_vram),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Drawing areas with lines from 512 on, and the order in which the rows of a triangle are drawn,
 * which shows if it samples what it draws: psx-gpu.md 2, 3, 4, 17. Tests by tables, and compares
 * with a model that goes pixel by pixel, without walking edges, clipping or caching.
 */

#include "tests/formats/psx/build.h"
#include "tests/formats/psx/play.h"
#include "tests/formats/psx/view.h"
#include "tests/support/support.h"

#include "formats/psx/gpu/raster.h"
#include "tests/support/walk.h"

#include <stdlib.h>
#include <string.h>

#define XY psx_play_xy

enum { WIDTH = 1024, LINES = 512, PIXELS = WIDTH * LINES, RAW_15 = 0x0100 };

static uint32_t area_from(int x, int y)
{
    return 0xE3000000 | (uint32_t)x | (uint32_t)y << 10;
}

static uint32_t area_to(int x, int y)
{
    return 0xE4000000 | (uint32_t)x | (uint32_t)y << 10;
}

/* Tables */

/*
 * The line y at which something is drawn, and the line of VRAM where it must be seen; -1 means
 * nowhere
 */
static const struct {
    int from, to, y, seen;
    uint32_t gate;
} tenth_bits[] = {
    {0, 512, 100, 100, 0},   {0, 1023, 100, 100, 0},  {0, 1023, 511, 511, 0},
    {0, 1023, 512, 0, 0},    {512, 1023, 600, 88, 0}, {512, 1023, 1023, 511, 0},
    {512, 1023, 100, -1, 0}, {600, 1023, 599, -1, 0}, {0, 599, 600, -1, 0},
    {512, 100, 50, -1, 0},   {0, 1023, -5, -1, 0},    {0, 511, 600, -1, 0},
    {0, 1023, 100, 100, 1},  {0, 1023, 511, 511, 1},  {0, 1023, 512, -1, 1},
    {512, 1023, 600, -1, 1}, {512, 1023, 100, -1, 1},
};

static void expect_line(const struct psx_gpu *gpu, const char *what, size_t row)
{
    int seen = -1;

    for (int y = 0; y < LINES; y++)
        for (int x = 0; x < WIDTH; x++)
            if (psx_play_pixel(gpu, x, y) != 0) {
                assert_true(seen == -1 || seen == y);
                assert_in_range(x, 3, 7);
                seen = y;
            }
    if (seen != tenth_bits[row].seen)
        fail_msg("row %u: the %s is at line %d, not %d", (unsigned)row, what, seen,
                 tenth_bits[row].seen);
}

static struct psx_gpu *gpu_with_area(size_t row)
{
    struct psx_gpu *gpu = psx_play_gpu();

    psx_gpu_gp1(gpu, 0x09000000 | tenth_bits[row].gate);
    PSX_PLAY(gpu, area_from(0, tenth_bits[row].from), area_to(1023, tenth_bits[row].to));
    return gpu;
}

/*
 * Draws a rectangle and a line at y as sent, and a quad of one row whose y includes an offset.
 */
static void test_the_tenth_bit_of_the_area(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tenth_bits); i++) {
        int y = tenth_bits[i].y;
        struct psx_gpu *gpu = gpu_with_area(i);

        PSX_PLAY(gpu, 0x60FFFFFF, XY(3, y), XY(5, 1));
        expect_line(gpu, "rectangle", i);
        psx_gpu_destroy(&gpu);
        gpu = gpu_with_area(i);
        PSX_PLAY(gpu, 0x40FFFFFF, XY(3, y), XY(7, y));
        expect_line(gpu, "line", i);
        psx_gpu_destroy(&gpu);
        gpu = gpu_with_area(i);
        PSX_PLAY(gpu, 0xE5000000 | ((uint32_t)(y - 9) & 0x7FF) << 11, 0x28FFFFFF, XY(3, 9),
                 XY(8, 9), XY(3, 10), XY(8, 10));
        expect_line(gpu, "quad", i);
        psx_gpu_destroy(&gpu);
    }
}

/*
 * Pixel (x, y) samples texel (x, y + shift) of a page at 0,0. Each line of VRAM is filled with its
 * number.
 */
static const struct {
    int v[3][2];
    int shift;
    int column;
    uint16_t seen[8]; /* the line numbers shown by lines 1 to 8 */
} orders[] = {
    /* leftmost corner at the bottom: drawn upwards */
    {{{1, 1}, {9, 1}, {0, 9}}, -1, 2, {0, 1, 2, 3, 4, 5, 6, 8}},
    {{{1, 1}, {9, 1}, {0, 9}}, 1, 1, {9, 9, 9, 9, 9, 9, 9, 9}},
    {{{0, 9}, {1, 1}, {9, 1}}, -1, 1, {0, 1, 2, 3, 4, 5, 6, 7}},
    /* leftmost corner at the top: drawn downwards */
    {{{0, 1}, {9, 1}, {1, 9}}, -1, 1, {0, 0, 0, 0, 0, 0, 0, 0}},
    {{{0, 1}, {9, 1}, {1, 9}}, 1, 2, {2, 3, 4, 5, 6, 7, 8, 8}},
    /*
     * leftmost corner in the middle: drawn downwards from there, then upwards from the row above it
     */
    {{{0, 5}, {9, 1}, {9, 9}}, -1, 8, {1, 1, 2, 3, 4, 4, 4, 4}},
    {{{0, 5}, {9, 1}, {9, 9}}, 1, 8, {1, 6, 6, 6, 6, 7, 8, 9}},
    {{{9, 9}, {0, 5}, {9, 1}}, -1, 8, {1, 1, 2, 3, 4, 4, 4, 4}},
};

static void number_lines(struct psx_gpu *gpu)
{
    for (int i = 0; i < PIXELS; i++)
        gpu->vram[i] = (uint16_t)(0x8000 | i / WIDTH);
}

static void draw_order(struct psx_gpu *gpu, size_t row, int down)
{
    uint32_t words[7] = {0x25000000};

    for (unsigned i = 0; i < 3; i++) {
        int x = orders[row].v[i][0], y = orders[row].v[i][1];

        words[1 + 2 * i] = XY(x, y + down);
        words[2 + 2 * i] = (uint32_t)(x | (y + orders[row].shift) << 8);
    }
    words[4] |= RAW_15 << 16;
    psx_play_gp0(gpu, words, COUNT_OF(words));
}

/* For all shaders, also where the triangle's rows are 512 above those of VRAM. */
static void test_rows_begin_at_the_leftmost_corner(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++)
            for (int down = 0; down <= LINES; down += LINES) {
                struct psx_gpu *gpu = psx_play_gpu();

                gpu->ops = psx_raster_ops_get(n);
                number_lines(gpu);
                PSX_PLAY(gpu, area_to(1023, 1023));
                draw_order(gpu, i, down);
                for (int line = 0; line < 10; line++) {
                    int must = line == 0 || line == 9 ? line : orders[i].seen[line - 1];

                    if (psx_play_pixel(gpu, orders[i].column, line) != (0x8000 | must))
                        fail_msg("row %u: line %d shows line %d, not %d", (unsigned)i, line,
                                 psx_play_pixel(gpu, orders[i].column, line) & 0x7FFF, must);
                }
                psx_gpu_destroy(&gpu);
            }
}

/* The model */

struct model {
    uint16_t *vram;
    int x0, y0, x1, y1; /* the drawing area */
    int offset_x, offset_y;
    bool gate;
};

struct corner {
    int x, y, u, v;
};

/* Wraps to 11 signed bits. */
static int wrapped(int coordinate)
{
    return ((coordinate + 1024) & 2047) - 1024;
}

static void model_put(struct model *model, int x, int y, uint16_t pixel)
{
    if (x >= model->x0 && x <= model->x1 && y >= model->y0 && y <= model->y1 &&
        !(model->gate && y >= LINES) && pixel != 0)
        model->vram[y % LINES * WIDTH + x] = pixel;
}

/* Returns a texel of a 15-bit page, or `flat` if page is -1. */
static uint16_t model_texel(const struct model *model, int page, uint16_t flat, int u, int v)
{
    if (page < 0)
        return flat;
    return model
        ->vram[((page >> 4) * 256 + (v & 255)) * WIDTH + ((page & 15) * 64 + (u & 255)) % WIDTH];
}

static void model_rectangle(struct model *model, const struct corner *at, int width, int height,
                            int page, uint16_t flat)
{
    int x = wrapped(at->x + model->offset_x), y = wrapped(at->y + model->offset_y);

    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            model_put(model, x + i, y + j, model_texel(model, page, flat, at->u + i, at->v + j));
}

static int64_t ceil_div(int64_t number, int64_t by)
{
    return number >= 0 ? (number + by - 1) / by : -(-number / by);
}

/* Computes the columns of the row at y, before the offset. */
static void columns_of(const struct corner v[3], int y, int64_t *low, int64_t *high)
{
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (unsigned i = 0; i < 3; i++) {
        const struct corner *a = &v[i], *b = &v[(i + 1) % 3];
        int64_t column;

        if (a->y > b->y) {
            const struct corner *swap = a;

            a = b;
            b = swap;
        }
        if (y < a->y || y >= b->y)
            continue;
        column = a->x + ceil_div((int64_t)(b->x - a->x) * (y - a->y), b->y - a->y);
        *low = column < *low ? column : *low;
        *high = column > *high ? column : *high;
    }
}

static unsigned leftmost(const struct corner v[3])
{
    if (v[1].x <= v[0].x)
        return v[2].x <= v[1].x ? 2 : 1;
    return v[2].x < v[0].x ? 2 : 0;
}

/* Interpolates attribute a[] of the corners at x, y (psx-gpu.md 5). */
static int value_at(const struct corner v[3], const int a[3], int x, int y)
{
    int64_t dx10 = v[1].x - v[0].x, dx21 = v[2].x - v[1].x;
    int64_t dy10 = v[1].y - v[0].y, dy21 = v[2].y - v[1].y;
    int64_t twice = dx10 * dy21 - dx21 * dy10;
    int64_t along_x = 4096 * ((a[1] - a[0]) * dy21 - (a[2] - a[1]) * dy10) / twice;
    int64_t along_y = 4096 * (dx10 * (a[2] - a[1]) - dx21 * (a[1] - a[0])) / twice;
    unsigned c = leftmost(v);

    return (int)((a[c] * 4096 + 2048 + along_x * (x - v[c].x) + along_y * (y - v[c].y)) >> 12) &
           255;
}

static void model_row(struct model *model, const struct corner v[3], int y, int page, uint16_t flat)
{
    const int u[3] = {v[0].u, v[1].u, v[2].u}, w[3] = {v[0].v, v[1].v, v[2].v};
    int64_t low, high;

    columns_of(v, y, &low, &high);
    for (int x = (int)low; x < high; x++)
        model_put(model, wrapped(x + model->offset_x), wrapped(y + model->offset_y),
                  model_texel(model, page, flat, value_at(v, u, x, y), value_at(v, w, x, y)));
}

/*
 * Draws the rows from a to b - 1. Stops as soon as it leaves the area on the side towards which it
 * goes, so that rows beyond, which 11 bits would wrap into the area, are not drawn.
 */
static void model_part(struct model *model, const struct corner v[3], int a, int b, bool up,
                       int page, uint16_t flat)
{
    for (int i = 0; i < b - a; i++) {
        int row = up ? b - 1 - i : a + i, y = wrapped(row + model->offset_y);

        if (up ? y < model->y0 : y > model->y1)
            break;
        model_row(model, v, row, page, flat);
    }
}

static void model_triangle(struct model *model, const struct corner v[3], int page, uint16_t flat)
{
    int first = v[leftmost(v)].y, top = first, bottom = first, middle;

    if ((v[1].x - v[0].x) * (v[2].y - v[1].y) == (v[2].x - v[1].x) * (v[1].y - v[0].y))
        return;
    for (unsigned i = 0; i < 3; i++) {
        const struct corner *next = &v[(i + 1) % 3];

        if (abs(v[i].x - next->x) >= 1024 || abs(v[i].y - next->y) >= 512)
            return;
        top = v[i].y < top ? v[i].y : top;
        bottom = v[i].y > bottom ? v[i].y : bottom;
    }
    middle = v[0].y + v[1].y + v[2].y - top - bottom;
    if (first == top) {
        model_part(model, v, top, middle, false, page, flat);
        model_part(model, v, middle, bottom, false, page, flat);
    } else {
        model_part(model, v, middle, bottom, first == bottom, page, flat);
        model_part(model, v, top, middle, true, page, flat);
    }
}

/* Random commands for the GPU and the model */

struct race {
    struct model model;
    struct psx_gpu *gpu;
    uint64_t random;
};

static int below(struct race *race, int bound)
{
    return (int)((support_random(&race->random) >> 20) % (unsigned)bound);
}

/* Returns a colour that is never black. */
static uint32_t race_colour(struct race *race)
{
    return ((uint32_t)support_random(&race->random) & 0xFFFFFF) | 0x080808;
}

static uint16_t pixel_of(uint32_t colour)
{
    return (uint16_t)((colour >> 3 & 31) | (colour >> 11 & 31) << 5 | (colour >> 19 & 31) << 10);
}

static void race_area(struct race *race)
{
    struct model *model = &race->model;

    model->x0 = below(race, 2) ? 0 : below(race, 300);
    model->y0 = below(race, 2) ? 0 : below(race, 1024);
    model->x1 = below(race, 2) ? 1023 : below(race, 1024);
    model->y1 = below(race, 2) ? 1023 : below(race, 1024);
    model->offset_x = below(race, 3) ? 0 : below(race, 2048) - 1024;
    model->offset_y = below(race, 3) ? 0 : below(race, 2048) - 1024;
    model->gate = below(race, 4) == 0;
    psx_gpu_gp1(race->gpu, 0x09000000 | model->gate);
    PSX_PLAY(race->gpu, area_from(model->x0, model->y0), area_to(model->x1, model->y1),
             0xE5000000 | ((uint32_t)model->offset_x & 0x7FF) |
                 ((uint32_t)model->offset_y & 0x7FF) << 11);
}

static struct corner race_corner(struct race *race, const struct corner *near, int reach)
{
    return (struct corner){
        .x = wrapped(near->x + below(race, 2 * reach) - reach),
        .y = wrapped(near->y + below(race, 2 * reach) - reach),
        .u = below(race, 256),
        .v = below(race, 256),
    };
}

/* Returns a position, often near the lines where halves of VRAM and 11 bits meet. */
static struct corner race_place(struct race *race)
{
    static const int lines[] = {0, 256, 512, 1024, -1024};
    struct corner around = {.x = 300, .y = lines[below(race, COUNT_OF(lines))]};

    if (below(race, 2))
        around.y -= race->model.offset_y;
    if (below(race, 2))
        around.x -= race->model.offset_x;
    return race_corner(race, &around, 280);
}

static void race_polygon(struct race *race)
{
    static const int reaches[] = {12, 60, 260, 600};
    struct corner place = race_place(race), v[4];
    int page = below(race, 4) == 0 ? -1 : below(race, 32), reach = reaches[below(race, 4)];
    unsigned corners = 3 + (unsigned)below(race, 2), count = 0;
    uint32_t words[9], colour = race_colour(race);

    words[count++] = (page < 0 ? 0x20000000 : 0x25000000) | (corners - 3) << 27 | colour;
    for (unsigned i = 0; i < corners; i++) {
        v[i] = race_corner(race, &place, reach);
        words[count++] = XY(v[i].x, v[i].y);
        if (page >= 0)
            words[count++] =
                (uint32_t)(v[i].u | v[i].v << 8) | (i == 1 ? (uint32_t)(RAW_15 | page) << 16 : 0);
    }
    psx_play_gp0(race->gpu, words, count);
    for (unsigned i = 0; i + 3 <= corners; i++)
        model_triangle(&race->model, &v[i], page, pixel_of(colour));
}

static void race_rectangle(struct race *race)
{
    struct corner place = race_place(race);
    int page = below(race, 3) == 0 ? -1 : below(race, 32);
    int width = below(race, 100), height = below(race, 512);
    uint32_t colour = race_colour(race);

    PSX_PLAY(race->gpu, 0xE1000000 | RAW_15 | (page < 0 ? 0 : (uint32_t)page));
    if (page < 0)
        PSX_PLAY(race->gpu, 0x60000000 | colour, XY(place.x, place.y), XY(width, height));
    else
        PSX_PLAY(race->gpu, 0x65000000 | colour, XY(place.x, place.y),
                 (uint32_t)(place.u | place.v << 8), XY(width, height));
    model_rectangle(&race->model, &place, width, height, page, pixel_of(colour));
}

/* Draws a line of one row or column. psx/test_line tests the pixels of slanted lines. */
static void race_line(struct race *race)
{
    struct corner place = race_place(race);
    int length = below(race, 500);
    bool down = below(race, 2);
    int x = wrapped(place.x + !down * length), y = wrapped(place.y + down * length);
    uint32_t colour = race_colour(race);

    if (abs(x - place.x) >= 1024 || abs(y - place.y) >= 512)
        return;
    PSX_PLAY(race->gpu, 0x40000000 | colour, XY(place.x, place.y), XY(x, y));
    for (int i = 0; i <= length; i++)
        model_put(&race->model, wrapped(place.x + race->model.offset_x + !down * i),
                  wrapped(place.y + race->model.offset_y + down * i), pixel_of(colour));
}

static void run_race(struct race *race, unsigned commands)
{
    static void (*const kinds[])(struct race *) = {race_area,    race_polygon,   race_polygon,
                                                   race_polygon, race_rectangle, race_line};

    for (unsigned i = 0; i < commands; i++) {
        unsigned kind = (unsigned)below(race, COUNT_OF(kinds));

        kinds[kind](race);
        for (int p = 0; p < PIXELS; p++)
            if (race->gpu->vram[p] != race->model.vram[p])
                fail_msg("%s, command %u of kind %u: pixel %d,%d is %04x, not %04x",
                         race->gpu->ops->name, i, kind, p % WIDTH, p / WIDTH, race->gpu->vram[p],
                         race->model.vram[p]);
    }
}

static void test_random_commands(void **state)
{
    enum { RACES = 24, COMMANDS = 40 };

    (void)state;
    for (unsigned n = 0; n < RACES / support_stride(); n++) {
        struct race race = {.gpu = psx_play_gpu(), .random = 77 + n};
        unsigned shaders = 0;

        while (psx_raster_ops_get(shaders) != NULL)
            shaders++;
        race.gpu->ops = psx_raster_ops_get(n % shaders);
        psx_gpu_leave_out_texel_cache(race.gpu);
        race.model.vram = malloc(PIXELS * sizeof(uint16_t));
        assert_non_null(race.model.vram);
        for (int i = 0; i < PIXELS; i++)
            race.model.vram[i] = (uint16_t)(support_random(&race.random) >> 30);
        memcpy(race.gpu->vram, race.model.vram, PIXELS * sizeof(uint16_t));
        race_area(&race);
        run_race(&race, COMMANDS);
        free(race.model.vram);
        psx_gpu_destroy(&race.gpu);
    }
}

/* In the tree */

/*
 * Opens a dump as one of a given GPU. Its draw is in line 100, or nowhere on the first GPU, where
 * E4 has no tenth bit.
 */
static void open_as(struct psx_opened *opened, const struct psx_build *build, const char *gpu)
{
    struct text message = TEXT_INIT;
    char option[16];

    snprintf(option, sizeof(option), "psx-gpu=%s", gpu);
    psx_opened_init(opened, build->bytes, build->size);
    assert_int_equal(options_parse(&opened->options, option, &message), 1);
    psx_opened_tree(opened);
}

/* The dump's version decides unless the option does. */
static void test_the_version_decides(void **state)
{
    static const struct {
        enum psx_magic magic;
        uint32_t version;
        const char *option;
        bool drawn;
        uint32_t lines;
        const char *area, *command;
    } versions[] = {
        {PSX_MAGIC_16, 1, "auto", false, 512, "area: 0,0,1023,0\n", " area-max at=1023,0\n"},
        {PSX_MAGIC_16, 2, "auto", true, 512, "area: 0,0,1023,512\n", " area-max at=1023,512\n"},
        {PSX_MAGIC_16, 3, "auto", true, 1024, "area: 0,0,1023,512\n", " area-max at=1023,512\n"},
        {PSX_MAGIC_14, 1, "auto", true, 512, "area: 0,0,1023,512\n", " area-max at=1023,512\n"},
        {PSX_MAGIC_16, 3, "1", false, 512, "area: 0,0,1023,0\n", " area-max at=1023,0\n"},
        {PSX_MAGIC_14, 1, "1", false, 512, "area: 0,0,1023,0\n", " area-max at=1023,0\n"},
        {PSX_MAGIC_16, 1, "2", true, 512, "area: 0,0,1023,512\n", " area-max at=1023,512\n"},
        {PSX_MAGIC_14, 1, "3", true, 1024, "area: 0,0,1023,512\n", " area-max at=1023,512\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(versions); i++) {
        struct psx_build build;
        struct psx_opened opened;
        char *vram, *text, *commands;
        size_t size;

        psx_build_start(&build, versions[i].magic);
        PACKET(&build, PSX_PACKET_VERSION, versions[i].version);
        EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
        GP0(&build, area_from(0, 0), area_to(1023, 512), 0x60FFFFFF, XY(3, 100), XY(5, 1));
        EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
        open_as(&opened, &build, versions[i].option);
        vram = walk_read(opened.tree, "vram/000000.bin", &size);
        assert_int_equal(size, 2 * WIDTH * versions[i].lines);
        assert_int_equal((uint8_t)vram[2 * (100 * WIDTH + 3)], versions[i].drawn ? 0xFF : 0);
        text = psx_opened_read(&opened, "by-frame/000000/state.txt");
        assert_non_null(strstr(text, versions[i].area));
        commands = psx_opened_read(&opened, "by-frame/000000/commands.txt");
        assert_non_null(strstr(commands, versions[i].command));
        assert_non_null(strstr(commands, versions[i].drawn ? "box=3,100,5,1\n" : "cull=clip\n"));
        free(commands);
        free(text);
        free(vram);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

/* A quad over lines 500 to 529 is in lines 500 to 511 and 0 to 17 in all files about it. */
static void test_the_tree_tells_lines_of_vram(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *commands, *table, *writers;
    struct psx_picture picture;
    size_t size;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, area_from(0, 500), area_to(63, 599));
    GP0(&build, 0x28FFFFFF, XY(3, 500), XY(8, 500), XY(3, 530), XY(8, 530));
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    commands = psx_opened_read(&opened, "by-frame/000000/commands.txt");
    assert_non_null(strstr(commands, "box=3,500,5,30\n"));
    table = psx_opened_read(&opened, "by-frame/000000/draws.tsv");
    assert_string_equal(psx_view_cell(table, 0, "area"), "0,500,63,599");
    assert_string_equal(psx_view_cell(table, 0, "box"), "3,500,5,30");
    writers = walk_read(opened.tree, "by-frame/000000/last-writer.bin", &size);
    assert_int_equal(size, 4 * PIXELS);
    for (int i = 0; i < PIXELS; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        bool written = x >= 3 && x < 8 && (y >= 500 || y < 18);

        assert_int_equal((uint8_t)writers[4 * i], written ? 0 : 0xFF);
    }
    /* The picture of the drawing area begins with line 500 and continues with line 0. */
    psx_view_picture(&opened, "by-frame/000000/draws/00000.png", &picture);
    assert_int_equal(picture.width, 64);
    assert_int_equal(picture.height, 100);
    for (unsigned y = 0; y < 100; y++)
        for (unsigned x = 0; x < 64; x++)
            assert_int_equal(psx_view_pixel(&picture, x, y),
                             x >= 3 && x < 8 && y < 30 ? 0xFFFFFF : 0);
    psx_view_free(&picture);
    free(writers);
    free(table);
    free(commands);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* With 1 MiB but 1024 addressable lines, a copy to the missing lines shows black. */
static void test_lines_without_memory_are_black(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    static const char *const names[] = {"00001.png", "00001-touched.png"};

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP1(&build, 0x09000001);
    GP0(&build, 0x02FFFFFF, XY(0, 0), XY(64, 200));
    GP0(&build, 0x80000000, XY(0, 0), XY(16, 600), XY(8, 4));
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct psx_picture picture;
        char path[64];

        snprintf(path, sizeof(path), "by-frame/000000/draws/%s", names[i]);
        psx_view_picture(&opened, path, &picture);
        assert_int_equal(picture.width, 8);
        assert_int_equal(picture.height, 4);
        for (unsigned n = 0; n < 32; n++)
            assert_int_equal(psx_view_pixel(&picture, n % 8, n / 8), 0);
        psx_view_free(&picture);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Frames whose displays begin at columns 4 and 5 are the same, and the second is not a flip. */
static void test_a_display_begins_at_even_columns(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture even, odd;
    char *text, *frames;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP1(&build, 0x03000000);
    GP1(&build, 0x06000000 | 0x200 | (0x200 + 10 * 32) << 12);
    GP1(&build, 0x05000004);
    for (int x = 0; x < 64; x++)
        GP0(&build, 0x68000000 | (uint32_t)x << 3, XY(x, 0));
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP1(&build, 0x05000005);
    GP0(&build, 0x68000000, XY(900, 300));
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_opened_build(&opened, &build);
    psx_view_picture(&opened, "frames/000000.png", &even);
    psx_view_picture(&opened, "frames/000001.png", &odd);
    assert_int_equal(even.width, 32);
    for (unsigned x = 0; x < 32; x++) {
        unsigned red = (x + 4) % 32;

        assert_int_equal(psx_view_pixel(&even, x, 0) >> 16, red << 3 | red >> 2);
        assert_int_equal(psx_view_pixel(&odd, x, 0), psx_view_pixel(&even, x, 0));
    }
    text = psx_opened_read(&opened, "by-frame/000001/state.txt");
    assert_non_null(strstr(text, "display_start: 4,0\n"));
    frames = psx_opened_read(&opened, "frames.tsv");
    assert_string_equal(psx_view_cell(frames, 0, "flip"), "1");
    assert_string_equal(psx_view_cell(frames, 1, "flip"), "0");
    free(frames);
    free(text);
    psx_view_free(&even);
    psx_view_free(&odd);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_tenth_bit_of_the_area),
        cmocka_unit_test(test_rows_begin_at_the_leftmost_corner),
        cmocka_unit_test(test_random_commands),
        cmocka_unit_test(test_the_version_decides),
        cmocka_unit_test(test_the_tree_tells_lines_of_vram),
        cmocka_unit_test(test_lines_without_memory_are_black),
        cmocka_unit_test(test_a_display_begins_at_even_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * How long commands take (psx-gpu.md 20): tests the rules one by one; compares estimates with times
 * measured on a console, and texel lines with a cache that is looked up pixel by pixel; and tests
 * the tables and the picture that show costs.
 */
#include "tests/formats/psx/play.h"
#include "tests/formats/psx/view.h"

#include "base/bytes.h"
#include "formats/psx/gpu/cost.h"
#include "tests/bench/load.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* psx_play_xy() for constants */
#define XY(x, y) (((uint32_t)(x)&0xFFFF) | ((uint32_t)(y)&0xFFFF) << 16)

enum { SEMI = 0x02000000, PAGE_15 = 2 << 7 };

/* A stream and its cost so far */
struct meter {
    struct psx_cost cost;
    struct psx_state state;
};

static void meter_start(struct meter *meter)
{
    psx_cost_begin(&meter->cost, PSX_VRAM_HEIGHT);
    psx_state_reset(&meter->state, PSX_GPU_SECOND);
    psx_registers_environment(&meter->state.registers, 0xE3000000);
    psx_registers_environment(&meter->state.registers, 0xE4000000 | 1023 | 511 << 10);
}

/* Returns the cycles that these words take. */
static uint64_t take(struct meter *meter, const uint32_t *words, size_t count)
{
    uint8_t bytes[64 * 4];
    uint64_t cycles = 0;
    struct psx_gp0_event event;

    assert_true(count <= 64);
    bytes_put_words(bytes, words, count);
    for (size_t done = 0; done < count;) {
        done += psx_gp0_parse(&meter->state.parser, bytes + 4 * done, count - done, &event);
        cycles += psx_cost_event(&meter->cost, &event, &meter->state);
        psx_state_gp0(&meter->state, &event);
    }
    return cycles;
}

#define TAKE(meter, ...)                                                                           \
    take(meter, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((uint32_t[]){__VA_ARGS__})))

static void what_draws_nothing_takes_nothing(void **state)
{
    struct psx_gp0_event none = {.type = GP0_EVENT_NONE};
    struct meter meter;

    (void)state;
    meter_start(&meter);
    assert_int_equal(psx_cost_event(&meter.cost, &none, &meter.state), 0);
    assert_int_equal(take(&meter, NULL, 0), 0);
    assert_int_equal(TAKE(&meter, 0, 0x03000000, 0x01000000, 0x1F000000, 0xFF000000), 0);
    assert_int_equal(TAKE(&meter, 0xE1000000, 0xE3000000, 0xE6000000), 0);
    assert_int_equal(TAKE(&meter, 0x60FFFFFF, 0), 0); /* a word is missing */
}

/* Cycles computed by hand from the table of psx-gpu.md 20 */
static void each_kind_has_its_rule(void **state)
{
    struct meter meter;

    (void)state;
    meter_start(&meter);
    assert_int_equal(TAKE(&meter, 0x02000000, 0, XY(320, 240)), 240 * (20 + 5));
    assert_int_equal(TAKE(&meter, 0x02000000, 0, XY(0, 240)), 240);
    assert_int_equal(TAKE(&meter, 0x80000000, 0, XY(320, 0), XY(320, 240)), 240 * 419.5);
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(320, 240)), 240 * (1 + 1 + 160));
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(3, 2)), 2 * (1 + 2.5 + 1)); /* narrow */
    assert_int_equal(TAKE(&meter, 0x60000000 | SEMI, 0, XY(17, 4)), 4 * (1 + 6 + 2 * 3.75 + 8));
    assert_int_equal(TAKE(&meter, 0x60000000, XY(-8, 0), XY(16, 4)), 4 * (1 + 1 + 4)); /* clipped */
    assert_int_equal(TAKE(&meter, 0x60000000, XY(-99, 0), XY(16, 4)), 4 * 1);
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(0, 4)), 0);
    assert_int_equal(TAKE(&meter, 0x40000000, 0, XY(9, 0)), 40 + 10 + 2);
    assert_int_equal(TAKE(&meter, 0x40000000, 0, XY(0, 9)), 40 + 20 + 10 * 2.5);
    assert_int_equal(TAKE(&meter, 0x40000000 | SEMI, 0, XY(0, 9)), 40 + 20 + 10 * 5.5);
    assert_int_equal(TAKE(&meter, 0x50000000, 0, 0, XY(9, 3)), 40 + 60 + 20 + 4 * 2);
    assert_int_equal(TAKE(&meter, 0x40000000, 0, XY(1023, 511)), 40 + 2048 + 512 * 2);
    assert_int_equal(TAKE(&meter, 0x40000000, XY(-1023, 0), XY(1, 0)), 40); /* too long */
    assert_int_equal(TAKE(&meter, 0xA0000000, 0, XY(3, 1), 0, 0), 4);       /* two words of data */
    assert_int_equal(TAKE(&meter, 0xC0000000, 0, XY(3, 1)), 4);
}

static void polygons_are_set_up_first(void **state)
{
    struct meter meter;

    (void)state;
    meter_start(&meter);
    /* 16 x 16: each half has all rows, and together they have as many pixels as the quad */
    assert_int_equal(TAKE(&meter, 0x38000000, 0, 0, XY(16, 0), 0, XY(0, 16), 0, XY(16, 16)),
                     2 * (10 + 150) + 2 * 16 * (1 + 1) + 256 - 16);
    assert_int_equal(TAKE(&meter, 0x20000000, 0, XY(5, 0), XY(9, 0)), 10);       /* no area */
    assert_int_equal(TAKE(&meter, 0x20000000, 0, XY(1023, 511), XY(-1, 3)), 10); /* too large */
    assert_int_equal(TAKE(&meter, 0x20000000, XY(-9, 0), XY(-1, 0), XY(-1, 8)), 10 + 8); /* clip */
    TAKE(&meter, 0xE4000000 | 7 | 511 << 10); /* leaves rows of 8 to 1 pixels, and of 1 to 7 */
    assert_int_equal(TAKE(&meter, 0x38000000, 0, 0, XY(16, 0), 0, XY(0, 16), 0, XY(16, 16)),
                     2 * (10 + 150) + 2 * 16 + (16 + 9 * 8 + 24) + (7 + 24));
}

/* Checking the mask reads the background, as blending does; 480i leaves out half of the rows. */
static void modes_matter(void **state)
{
    struct meter meter;

    (void)state;
    meter_start(&meter);
    TAKE(&meter, 0xE6000002);
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(16, 4)), 4 * (1 + 6 + 3.75 + 8));
    assert_int_equal(TAKE(&meter, 0x80000000, 0, XY(320, 0), XY(8, 1)), 12 + 22.25 + 0.75);
    assert_int_equal(TAKE(&meter, 0x80000000, 0, XY(320, 0), XY(32, 1)), 32 + 2 * 25.5);
    TAKE(&meter, 0xE6000000);
    psx_state_gp1(&meter.state, 0x08000000 | PSX_MODE_480 | PSX_MODE_INTERLACED);
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(16, 4)), 4 + 2 * (1 + 8));
    assert_int_equal(TAKE(&meter, 0x02000000, 0, XY(320, 240)), 120 * 25);
    TAKE(&meter, 0xE1000400); /* both fields */
    assert_int_equal(TAKE(&meter, 0x60000000, 0, XY(16, 4)), 4 * (1 + 1 + 8));
}

/* Draws a sprite of 16 x 16 texels of 4 bits: 16 rows of one line each. */
static uint64_t sprite(struct meter *meter, int u, int v)
{
    return TAKE(meter, 0x7D808080, 0, (uint32_t)u | (uint32_t)v << 8);
}

static void texels_and_palettes_are_kept(void **state)
{
    enum { ROWS = 16 * (1 + 1 + 8), LINES = 16 * 8 };
    struct meter meter;

    (void)state;
    meter_start(&meter);
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES + 16 / 2); /* 16 colours */
    assert_int_equal(sprite(&meter, 0, 0), ROWS);
    assert_int_equal(sprite(&meter, 0, 8), ROWS + LINES / 2);
    assert_int_equal(sprite(&meter, 8, 0), ROWS + LINES);  /* the second of its two lines */
    assert_int_equal(sprite(&meter, 64, 0), ROWS + LINES); /* in the slots of the first line */
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES);
    TAKE(&meter, 0x01000000);
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES + 16 / 2);
    assert_int_equal(TAKE(&meter, 0x7D808080, 0, 0x80000000), ROWS); /* the same palette */
    TAKE(&meter, 0xE1000001);
    TAKE(&meter, 0xE1000000);
    assert_int_equal(sprite(&meter, 0, 0), ROWS); /* no draw used the other page */
    TAKE(&meter, 0xE1000001);
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES);
    TAKE(&meter, 0xA0000000, 0, XY(1, 1), 0);
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES);
    psx_state_gp1(&meter.state, 0x01000000);
    psx_cost_gp1(&meter.cost, 0x01000000);
    assert_int_equal(sprite(&meter, 0, 0), ROWS + LINES + 16 / 2);
}

/*
 * What gpu/bandwidth of ps1-tests prints on a console: lines of 3412.5 video cycles that pass
 * during 400 calls, each for 320 x 240 pixels. The CPU's part of the calls, memory refresh and
 * display reads take a share that the model does not include.
 */
static void a_console_was_measured(void **state)
{
    enum { CALLS = 400, FILL, COPY, UPLOAD, READ, SHAPE };
    static const struct {
        const char *name;
        unsigned lines;
        uint32_t words[12];
        unsigned count;
        double min, max; /* of measured / estimated */
    } cases[] = {
        {"read", 15770, {0xC0000000, 0, XY(320, 240)}, 3, 1.0, 1.12},
        {"copy", 19132, {0x80000000, 0, XY(320, 0), XY(320, 240)}, 4, 1.0, 1.08},
        {"fill", 1216, {0x02000000, 0, XY(320, 240)}, 3, 1.0, 1.10},
        {"rectangle", 7603, {0x60000000, 0, XY(320, 240)}, 3, 1.0, 1.08},
        {"semi", 11455, {0x62000000, 0, XY(320, 240)}, 3, 1.0, 1.08},
        {"textured", 15138, {0x64808080, 0, 0, XY(320, 240)}, 4, 1.0, 1.08},
        {"quad", 7727, {0x28000000, 0, XY(320, 0), XY(0, 240), XY(320, 240)}, 5, 1.0, 1.08},
        {"semi quad", 11648, {0x2A000000, 0, XY(320, 0), XY(0, 240), XY(320, 240)}, 5, 1.0, 1.08},
        {"textured quad",
         39938,
         {0x2D808080, 0, 0, XY(320, 0), 0x01180000 | 255, XY(0, 240), 255 << 8, XY(320, 240),
          0xFFFF},
         9,
         1.0,
         1.10},
        {"1/4 outside",
         5845,
         {0x28000000, XY(-80, 0), XY(240, 0), XY(-80, 240), XY(240, 240)},
         5,
         1.0,
         1.08},
        {"1/2 outside",
         3968,
         {0x28000000, XY(-160, 0), XY(160, 0), XY(-160, 240), XY(160, 240)},
         5,
         1.0,
         1.08},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct meter meter;
        double measured = cases[i].lines * 3412.5 / CALLS * 33.8688 / 53.693182, ratio;

        meter_start(&meter);
        TAKE(&meter, 0xE4000000 | 319 | 239 << 10);
        take(&meter, cases[i].words, cases[i].count); /* leaves the cache as the calls do */
        ratio = measured / (double)take(&meter, cases[i].words, cases[i].count);
        print_message("%-14s %.3f\n", cases[i].name, ratio);
        assert_true(ratio >= cases[i].min && ratio <= cases[i].max);
    }
}

/*
 * Counts texel lines with a cache that is looked up for each pixel of a draw, in the order of its
 * rows.
 */
struct plain {
    struct psx_observer observer;
    struct psx_gpu gpu;
    uint32_t page;
    uint32_t held[PSX_COST_TEXEL_LINES];
    uint64_t loaded;
};

static uint32_t plane_at(const struct psx_raster_plane *plane, int x, int y)
{
    return (uint32_t)((plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >>
                      RASTER_FRACTION) &
           0xFF;
}

static void ask(struct plain *plain, const struct psx_raster_job *job, unsigned depth, int x, int y)
{
    uint32_t u = (plane_at(&job->u, x, y) & job->and_u) | job->or_u;
    uint32_t v = (plane_at(&job->v, x, y) & job->and_v) | job->or_v;
    uint32_t column = (job->page_x + (u >> (2 - depth))) % PSX_VRAM_WIDTH / 4;
    uint32_t row = job->page_y + v;
    uint32_t slot = depth == PSX_DEPTH_4 ? row % 64 * 4 + column % 4 : row % 32 * 8 + column % 8;
    uint32_t line = row * 256 + column + 1;

    plain->loaded += plain->held[slot] != line;
    plain->held[slot] = line;
}

static bool plain_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                      psx_raster_shader *shade, const struct psx_raster_job *job)
{
    const struct psx_draw *draw = observer->draw;

    (void)gpu, (void)shade;
    for (int y = job->y0; draw->textured && y < job->y1; y++)
        for (int x = job->left[y]; x < job->right[y]; x++)
            ask((struct plain *)observer, job, draw->depth, x, y);
    return false;
}

static void plain_event(struct plain *plain, const struct psx_gp0_event *event,
                        const struct psx_state *before)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;
    struct psx_draw draw;
    uint32_t page;

    if (event->type != GP0_EVENT_COMMAND)
        return;
    psx_draw_decode(event, &before->registers, &draw);
    page = draw.page | (uint32_t)draw.depth << 5;
    if (kind == GP0_COPY || kind == GP0_UPLOAD || kind == GP0_READ || kind == GP0_CLEAR_CACHE ||
        (draw.textured && page != plain->page))
        memset(plain->held, 0, sizeof(plain->held));
    if (!draw.textured)
        return;
    plain->page = page;
    plain->gpu.state.registers = before->registers;
    psx_raster_draw(&plain->gpu, &draw);
}

static double compare_lines(const char *preset, unsigned vsyncs)
{
    struct psx_opened opened;
    struct psx_cost cost;
    struct plain plain = {.observer = {.job = plain_job},
                          .gpu = {.ops = &psx_raster_ops_c, .lines = PSX_VRAM_HEIGHT}};
    struct psx_walk walk;
    struct psx_step step;
    size_t size;
    char *bytes;
    FILE *file = open_memstream(&bytes, &size);

    assert_non_null(file);
    assert_int_equal(load_write(preset, vsyncs, file), 0);
    assert_int_equal(fclose(file), 0);
    psx_opened_init(&opened, bytes, size);
    assert_int_equal(psx_opened_open(&opened), 0);
    plain.gpu.observer = &plain.observer;
    psx_cost_begin(&cost, PSX_VRAM_HEIGHT);
    psx_walk_start(&walk, psx_opened_index(&opened));
    while (psx_walk_next(&walk, &step)) {
        if (step.kind == PSX_STEP_GP0) {
            psx_cost_event(&cost, &step.event, &walk.at.state);
            plain_event(&plain, &step.event, &walk.at.state);
        }
        psx_walk_apply(&walk, &step);
    }
    print_message("%s: %" PRIu64 " lines, pixel by pixel %" PRIu64 "\n", preset, cost.texel_lines,
                  plain.loaded);
    assert_true(plain.loaded > 10000);
    psx_opened_close(&opened);
    free(bytes);
    return (double)cost.texel_lines / (double)plain.loaded;
}

static void texel_lines_are_about_those_of_each_pixel(void **state)
{
    static const struct {
        const char *preset;
        unsigned vsyncs;
    } loads[] = {{"small", 48}, {"typical", 16}, {"large", 160}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(loads); i++) {
        double ratio = compare_lines(loads[i].preset, loads[i].vsyncs);

        assert_true(ratio > 0.9 && ratio < 1.1);
    }
}

/* Builds two frames. What is incomplete at the end of the first belongs to the first. */
static void build_frames(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    GP1(build, 0x03000000);
    GP1(build, 0x06C60260);
    GP1(build, 0x07040010);
    GP0(build, 0x02FF0000, 0, 0x00F00140);             /* 0: 320 x 240: 6000 */
    GP0(build, 0x600000FF, 0x00040004, 0x00080008);    /* 1: 8 x 8: 48 */
    GP0(build, 0x600000FF, 0x01900190, 0x00080008);    /* 2: 48 */
    GP0(build, 0xA0000000, 0x00000200, 0x00010004, 1); /* one of its two words: 2 */
    GP1(build, 0x01000000);                            /* which drops the upload */
    GP0(build, 0xA0000000, 0x00000200, 0x00010004, 1); /* 4 */
    psx_build_vsync(build, 1000);
    GP0(build, 2);
    GP0(build, 0xC0000000, 0, 0x00020002);    /* 4 */
    GP0(build, 0x480000FF, 0, 9, 0x00000000); /* 0: a polyline, three segments of 52 */
    psx_build_vsync(build, 2000);
    GP0(build, 9, 0x50005000);
    psx_build_vsync(build, 3000);
}

static uint64_t sum(const char *table, const char *column)
{
    uint64_t total = 0;

    for (unsigned row = 0; psx_view_cell(table, row, column) != NULL; row++)
        total += strtoull(psx_view_cell(table, row, column), NULL, 10);
    return total;
}

/* Checks that the sums of a frame's tables are the cells of frames.tsv. */
static void check_sums(const struct psx_opened *opened, const char *frames, unsigned frame)
{
    char *draws = psx_opened_read(opened, psx_view_path(frame, "draws.tsv"));
    char *commands = psx_opened_read(opened, psx_view_path(frame, "commands.tsv"));
    uint64_t gpu = strtoull(psx_view_cell(frames, frame, "cycles_gpu"), NULL, 10);
    uint64_t transfer = strtoull(psx_view_cell(frames, frame, "cycles_transfer"), NULL, 10);

    assert_int_equal(sum(draws, "cycles"), gpu);
    assert_int_equal(sum(commands, "cycles"), gpu + transfer);
    free(draws);
    free(commands);
}

static void tables_add_up(void **state)
{
    static const char *const shares[] = {"0000001.1", "0000000.0", "0000000.0"};
    struct psx_build build;
    struct psx_opened opened;
    char *frames, *commands;

    (void)state;
    build_frames(&build);
    psx_opened_build(&opened, &build);
    frames = psx_opened_read(&opened, "frames.tsv");
    assert_string_equal(psx_view_cell(frames, 0, "cycles_gpu"), "0000006096");
    assert_string_equal(psx_view_cell(frames, 0, "cycles_transfer"), "0000000006");
    assert_string_equal(psx_view_cell(frames, 1, "cycles_gpu"), "0000000156");
    assert_string_equal(psx_view_cell(frames, 1, "cycles_transfer"), "0000000004");
    assert_string_equal(psx_view_cell(frames, 2, "cycles_gpu"), "0000000000");
    for (unsigned frame = 0; frame < 3; frame++) {
        assert_string_equal(psx_view_cell(frames, frame, "gpu_share"), shares[frame]);
        check_sums(&opened, frames, frame);
    }
    commands = psx_opened_read(&opened, psx_view_path(0, "commands.tsv"));
    assert_non_null(strstr(commands, "\taborted\t0000000002\n"));
    assert_string_equal(psx_view_cell(commands, 4, "upload"), "1");
    assert_string_equal(psx_view_cell(commands, 4, "words"), "5");
    assert_string_equal(psx_view_cell(commands, 4, "draw"), "-");
    assert_string_equal(psx_view_cell(commands, 1, "name"), "rect");
    assert_string_equal(psx_view_cell(commands, 1, "op"), "60");
    assert_string_equal(psx_view_cell(commands, 1, "draw"), "1");
    assert_null(psx_view_cell(commands, 5, "command"));
    free(commands);
    free(frames);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* With field=both no rows are skipped, so that every row takes its time. */
static void both_fields_take_their_time(void **state)
{
    struct text error = TEXT_INIT;
    struct psx_build build;
    struct psx_opened opened;
    char *draws;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP1(&build, 0x08000000 | PSX_MODE_480 | PSX_MODE_INTERLACED);
    GP0(&build, 0xE1000000, 0x600000FF, 0, 0x00040010);
    psx_build_vsync(&build, 1000);
    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(options_parse(&opened.options, "field=both", &error), 1);
    psx_opened_tree(&opened);
    draws = psx_opened_read(&opened, psx_view_path(0, "draws.tsv"));
    assert_int_equal(sum(draws, "cycles"), 4 * (1 + 1 + 8));
    free(draws);
    psx_opened_close(&opened);
    psx_build_free(&build);
    text_clear(&error);
}

static void recordings_add_up(void **state)
{
    static const char *const names[] = {"torus-load", "nb-gte", "pt-lines", "bezier480i"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct psx_build build;
        struct psx_opened opened;
        char *frames;

        psx_view_recording(names[i], &build);
        psx_opened_build(&opened, &build);
        frames = psx_opened_read(&opened, "frames.tsv");
        for (unsigned frame = 0; frame < psx_opened_index(&opened)->frame_count; frame += 7)
            check_sums(&opened, frames, frame);
        assert_true(sum(frames, "cycles_gpu") > 0);
        free(frames);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

/*
 * Numbers are padded with zeros, so that lengths are known before anything is walked. The walk of
 * the tree compares them with the bytes.
 */
static void lengths_are_known_before(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct walk_result result;

    (void)state;
    build_frames(&build);
    psx_opened_build(&opened, &build);
    walk_tree(opened.tree, NULL, &result);
    assert_true(result.files > 0);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void colours_tell_the_share(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture cost;

    (void)state;
    build_frames(&build);
    psx_opened_build(&opened, &build);
    psx_view_picture(&opened, psx_view_path(0, "cost.png"), &cost);
    assert_int_equal(cost.height, 512 + 16);
    assert_int_equal(psx_view_pixel(&cost, 300, 300), 0);                /* not written */
    assert_int_equal(psx_view_pixel(&cost, 512, 0), 0x2D2D2D);           /* an upload */
    assert_int_equal(psx_view_pixel(&cost, 5, 5), 0x1E2896);             /* 48 cycles */
    assert_int_equal(psx_view_pixel(&cost, 100, 100), 0xE1BE00);         /* 6000: 1.06 % */
    assert_int_equal(psx_view_pixel(&cost, 94 + 8 * 66, 512), 0xE1BE00); /* its swatch */
    psx_view_free(&cost);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_draws_nothing_takes_nothing),
        cmocka_unit_test(each_kind_has_its_rule),
        cmocka_unit_test(polygons_are_set_up_first),
        cmocka_unit_test(modes_matter),
        cmocka_unit_test(texels_and_palettes_are_kept),
        cmocka_unit_test(a_console_was_measured),
        cmocka_unit_test(texel_lines_are_about_those_of_each_pixel),
        cmocka_unit_test(tables_add_up),
        cmocka_unit_test(both_fields_take_their_time),
        cmocka_unit_test(recordings_add_up),
        cmocka_unit_test(lengths_are_known_before),
        cmocka_unit_test(colours_tell_the_share),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

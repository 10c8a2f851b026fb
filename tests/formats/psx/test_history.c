/* SPDX-License-Identifier: MIT */
/*
 * The history of pixels, against a replay that compares them before and after each command; why
 * commands are rejected, by hand; pixel/ of pictures against vram-pixel/ of their frames; draw-ids
 * against writes that are found by their effect (truth.h); names that are found and not listed.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/streams.h"
#include "tests/formats/psx/truth.h"
#include "tests/formats/psx/view.h"

#include "base/bytes.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/scanout.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICKED_MAX = 4096, /* pixels that are followed in one replay */
    FRAMES_TOLD = 64,  /* that a picture's pixel is followed back */
    FEEDBACK_SEEDS = 4,
    STREAM_SEEDS = 2,
};

/* What a command did to a pixel, as VRAM tells before and after it. */
struct change {
    uint32_t frame;
    int32_t writer; /* as in last-writer.bin */
    uint16_t before, after;
};

struct followed {
    uint32_t pixel;
    uint16_t now;
    unsigned count, room;
    struct change *changes;
};

struct check {
    const char *name;
    struct psx_opened opened;
    struct followed *followed;
    unsigned count;
    uint32_t frame, draws, uploads, began;
    int32_t writer;
    uint64_t seed;
    unsigned rows, changing; /* of all tables that were read */
};

/* Adds what a command does; rows that follow each other may be of one. */
static void note_change(struct followed *to, const struct change *change)
{
    struct change *last = to->count > 0 ? &to->changes[to->count - 1] : NULL;

    if (last != NULL && last->frame == change->frame && last->writer == change->writer &&
        change->writer != INT32_MIN) {
        last->after = change->after;
        return;
    }
    if (to->count == to->room) {
        to->room = 2 * to->room + 4;
        to->changes = realloc(to->changes, to->room * sizeof(*to->changes));
        assert_non_null(to->changes);
    }
    to->changes[to->count++] = *change;
}

/* Draws and uploads are counted here, by what the documents say of their numbers. */
static void count_command(struct check *check, const struct gp0_event *event)
{
    if (event->begins)
        check->began = check->frame;
    if (event->type == GP0_EVENT_COMMAND) {
        enum gp0_kind kind = psx_gp0_table[event->op].kind;

        check->writer = INT32_MIN;
        if (check->began == check->frame && psx_kind_draws(kind))
            check->writer = (int32_t)check->draws++;
        else if (check->began == check->frame && kind == GP0_UPLOAD)
            check->writer = -2 - (int32_t)check->uploads++;
    } else if (check->began != check->frame) {
        check->writer = INT32_MIN;
    }
}

static void run_step(struct check *check, struct psx_gpu *gpu, const struct psx_step *step)
{
    if (step->kind == PSX_STEP_GP1)
        psx_gpu_gp1(gpu, step->gp1);
    else if (psx_step_reads(step))
        psx_gpu_read(gpu, psx_step_read_words(step), NULL);
    if (step->kind != PSX_STEP_GP0)
        return;
    count_command(check, &step->event);
    psx_gpu_run(gpu, &step->event);
    for (unsigned i = 0; i < check->count; i++) {
        struct followed *followed = &check->followed[i];
        uint16_t now = gpu->vram[followed->pixel];

        if (now != followed->now)
            note_change(followed,
                        &(struct change){check->frame, check->writer, followed->now, now});
        followed->now = now;
    }
}

/* All of the dump, draw by draw. */
static void replay(struct check *check)
{
    struct psx_index *index = psx_opened_index(&check->opened);
    struct psx_gpu *gpu;
    struct psx_walk walk;
    struct psx_step step;

    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    assert_int_equal(psx_gpu_create(index->model, &gpu), 0);
    psx_walk_start(&walk, index);
    gpu->state = walk.at.state;
    check->frame = (uint32_t)walk.at.frame;
    check->began = UINT32_MAX;
    while (psx_walk_next(&walk, &step)) {
        run_step(check, gpu, &step);
        psx_walk_apply(&walk, &step);
        gpu->state.restoring = walk.at.state.restoring;
        gpu->state.registers.field = walk.at.state.registers.field;
        if ((uint32_t)walk.at.frame == check->frame)
            continue;
        check->frame = (uint32_t)walk.at.frame;
        check->draws = check->uploads = 0;
    }
    psx_gpu_destroy(&gpu);
}

static void begin_check(struct check *check, const char *name, const struct psx_build *build)
{
    *check = (struct check){.name = name, .seed = 7};
    psx_opened_build(&check->opened, build);
    check->followed = calloc(PICKED_MAX, sizeof(*check->followed));
    assert_non_null(check->followed);
}

static void end_check(struct check *check)
{
    for (unsigned i = 0; i < check->count; i++)
        free(check->followed[i].changes);
    free(check->followed);
    psx_opened_close(&check->opened);
}

static void follow(struct check *check, uint32_t pixel)
{
    assert_true(check->count < PICKED_MAX);
    check->followed[check->count++] = (struct followed){.pixel = pixel};
}

static uint32_t pick(struct check *check, uint32_t below)
{
    return (uint32_t)(support_random(&check->seed) >> 20) % below;
}

/* A row of a table. */
struct row {
    char *cells[32];
};

static char *cell_of(const struct row *row, const char *column)
{
    static const char *const names[] = {"frame",  "draw",     "upload",     "packet",    "word",
                                        "op",     "name",     "x",          "y",         "outcome",
                                        "before", "after",    "before_rgb", "after_rgb", "blend",
                                        "uv",     "texel_at", "texel",      "entry_at",  "entry"};

    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], column) == 0)
            return row->cells[i];
    fail_msg("no column %s", column);
    return NULL;
}

static unsigned long number_of(const struct row *row, const char *column, int base)
{
    const char *cell = cell_of(row, column);
    char *end;
    unsigned long value = strtoul(cell, &end, base);

    if (*end != '\0' || end == cell)
        fail_msg("%s is %s", column, cell);
    return value;
}

/* Takes the table's next row apart, in place; false at its end. */
static bool next_row(char **rest, struct row *row)
{
    char *line = strsep(rest, "\n");

    if (line == NULL || *line == '\0')
        return false;
    for (unsigned i = 0; i < COUNT_OF(row->cells); i++)
        row->cells[i] = strsep(&line, "\t");
    return true;
}

static int32_t writer_of(const struct row *row)
{
    if (strcmp(cell_of(row, "draw"), "-") != 0)
        return (int32_t)number_of(row, "draw", 10);
    if (strcmp(cell_of(row, "upload"), "-") != 0)
        return -2 - (int32_t)number_of(row, "upload", 10);
    return INT32_MIN;
}

static bool is(const struct row *row, const char *column, const char *value)
{
    return strcmp(cell_of(row, column), value) == 0;
}

/* What a row of a rejected command must not say, and that rows of the same pixel go on. */
static void check_row(const struct check *check, const struct row *row, uint32_t pixel, int before)
{
    char rgb[8];

    if (before >= 0 && number_of(row, "before", 16) != (unsigned)before)
        fail_msg("%s: pixel %u,%u: %04x is followed by %s", check->name, pixel % 1024, pixel / 1024,
                 (unsigned)before, cell_of(row, "before"));
    if (!is(row, "outcome", "written") && !is(row, "before", cell_of(row, "after")))
        fail_msg("%s: pixel %u,%u is %s and changes", check->name, pixel % 1024, pixel / 1024,
                 cell_of(row, "outcome"));
    assert_int_equal(number_of(row, "x", 10), pixel % PSX_VRAM_WIDTH);
    assert_int_equal(number_of(row, "y", 10), pixel / PSX_VRAM_WIDTH);
    snprintf(rgb, sizeof(rgb), "%06X", psx_view_rgb((uint16_t)number_of(row, "after", 16)));
    assert_string_equal(cell_of(row, "after_rgb"), rgb);
    snprintf(rgb, sizeof(rgb), "%06X", psx_view_rgb((uint16_t)number_of(row, "before", 16)));
    assert_string_equal(cell_of(row, "before_rgb"), rgb);
}

static char *read_table(const struct check *check, unsigned frame, uint32_t pixel)
{
    return psx_opened_read(&check->opened,
                           psx_view_path(frame, "vram-pixel/%u,%u.tsv", pixel % PSX_VRAM_WIDTH,
                                         pixel / PSX_VRAM_WIDTH));
}

/* The next one from `*from` on of that frame which leaves another colour; NULL: none. */
static const struct change *next_change(const struct followed *followed, unsigned frame,
                                        unsigned *from)
{
    while (*from < followed->count) {
        const struct change *change = &followed->changes[(*from)++];

        if (change->frame == frame && change->before != change->after)
            return change;
    }
    return NULL;
}

/* What the table tells; the colour that it ends with, -1: it has no row. */
static int read_changes(struct check *check, unsigned frame, struct followed *out)
{
    char *table = read_table(check, frame, out->pixel), *rest = strchr(table, '\n') + 1;
    struct row row;
    int before = -1;

    while (next_row(&rest, &row)) {
        struct change change = {(uint32_t)number_of(&row, "frame", 10), writer_of(&row),
                                (uint16_t)number_of(&row, "before", 16),
                                (uint16_t)number_of(&row, "after", 16)};

        check->rows++;
        check_row(check, &row, out->pixel, before);
        before = change.after;
        note_change(out, &change);
    }
    free(table);
    return before;
}

static void check_pixel(struct check *check, const struct followed *followed, unsigned frame,
                        const uint16_t *vram)
{
    static const struct change none = {.writer = -1};
    struct followed told = {.pixel = followed->pixel};
    int last = read_changes(check, frame, &told);
    unsigned from = 0, told_from = 0;
    const struct change *a, *b;

    do {
        a = next_change(followed, frame, &from);
        b = next_change(&told, frame, &told_from);
        a = a != NULL ? a : &none;
        b = b != NULL ? b : &none;
        check->changing += a != &none;
        if (a->writer != b->writer || a->before != b->before || a->after != b->after)
            fail_msg("%s: frame %u, pixel %u,%u: writer %d makes %04x of %04x, but it is told that "
                     "%d makes %04x of %04x",
                     check->name, frame, told.pixel % 1024, told.pixel / 1024, a->writer, a->after,
                     a->before, b->writer, b->after, b->before);
    } while (a != &none);
    if (last >= 0 && last != vram[told.pixel])
        fail_msg("%s: frame %u, pixel %u,%u ends as %04x, not %04x", check->name, frame,
                 told.pixel % 1024, told.pixel / 1024, (unsigned)last, vram[told.pixel]);
    free(told.changes);
}

static uint16_t *read_vram(const struct check *check, unsigned frame)
{
    size_t size;
    char *bytes = walk_read(check->opened.tree, psx_view_path(frame, "vram.bin"), &size);
    uint16_t *vram = malloc(size);

    assert_non_null(vram);
    psx_halfwords_load(vram, (const uint8_t *)bytes, size / 2);
    free(bytes);
    return vram;
}

/* What `pixel/` must say of a pixel of 15 bits, by what `vram-pixel/` says of each frame. */
static void expect_picture(const struct check *check, unsigned last, uint32_t pixel,
                           struct text *out)
{
    unsigned told = 0;
    bool explained = false;
    uint16_t start = 0;

    for (unsigned frame = last + 1; frame-- > 0 && told < FRAMES_TOLD && !explained;) {
        char *table = read_table(check, frame, pixel), *rows = strchr(table, '\n') + 1;
        char *copy = strdup(rows), *rest = copy;
        struct row row;
        bool reached = false, first = true;

        while (next_row(&rest, &row)) {
            bool written = is(&row, "outcome", "written");

            reached |=
                written || is(&row, "outcome", "masked") || is(&row, "outcome", "transparent");
            explained |= written && is(&row, "blend", "-");
            if (first && reached)
                start = (uint16_t)number_of(&row, "before", 16);
            first = first && !reached;
        }
        if (reached) {
            struct text text = TEXT_INIT;

            text_add(&text, rows);
            text_add_text(&text, out);
            text_clear(out);
            *out = text;
            told++;
        }
        free(copy);
        free(table);
    }
    if (!explained) {
        struct text text = TEXT_INIT;
        char line[128];

        if (told == 0) {
            uint16_t *vram = read_vram(check, last);

            start = vram[pixel];
            free(vram);
        }
        snprintf(line, sizeof(line), "-\t-\t-\t-\t-\t-\t-\t%u\t%u\t%s\t-\t%04X\t-\t%06X",
                 pixel % 1024, pixel / 1024, told < FRAMES_TOLD ? "initial" : "earlier", start,
                 psx_view_rgb(start));
        text_add(&text, line);
        text_add(&text, "\t-\t-\t-\t-\t-\t-\n");
        text_add_text(&text, out);
        text_clear(out);
        *out = text;
    }
}

/* A pixel of the picture of 15 bits. */
static void check_picture_pixel(struct check *check, unsigned frame, unsigned x, unsigned y)
{
    const struct psx_index *index = psx_opened_index(&check->opened);
    struct psx_screen screen;
    struct text expected = TEXT_INIT;
    uint32_t pixel;
    char *table;

    psx_display_screen(&index->frames[frame].display, &screen);
    if (screen.off || screen.empty || screen.depth24)
        return;
    pixel = ((screen.y + y) & (screen.lines - 1)) * PSX_VRAM_WIDTH +
            ((screen.x + x) & (PSX_VRAM_WIDTH - 1));
    if (pixel / PSX_VRAM_WIDTH >= index->vram_lines)
        return;
    expect_picture(check, frame, pixel, &expected);
    text_add_char(&expected, '\0');
    table = psx_opened_read(&check->opened, psx_view_path(frame, "pixel/%u,%u.tsv", x, y));
    if (strcmp(strchr(table, '\n') + 1, expected.bytes) != 0)
        fail_msg("%s: frame %u, pixel %u,%u of the picture:\n%sinstead of\n%s", check->name, frame,
                 x, y, strchr(table, '\n') + 1, expected.bytes);
    free(table);
    text_clear(&expected);
}

/* Some pixels of the frame's picture, and of them the first and the last. */
static void check_picture(struct check *check, unsigned frame, unsigned pixels)
{
    struct psx_screen screen;

    psx_display_screen(&psx_opened_index(&check->opened)->frames[frame].display, &screen);
    for (unsigned i = 0; i < pixels; i++)
        check_picture_pixel(check, frame, pick(check, screen.width), pick(check, screen.height));
}

static void check_frame(struct check *check, unsigned frame)
{
    uint16_t *vram = read_vram(check, frame);

    for (unsigned i = 0; i < check->count; i++)
        check_pixel(check, &check->followed[i], frame, vram);
    free(vram);
}

/* Half of the pixels from where the dump draws, which are found by carrying it out. */
static void pick_pixels(struct check *check, unsigned count)
{
    const struct psx_index *index = psx_opened_index(&check->opened);
    uint32_t all = PSX_VRAM_WIDTH * index->vram_lines;
    uint16_t *vram;

    assert_int_equal(psx_index_wait_all(psx_opened_index(&check->opened), NULL), 0);
    vram = read_vram(check, (unsigned)index->frame_count - 1);
    for (unsigned tries = 0; tries < 100000 && check->count < count; tries++) {
        uint32_t pixel = pick(check, all);

        if (vram[pixel] != 0 || tries % 64 == 0)
            follow(check, pixel);
    }
    free(vram);
}

/* A dump: so many pixels of VRAM and of pictures, in every so many frames. */
static void check_dump(const char *name, const struct psx_build *build, unsigned pixels,
                       unsigned picture_pixels, unsigned every)
{
    struct check check;
    uint64_t frames;

    begin_check(&check, name, build);
    frames = psx_opened_index(&check.opened)->frame_count;
    if (frames > 0) {
        pick_pixels(&check, pixels);
        replay(&check);
    }
    for (unsigned frame = 0; frame < frames; frame += frame < 2 ? 1 : every) {
        check_frame(&check, frame);
        check_picture(&check, frame, picture_pixels);
    }
    end_check(&check);
}

static void histories_of_textures_that_are_drawn_over(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= FEEDBACK_SEEDS; seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        check_dump(name, &build, 100, 4, 3);
        psx_build_free(&build);
    }
}

static void histories_of_random_streams(void **state)
{
    static const char *const kinds[] = {"clean", "interlaced", "aborts", "feedback",
                                        "areas", "first-gpu",  "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        for (uint64_t seed = 1; seed <= STREAM_SEEDS; seed++) {
            struct psx_build build;

            assert_true(psx_streams_build(kinds[i], seed, &build));
            check_dump(kinds[i], &build, 100, 4, 2);
            psx_build_free(&build);
        }
}

static void histories_of_recordings(void **state)
{
    (void)state;
    for (size_t i = 0; i < psx_view_recording_count; i += support_stride()) {
        struct psx_build build;

        psx_view_recording(psx_view_recordings[i], &build);
        check_dump(psx_view_recordings[i], &build, 8, 2, 401);
        psx_build_free(&build);
    }
}

/* The test cases of INDEX.tsv. */
static void histories_of_cases(void **state)
{
    char *path = support_corpus("psx/INDEX.tsv"), name[64], file[128];
    FILE *index = fopen(path, "r");
    unsigned cases = 0;

    (void)state;
    free(path);
    assert_non_null(index);
    while (fscanf(index, "%63s%*[^\n]", name) == 1) {
        struct psx_build build = {0};

        if (name[0] == '#' || cases++ % support_stride() != 0)
            continue;
        snprintf(file, sizeof(file), "psx/%s/dump.psxgpu", name);
        path = support_corpus(file);
        build.bytes = support_read(path, &build.size);
        check_dump(name, &build, 6, 1, 67);
        psx_build_free(&build);
        free(path);
    }
    fclose(index);
    assert_true(cases >= 375);
}

/*
 * A display of 48 x 32, shown from two buffers in turn; polygons, lines, rectangles, textures in
 * what is drawn, fills, copies, uploads, masks: small ones, close together.
 */
enum { STAGE_WIDTH = 48, STAGE_HEIGHT = 32, STAGE_FRAMES = 4, STAGE_COMMANDS = 40 };

static uint32_t random_place(uint64_t *random)
{
    uint32_t x = (uint32_t)(support_random(random) >> 20) % (STAGE_WIDTH + 8) - 4;
    uint32_t y = (uint32_t)(support_random(random) >> 20) % (STAGE_HEIGHT + 8) - 4;

    return (x & 0xFFFF) | y << 16;
}

static uint32_t random_word(uint64_t *random, uint32_t mask)
{
    return (uint32_t)(support_random(random) >> 16) & mask;
}

static void build_command(struct psx_build *build, uint64_t *random, uint32_t stage)
{
    uint32_t colour = random_word(random, 0xFFFFFF), semi = random_word(random, 0x02000000);

    switch (random_word(random, 15)) {
    case 0:
        GP0(build, 0xE6000000 | random_word(random, 3));
        break;
    case 1:
        GP0(build, 0xE1000100 | random_word(random, 0x260));
        break;
    case 2:
        GP0(build, 0x80000000, random_place(random) & 0x001F001F, random_place(random) & 0x001F001F,
            0x00070009);
        break;
    case 3:
        GP0(build, 0xA0000000, (random_place(random) & 0x001F001F) + stage, 0x00020003,
            random_word(random, 0xFFFFFFFF), random_word(random, 0xFFFFFFFF),
            random_word(random, 0xFFFFFFFF));
        break;
    case 4:
        GP0(build, 0x48000000 | semi | colour, random_place(random), random_place(random));
        GP0(build, random_place(random), random_place(random), 0x55555555);
        break;
    case 5:
    case 6: /* what is drawn is its texture, 15 bits */
        GP0(build, 0x64000000 | semi | colour, random_place(random), random_word(random, 0x1F1F),
            0x000C000C);
        break;
    case 7:
    case 8: /* 4 bits, the palette from what is drawn, too */
        GP0(build, 0x24000000 | semi | colour, random_place(random), random_word(random, 0x1F1F),
            random_place(random), random_word(random, 0x1F1F), random_place(random),
            random_word(random, 0x1F1F));
        break;
    case 9:
    case 10:
        GP0(build, 0x38000000 | semi | colour, random_place(random), random_word(random, 0xFFFFFF),
            random_place(random), random_word(random, 0xFFFFFF), random_place(random),
            random_word(random, 0xFFFFFF), random_place(random));
        break;
    case 11:
        GP0(build, 0x02000000 | colour, stage, 0x00080010);
        break;
    default:
        GP0(build, 0x60000000 | semi | colour, random_place(random), 0x00090007);
        break;
    }
}

static void build_stage(uint64_t seed, struct psx_build *build)
{
    uint64_t random = seed;

    psx_build_start(build, PSX_MAGIC_16);
    GP1(build, 0x03000000);
    GP1(build, 0x06000000 | 0x260 | (0x260 + 48 * 10) << 12);
    GP1(build, 0x07000000 | 16 | (16 + STAGE_HEIGHT) << 10);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    for (uint32_t frame = 0; frame < STAGE_FRAMES; frame++) {
        uint32_t y = frame % 2 * STAGE_HEIGHT;

        GP0(build, 0xE3000000 | y << 10,
            0xE4000000 | (STAGE_WIDTH - 2) | (y + STAGE_HEIGHT - 1) << 10, 0xE5000000 | y << 11);
        for (unsigned i = 0; i < STAGE_COMMANDS; i++)
            build_command(build, &random, y << 16);
        psx_build_vsync(build, 1000 * (frame + 1));
        GP1(build, 0x05000000 | y << 10);
    }
}

/* Every pixel of both buffers, and of every picture. */
static void every_pixel_of_small_frames(void **state)
{
    struct psx_build build;
    struct check check;

    (void)state;
    build_stage(3, &build);
    begin_check(&check, "stage", &build);
    for (uint32_t y = 0; y < 2 * STAGE_HEIGHT; y++)
        for (uint32_t x = 0; x < STAGE_WIDTH; x++)
            follow(&check, y * PSX_VRAM_WIDTH + x);
    replay(&check);
    for (unsigned frame = 0; frame < STAGE_FRAMES; frame++) {
        check_frame(&check, frame);
        for (unsigned y = 0; y < STAGE_HEIGHT; y++)
            for (unsigned x = 0; x < STAGE_WIDTH; x += support_stride())
                check_picture_pixel(&check, frame, x, y);
    }
    assert_true(check.changing > 3000 && check.rows > 2 * check.changing);
    end_check(&check);
    psx_build_free(&build);
}

/* Rejections, by hand: the last command of the dump, and a pixel. */

struct rejection {
    const char *what;
    uint32_t before[8]; /* words that come first, 0 behind them */
    uint32_t words[12]; /* of the command, 0xFFFFFFFF behind them */
    unsigned x, y;
    const char *outcome; /* NULL: there is no row */
    uint32_t gp1;        /* a word to port 1 that comes first; 0: none */
};

#define END 0xFFFFFFFF

static const struct rejection rejections[] = {
    {"a rectangle outside the area",
     {0},
     {0x600000FF, 0x00140064, 0x00080008, END},
     101,
     21,
     "clipped",
     0},
    {"its neighbour", {0}, {0x600000FF, 0x00140064, 0x00080008, END}, 99, 21, NULL, 0},
    {"a triangle outside the area",
     {0},
     {0x200000FF, 0x00140064, 0x00140084, 0x00340064, END},
     101,
     21,
     "clipped",
     0},
    {"beside the triangle's long edge",
     {0},
     {0x200000FF, 0x00140064, 0x00140084, 0x00340064, END},
     130,
     50,
     NULL,
     0},
    {"a line outside the area",
     {0},
     {0x400000FF, 0x00140064, 0x00140084, END},
     110,
     20,
     "clipped",
     0},
    {"a rectangle that reaches out of the area",
     {0},
     {0x600000FF, 0x00140038, 0x00080010, END},
     64,
     21,
     "clipped",
     0},
    {"the same inside", {0}, {0x600000FF, 0x00140038, 0x00080010, END}, 63, 21, "written", 0},
    {"a fill heeds no area", {0}, {0x020000FF, 0x00140060, 0x00080010, END}, 101, 21, "written", 0},
    {"a marked pixel",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x680000FF, 0x00050005, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a line",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x400000FF, 0x00050000, 0x00050010, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and an upload",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0xA0000000, 0x00050005, 0x00010001, 0x7FFF, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a copy",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x80000000, 0, 0x00050005, 0x00010001, END},
     5,
     5,
     "masked",
     0},
    {"a marked pixel and a fill",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002},
     {0x020000FF, 0, 0x00100010, END},
     5,
     5,
     "written",
     0},
    {"a texel that is not there",
     {0xE1000108},
     {0x65808080, 0x00050005, 0, 0x00040004, END},
     6,
     6,
     "transparent",
     0},
    {"behind the mask no texel counts",
     {0xE6000001, 0x68FFFFFF, 0x00050005, 0xE6000002, 0xE1000108},
     {0x65808080, 0x00050005, 0, 0x00040004, END},
     5,
     5,
     "masked",
     0},
    {"a line that 480i skips",
     {0},
     {0x600000FF, 0x00140010, 0x00080008, END},
     17,
     22,
     "field",
     0x08000024},
    {"the line below",
     {0},
     {0x600000FF, 0x00140010, 0x00080008, END},
     17,
     23,
     "written",
     0x08000024},
    {"a fill's line that 480i skips",
     {0},
     {0x020000FF, 0x00140010, 0x00080010, END},
     17,
     22,
     "field",
     0x08000024},
    {"skipped, and outside the area",
     {0},
     {0x600000FF, 0x00140064, 0x00080008, END},
     101,
     22,
     "clipped",
     0x08000024},
    {"a triangle of the greatest width",
     {0},
     {0x200000FF, 0x00000000, 0x000003FF, 0x003203FF, END},
     60,
     1,
     "written",
     0},
    {"a triangle that is dropped",
     {0},
     {0x200000FF, 0x00000200, 0x00000600, 0x00640200, END},
     20,
     20,
     "culled",
     0},
    {"beside the one that is dropped",
     {0},
     {0x200000FF, 0x00000200, 0x00000600, 0x00140200, END},
     20,
     30,
     NULL,
     0},
    {"a line that is dropped", {0}, {0x400000FF, 0x00140200, 0x00140600, END}, 20, 20, "culled", 0},
    {"a rectangle without size", {0}, {0x600000FF, 0x00140010, 0x00000000, END}, 16, 20, NULL, 0},
    {"half of an average", {0}, {0x620000FF, 0x00140010, 0x00080008, END}, 17, 21, "written", 0},
};

static void build_rejection(const struct rejection *rejection, struct psx_build *build)
{
    size_t before = 0, words = 0;

    while (before < COUNT_OF(rejection->before) && rejection->before[before] != 0)
        before++;
    while (rejection->words[words] != END)
        words++;
    psx_build_start(build, PSX_MAGIC_16);
    GP0(build, 0xE3000000, 0xE4000000 | 63 | 63 << 10, 0xE5000000);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    if (rejection->gp1 != 0)
        GP1(build, rejection->gp1);
    if (before > 0)
        psx_build_packet(build, PSX_PACKET_GP0, rejection->before, before);
    psx_build_packet(build, PSX_PACKET_GP0, rejection->words, words);
    psx_build_vsync(build, 1000);
}

static void rejections_have_their_reason(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(rejections); i++) {
        const struct rejection *rejection = &rejections[i];
        struct psx_build build;
        struct psx_opened opened;
        struct row row, last = {0};
        char *table, *rest;

        build_rejection(rejection, &build);
        psx_opened_build(&opened, &build);
        rest = table = psx_opened_read(
            &opened, psx_view_path(0, "vram-pixel/%u,%u.tsv", rejection->x, rejection->y));
        strsep(&rest, "\n");
        while (next_row(&rest, &row))
            last = row;
        if (rejection->outcome == NULL) {
            if (last.cells[0] != NULL)
                fail_msg("%s: is %s", rejection->what, cell_of(&last, "outcome"));
        } else if (last.cells[0] == NULL) {
            fail_msg("%s: has no row", rejection->what);
        } else if (!is(&last, "outcome", rejection->outcome)) {
            fail_msg("%s: is %s", rejection->what, cell_of(&last, "outcome"));
        } else {
            assert_int_equal(number_of(&last, "op", 16), rejection->words[0] >> 24);
        }
        free(table);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

/* Where a texel of 4 bits comes from, through window, page and palette; and what is moved. */
static void sources_are_told(void **state)
{
    static const struct {
        unsigned x, y;
        const char *cells; /* outcome, after, blend, and what is behind it */
    } expected[] = {
        {10, 20, "written 801F 1 26,3 646,3 7210 162,480 801F"},
        {11, 20, "transparent 0000 - 27,3 646,3 7210 167,480 0000"},
        {30, 20, "written 7210 - - 646,3 7210 - -"},
        {646, 3, "written 7210 - - - 7210 - -"},
    };
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP0(&build, 0xA0000000, 3u << 16 | 646, 0x00010002, 0x00007210);  /* texels 0 1 2 7, 0 */
    GP0(&build, 0xA0000000, 480u << 16 | 160, 0x00010004, 0, 0x801F); /* entry 2: red, blends */
    GP0(&build, 0xE2000000 | 2 | 2 << 10, 0xE100002A);                /* u: 16 added; page 640,0 */
    GP0(&build, 0x67808080, 20u << 16 | 10, (480u << 6 | 10) << 16 | 3 << 8 | 10, 0x00010002);
    GP0(&build, 0x80000000, 3u << 16 | 646, 20u << 16 | 30, 0x00010001);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        char *table = psx_opened_read(
            &opened, psx_view_path(0, "vram-pixel/%u,%u.tsv", expected[i].x, expected[i].y));
        char *rest = strchr(table, '\n') + 1, found[128];
        struct row row;

        assert_true(next_row(&rest, &row));
        snprintf(found, sizeof(found), "%s %s %s %s %s %s %s %s", cell_of(&row, "outcome"),
                 cell_of(&row, "after"), cell_of(&row, "blend"), cell_of(&row, "uv"),
                 cell_of(&row, "texel_at"), cell_of(&row, "texel"), cell_of(&row, "entry_at"),
                 cell_of(&row, "entry"));
        assert_string_equal(found, expected[i].cells);
        assert_false(next_row(&rest, &row));
        free(table);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Two halfwords of a pixel of 24 bits, each with its rows. */
static void pixels_of_24_bits_have_two_halfwords(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct row row;
    char *table, *rest;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP1(&build, 0x03000000);
    GP1(&build, 0x06000000 | 0x260 | (0x260 + 64 * 10) << 12);
    GP1(&build, 0x07000000 | 16 | 48 << 10);
    GP1(&build, 0x08000010);
    GP0(&build, 0xA0000000, 0, 0x00010002, 0x44332211);
    GP0(&build, 0xA0000000, 2, 0x00010002, 0x88776655);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    rest = table = psx_opened_read(&opened, psx_view_path(0, "pixel/1,0.tsv"));
    strsep(&rest, "\n");
    assert_true(next_row(&rest, &row));
    assert_string_equal(cell_of(&row, "x"), "1");
    assert_string_equal(cell_of(&row, "after"), "4433");
    assert_true(next_row(&rest, &row));
    assert_string_equal(cell_of(&row, "x"), "2");
    assert_string_equal(cell_of(&row, "upload"), "1");
    assert_string_equal(cell_of(&row, "after"), "6655");
    assert_false(next_row(&rest, &row));
    free(table);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static int emit_name(void *context, const char *name)
{
    unsigned *names = context;

    *names += strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    return 0;
}

static bool emit(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                 uint64_t next)
{
    (void)inode;
    (void)kind;
    (void)next;
    return emit_name(context, name) == 0;
}

static int find(const struct psx_opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, true, &inode);
}

static void names_are_found_and_not_listed(void **state)
{
    static const char *const there[] = {"pixel/0,0.tsv", "pixel/47,31.tsv", "pixel/47,31.js",
                                        "vram-pixel/0,0.tsv", "vram-pixel/1023,511.js"};
    static const char *const absent[] = {
        "pixel/48,0.tsv",        "pixel/0,32.tsv",      "pixel/00,0.tsv",
        "pixel/0,00.tsv",        "pixel/0,0.txt",       "pixel/0,0",
        "pixel/0,0.tsvx",        "pixel/ 0,0.tsv",      "pixel/+1,0.tsv",
        "pixel/-1,0.tsv",        "pixel/0, 0.tsv",      "pixel/0.tsv",
        "pixel/,.tsv",           "pixel/1024,0.tsv",    "pixel/4294967296,0.tsv",
        "vram-pixel/1024,0.tsv", "vram-pixel/0,512.tsv"};
    struct psx_build build;
    struct psx_opened opened;
    unsigned names = 0;
    uint64_t inode, cursor = 0;

    (void)state;
    build_stage(1, &build);
    psx_opened_build(&opened, &build);
    for (unsigned i = 0; i < COUNT_OF(there); i++)
        assert_int_equal(find(&opened, psx_view_path(1, "%s", there[i])), 0);
    for (unsigned i = 0; i < COUNT_OF(absent); i++)
        if (find(&opened, psx_view_path(1, "%s", absent[i])) != -ENOENT)
            fail_msg("%s is there", absent[i]);
    assert_int_equal(tree_find(opened.tree, psx_view_path(1, "pixel"), true, &inode), 0);
    assert_int_equal(tree_list(opened.tree, inode, &cursor, emit, &names), 0);
    assert_int_equal(names, 0);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* The script is the table: its cells in their order, quoted or null. */
static void scripts_have_the_table(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *table, *script, *rest, *at;
    struct row row;

    (void)state;
    build_stage(1, &build);
    psx_opened_build(&opened, &build);
    table = psx_opened_read(&opened, psx_view_path(2, "pixel/12,9.tsv"));
    script = psx_opened_read(&opened, psx_view_path(2, "pixel/12,9.js"));
    at = strstr(script, "gpudumpfsHistory({\"frame\":2,\"pixel\":[12,9],\n\"columns\":[\"frame\",");
    assert_ptr_equal(at, script);
    at = strstr(script, "\"rows\":[\n");
    assert_non_null(at);
    rest = strchr(table, '\n') + 1;
    while (next_row(&rest, &row))
        for (unsigned i = 0; i < 20; i++) {
            size_t length = strlen(row.cells[i]);

            at = strstr(at, strcmp(row.cells[i], "-") == 0 ? "null" : row.cells[i]);
            assert_non_null(at);
            at += strcmp(row.cells[i], "-") == 0 ? 4 : length;
            at += *at == '"';
            assert_int_equal(*at, i == 19 ? ']' : ',');
        }
    assert_non_null(strstr(at, "]});\n"));
    free(table);
    free(script);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* draw-ids, against the last writers of all frames so far. */

struct ids {
    const char *name;
    struct psx_opened opened;
    struct {
        uint32_t frame;
        int32_t writer;
    } * last; /* by pixel of VRAM */
    uint64_t met;
};

static void check_ids(void *context, const struct psx_truth *truth)
{
    struct ids *ids = context;
    struct psx_screen screen;
    size_t size;
    char *map;

    for (uint32_t i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        if (truth->last[i] != -1) {
            ids->last[i].frame = truth->frame;
            ids->last[i].writer = truth->last[i];
        }
    psx_display_screen(&psx_opened_index(&ids->opened)->frames[truth->frame].display, &screen);
    map = walk_read(ids->opened.tree, psx_view_path(truth->frame, "draw-ids.bin"), &size);
    assert_int_equal(size, 8 * screen.width * screen.height);
    for (uint32_t y = 0; y < screen.height; y++)
        for (uint32_t x = 0; x < screen.width; x++) {
            const uint8_t *at = (const uint8_t *)map + 8 * (size_t)(y * screen.width + x);
            uint32_t line = (screen.y + y) & (screen.lines - 1);
            uint32_t column = screen.depth24 ? (3 * x + 1) / 2 : x;
            uint32_t place = (line & 511) * PSX_VRAM_WIDTH + ((screen.x + column) & 1023);
            bool none = screen.off || screen.empty || line >= PSX_VRAM_HEIGHT ||
                        ids->last[place].writer == -1;

            if (bytes_le32(at) != (none ? UINT32_MAX : ids->last[place].frame) ||
                bytes_le32(at + 4) != (none ? UINT32_MAX : (uint32_t)ids->last[place].writer))
                fail_msg("%s: frame %u, pixel %u,%u was written in %u by %d, not in %u by %d",
                         ids->name, truth->frame, x, y, ids->last[place].frame,
                         ids->last[place].writer, bytes_le32(at), (int32_t)bytes_le32(at + 4));
            ids->met += !none;
        }
    free(map);
}

static uint64_t check_all_ids(const char *name, const struct psx_build *build)
{
    struct ids ids = {.name = name};
    struct psx_truth_hooks hooks = {.frame = check_ids, .context = &ids};

    ids.last = calloc((size_t)PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT, sizeof(*ids.last));
    assert_non_null(ids.last);
    for (uint32_t i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        ids.last[i].writer = -1;
    psx_opened_build(&ids.opened, build);
    psx_truth_run(&ids.opened, &hooks);
    psx_opened_close(&ids.opened);
    free(ids.last);
    return ids.met;
}

static void ids_name_the_last_writers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= FEEDBACK_SEEDS; seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "stage %u", (unsigned)seed);
        build_stage(seed, &build);
        assert_true(check_all_ids(name, &build) > STAGE_WIDTH * STAGE_HEIGHT);
        psx_build_free(&build);
        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        check_all_ids(name, &build);
        psx_build_free(&build);
    }
}

/* As many colours as ids, the same for the same, and black for none. */
static void ids_have_colours(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    uint8_t *map;
    size_t size;

    (void)state;
    build_stage(2, &build);
    psx_opened_build(&opened, &build);
    map = (uint8_t *)walk_read(opened.tree, psx_view_path(3, "draw-ids.bin"), &size);
    psx_view_picture(&opened, psx_view_path(3, "draw-ids.png"), &picture);
    assert_int_equal(picture.width, STAGE_WIDTH);
    assert_int_equal(picture.height, STAGE_HEIGHT);
    for (unsigned i = 0; i < STAGE_WIDTH * STAGE_HEIGHT; i++) {
        uint32_t a = psx_view_pixel(&picture, i % STAGE_WIDTH, i / STAGE_WIDTH);

        assert_int_equal(a == 0, bytes_le32(map + 8 * i) == UINT32_MAX);
        for (unsigned j = 0; j < i; j++) {
            uint32_t b = psx_view_pixel(&picture, j % STAGE_WIDTH, j / STAGE_WIDTH);

            assert_int_equal(a == b, memcmp(map + 8 * i, map + 8 * j, 8) == 0);
        }
    }
    psx_view_free(&picture);
    free(map);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_and_not_listed),
        cmocka_unit_test(rejections_have_their_reason),
        cmocka_unit_test(sources_are_told),
        cmocka_unit_test(pixels_of_24_bits_have_two_halfwords),
        cmocka_unit_test(scripts_have_the_table),
        cmocka_unit_test(every_pixel_of_small_frames),
        cmocka_unit_test(ids_name_the_last_writers),
        cmocka_unit_test(ids_have_colours),
        cmocka_unit_test(histories_of_textures_that_are_drawn_over),
        cmocka_unit_test(histories_of_random_streams),
        cmocka_unit_test(histories_of_recordings),
        cmocka_unit_test(histories_of_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

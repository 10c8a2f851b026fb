/* SPDX-License-Identifier: MIT */
/*
 * Compares the tables of pixels' histories with a replay that compares VRAM before and after each
 * command, and pixel/ of pictures with vram-pixel/ of their frames. test_every_pixel tests the
 * histories themselves, for all pixels.
 */
#include "tests/formats/psx/changes.h"
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/rows.h"
#include "tests/formats/psx/stage.h"
#include "tests/formats/psx/streams.h"
#include "tests/formats/psx/view.h"

#include "base/bytes.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/scanout.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_TOLD = 64, /* frames over which a pixel of a picture is traced back */
    FEEDBACK_SEEDS = 4,
    STREAM_SEEDS = 2,
};

struct followed {
    uint32_t pixel;
    unsigned count, room;
    struct psx_change *changes;
};

struct check {
    const char *name;
    struct psx_opened opened;
    struct followed *followed; /* pixels, found in one replay */
    unsigned count, room;
    uint32_t *number_of; /* during the replay, by pixel of VRAM: index in `followed` + 1; 0: none */
    uint64_t seed;
    unsigned rows, changing; /* of all tables that were read */
};

/* Adds what a command did. Merges consecutive changes by the same command. */
static void note_change(struct followed *to, const struct psx_change *change)
{
    struct psx_change *last = to->count > 0 ? &to->changes[to->count - 1] : NULL;

    if (last != NULL && psx_changes_are_of_one(last, change)) {
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

static void follow_change(void *context, const struct psx_change *change)
{
    struct check *check = context;
    uint32_t number = check->number_of[change->pixel];

    if (number != 0)
        note_change(&check->followed[number - 1], change);
}

/* Replays all of the dump, step by step. */
static void replay(struct check *check)
{
    struct psx_index *index = psx_opened_index(&check->opened);
    bool *lines = calloc(index->vram_lines, sizeof(*lines));

    check->number_of = calloc((size_t)PSX_VRAM_WIDTH * index->vram_lines, sizeof(uint32_t));
    assert_true(check->number_of != NULL && lines != NULL);
    for (unsigned i = 0; i < check->count; i++) {
        check->number_of[check->followed[i].pixel] = i + 1;
        lines[check->followed[i].pixel / PSX_VRAM_WIDTH] = true;
    }
    psx_changes_find(index, lines, follow_change, check);
    free(check->number_of);
    free(lines);
}

static void begin_check(struct check *check, const char *name, const struct psx_build *build)
{
    *check = (struct check){.name = name, .seed = 7};
    psx_opened_build(&check->opened, build);
}

static void end_check(struct check *check)
{
    for (unsigned i = 0; i < check->count; i++)
        free(check->followed[i].changes);
    free(check->followed);
    psx_opened_close(&check->opened);
}

/* Adds a pixel unless it is there already. */
static void follow(struct check *check, uint32_t pixel)
{
    for (unsigned i = 0; i < check->count; i++)
        if (check->followed[i].pixel == pixel)
            return;
    if (check->count == check->room) {
        check->room = 2 * check->room + 256;
        check->followed = realloc(check->followed, check->room * sizeof(*check->followed));
        assert_non_null(check->followed);
    }
    check->followed[check->count++] = (struct followed){.pixel = pixel};
}

static uint32_t pick(struct check *check, uint32_t below)
{
    return (uint32_t)(support_random(&check->seed) >> 20) % below;
}

static int32_t writer_of(const struct psx_row *row)
{
    if (strcmp(psx_row_cell(row, "draw"), "-") != 0)
        return (int32_t)psx_row_number(row, "draw", 10);
    if (strcmp(psx_row_cell(row, "upload"), "-") != 0)
        return -2 - (int32_t)psx_row_number(row, "upload", 10);
    return INT32_MIN;
}

/*
 * Checks that a row of a rejected command changes nothing, and that a pixel's rows follow from each
 * other.
 */
static void check_row(const struct check *check, const struct psx_row *row, uint32_t pixel,
                      int before)
{
    char rgb[8];

    if (before >= 0 && psx_row_number(row, "before", 16) != (unsigned)before)
        fail_msg("%s: pixel %u,%u: %04x is followed by %s", check->name, pixel % 1024, pixel / 1024,
                 (unsigned)before, psx_row_cell(row, "before"));
    if (!psx_row_is(row, "outcome", "written") &&
        !psx_row_is(row, "before", psx_row_cell(row, "after")))
        fail_msg("%s: pixel %u,%u is %s and changes", check->name, pixel % 1024, pixel / 1024,
                 psx_row_cell(row, "outcome"));
    assert_int_equal(psx_row_number(row, "x", 10), pixel % PSX_VRAM_WIDTH);
    assert_int_equal(psx_row_number(row, "y", 10), pixel / PSX_VRAM_WIDTH);
    snprintf(rgb, sizeof(rgb), "%06X", psx_view_rgb((uint16_t)psx_row_number(row, "after", 16)));
    assert_string_equal(psx_row_cell(row, "after_rgb"), rgb);
    snprintf(rgb, sizeof(rgb), "%06X", psx_view_rgb((uint16_t)psx_row_number(row, "before", 16)));
    assert_string_equal(psx_row_cell(row, "before_rgb"), rgb);
}

static char *read_table(const struct check *check, unsigned frame, uint32_t pixel)
{
    return psx_opened_read(&check->opened,
                           psx_view_path(frame, "vram-pixel/%u,%u.tsv", pixel % PSX_VRAM_WIDTH,
                                         pixel / PSX_VRAM_WIDTH));
}

/*
 * Returns the next change from `*from` on in that frame that leaves another colour, or NULL if
 * there is none.
 */
static const struct psx_change *next_change(const struct followed *followed, unsigned frame,
                                            unsigned *from)
{
    while (*from < followed->count) {
        const struct psx_change *change = &followed->changes[(*from)++];

        if (change->frame == frame && change->before != change->after)
            return change;
    }
    return NULL;
}

/* Reads the changes of a table. Returns the colour that it ends with, or -1 if it has no rows. */
static int read_changes(struct check *check, unsigned frame, struct followed *out)
{
    char *table = read_table(check, frame, out->pixel), *rest = strchr(table, '\n') + 1;
    struct psx_row row;
    int before = -1;

    while (psx_row_next(&rest, &row)) {
        struct psx_change change = {.frame = (uint32_t)psx_row_number(&row, "frame", 10),
                                    .pixel = out->pixel,
                                    .writer = writer_of(&row),
                                    .before = (uint16_t)psx_row_number(&row, "before", 16),
                                    .after = (uint16_t)psx_row_number(&row, "after", 16),
                                    .packet = psx_row_number(&row, "packet", 10),
                                    .word = (uint32_t)psx_row_number(&row, "word", 10)};

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
    static const struct psx_change none = {.writer = -1};
    struct followed told = {.pixel = followed->pixel};
    int last = read_changes(check, frame, &told);
    unsigned from = 0, told_from = 0;
    const struct psx_change *a, *b;

    do {
        a = next_change(followed, frame, &from);
        b = next_change(&told, frame, &told_from);
        a = a != NULL ? a : &none;
        b = b != NULL ? b : &none;
        check->changing += a != &none;
        if (a->writer != b->writer || a->before != b->before || a->after != b->after ||
            !psx_changes_are_of_one(a, b))
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

/*
 * Builds what `pixel/` must contain for a 15-bit pixel from what `vram-pixel/` contains for each
 * frame.
 */
static void expect_picture(const struct check *check, unsigned last, uint32_t pixel,
                           struct text *out)
{
    unsigned told = 0;
    bool explained = false;
    uint16_t start = 0;

    for (unsigned frame = last + 1; frame-- > 0 && told < FRAMES_TOLD && !explained;) {
        char *table = read_table(check, frame, pixel), *rows = strchr(table, '\n') + 1;
        char *copy = strdup(rows), *rest = copy;
        struct psx_row row;
        bool reached = false, first = true;

        while (psx_row_next(&rest, &row)) {
            bool written = psx_row_is(&row, "outcome", "written");

            reached |= written || psx_row_is(&row, "outcome", "masked") ||
                       psx_row_is(&row, "outcome", "transparent");
            explained |= written && psx_row_is(&row, "blend", "-");
            if (first && reached)
                start = (uint16_t)psx_row_number(&row, "before", 16);
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

/* Checks a pixel of the picture, if it has 15 bits. */
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

/* Checks some random pixels of the frame's picture. */
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

/* Picks random pixels, nearly all of which are not 0 after the last frame. */
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

/* Checks a dump: the given numbers of pixels of VRAM and of pictures, in every `every`-th frame. */
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

static void check_case(void *context, const char *name, const struct psx_build *build)
{
    unsigned *cases = context;

    if ((*cases)++ % support_stride() == 0)
        check_dump(name, build, 6, 1, 67);
}

static void histories_of_cases(void **state)
{
    unsigned cases = 0;

    (void)state;
    psx_view_cases(check_case, &cases);
}

/* Every pixel of both buffers and of every picture */
static void every_pixel_of_small_frames(void **state)
{
    struct psx_build build;
    struct check check;

    (void)state;
    psx_stage_build(3, &build);
    begin_check(&check, "stage", &build);
    for (uint32_t y = 0; y < 2 * PSX_STAGE_HEIGHT; y++)
        for (uint32_t x = 0; x < PSX_STAGE_WIDTH; x++)
            follow(&check, y * PSX_VRAM_WIDTH + x);
    replay(&check);
    for (unsigned frame = 0; frame < PSX_STAGE_FRAMES; frame++) {
        check_frame(&check, frame);
        for (unsigned y = 0; y < PSX_STAGE_HEIGHT; y++)
            for (unsigned x = 0; x < PSX_STAGE_WIDTH; x += support_stride())
                check_picture_pixel(&check, frame, x, y);
    }
    assert_true(check.changing > 3000 && check.rows > 2 * check.changing);
    end_check(&check);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_of_small_frames),
        cmocka_unit_test(histories_of_textures_that_are_drawn_over),
        cmocka_unit_test(histories_of_random_streams),
        cmocka_unit_test(histories_of_recordings),
        cmocka_unit_test(histories_of_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

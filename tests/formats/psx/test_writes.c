/* SPDX-License-Identifier: MIT */
/*
 * What each draw of a frame wrote: compares draws.tsv, last-writer.bin, overdraw.png,
 * statistics.txt and the touched pictures with writes that are found by their effect (truth.h), and
 * draws/ with the frame's VRAM.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/truth.h"
#include "tests/formats/psx/view.h"

#include "base/bytes.h"
#include "formats/psx/frame/frame.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 8,
    LEGEND_MIN = 8, /* lines below VRAM in overdraw.png */
    TOUCHED = 3,    /* draws of a frame whose pictures are checked */
};

struct check {
    const char *name;
    struct psx_opened opened;
    unsigned every;            /* step between checked frames, after the first few */
    bool brief;                /* whether only draws.tsv and the last draw's picture are checked */
    unsigned frames;           /* number of frames seen */
    unsigned checked;          /* number of frames checked */
    uint8_t *touched[TOUCHED]; /* by pixel, for some draws of the frame */
    uint32_t picked[TOUCHED];
    uint32_t picked_of; /* the frame for which draws are picked */
};

static bool is_looked_at(void *context, unsigned frame)
{
    const struct check *check = context;

    return frame < 2 || frame % check->every == 0;
}

/* Picks some draws from all over the frame. */
static void pick(struct check *check, unsigned frame)
{
    uint32_t draws = psx_opened_index(&check->opened)->counts[frame].draws;

    check->picked_of = frame;
    for (unsigned i = 0; i < TOUCHED; i++) {
        check->picked[i] = draws * (i + 1) / (TOUCHED + 1);
        memset(check->touched[i], 0, PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);
    }
}

/* Records what a picked draw has written so far. */
static void after_step(void *context, const struct psx_truth *truth, const struct psx_step *step)
{
    struct check *check = context;

    if (step->kind != PSX_STEP_GP0 || truth->frame == UINT32_MAX ||
        !is_looked_at(check, truth->frame))
        return;
    if (check->picked_of != truth->frame)
        pick(check, truth->frame);
    for (unsigned i = 0; i < TOUCHED; i++)
        if (truth->writer == (int32_t)check->picked[i] && truth->draws > 0)
            for (unsigned p = 0; p < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; p++)
                check->touched[i][p] = truth->last[p] == truth->writer;
}

static void check_table(struct check *check, const struct psx_truth *truth)
{
    char *table = psx_opened_read(&check->opened, psx_view_path(truth->frame, "draws.tsv"));
    const char *cell;
    unsigned row = 0;

    for (const char *line = strchr(table, '\n') + 1; *line != '\0'; row++) {
        line = strchr(line, '\n') + 1;
        cell = psx_view_cell(table, row, "pixels");
        if (strtoul(cell, NULL, 10) != (row < truth->room ? truth->pixels[row] : 0))
            fail_msg("%s: frame %u, draw %u wrote %u pixels, not %s", check->name, truth->frame,
                     row, row < truth->room ? truth->pixels[row] : 0, cell);
    }
    assert_int_equal(row, psx_opened_index(&check->opened)->counts[truth->frame].draws);
    free(table);
}

static void check_writers(struct check *check, const struct psx_truth *truth)
{
    size_t size;
    char *map =
        walk_read(check->opened.tree, psx_view_path(truth->frame, "last-writer.bin"), &size);

    assert_int_equal(size, 4 * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);
    for (uint32_t i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++) {
        int32_t writer = (int32_t)bytes_le32((const uint8_t *)map + 4 * (size_t)i);

        if (writer != truth->last[i])
            fail_msg("%s: frame %u, pixel %u,%u was written by %d, not %d", check->name,
                     truth->frame, i % 1024, i / 1024, truth->last[i], writer);
    }
    free(map);
}

/*
 * Checks that the colour depends only on the number of writes, that each number up to 8 has a
 * colour of its own, and that only pixels without writes are black.
 */
static void check_overdraw(struct check *check, const struct psx_truth *truth)
{
    uint32_t colours[9] = {0};
    struct psx_picture picture;

    psx_view_picture(&check->opened, psx_view_path(truth->frame, "overdraw.png"), &picture);
    assert_true(picture.height >= PSX_VRAM_HEIGHT + LEGEND_MIN);
    for (uint32_t i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++) {
        uint32_t times = truth->times[i], colour = psx_view_pixel(&picture, i % 1024, i / 1024);

        if ((times == 0) != (colour == 0))
            fail_msg("%s: frame %u, pixel %u,%u was written %u times and is %06x", check->name,
                     truth->frame, i % 1024, i / 1024, times, colour);
        if (times > 8 || times == 0)
            continue;
        if (colours[times] == 0)
            colours[times] = colour;
        assert_int_equal(colours[times], colour);
    }
    for (unsigned i = 2; i < 9; i++)
        for (unsigned j = 1; j < i; j++)
            assert_true(colours[i] == 0 || colours[i] != colours[j]);
    psx_view_free(&picture);
}

static uint64_t figure(const char *text, const char *key)
{
    const char *found = strstr(text, key);

    assert_non_null(found);
    return strtoull(found + strlen(key) + 1, NULL, 10);
}

static void check_statistics(struct check *check, const struct psx_truth *truth)
{
    char *text = psx_opened_read(&check->opened, psx_view_path(truth->frame, "statistics.txt"));

    assert_int_equal(figure(text, "pixels_written"), truth->written);
    free(text);
}

/*
 * Sets the corner in VRAM of the area of a draw's pictures. Returns false if the picture does not
 * show the area.
 */
static bool area_corner(struct check *check, unsigned frame, uint32_t draw,
                        const struct psx_picture *picture, int *x, int *y)
{
    struct psx_found found;
    struct psx_box area;

    assert_int_equal(
        psx_find_command(psx_dump_of(check->opened.dump), frame, FIND_DRAW, draw, NULL, &found), 0);
    psx_draw_area(&found.walk.at.state.registers, &area);
    *x = area.x;
    *y = area.y;
    return (int)picture->width == area.width && (int)picture->height == area.height;
}

static void check_touched(struct check *check, const struct psx_truth *truth)
{
    for (unsigned i = 0; i < TOUCHED; i++) {
        uint32_t draw = check->picked[i];
        struct psx_picture picture;
        int x0, y0;

        if (draw >= truth->draws)
            continue;
        psx_view_picture(&check->opened,
                         psx_view_path(truth->frame, "draws/%05u-touched.png", draw), &picture);
        if (area_corner(check, truth->frame, draw, &picture, &x0, &y0))
            for (unsigned y = 0; y < picture.height; y++)
                for (unsigned x = 0; x < picture.width; x++)
                    if ((psx_view_pixel(&picture, x, y) == 0xFF00FF) !=
                        check->touched[i][((y0 + (int)y) % PSX_VRAM_HEIGHT) * PSX_VRAM_WIDTH + x0 +
                                          (int)x])
                        fail_msg("%s: frame %u, draw %u touches %u,%u otherwise", check->name,
                                 truth->frame, draw, x, y);
        psx_view_free(&picture);
    }
}

/* Checks that the last draw's picture is the frame's VRAM. */
static void check_last(struct check *check, const struct psx_truth *truth)
{
    uint32_t draws = psx_opened_index(&check->opened)->counts[truth->frame].draws;
    struct psx_picture picture;
    int x0, y0;

    if (draws == 0)
        return;
    psx_view_picture(&check->opened, psx_view_path(truth->frame, "draws/%05u.png", draws - 1),
                     &picture);
    if (area_corner(check, truth->frame, draws - 1, &picture, &x0, &y0))
        for (unsigned y = 0; y < picture.height; y++)
            for (unsigned x = 0; x < picture.width; x++)
                if (psx_view_pixel(&picture, x, y) !=
                    psx_view_rgb(
                        truth->gpu->vram[((y0 + (int)y) % PSX_VRAM_HEIGHT) * PSX_VRAM_WIDTH + x0 +
                                         (int)x]))
                    fail_msg("%s: frame %u, pixel %u,%u of the last draw", check->name,
                             truth->frame, x, y);
    psx_view_free(&picture);
}

static void check_frame(void *context, const struct psx_truth *truth)
{
    struct check *check = context;

    check->frames++;
    if (!is_looked_at(check, truth->frame))
        return;
    check->checked++;
    check_table(check, truth);
    check_last(check, truth);
    if (check->brief)
        return;
    check_writers(check, truth);
    check_overdraw(check, truth);
    check_statistics(check, truth);
    check_touched(check, truth);
}

static unsigned check_dump(const char *name, const struct psx_build *build, unsigned every,
                           bool brief)
{
    struct check check = {.name = name, .every = every, .brief = brief, .picked_of = UINT32_MAX};
    struct psx_truth_hooks hooks = {
        .matters = is_looked_at, .after = after_step, .frame = check_frame, .context = &check};

    for (unsigned i = 0; i < TOUCHED; i++) {
        check.touched[i] = calloc(PSX_VRAM_WIDTH, PSX_VRAM_HEIGHT);
        assert_non_null(check.touched[i]);
    }
    psx_opened_build(&check.opened, build);
    psx_truth_run(&check.opened, &hooks);
    assert_int_equal(check.frames, psx_opened_index(&check.opened)->frame_count);
    psx_opened_close(&check.opened);
    for (unsigned i = 0; i < TOUCHED; i++)
        free(check.touched[i]);
    return check.checked;
}

static void writes_of_random_dumps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        check_dump(name, &build, 1, false);
        psx_build_free(&build);
    }
}

static void writes_of_recordings(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (size_t i = 0; i < psx_view_recording_count; i += support_stride()) {
        struct psx_build build;

        psx_view_recording(psx_view_recordings[i], &build);
        checked += check_dump(psx_view_recordings[i], &build, 211, i / support_stride() % 4 != 0);
        psx_build_free(&build);
    }
    assert_true(checked >= 2 * psx_view_recording_count / support_stride());
}

static void check_case(void *context, const char *name, const struct psx_build *build)
{
    unsigned *checked = context;

    *checked += check_dump(name, build, 13, true);
}

static void writes_of_cases(void **state)
{
    unsigned checked = 0;

    (void)state;
    psx_view_cases(check_case, &checked);
    assert_in_range(checked, 375 / support_stride(), 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_of_random_dumps),
        cmocka_unit_test(writes_of_recordings),
        cmocka_unit_test(writes_of_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Compares draw-ids with writes that are found by their effect (truth.h): the last writers in all
 * frames.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/stage.h"
#include "tests/formats/psx/truth.h"
#include "tests/formats/psx/view.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/bytes.h"
#include "formats/psx/gpu/scanout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 4 };

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
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "stage %u", (unsigned)seed);
        psx_stage_build(seed, &build);
        assert_true(check_all_ids(name, &build) > PSX_STAGE_WIDTH * PSX_STAGE_HEIGHT);
        psx_build_free(&build);
        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        check_all_ids(name, &build);
        psx_build_free(&build);
    }
}

/* There are as many colours as ids, the same id has the same colour, and no id is black. */
static void ids_have_colours(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    uint8_t *map;
    size_t size;

    (void)state;
    psx_stage_build(2, &build);
    psx_opened_build(&opened, &build);
    map = (uint8_t *)walk_read(opened.tree, psx_view_path(3, "draw-ids.bin"), &size);
    psx_view_picture(&opened, psx_view_path(3, "draw-ids.png"), &picture);
    assert_int_equal(picture.width, PSX_STAGE_WIDTH);
    assert_int_equal(picture.height, PSX_STAGE_HEIGHT);
    for (unsigned i = 0; i < PSX_STAGE_WIDTH * PSX_STAGE_HEIGHT; i++) {
        uint32_t a = psx_view_pixel(&picture, i % PSX_STAGE_WIDTH, i / PSX_STAGE_WIDTH);

        assert_int_equal(a == 0, bytes_le32(map + 8 * i) == UINT32_MAX);
        for (unsigned j = 0; j < i; j++) {
            uint32_t b = psx_view_pixel(&picture, j % PSX_STAGE_WIDTH, j / PSX_STAGE_WIDTH);

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
        cmocka_unit_test(ids_name_the_last_writers),
        cmocka_unit_test(ids_have_colours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

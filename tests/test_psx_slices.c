/*
 * A slice against a replay of everything, to the bit: on the tiles that it was
 * asked for, and on no others, VRAM must be equal, and with it pictures, readbacks
 * and what is drawn later (psx-dump.md 3.7). Slices run on a GPU full of rubbish, so
 * that what they forget is seen.
 */

#include "psx_build.h"
#include "psx_feedback.h"
#include "support.h"

#include "formats/psx/keyframer.h"
#include "formats/psx/plan.h"
#include "formats/psx/replay.h"
#include "formats/psx/scanout.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One dump, a replay of all of it, and slices that are held against it. */
struct contest {
    const char *name;
    struct psx_opened opened;
    struct psx_index *index;
    struct psx_machine full;
    struct psx_gpu *sliced;
    struct psx_liveness liveness;
    struct psx_keyframes *keyframes;
    uint64_t random;
    unsigned compared; /* points */
};

static void contest_start(struct contest *contest, const char *name, const void *bytes, size_t size)
{
    *contest = (struct contest){.name = name, .random = 12345};
    psx_opened_init(&contest->opened, bytes, size);
    assert_int_equal(psx_opened_open(&contest->opened), 0);
    contest->index = psx_opened_index(&contest->opened);
    assert_int_equal(psx_index_wait_all(contest->index, NULL), 0);
    assert_int_equal(psx_gpu_create(contest->index->vram_lines, &contest->full.gpu), 0);
    assert_int_equal(psx_gpu_create(contest->index->vram_lines, &contest->sliced), 0);
    contest->full.gpu->state.restoring = contest->index->begin_packet != PSX_NO_PACKET;
    contest->full.offset = psx_magic_length(contest->index->magic);
}

/* Keyframes at places at least so many bytes apart, and after so many pixels. */
static void contest_make_keyframes(struct contest *contest, uint64_t spacing, uint64_t pixels)
{
    struct psx_keyframer_params params = {
        .index = contest->index, .liveness = &contest->liveness, .pixels = pixels};

    assert_int_equal(psx_keyframes_create(&contest->keyframes), 0);
    params.keyframes = contest->keyframes;
    assert_int_equal(psx_liveness_make(contest->index, spacing, NULL, &contest->liveness), 0);
    assert_int_equal(psx_keyframer_run(&params, NULL), 0);
}

static void contest_end(struct contest *contest)
{
    psx_keyframes_destroy(&contest->keyframes);
    psx_liveness_clear(&contest->liveness);
    psx_gpu_destroy(&contest->sliced);
    psx_gpu_destroy(&contest->full.gpu);
    psx_opened_close(&contest->opened);
}

static void fill_with_rubbish(struct contest *contest)
{
    struct psx_gpu *gpu = contest->sliced;
    int byte = (int)(support_random(&contest->random) >> 32 & 0xFF);

    memset(gpu->vram, byte, PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT * sizeof(*gpu->vram));
    memset(gpu->clut, byte, sizeof(gpu->clut));
    memset(gpu->read_data, byte, 4096);
}

static void check_tiles(const struct contest *contest, const struct psx_tiles *tiles)
{
    const uint16_t *full = contest->full.gpu->vram, *sliced = contest->sliced->vram;

    for (unsigned y = 0; y < PSX_VRAM_HEIGHT; y++)
        for (unsigned x = 0; x < PSX_TILE_COLUMNS; x++) {
            size_t at = y * PSX_VRAM_WIDTH + x * PSX_TILE_WIDTH;

            if (psx_tiles_have(tiles, x, y / PSX_TILE_HEIGHT) &&
                memcmp(full + at, sliced + at, PSX_TILE_WIDTH * sizeof(*full)) != 0)
                fail_msg("%s: before packet %lu: tile %u,%u differs in line %u", contest->name,
                         (unsigned long)contest->full.packet, x, y / PSX_TILE_HEIGHT, y);
        }
}

/* The latches, as far as anything can still be seen of them. */
static void check_latches(const struct contest *contest, unsigned latches)
{
    const struct psx_gpu *full = contest->full.gpu, *sliced = contest->sliced;
    const struct psx_state *state = &full->state;

    if ((latches & PSX_LATCH_PALETTE) &&
        memcmp(full->clut, sliced->clut, state->clut.entries * sizeof(full->clut[0])) != 0)
        fail_msg("%s: before packet %lu: the palette differs", contest->name,
                 (unsigned long)contest->full.packet);
    if ((latches & PSX_LATCH_READ) &&
        memcmp(full->read_data, sliced->read_data, 4 * (size_t)state->read.total) != 0)
        fail_msg("%s: before packet %lu: the data of a read differs", contest->name,
                 (unsigned long)contest->full.packet);
}

static void check_state(const struct contest *contest)
{
    struct psx_state full = contest->full.gpu->state, sliced = contest->sliced->state;

    /* words behind a command's end mean nothing, and the field changes with the next packet */
    memset(&full.parser.words[full.parser.have], 0,
           sizeof(full.parser.words[0]) * (GP0_WORDS_MAX - full.parser.have));
    memset(&sliced.parser.words[sliced.parser.have], 0,
           sizeof(sliced.parser.words[0]) * (GP0_WORDS_MAX - sliced.parser.have));
    full.registers.field = sliced.registers.field = 0;
    assert_memory_equal(&full.parser.words, &sliced.parser.words, sizeof(full.parser.words));
    assert_int_equal(full.parser.phase, sliced.parser.phase);
    assert_int_equal(full.parser.due, sliced.parser.due);
    assert_memory_equal(&full.registers.e, &sliced.registers.e, sizeof(full.registers.e));
    assert_memory_equal(&full.registers.display, &sliced.registers.display,
                        sizeof(full.registers.display));
    assert_memory_equal(&full.clut, &sliced.clut, sizeof(full.clut));
    assert_memory_equal(&full.upload, &sliced.upload, sizeof(full.upload));
    assert_memory_equal(&full.read, &sliced.read, sizeof(full.read));
    assert_memory_equal(&full.last_vertex, &sliced.last_vertex, sizeof(full.last_vertex));
}

/* A slice of these tiles, where the full replay stands. */
static void compare(struct contest *contest, const struct psx_tiles *tiles)
{
    struct psx_plan_params params = {.index = contest->index,
                                     .keyframes = contest->keyframes,
                                     .packet = contest->full.packet,
                                     .tiles = *tiles};
    struct psx_plan plan;

    fill_with_rubbish(contest);
    assert_int_equal(psx_plan_make(&params, NULL, &plan), 0);
    assert_int_equal(psx_plan_run(&plan, contest->index, contest->sliced, NULL, NULL), 0);
    assert_int_equal(plan.end.packet, contest->full.packet);
    psx_plan_clear(&plan);
    check_tiles(contest, tiles);
    check_latches(contest, tiles->latches);
    check_state(contest);
    contest->compared++;
}

/* Some tiles of the part that most is drawn in, or of all. */
static void pick_tiles(struct contest *contest, struct psx_tiles *tiles)
{
    *tiles = (struct psx_tiles){.latches = (uint16_t)(support_random(&contest->random) % 4)};
    for (unsigned i = (unsigned)(support_random(&contest->random) % 5); i > 0; i--) {
        uint64_t bits = support_random(&contest->random);
        bool anywhere = bits % 8 == 0;

        tiles->row[(bits >> 8) % (anywhere ? PSX_TILE_ROWS : 8)] |=
            (uint16_t)(1 << (bits >> 16) % (anywhere ? PSX_TILE_COLUMNS : 4));
    }
}

static void compare_some(struct contest *contest)
{
    struct psx_tiles tiles;

    pick_tiles(contest, &tiles);
    compare(contest, &tiles);
}

static void compare_all(struct contest *contest)
{
    struct psx_tiles tiles;

    psx_tiles_fill(&tiles);
    compare(contest, &tiles);
}

/* What the picture of the frame shows whose end has been reached. */
static void compare_picture(struct contest *contest, uint64_t frame)
{
    struct psx_screen screen;
    struct psx_tiles tiles;

    psx_display_screen(&contest->index->frames[frame].display, &screen);
    psx_scanout_tiles(&screen, &tiles);
    compare(contest, &tiles);
}

static void step(struct contest *contest)
{
    assert_int_equal(psx_machine_step(&contest->full, contest->index, NULL), 0);
}

/* Slices at every `every`-th frame's end and before `every`-th packets in between. */
static void compare_frames(struct contest *contest, uint64_t every, uint64_t packets)
{
    const struct psx_index *index = contest->index;
    uint64_t frame = 0;

    while (contest->full.packet < index->packets) {
        step(contest);
        if (contest->full.packet % packets == 0)
            compare_some(contest);
        if (frame == index->frame_count || contest->full.packet < index->frames[frame + 1].packet)
            continue;
        if (frame % every == 0) {
            compare_picture(contest, frame);
            compare_some(contest);
        }
        if (frame % (4 * every) == 0)
            compare_all(contest);
        frame++;
    }
    compare_all(contest);
}

static void test_power_on(void **state)
{
    struct psx_build build;
    struct contest contest;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    contest_start(&contest, "empty", build.bytes, build.size);
    compare_all(&contest);
    contest_end(&contest);
    psx_build_free(&build);
}

static void test_feedback(void **state)
{
    enum { SEEDS = 40 };
    unsigned compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct psx_build build;
        struct contest contest;
        char name[32];

        snprintf(name, sizeof(name), "seed %u", (unsigned)seed);
        psx_feedback_build(seed * 7919, &build);
        contest_start(&contest, name, build.bytes, build.size);
        if (seed % 2 == 0)
            contest_make_keyframes(&contest, 2000 * (seed % 3), seed % 4 == 0 ? 10000 : 1 << 30);
        compare_frames(&contest, 1, 101);
        compared += contest.compared;
        contest_end(&contest);
        psx_build_free(&build);
    }
    print_message("%u slices\n", compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_on),
        cmocka_unit_test(test_feedback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

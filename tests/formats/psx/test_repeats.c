/* SPDX-License-Identifier: MIT */
/*
 * The index counts commands that repeat known state without stepping through them
 * (index/command_pass.h). Compares it with one that goes step by step: counts, checkpoints,
 * summaries and stale runs.
 */
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/repeating.h"
#include "tests/formats/psx/steps.h"
#include "tests/formats/psx/streams.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 6, COMMANDS = 220, ROUNDS = 12, LONG_COMMANDS = 9000 };

/* What a walk step by step counts, to compare with the index */
struct counted {
    struct psx_steps steps;
    uint64_t command_frame;
    struct psx_frame_counts counts[FRAMES + 2];
};

static void compare_checkpoint(const struct psx_steps *steps, const struct psx_parser_state *kept)
{
    struct psx_parser_state wanted = steps->walk.at;
    const struct psx_tile_summary *made = &steps->maker.summary;
    struct psx_tile_summary summary;

    for (unsigned i = wanted.state.parser.have; i < GP0_WORDS_MAX; i++)
        wanted.state.parser.words[i] = 0;
    assert_memory_equal(kept, &wanted, sizeof(*kept));
    if (steps->checkpoint == 0)
        return;
    psx_tile_summary_store_get(steps->told.summaries, steps->checkpoint - 1, &summary);
    assert_memory_equal(&summary.written, &made->written, sizeof(summary.written));
    assert_memory_equal(&summary.killed, &made->killed, sizeof(summary.killed));
    assert_memory_equal(&summary.exposed, &made->exposed, sizeof(summary.exposed));
}

static void count_step(struct psx_steps *steps, const struct psx_step *step)
{
    struct counted *counted = (struct counted *)steps;
    const uint64_t frame = steps->walk.at.frame == PSX_INITIAL ? FRAMES + 1 : steps->walk.at.frame;
    struct psx_frame_counts *now = &counted->counts[frame];

    if (step->kind == PSX_STEP_GP1)
        now->commands++;
    if (step->kind == PSX_STEP_PACKET && step->packet.type >= PSX_PACKET_VSYNC &&
        step->packet.type <= PSX_PACKET_BEGIN)
        now->commands++;
    if (step->kind != PSX_STEP_GP0)
        return;
    now->gp0_words += step->words;
    now->commands += step->event.begins;
    if (step->event.begins)
        counted->command_frame = frame;
    if (step->event.type == GP0_EVENT_COMMAND)
        counted->counts[counted->command_frame].draws +=
            psx_kind_draws(psx_gp0_table[step->event.op].kind);
}

static void compare(const struct psx_index *index)
{
    struct counted counted = {.steps = {.index = index,
                                        .told = psx_index_stretches(index),
                                        .meet = compare_checkpoint,
                                        .count = count_step}};

    psx_steps_compare(&counted.steps);
    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        assert_int_equal(index->counts[frame].gp0_words, counted.counts[frame].gp0_words);
        assert_int_equal(index->counts[frame].commands, counted.counts[frame].commands);
        assert_int_equal(index->counts[frame].draws, counted.counts[frame].draws);
    }
}

static void compare_dump(const struct psx_build *build, bool texel_cache)
{
    struct psx_opened opened;
    struct text error = TEXT_INIT;

    psx_opened_init(&opened, build->bytes, build->size);
    if (!texel_cache)
        assert_int_equal(options_parse(&opened.options, "psx-texel-cache=off", &error), 1);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(psx_index_wait_all(psx_opened_index(&opened), NULL), 0);
    compare(psx_opened_index(&opened));
    psx_opened_close(&opened);
    text_clear(&error);
}

static void what_repeats_is_as_step_by_step(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct psx_build build;

        psx_repeating_build(round + 1, round % 3 + 1, FRAMES, COMMANDS, &build);
        compare_dump(&build, true);
        compare_dump(&build, false);
        psx_build_free(&build);
    }
}

/*
 * Bit 15 of a palette's id matters while lines from 512 on are addressed, and is still kept
 * afterwards.
 */
static void palettes_from_line_512_on_are_others(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    psx_build_full_area(&build);
    GP0(&build, 0xE1000005);
    GP1(&build, 0x09000001);
    GP0(&build, 0x7C808080, 0, 0xF8000000);
    GP1(&build, 0x09000000);
    GP0(&build, 0x20808080, 0, 10, 10 << 16);
    GP0(&build, 0x7C808080, 0, 0x78000000);
    psx_build_vsync(&build, 0);
    GP0(&build, 0x7C808080, 0, 0x78000000);
    psx_build_vsync(&build, 0);
    compare_dump(&build, true);
    compare_dump(&build, false);
    psx_build_free(&build);
}

/* E1 keeps its bit 11 when lines from 512 on become inaccessible, and loses it with the next E1. */
static void the_same_e1_may_be_another_page(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    psx_build_full_area(&build);
    GP1(&build, 0x09000001);
    GP0(&build, 0xE1000800);
    GP1(&build, 0x09000000);
    GP0(&build, 0x7C808080, 100, 0x78000000);
    GP0(&build, 0xE1000800);
    GP0(&build, 0x7C808080, 100, 0x78000000);
    psx_build_vsync(&build, 0);
    compare_dump(&build, true);
    compare_dump(&build, false);
    psx_build_free(&build);
}

/* Frames with checkpoints within them */
static void checkpoints_within_frames_are_where_steps_have_them(void **state)
{
    struct psx_build build;

    (void)state;
    psx_repeating_build(77, 2, FRAMES, LONG_COMMANDS, &build);
    compare_dump(&build, true);
    psx_build_free(&build);
}

static void streams_of_all_kinds_are_as_step_by_step(void **state)
{
    static const char *const kinds[] = {"everything", "feedback", "areas", "first-gpu", "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        struct psx_build build;

        assert_true(psx_streams_build(kinds[i], 5, &build));
        compare_dump(&build, true);
        psx_build_free(&build);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_repeats_is_as_step_by_step),
        cmocka_unit_test(palettes_from_line_512_on_are_others),
        cmocka_unit_test(the_same_e1_may_be_another_page),
        cmocka_unit_test(checkpoints_within_frames_are_where_steps_have_them),
        cmocka_unit_test(streams_of_all_kinds_are_as_step_by_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * A sketch (index/sketch.h) against a walk over the same stream, step by step: the state at each of
 * its checkpoints, the runs in which the texel cache can be seen, and what stretches write, of
 * which it may tell too much but never too little.
 */
#include "tests/bench/load.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/sketch.h"
#include "formats/psx/index/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What it would be, step by step. */
struct steps {
    const struct psx_index *index;
    struct psx_stretches sketch;
    struct psx_walk walk;
    struct psx_tile_summary_maker maker;
    struct psx_texel_reach reach;
    uint64_t checkpoint, stale; /* the next of each */
};

/* What slices need of a state; the words of a command that is complete mean nothing. */
static void compare_states(const struct psx_state *sketched, const struct psx_state *walked)
{
    assert_memory_equal(&sketched->registers.e, &walked->registers.e, sizeof(walked->registers.e));
    assert_memory_equal(&sketched->registers.display, &walked->registers.display,
                        sizeof(walked->registers.display));
    assert_int_equal(sketched->registers.gpuread, walked->registers.gpuread);
    assert_int_equal(sketched->registers.field, walked->registers.field);
    assert_int_equal(sketched->registers.irq, walked->registers.irq);
    assert_int_equal(sketched->parser.phase, walked->parser.phase);
    if (walked->parser.phase != GP0_PHASE_IDLE) {
        assert_int_equal(sketched->parser.op, walked->parser.op);
        assert_int_equal(sketched->parser.have, walked->parser.have);
        assert_int_equal(sketched->parser.need, walked->parser.need);
        assert_int_equal(sketched->parser.due, walked->parser.due);
        assert_memory_equal(sketched->parser.words, walked->parser.words,
                            walked->parser.have * sizeof(walked->parser.words[0]));
    }
    assert_int_equal(sketched->clut.id, walked->clut.id);
    assert_int_equal(sketched->clut.entries, walked->clut.entries);
    assert_memory_equal(&sketched->upload, &walked->upload, sizeof(walked->upload));
    assert_memory_equal(&sketched->read, &walked->read, sizeof(walked->read));
    assert_memory_equal(sketched->last_vertex, walked->last_vertex, sizeof(walked->last_vertex));
    assert_int_equal(sketched->texel_run, walked->texel_run);
    assert_int_equal(sketched->restoring, walked->restoring);
}

static void compare_summaries(const struct steps *steps)
{
    struct psx_tiles written, drawn;

    psx_tile_summary_store_get_written(steps->sketch.summaries, steps->checkpoint - 1, &written);
    psx_tile_summary_store_get_drawn(steps->sketch.summaries, steps->checkpoint - 1, &drawn);
    assert_true(psx_tiles_hold(&written, &steps->maker.summary.written));
    assert_int_equal(written.latches, steps->maker.summary.written.latches);
    assert_true(psx_tiles_hold(&written, &drawn));
}

/* Where the sketch has a checkpoint, all is as it says. */
static void meet_checkpoint(struct steps *steps)
{
    struct psx_walk resumed;
    struct psx_parser_state next;

    if (steps->checkpoint >= psx_parser_states_count(steps->sketch.checkpoints))
        return;
    psx_parser_states_get(steps->sketch.checkpoints, steps->checkpoint, &next);
    assert_false(psx_parser_state_is_before(&next, steps->walk.at.packet, steps->walk.at.word));
    if (next.packet != steps->walk.at.packet || next.word != steps->walk.at.word)
        return;
    psx_walk_resume(&resumed, steps->index, &next);
    assert_int_equal(resumed.at.offset, steps->walk.at.offset);
    assert_int_equal(resumed.at.frame, steps->walk.at.frame);
    compare_states(&resumed.at.state, &steps->walk.at.state);
    psx_tile_summary_end_data(&steps->maker, &steps->walk.at.state);
    if (steps->checkpoint > 0)
        compare_summaries(steps);
    steps->maker = (struct psx_tile_summary_maker){0};
    steps->checkpoint++;
}

static void look_at_texels(struct steps *steps, const struct psx_gp0_event *event)
{
    const uint32_t run = steps->reach.run;
    const bool known = steps->reach.stale;

    psx_texel_reach_event(&steps->reach, &steps->walk.at.state, event);
    if (!steps->index->texel_cache || !steps->reach.stale || (known && run == steps->reach.run))
        return;
    assert_true(steps->stale < psx_stale_runs_count(steps->sketch.stale_runs));
    assert_int_equal(steps->sketch.stale_runs->list[steps->stale], steps->reach.run);
    steps->stale++;
}

static void take_step(struct steps *steps, const struct psx_step *step)
{
    struct psx_gp0_event line = step->event;

    if (step->kind == PSX_STEP_GP0) {
        if (step->event.type == GP0_EVENT_SEGMENT)
            psx_state_segment(&steps->walk.at.state, &step->event, &line);
        steps->maker.lists = true;
        psx_tile_summary_event(&steps->maker, &steps->walk.at.state, &step->event);
    } else if (step->kind == PSX_STEP_GP1 && psx_gp1_turns_data(step->gp1)) {
        psx_tile_summary_end_data(&steps->maker, &steps->walk.at.state);
    }
    psx_walk_apply(&steps->walk, step);
    if (step->kind == PSX_STEP_GP0)
        look_at_texels(steps, &line);
}

static void compare(const struct psx_index *index, const struct psx_sketch *sketch)
{
    struct steps steps = {.index = index, .sketch = psx_sketch_stretches(sketch)};
    struct psx_step step;

    psx_walk_start(&steps.walk, index);
    meet_checkpoint(&steps);
    while (psx_walk_next(&steps.walk, &step)) {
        take_step(&steps, &step);
        meet_checkpoint(&steps);
    }
    assert_int_equal(steps.checkpoint, psx_parser_states_count(steps.sketch.checkpoints));
    assert_int_equal(steps.stale, psx_stale_runs_count(steps.sketch.stale_runs));
}

static void compare_bytes(const void *bytes, size_t size, const char *options)
{
    struct psx_opened opened;
    struct psx_index *index;
    struct psx_sketch *sketch;
    struct text error = TEXT_INIT;

    psx_opened_init(&opened, bytes, size);
    if (options != NULL)
        assert_int_equal(options_parse(&opened.options, options, &error), 1);
    assert_int_equal(psx_opened_open(&opened), 0);
    index = psx_opened_index(&opened);
    assert_true(psx_sketch_is_possible(index));
    assert_int_equal(psx_sketch_create(index, NULL, NULL, &sketch), 0);
    assert_int_equal(psx_sketch_reach(sketch, index->packets, NULL), 0);
    assert_in_range(psx_sketch_offset(sketch), index->size - 3, index->size);
    compare(index, sketch);
    psx_sketch_destroy(&sketch);
    psx_opened_close(&opened);
    text_clear(&error);
}

static void compare_build(struct psx_build *build)
{
    compare_bytes(build->bytes, build->size, NULL);
    compare_bytes(build->bytes, build->size, "psx-texel-cache=off");
    psx_build_free(build);
}

static void streams_of_all_kinds_are_as_step_by_step(void **state)
{
    static const char *const kinds[] = {"everything", "feedback", "areas", "first-gpu", "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            struct psx_build build;

            assert_true(psx_streams_build(kinds[i], seed, &build));
            compare_build(&build);
        }
}

static void feedback_is_as_step_by_step(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct psx_build build;

        psx_feedback_build_version(seed * 7919, (uint32_t)(seed % 4), &build);
        compare_build(&build);
    }
}

static void loads_are_as_step_by_step(void **state)
{
    char *bytes;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(load_write("large", 200, file), 0);
    assert_int_equal(fclose(file), 0);
    compare_bytes(bytes, size, NULL);
    free(bytes);
}

static void a_dump_may_end_anywhere(void **state)
{
    struct psx_build build;

    (void)state;
    assert_true(psx_streams_build("everything", 3, &build));
    for (size_t cut = 0; cut < 120; cut++)
        compare_bytes(build.bytes, build.size - cut, NULL);
    psx_build_free(&build);
}

/* Each word in a packet of its own: it would be no faster than the command pass. */
static void where_little_is_saved_it_gives_up(void **state)
{
    enum { COMMANDS = 300000 };
    struct psx_build build;
    struct psx_opened opened;
    struct psx_sketch *sketch;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned i = 0; i < COMMANDS; i++)
        GP0(&build, 0x01000000);
    psx_build_vsync(&build, 0);
    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(psx_sketch_create(psx_opened_index(&opened), NULL, NULL, &sketch), 0);
    assert_int_equal(psx_sketch_reach_frame(sketch, 0, NULL), -EFBIG);
    psx_sketch_destroy(&sketch);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_all_kinds_are_as_step_by_step),
        cmocka_unit_test(feedback_is_as_step_by_step),
        cmocka_unit_test(loads_are_as_step_by_step),
        cmocka_unit_test(a_dump_may_end_anywhere),
        cmocka_unit_test(where_little_is_saved_it_gives_up),
    };

    psx_sketch_spacing = (struct psx_sketch_spacing){.min = 128, .max = 1024};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

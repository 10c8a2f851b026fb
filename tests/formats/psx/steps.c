/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/steps.h"

#include "tests/support/support.h"

static void meet_checkpoint(struct psx_steps *steps)
{
    const struct psx_parser_state *at = &steps->walk.at;
    struct psx_parser_state next;

    if (steps->checkpoint >= psx_parser_states_count(steps->told.checkpoints))
        return;
    psx_parser_states_get(steps->told.checkpoints, steps->checkpoint, &next);
    assert_false(psx_parser_state_is_before(&next, at->packet, at->word));
    if (next.packet != at->packet || next.word != at->word)
        return;
    psx_tile_summary_end_data(&steps->maker, &at->state);
    steps->meet(steps, &next);
    steps->maker = (struct psx_tile_summary_maker){0};
    steps->checkpoint++;
}

static void look_at_texels(struct psx_steps *steps, const struct psx_gp0_event *event)
{
    const uint32_t run = steps->reach.run;
    const bool known = steps->reach.stale;

    psx_texel_reach_event(&steps->reach, &steps->walk.at.state, event);
    if (!steps->index->texel_cache || !steps->reach.stale || (known && run == steps->reach.run))
        return;
    assert_true(steps->stale < psx_stale_runs_count(steps->told.stale_runs));
    assert_int_equal(steps->told.stale_runs->list[steps->stale], steps->reach.run);
    steps->stale++;
}

static void take_step(struct psx_steps *steps, const struct psx_step *step)
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

void psx_steps_compare(struct psx_steps *steps)
{
    struct psx_step step;

    psx_walk_start(&steps->walk, steps->index);
    meet_checkpoint(steps);
    while (psx_walk_next(&steps->walk, &step)) {
        if (steps->count != NULL)
            steps->count(steps, &step);
        take_step(steps, &step);
        meet_checkpoint(steps);
    }
    assert_int_equal(steps->checkpoint, psx_parser_states_count(steps->told.checkpoints));
    assert_int_equal(steps->stale, psx_stale_runs_count(steps->told.stale_runs));
}

/* SPDX-License-Identifier: MIT */
/*
 * The scan makes two passes: one over every submission, for its commands and their defects, and one
 * over the frames, on the state machine.
 */
#include "formats/aerogpu/scan_make.h"

#include "formats/aerogpu/scan_state.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Makes the first pass. Submissions in frames come first, in the order of the frames, so that their
 * bytes are counted as the player counts them.
 */
static int count(struct aerogpu_scanning *scanning)
{
    const struct aerogpu_index *index = scanning->index;
    int status = 0;

    for (uint32_t frame = 0; status == 0 && frame < index->frame_count; frame++)
        for (uint32_t i = index->frames[frame].first_submission;
             status == 0 && i < index->frames[frame].submissions_end; i++)
            status = aerogpu_scan_submission(scanning, i, true);
    for (uint32_t i = 0; status == 0 && i < index->submission_count; i++)
        if (index->places[index->submissions[i]].frame == AEROGPU_NONE)
            status = aerogpu_scan_submission(scanning, i, false);
    return status;
}

static int play(struct aerogpu_scanning *scanning, const struct aerogpu_scan_params *params)
{
    int status;

    aerogpu_player_init(&scanning->player, scanning->index, &aerogpu_scan_effects, scanning,
                        params->limits);
    aerogpu_scan_begin_frame(scanning);
    status = aerogpu_scan_play(scanning, AEROGPU_STEP_DONE);
    scanning->scan->ticks = scanning->player.tick;
    aerogpu_player_clear(&scanning->player);
    return status;
}

int aerogpu_scan_make(const struct aerogpu_index *index, const struct aerogpu_scan_params *params,
                      struct problems *problems, const struct cancel *cancel,
                      struct aerogpu_scan *out)
{
    struct aerogpu_scanning scanning = {.index = index,
                                        .scan = out,
                                        .problems = problems,
                                        .cancel = cancel,
                                        .left = params->max_memory};
    int status = 0;

    *out = (struct aerogpu_scan){0};
    out->streams = calloc((size_t)index->submission_count + 1, sizeof(*out->streams));
    out->frames = calloc((size_t)index->frame_count + 1, sizeof(*out->frames));
    if (out->streams == NULL || out->frames == NULL)
        status = -ENOMEM;
    if (status == 0)
        status = count(&scanning);
    if (status == 0)
        status = play(&scanning, params);
    aerogpu_tables_seen_clear(&scanning.tables_seen);
    if (status != 0)
        aerogpu_scan_clear(out);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * The scan makes two passes: one over every submission, for its commands and their defects, and one
 * over the frames, on the state machine.
 */
#include "formats/aerogpu/scan_make.h"

#include "formats/aerogpu/scan_state.h"

#include <errno.h>
#include <stdlib.h>

/* Returns whether the player executes a submission, that is, whether it is in a frame. */
static bool is_played(const struct aerogpu_index *index, uint32_t number)
{
    uint32_t low = 0, high = index->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->frames[middle].submissions_end <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->frame_count && index->frames[low].first_submission <= number;
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
    for (uint32_t i = 0; status == 0 && i < index->submission_count; i++)
        status = aerogpu_scan_submission(&scanning, i, is_played(index, i));
    if (status == 0)
        status = play(&scanning, params);
    aerogpu_tables_seen_clear(&scanning.tables_seen);
    if (status != 0)
        aerogpu_scan_clear(out);
    return status;
}

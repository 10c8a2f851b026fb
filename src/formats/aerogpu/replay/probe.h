/* SPDX-License-Identifier: MIT */
/*
 * Determines what an event of a write history does: to one texel of the subresource, or which
 * texels it writes. Uses the replay that makes the pictures before and after the event, that of the
 * CPU or that of the worker. Any thread may call these functions.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_PROBE_H
#define GPUDUMPFS_AEROGPU_REPLAY_PROBE_H

#include "formats/aerogpu/replay/worker_session.h"
#include "formats/aerogpu/replay/write_history.h"

/*
 * Gets what the event does to a texel. Colours are as in the picture, RGBA8. The outcome is
 * AEROGPU_OUTCOME_NONE if the command does not cover the texel. `shot` is of the history's
 * subresource. Returns 0, -EINTR, -ENOMEM, or -EIO with a problem.
 */
int aerogpu_replay_probe(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                         const struct aerogpu_shot *shot, const struct aerogpu_event *event,
                         uint32_t x, uint32_t y, struct aerogpu_probe *out);

/*
 * Sets to 1 the bytes in `mask` of all texels that the event writes, and leaves the others
 * unchanged. `mask` has width * height bytes, the top row first. Returns what
 * aerogpu_replay_probe() returns.
 */
int aerogpu_replay_mask(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                        const struct aerogpu_event *event, uint8_t *mask);

#endif

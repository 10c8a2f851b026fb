/* SPDX-License-Identifier: MIT */
/*
 * What an event of a history of writes does: to one texel of the subresource, or which texels it
 * writes. By the replay that makes the pictures before and behind it: the CPU's, or the worker's.
 * Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_PROBE_H
#define GPUDUMPFS_AEROGPU_REPLAY_PROBE_H

#include "formats/aerogpu/replay/worker_session.h"
#include "formats/aerogpu/replay/write_history.h"

/*
 * Colours are as the picture shows them, RGBA8. The outcome is AEROGPU_OUTCOME_NONE where the
 * command leaves the texel alone without having met it. `shot` is of that subresource. 0, -EINTR,
 * -ENOMEM, -EIO with a problem.
 */
int aerogpu_replay_probe(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                         const struct aerogpu_shot *shot, const struct aerogpu_event *event,
                         uint32_t x, uint32_t y, struct aerogpu_probe *out);

/*
 * Sets the bytes of all texels that it writes, width * height of them, rows from the top, to 1,
 * and leaves the others alone. As aerogpu_replay_probe().
 */
int aerogpu_replay_mask(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                        const struct aerogpu_event *event, uint8_t *mask);

#endif

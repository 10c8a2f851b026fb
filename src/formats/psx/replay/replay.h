/* SPDX-License-Identifier: MIT */
/*
 * Provides video memory at a position in the dump. This is the one place that decides from where a
 * replay starts. An instance that is near goes on to the position; otherwise a slice (slice.h)
 * draws what was requested and no more, from keyframes as soon as there are some. A reader that
 * takes pictures in order gets instances that can go on. Any thread; an instance belongs to one
 * thread at a time.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_REPLAY_H
#define GPUDUMPFS_PSX_REPLAY_REPLAY_H

#include "formats/psx/dump.h"
#include "formats/psx/replay/gpu_instance.h"

/* Returns 0 or -ENOMEM. The dump and its index must outlive the replay. */
int psx_replay_create(struct psx_dump *dump, struct psx_replay **out);

/*
 * For a dump that was made from another one, `origin`: uses the origin's keyframes as far as both
 * dumps are the same, if the origin's index is complete. To be called before the dump is started.
 */
void psx_replay_borrow(struct psx_dump *dump, struct psx_dump *origin);

void psx_replay_destroy(struct psx_replay **replay);

/*
 * Makes the keyframes, once, in the background. The index must be complete. Keyframes count in the
 * cache's budget, and their making ends with -E2BIG where it would cost too much. Returns 0,
 * -ENOMEM, -EINTR or -E2BIG. Replays work even if this fails.
 */
int psx_replay_prepare(struct psx_dump *dump, const struct cancel *cancel);

/*
 * Announces that a thread will call psx_replay_prepare() and psx_replay_end_prepare(). Until then a
 * request that would have to draw too much without keyframes waits a moment for them.
 */
void psx_replay_expect(struct psx_dump *dump);

/* Notes that a reader looks at frames, so that keyframes will be of use. */
void psx_replay_want(struct psx_dump *dump);

/*
 * Waits for psx_replay_want(). For the thread that makes the keyframes, so that a mount without
 * readers makes none.
 */
void psx_replay_await_want(struct psx_dump *dump);

/* Announces that no more keyframes will be made: no request waits for them any more. */
void psx_replay_end_prepare(struct psx_dump *dump);

/* Returns whether the thread of psx_replay_expect() has ended, or there is none. */
bool psx_replay_is_prepared(struct psx_dump *dump);

/*
 * Keyframes of a dump that grows: the thread that follows the dump (psx_follow_start()) makes them
 * of all of VRAM as it draws.
 */

/*
 * Adds a keyframe at `checkpoint`. `written` are the tiles that may differ from the last keyframe.
 * Sets *thinned to whether every second keyframe had to be dropped. Returns 0 or -ENOMEM.
 */
int psx_replay_add_keyframe(struct psx_dump *dump, uint64_t checkpoint,
                            const struct psx_tiles *written, const struct psx_gpu *gpu,
                            bool *thinned);

/* Reports that the thread has drawn everything up to `checkpoint`. */
void psx_replay_reach(struct psx_dump *dump, uint64_t checkpoint);

/*
 * Waits until psx_replay_reach() has reported `checkpoint`, for `milliseconds` at most, or until no
 * thread makes keyframes or `cancel` is raised.
 */
void psx_replay_wait(struct psx_dump *dump, uint64_t checkpoint, unsigned milliseconds,
                     const struct cancel *cancel);

/*
 * Provides the newest frame of a dump that is followed: returns an instance that serves the
 * request, which the caller owns then, or NULL. Called on any thread.
 */
typedef struct psx_gpu_instance *psx_replay_newest(struct psx_follow *follow,
                                                   const struct psx_vram_request *request,
                                                   const struct cancel *cancel);

/* Sets where the newest frame comes from. Called once, before any thread takes an instance. */
void psx_replay_set_newest(struct psx_dump *dump, psx_replay_newest *newest);

/*
 * Announces that a reader will request the picture of `frame`, even if there may be no such frame.
 * Does what can be done for that picture while the packet pass is under way.
 */
void psx_replay_announce(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel);

/*
 * Helps the readers that wait for a sketch (ahead.h). Only the index's thread calls this, between
 * its steps.
 */
void psx_replay_help(struct psx_dump *dump, const struct cancel *cancel);

/*
 * Waits until an instance at the end of `frame` can be taken, which may be before the index covers
 * the frame (ahead.h). Returns what psx_index_wait_frame() returns.
 */
int psx_replay_wait_picture(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel);

/*
 * Provides an instance that meets the request; the caller gives it back with psx_replay_give(). If
 * all of VRAM is requested, the instance is PSX_GPU_INSTANCE_WHOLE and its latches are valid, too.
 * Returns 0, -ENOMEM, -EINTR or -EIO.
 */
int psx_replay_take(struct psx_dump *dump, const struct psx_vram_request *request,
                    const struct cancel *cancel, struct psx_gpu_instance **out);

/*
 * Keeps the instance for the next reader and clears the caller's pointer. `packet` must say where
 * its GPU is.
 */
void psx_replay_give(struct psx_dump *dump, struct psx_gpu_instance **instance);

#endif

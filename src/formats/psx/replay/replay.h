/* SPDX-License-Identifier: MIT */
/*
 * From a position in the dump to video memory: the one place that decides from
 * where a replay starts. An instance that stands near goes on; else a slice draws
 * what was requested and no more (slice.h), from keyframes as soon as there are
 * some. A reader that takes pictures in their order gets instances that go on. Any
 * thread; an instance belongs to one at a time.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_REPLAY_H
#define GPUDUMPFS_PSX_REPLAY_REPLAY_H

#include "formats/psx/dump.h"
#include "formats/psx/replay/gpu_instance.h"

int psx_replay_create(struct psx_dump *dump, struct psx_replay **out);

/*
 * Of a dump that was made of another one: uses that one's keyframes as far as both are the same,
 * if its index is complete. Before the dump is started.
 */
void psx_replay_borrow(struct psx_dump *dump, struct psx_dump *origin);
void psx_replay_destroy(struct psx_replay **replay);

/*
 * Makes the keyframes, once, in the background: the index must be complete. They
 * count in the cache's budget, and end where they would cost too much (-E2BIG). 0,
 * -ENOMEM, -EINTR or -E2BIG; replays work in any case.
 */
int psx_replay_prepare(struct psx_dump *dump, const struct cancel *cancel);

/*
 * A thread will call psx_replay_prepare() and psx_replay_end_prepare(): a request that would
 * have to draw too much without keyframes waits a moment for them.
 */
void psx_replay_expect(struct psx_dump *dump);

/*
 * A reader looks at frames: keyframes will be of use. Until then that thread waits in
 * psx_replay_await_want(), so that a mount without readers does not make them.
 */
void psx_replay_want(struct psx_dump *dump);
void psx_replay_await_want(struct psx_dump *dump);
void psx_replay_end_prepare(struct psx_dump *dump);

/* Whether that thread has come to its end, or there is none. */
bool psx_replay_is_prepared(struct psx_dump *dump);

/*
 * The same of a dump that grows (psx_follow_start()), where one thread makes keyframes as it
 * draws: all of VRAM at a checkpoint, of which `written` may differ from the last; how far that
 * thread has come; and a wait for it. *thinned: every second one had to go.
 */
int psx_replay_add_keyframe(struct psx_dump *dump, uint64_t checkpoint,
                            const struct psx_tiles *written, const struct psx_gpu *gpu,
                            bool *thinned);
void psx_replay_reach(struct psx_dump *dump, uint64_t checkpoint);
void psx_replay_wait(struct psx_dump *dump, uint64_t checkpoint, unsigned milliseconds,
                     const struct cancel *cancel);

/*
 * What gives the newest frame of a dump that is followed: an instance that serves, which is
 * the caller's then, or NULL. Set once, before any thread takes one; called on any thread.
 */
typedef struct psx_gpu_instance *psx_replay_newest(struct psx_follow *follow,
                                                   const struct psx_vram_request *request,
                                                   const struct cancel *cancel);
void psx_replay_set_newest(struct psx_dump *dump, psx_replay_newest *newest);

/*
 * A reader will want the picture of a frame, of which there may be none; the packet pass is under
 * way. What can be done beside it for that picture is done.
 */
void psx_replay_announce(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel);

/* The index's thread, between its steps: helps readers to what they wait for (ahead.h). */
void psx_replay_help(struct psx_dump *dump, const struct cancel *cancel);

/*
 * Returns 0 when an instance at that frame's end can be had: as psx_index_wait_frame(), but that
 * may be before the index knows the frame (ahead.h).
 */
int psx_replay_wait_picture(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel);

/*
 * An instance in that state, for psx_replay_give(). When all of VRAM is wanted it
 * is whole, and its latches too. 0, -ENOMEM, -EINTR, or -EIO.
 */
int psx_replay_take(struct psx_dump *dump, const struct psx_vram_request *request,
                    const struct cancel *cancel, struct psx_gpu_instance **out);

/* Keeps the instance for the next reader. Its GPU stands where `packet` says. */
void psx_replay_give(struct psx_dump *dump, struct psx_gpu_instance **instance);

#endif

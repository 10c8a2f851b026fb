/* SPDX-License-Identifier: MIT */
/*
 * Pictures that are requested before the command pass reaches their frame. Their slices are made
 * from a sketch of the dump (index/sketch.h), which reaches the frame sooner. The first reader that
 * needs the sketch begins it. Readers make the sketch in their own threads, at the same time as the
 * command pass; the thread of the pass helps once it has walked the packets. Any thread may call
 * these functions, except psx_ahead_init() and psx_ahead_clear(), which only the dump calls.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_AHEAD_H
#define GPUDUMPFS_PSX_REPLAY_AHEAD_H

#include "base/budget.h"
#include "base/cancel.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/sketch.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct psx_ahead {
    struct psx_index *index;
    struct budget *spending;             /* limits what a sketch may spend */
    const struct cancel *cancel;         /* ends the sketch when raised */
    _Atomic(struct psx_sketch *) sketch; /* NULL if none has been begun */
    atomic_bool refused;                 /* no sketch can be made */
    _Atomic uint64_t wanted;             /* the last frame that any reader needs the sketch for */
    atomic_uint waiting;                 /* how many readers wait for the sketch */
};

/*
 * Whether sketches are made at all. Benchmarks and tests set it, to compare, before they open a
 * dump.
 */
extern bool psx_ahead_is_wanted;

/* Initialises without a sketch. All arguments must outlive `ahead`. */
void psx_ahead_init(struct psx_ahead *ahead, struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel);
void psx_ahead_clear(struct psx_ahead *ahead);

/*
 * Makes the sketch up to the end of `frame`, which a reader will request, if that is possible
 * already. Runs while the packet pass is under way, at the same time. Ignores failures: the
 * functions below meet them again.
 */
void psx_ahead_of_packets(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel);

/*
 * Makes the second half of what is left of the sketch, if readers wait for a sketch and much of it
 * is left. Only the index's thread calls this, between its steps, after the packet pass has ended.
 */
void psx_ahead_help(struct psx_ahead *ahead, const struct cancel *cancel);

/*
 * Waits until slices up to the end of `frame`, which must exist, can be made: until the index or
 * the sketch covers them, whichever is expected sooner. Returns 0 then, and otherwise what
 * psx_index_wait_frame() returns.
 */
int psx_ahead_wait_frame(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel);

/*
 * Gets what slices up to before `packet` are made from, which the index or the sketch must cover.
 * Sets *keyframes if that is the index's, to which keyframes belong.
 */
void psx_ahead_stretches(struct psx_ahead *ahead, uint64_t packet, struct psx_stretches *out,
                         bool *keyframes);

/*
 * Returns whether the sketch, as far as it has come, has `run` of the texel cache among its stale
 * runs.
 */
bool psx_ahead_has_stale_run(const struct psx_ahead *ahead, uint32_t run);

#endif

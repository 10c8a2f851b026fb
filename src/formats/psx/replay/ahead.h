/* SPDX-License-Identifier: MIT */
/*
 * Pictures that are wanted before the command pass has come to them: their slices are made of a
 * sketch of the dump (index/sketch.h), which comes there sooner. The first reader that needs the
 * sketch begins it, and readers make it, beside the thread of the pass, which helps once it has
 * walked the packets. Any thread; not psx_ahead_init() and psx_ahead_clear(), which are the dump's.
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
    struct budget *spending;             /* what a sketch may spend */
    const struct cancel *cancel;         /* ends it */
    _Atomic(struct psx_sketch *) sketch; /* NULL: none has been begun */
    atomic_bool refused;                 /* none can be had */
    _Atomic uint64_t wanted;             /* the last frame that it is made for; and … */
    atomic_uint waiting;                 /* … how many readers wait for it */
};

/* Whether sketches are made at all: benchmarks and tests compare. Set before any dump is opened. */
extern bool psx_ahead_is_wanted;

void psx_ahead_init(struct psx_ahead *ahead, struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel);
void psx_ahead_clear(struct psx_ahead *ahead);

/*
 * While the packet pass is under way, beside it: makes the sketch up to a frame's end that will be
 * wanted, if that can be done already. What fails is met again later.
 */
void psx_ahead_of_packets(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel);

/*
 * The index's thread, between its steps: where readers wait for a sketch, and much is left of it,
 * that makes the second half. The packet pass has ended.
 */
void psx_ahead_help(struct psx_ahead *ahead, const struct cancel *cancel);

/*
 * Returns 0 when slices up to the end of the frame, which there is, can be made: when the index is
 * known so far, or a sketch; whichever is expected sooner is waited for. Else as
 * psx_index_wait_frame().
 */
int psx_ahead_wait_frame(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel);

/*
 * What slices up to before that packet are made of, which one of them is known to. *keyframes: with
 * the index's, to which keyframes belong.
 */
void psx_ahead_stretches(struct psx_ahead *ahead, uint64_t packet, struct psx_stretches *out,
                         bool *keyframes);

/* Whether the sketch, as far as it has come, knows that run of the texel cache as stale. */
bool psx_ahead_has_stale_run(const struct psx_ahead *ahead, uint32_t run);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A sketch of a dump: what a slice needs to know of the command stream (replay/slice.h), and no
 * more. It is made ahead of the command pass, in a third of the time, for a picture that is wanted
 * before that has come to it; it counts nothing, and does not tell what stretches expose or kill.
 * What it tells is what the command pass will tell, but for where checkpoints stand, and for
 * primitives that count as writing all of their drawing area.
 *
 * It may be made while the packet pass is under way. It has no thread of its own: the one that
 * needs it makes it, and another one may help.
 * Any thread, but for creating and destroying it.
 */
#ifndef GPUDUMPFS_PSX_INDEX_SKETCH_H
#define GPUDUMPFS_PSX_INDEX_SKETCH_H

#include "base/budget.h"
#include "base/cancel.h"
#include "formats/psx/index/index.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_sketch;

/*
 * Bytes from one checkpoint to the next: where a frame starts at least, within frames about. Tests
 * set less, before they make any.
 */
struct psx_sketch_spacing {
    uint32_t min, max;
};
extern struct psx_sketch_spacing psx_sketch_spacing;

/* Bytes that one thread goes on before another one may. Tests set less. */
extern uint64_t psx_sketch_piece;

/* Whether it is known where frame 0 begins, and of which model. None is made
 * of a dump that grows, nor of one that edits have made, of which most is known at once. */
bool psx_sketch_is_possible(const struct psx_index *index);

/*
 * Of an index that is ready for it and outlives it. It may spend what `spending` allows, which may
 * be NULL, and ends when `cancel` is raised. 0 or -ENOMEM.
 */
int psx_sketch_create(const struct psx_index *index, struct budget *spending,
                      const struct cancel *cancel, struct psx_sketch **out);
void psx_sketch_destroy(struct psx_sketch **sketch);

/*
 * Make it as far as that packet, or that frame's end. 0; -EINTR; -EFBIG where it would save
 * too little time, or another failure, after which the index serves.
 */
int psx_sketch_reach(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel);
int psx_sketch_reach_frame(struct psx_sketch *sketch, uint64_t frame, const struct cancel *cancel);

/*
 * Another thread, one for each sketch, helps with what is left up to that packet, if that is much:
 * it begins in the middle, as if all were there as at the last checkpoint. Where that has turned
 * out to be so the sketch takes over what it made; it is lost if not. The packet pass has ended.
 */
void psx_sketch_help(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel);

/* How much it must be, and how far the sketch: bytes. Tests set less, before they make any. */
struct psx_sketch_helping {
    uint64_t min, from;
};
extern struct psx_sketch_helping psx_sketch_helping;

/* Up to which byte of the dump it has come. */
uint64_t psx_sketch_offset(const struct psx_sketch *sketch);

/* What slices up to there are made of. The packet pass has ended. */
struct psx_stretches psx_sketch_stretches(const struct psx_sketch *sketch);

#endif

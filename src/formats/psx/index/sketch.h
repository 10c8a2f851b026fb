/* SPDX-License-Identifier: MIT */
/*
 * A sketch of a dump: what a slice needs to know of the command stream (replay/slice.h), and no
 * more. It is made ahead of the command pass, in half of its processor time (psx.md 6), for a
 * picture that is requested before the command pass has come to it. A sketch counts nothing, and
 * does not record what stretches expose or kill. Otherwise it says what the command pass will say,
 * except that its checkpoints are at other places, and that most primitives count as writing all of
 * their drawing area even if the command pass would take their box (psx_tile_summary_takes_box()).
 *
 * A sketch may be made while the packet pass is still running. It has no thread of its own: the
 * thread that needs it makes it, and another thread may help. Any thread may call these functions,
 * except those that create and destroy a sketch.
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
 * Bytes between two checkpoints: at least `min` before one at a frame's start, about `max` within
 * frames. Tests set smaller values before they make a sketch.
 */
struct psx_sketch_spacing {
    uint32_t min, max;
};
extern struct psx_sketch_spacing psx_sketch_spacing;

/* Bytes that one thread goes on for before another thread may. Tests set a smaller value. */
extern uint64_t psx_sketch_piece;

/*
 * Returns whether the start of frame 0 and the model are known, as a sketch requires. No sketch is
 * made of a growing dump, nor of an edited one, most of which is known at once.
 */
bool psx_sketch_is_possible(const struct psx_index *index);

/*
 * Creates a sketch of an index for which psx_sketch_is_possible() is true, and which must outlive
 * the sketch. The sketch may spend what `spending` allows, which may be NULL, and ends when
 * `cancel` is raised. Returns 0 or -ENOMEM.
 */
int psx_sketch_create(const struct psx_index *index, struct budget *spending,
                      const struct cancel *cancel, struct psx_sketch **out);
void psx_sketch_destroy(struct psx_sketch **sketch);

/*
 * Makes the sketch up to packet `packet`. Returns 0; -EINTR; -EFBIG if the sketch would save too
 * little time; or another error. After an error the caller has to wait for the index.
 */
int psx_sketch_reach(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel);

/* The same up to the end of frame `frame`. */
int psx_sketch_reach_frame(struct psx_sketch *sketch, uint64_t frame, const struct cancel *cancel);

/*
 * Lets another thread, one for each sketch, help with what is left up to that packet, if that is
 * enough. The thread begins in the middle, and supposes that the state there is that of the last
 * checkpoint. If the sketch finds that to be true, it takes over what the thread made; otherwise
 * that is lost. The packet pass must have ended.
 */
void psx_sketch_help(struct psx_sketch *sketch, uint64_t packet, const struct cancel *cancel);

/*
 * When a thread helps: at least `min` bytes are left, and the sketch has come to byte `from`. Tests
 * set smaller values before they make a sketch.
 */
struct psx_sketch_helping {
    uint64_t min, from;
};
extern struct psx_sketch_helping psx_sketch_helping;

/* Returns the byte of the dump that the sketch has come to. */
uint64_t psx_sketch_offset(const struct psx_sketch *sketch);

/* Returns what slices up to that byte are built from. The packet pass must have ended. */
struct psx_stretches psx_sketch_stretches(const struct psx_sketch *sketch);

#endif

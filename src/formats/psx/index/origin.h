/* SPDX-License-Identifier: MIT */
/*
 * The dump that an edited one was made of, whose index tells what holds of the bytes that both have
 * (overlay.md 3): which bytes those are, and which frames. Read-only once made, but for what it
 * counts; any thread.
 */
#ifndef GPUDUMPFS_PSX_INDEX_ORIGIN_H
#define GPUDUMPFS_PSX_INDEX_ORIGIN_H

#include "formats/psx/index/index.h"
#include "source/edited.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes that stand at `from` in the origin, and at `to` in this one. */
struct psx_kept {
    uint64_t from, to, size;
};

struct psx_origin {
    struct psx_index *index; /* borrowed; its command pass may be under way */
    struct psx_kept *kept;   /* in order; they may be empty */
    size_t count;
    uint64_t taken; /* frames that the command pass has taken over */
};

/* The edits of source_open_edited(), of a dump that does not grow. 0 or -ENOMEM. */
int psx_origin_create(struct psx_index *index, const struct source_edit *edits, size_t count,
                      struct psx_origin **out);
void psx_origin_destroy(struct psx_origin **origin);

/* Those that a byte of this dump is one of; NULL: none. */
const struct psx_kept *psx_origin_kept(const struct psx_origin *origin, uint64_t offset);

/* Where a kept byte of this dump stood. */
static inline uint64_t psx_kept_before(const struct psx_kept *kept, uint64_t offset)
{
    return kept->from + (offset - kept->to);
}

/* The origin's frame that began at that offset of it; PSX_INITIAL: none. */
uint64_t psx_origin_frame(const struct psx_origin *origin, uint64_t offset);

/*
 * How many frames from the first on are the origin's, with the same checkpoints as far as
 * those are known. The packet pass of both is complete.
 */
uint64_t psx_origin_first_frames(const struct psx_index *index);

#endif

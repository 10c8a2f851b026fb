/* SPDX-License-Identifier: MIT */
/*
 * The dump that an edited dump was made of. Its index knows what holds for the bytes that both
 * dumps have (overlay.md 3). This file finds those bytes, and the frames in them. Read-only once
 * created, except for `taken`; any thread.
 */
#ifndef GPUDUMPFS_PSX_INDEX_ORIGIN_H
#define GPUDUMPFS_PSX_INDEX_ORIGIN_H

#include "formats/psx/index/index.h"
#include "source/edited.h"

#include <stddef.h>
#include <stdint.h>

/* A run of bytes that is at `from` in the origin, and at `to` in the edited dump. */
struct psx_kept {
    uint64_t from, to, size;
};

struct psx_origin {
    struct psx_index *index; /* borrowed; its command pass may still be running */
    struct psx_kept *kept;   /* in order; runs may be empty */
    size_t count;
    uint64_t taken; /* frames that the command pass has taken over */
};

/*
 * Creates the origin; `edits` are those of source_open_edited(). The dump must not grow. Returns 0
 * or -ENOMEM.
 */
int psx_origin_create(struct psx_index *index, const struct source_edit *edits, size_t count,
                      struct psx_origin **out);
void psx_origin_destroy(struct psx_origin **origin);

/* Returns the run that contains a byte of the edited dump; NULL if none does. */
const struct psx_kept *psx_origin_kept(const struct psx_origin *origin, uint64_t offset);

/* Returns where a kept byte of the edited dump is in the origin. */
static inline uint64_t psx_kept_before(const struct psx_kept *kept, uint64_t offset)
{
    return kept->from + (offset - kept->to);
}

/* Returns the frame that begins at that offset of the origin; PSX_INITIAL if none does. */
uint64_t psx_origin_frame(const struct psx_origin *origin, uint64_t offset);

/*
 * Returns how many frames, from the first on, are the same in the origin, with the same checkpoints
 * as far as those are known. The packet pass of both dumps must be complete.
 */
uint64_t psx_origin_first_frames(const struct psx_index *index);

#endif

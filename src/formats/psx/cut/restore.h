/* SPDX-License-Identifier: MIT */
/*
 * The head of a dump that continues from the middle of another one: everything that brings a GPU
 * from power-on into the state at that point, up to the Trace begin (psx-dump.md 4.6). The head's
 * length follows from the state alone, not from the contents of video memory. Any thread; the index
 * is only read.
 */
#ifndef GPUDUMPFS_PSX_CUT_RESTORE_H
#define GPUDUMPFS_PSX_CUT_RESTORE_H

#include "base/text.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/index.h"

#include <stdint.h>

enum { PSX_RESTORE_ORIGIN = 320 }; /* bytes, including the NUL */

struct psx_restore {
    const struct psx_index *index;
    struct psx_state state; /* the state to restore; its field is recorded in a comment packet */
    uint64_t packet;        /* game and video packets before this packet are copied */
    char origin[PSX_RESTORE_ORIGIN]; /* where the cut comes from, as the beginning of the comment */
};

/* Returns the length of the head in bytes, including the Trace begin. */
uint64_t psx_restore_size(const struct psx_restore *restore);

/*
 * Appends the head to `out`. Uses everything of the GPU except its state: memory, palette, the open
 * read's data, and the texel cache if `texels` says that the cache is valid and may be seen. The
 * comment says what cannot be restored. Returns 0, -ENOMEM, or -EIO if the dump has been changed
 * meanwhile.
 */
int psx_restore_write(const struct psx_restore *restore, const struct psx_gpu *gpu, bool texels,
                      struct text *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The head of a dump that goes on from the midst of another one: all that brings a GPU from
 * power-on into the state that it has there, up to its Trace begin (psx-dump.md 4.6). How long
 * it is follows from the state alone, never from what video memory holds. Any thread; the index
 * is only read.
 */
#ifndef GPUDUMPFS_PSX_CUT_RESTORE_H
#define GPUDUMPFS_PSX_CUT_RESTORE_H

#include "base/text.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/index.h"

#include <stdint.h>

enum { PSX_RESTORE_ORIGIN = 320 };

struct psx_restore {
    const struct psx_index *index;
    struct psx_state state;          /* that is restored; its field is told by a comment */
    uint64_t packet;                 /* game and video that stand before it are taken over */
    char origin[PSX_RESTORE_ORIGIN]; /* where the cut comes from: the comment begins with it */
};

/* Bytes of the head, the Trace begin included. */
uint64_t psx_restore_size(const struct psx_restore *restore);

/*
 * Appends the head. Of the GPU everything but its state is looked at: memory, palette, the open
 * read's data, and the texel cache if `texels`: it is right, and may be seen. What cannot be
 * restored is told in the comment. 0 or -ENOMEM.
 */
int psx_restore_write(const struct psx_restore *restore, const struct psx_gpu *gpu, bool texels,
                      struct text *out);

#endif

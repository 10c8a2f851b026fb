/* SPDX-License-Identifier: MIT */
/*
 * What each step of a dump changes in VRAM, found by comparing all of VRAM before and after the
 * step: the brute-force reference for histories of pixels. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_CHANGES_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_CHANGES_H

#include "formats/psx/index/index.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_change {
    uint32_t frame; /* UINT32_MAX before the first frame */
    uint32_t pixel; /* index into VRAM */
    int32_t writer; /* as in last-writer.bin, numbered as the documentation says */
    uint16_t before, after;
    uint64_t packet; /* in which the command begins */
    uint32_t word;
};

typedef void psx_change_visit(void *context, const struct psx_change *change);

/* Returns whether one command made both changes. */
bool psx_changes_are_of_one(const struct psx_change *a, const struct psx_change *b);

/*
 * Calls `visit` for every change in the given lines of VRAM, or in all lines if `lines` is NULL.
 * The changes come by frame and step, those of one step in the order of VRAM. Indexes the dump if
 * necessary.
 */
void psx_changes_find(struct psx_index *index, const bool *lines, psx_change_visit *visit,
                      void *context);

#endif

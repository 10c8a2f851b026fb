/* SPDX-License-Identifier: MIT */
/*
 * What each step of a dump changes in VRAM, told by comparing all of it before and after: the
 * brute force that histories of pixels are held against. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_CHANGES_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_CHANGES_H

#include "formats/psx/index/index.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_change {
    uint32_t frame; /* UINT32_MAX: before the first */
    uint32_t pixel; /* of VRAM */
    int32_t writer; /* as in last-writer.bin, by what the documents say of the numbers */
    uint16_t before, after;
    uint64_t packet; /* where the command begins, and the word of it */
    uint32_t word;
};

typedef void psx_change_visit(void *context, const struct psx_change *change);

/* Whether both were made by one command. */
bool psx_changes_are_of_one(const struct psx_change *a, const struct psx_change *b);

/* All changes in those lines of VRAM, NULL: in all, by frames and steps, each step's in VRAM's
 * order. */
void psx_changes_find(struct psx_index *index, const bool *lines, psx_change_visit *visit,
                      void *context);

#endif

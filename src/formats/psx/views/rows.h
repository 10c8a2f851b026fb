/* SPDX-License-Identifier: MIT */
/*
 * Rows of draws.tsv and commands.tsv: pieces are what lies between two checkpoints of the index,
 * and the last columns, of fixed width, are what takes a replay or a walk over the whole frame to
 * tell. Any thread; one per struct.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_ROWS_H
#define GPUDUMPFS_PSX_VIEWS_ROWS_H

#include "formats/psx/views/commands.h"

struct psx_rows {
    struct psx_lines lines;    /* text, cancel, and room for a polyline */
    const struct blob *pixels; /* of draws, as is `cycles`; NULL: zeros will do */
    const struct blob *cycles;
};

/* What rows are to tell beside the commands; none where they are only measured. */
enum { PSX_ROWS_PIXELS = 1, PSX_ROWS_CYCLES = 2 };

/* Writes a piece, of whose steps each is shown, with a struct psx_rows. 0 or -errno. */
int psx_rows_write(struct dump *dump, uint64_t frame, uint64_t piece, psx_walk_visit visit,
                   unsigned what, const struct cancel *cancel, struct text *text);

#endif

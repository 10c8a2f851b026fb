/* SPDX-License-Identifier: MIT */
/*
 * Rows of draws.tsv and commands.tsv. Pieces are what is between two checkpoints of the index. The
 * last columns need a replay, or a walk over the complete frame; their width is fixed. Any thread;
 * one thread per struct.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_ROWS_H
#define GPUDUMPFS_PSX_VIEWS_ROWS_H

#include "formats/psx/views/commands.h"

struct psx_rows {
    struct psx_lines lines;    /* text, cancel flag, and storage for a polyline */
    const struct blob *pixels; /* psx_frame_trace_pixels(); NULL: zeros are written */
    const struct blob *cycles; /* psx_frame_cost_draws(); NULL: zeros are written */
};

/* What rows need besides the commands. 0 if rows are only measured. */
enum { PSX_ROWS_PIXELS = 1, PSX_ROWS_CYCLES = 2 };

/*
 * Writes a piece: calls `visit` for each of its steps, with a struct psx_rows as context. Returns 0
 * or -errno.
 */
int psx_rows_write(struct dump *dump, uint64_t frame, uint64_t piece, psx_walk_visit visit,
                   unsigned what, const struct cancel *cancel, struct text *text);

#endif

/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/rows.h"

#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/frame_cost.h"

int psx_rows_write(struct dump *dump, uint64_t frame, uint64_t piece, psx_walk_visit visit,
                   unsigned what, const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct blob *pixels = NULL, *cycles = NULL;
    struct psx_rows rows = {0};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0 && (what & PSX_ROWS_PIXELS) != 0)
        status = psx_frame_trace_pixels(psx, frame, cancel, &pixels);
    if (status == 0 && (what & PSX_ROWS_CYCLES) != 0)
        status = psx_frame_cost_draws(psx, frame, cancel, &cycles);
    if (status != 0)
        goto out;
    rows.pixels = pixels;
    rows.cycles = cycles;
    status = psx_lines_init(&rows.lines, text, cancel, 0, counts);
    if (status == 0)
        status = psx_walk_checkpoint(&psx->index, psx->index.frame_checkpoints[frame] + piece,
                                     visit, &rows, cancel);
    psx_lines_clear(&rows.lines);
out:
    blob_unref(&cycles);
    blob_unref(&pixels);
    return status;
}

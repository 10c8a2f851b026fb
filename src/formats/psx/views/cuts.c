/* SPDX-License-Identifier: MIT */
/* frame.psxgpu and draws/NNNNN.psxgpu: parts of the dump as dumps of their own. */
#include "formats/psx/views/views.h"

#include "formats/psx/cut/cut.h"
#include "formats/psx/frame/frame.h"

int psx_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    const struct psx_frame_counts *counts;
    struct psx_cut cut;
    int status = psx_frame_counts_get(dump, frame, &counts);

    if (status == 0)
        status = psx_cut_frames(&psx_dump_of(dump)->index, frame, frame, &cut);
    if (status == 0)
        *size = psx_cut_size(&cut);
    return status;
}

int psx_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                        const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct psx_cut cut;
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_cut_frames(&psx->index, frame, frame, &cut);
    return status == 0 ? psx_cut_piece(&cut, psx, offset, length, cancel, out) : status;
}

int psx_draw_cut_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct psx_frame_counts *counts;
    struct psx_cut cut;
    int status = psx_frame_counts_get(dump, frame_of_key(key), &counts);

    if (status == 0)
        status = psx_cut_draw(psx_dump_of(dump), frame_of_key(key), number_of_key(key), NULL, &cut);
    if (status == 0)
        *size = psx_cut_size(&cut);
    return status;
}

int psx_draw_cut_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                       const struct cancel *cancel, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct psx_cut cut;
    int status = psx_frame_counts_wait(dump, frame_of_key(key), cancel, &counts);

    if (status == 0)
        status = psx_cut_draw(psx, frame_of_key(key), number_of_key(key), cancel, &cut);
    return status == 0 ? psx_cut_piece(&cut, psx, offset, length, cancel, out) : status;
}

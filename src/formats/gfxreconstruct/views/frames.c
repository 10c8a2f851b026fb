/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/views/views.h"

#include <errno.h>
#include <inttypes.h>

int gfxreconstruct_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                               struct text *text)
{
    const struct gfxreconstruct_frame *frame = &gfxreconstruct_index_of(dump)->frames[number];

    (void)cancel;
    text_cell_word(text, frame->end);
    text_cell_or_none(text, frame->number != 0, frame->number);
    text_cell(text, frame->calls);
    text_cell(text, frame->draws);
    text_cell(text, frame->dispatches);
    text_cell(text, frame->submits);
    text_cell(text, frame->memory_writes);
    text_cell(text, frame->memory_bytes);
    return 0;
}

int gfxreconstruct_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                              struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    const struct gfxreconstruct_frame *frame = &index->frames[number];

    (void)cancel;
    if (number >= index->frame_count)
        return -ENOENT;
    text_field(text, "end", "%s", frame->end);
    if (frame->number != 0)
        text_field(text, "number", "%" PRIu64, frame->number);
    text_field(text, "first_packet", "%" PRIu32, frame->first);
    text_field(text, "last_packet", "%" PRIu32, frame->last);
    text_field(text, "calls", "%" PRIu32, frame->calls);
    text_field(text, "draws", "%" PRIu32, frame->draws);
    text_field(text, "dispatches", "%" PRIu32, frame->dispatches);
    text_field(text, "submits", "%" PRIu32, frame->submits);
    text_field(text, "memory_writes", "%" PRIu32, frame->memory_writes);
    text_field(text, "memory_bytes", "%" PRIu64, frame->memory_bytes);
    return 0;
}

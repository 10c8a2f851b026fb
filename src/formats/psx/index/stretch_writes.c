/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/stretch_writes.h"

/* Records where data begins, since it may be that of an upload that can be listed. */
static void begin_data(struct psx_stretch_writes *writes, const struct psx_state *before,
                       const struct psx_step *step)
{
    if (before->upload.done > 0)
        return;
    writes->data_offset = step->packet.offset;
    writes->data_word = step->word;
}

void psx_stretch_writes_take(struct psx_stretch_writes *writes, struct psx_upload_list *uploads,
                             const struct psx_state *before, const struct psx_step *step)
{
    struct psx_tile_summary_maker *maker = &writes->maker;
    const bool is_data = step->event.type == GP0_EVENT_DATA;
    const bool is_copy = psx_step_is_whole_copy(step);

    if (is_data)
        begin_data(writes, before, step);
    maker->lists = (is_data || is_copy) && psx_upload_list_has_room(uploads, 1);
    psx_tile_summary_event(maker, before, &step->event);
    if (is_copy && maker->listed)
        psx_upload_list_add_copy(uploads, before, &step->event, step->packet.offset, step->word);
    if (is_data && maker->listed)
        psx_upload_list_add_current(uploads, before, writes->data_offset, writes->data_word);
}

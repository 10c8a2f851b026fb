/* SPDX-License-Identifier: MIT */
#include "formats/gapir/dump.h"

#include <errno.h>

int gapir_dump_index(struct gapir_dump *dump, const struct cancel *cancel,
                     const struct gapir_index **out)
{
    int status = index_task_wait_all(&dump->pass, cancel);

    *out = status == 0 ? &dump->index : NULL;
    return status;
}

const struct gapir_index *gapir_dump_peek(struct gapir_dump *dump)
{
    return index_task_knows_all(&dump->pass) ? &dump->index : NULL;
}

int gapir_dump_take_vm(struct gapir_dump *dump, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out)
{
    int status = gapir_vm_pool_take(dump->pool, steps, cancel, out);

    return status == -EFBIG ? -EIO : status; /* problems has the reason */
}

int gapir_dump_show(struct gapir_dump *dump, const struct gapir_index *index, uint64_t steps,
                    const struct cancel *cancel, gapir_player_look *look, void *context)
{
    const struct gapir_player_place place = {
        .steps = steps, .fault = steps == index->end.steps ? index->fault : GAPIR_FAULT_NONE};

    return gapir_player_show(dump->player, &place, cancel, look, context);
}

int gapir_dump_frame(struct gapir_dump *dump, uint64_t number, const struct cancel *cancel,
                     const struct gapir_index **index, const struct gapir_frame_record **frame)
{
    int status = gapir_dump_index(dump, cancel, index);

    if (status == 0 && number >= (*index)->frame_count)
        status = -ENOENT;
    if (status == 0)
        *frame = &(*index)->frames[number];
    return status;
}

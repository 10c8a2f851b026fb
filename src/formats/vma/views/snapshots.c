/* SPDX-License-Identifier: MIT */
/* Views of snapshots that differ from those of recordings (vma.md 7): packets, frames, commands. */
#include "formats/vma/views/views.h"

#include "formats/vma/replay/tally.h"
#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct vma_snapshot *snapshot_of(struct dump *dump, uint64_t number)
{
    const struct vma_series *series = vma_dump_of(dump)->series;

    return number < series->count ? &series->items[number] : NULL;
}

int vma_snapshot_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct vma_snapshot *snapshot = snapshot_of(dump, number);

    if (snapshot == NULL)
        return -ENOENT;
    *out = (struct dump_packet){.offset = snapshot->offset,
                                .data = snapshot->offset,
                                .bytes = snapshot->size,
                                .frame = number,
                                .name = "snapshot"};
    return 0;
}

int vma_snapshot_bytes(struct dump *dump, uint64_t number, const struct cancel *cancel,
                       struct blob **out)
{
    const struct vma_snapshot *snapshot = snapshot_of(dump, number);
    int status;

    (void)cancel;
    if (snapshot == NULL)
        return -ENOENT;
    status = blob_create(snapshot->size, out);
    if (status == 0)
        memcpy((*out)->data, vma_dump_of(dump)->series->data + snapshot->offset, snapshot->size);
    return status;
}

int vma_snapshot_size(struct dump *dump, uint64_t number, uint64_t *size)
{
    const struct vma_snapshot *snapshot = snapshot_of(dump, number);

    if (snapshot == NULL)
        return -ENOENT;
    *size = snapshot->size;
    return 0;
}

/* Returns the name of the snapshot's file in a folder, or "" if the dump is not a folder. */
static const char *file_of(const struct vma_series *series, uint64_t number)
{
    return series->names != NULL ? series->names + series->items[number].name : "";
}

int vma_snapshot_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                             const struct cancel *cancel, struct text *text)
{
    const struct vma_series *series = vma_dump_of(dump)->series;

    for (uint64_t number = first; number < end; number++) {
        const char *file = file_of(series, number);
        struct dump_packet packet;

        if (cancel_requested(cancel))
            return -EINTR;
        (void)vma_snapshot_packet(dump, number, &packet);
        tables_packet(dump, number, &packet, text);
        text_cell(text, series->items[number].line);
        text_add(text, "\t-\t-\t-\t-\t-\t-");
        if (file[0] != '\0')
            text_cell_escaped(text, file, strlen(file));
        else
            text_add(text, "\t-");
        text_add_char(text, '\n');
    }
    return 0;
}

int vma_snapshot_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                             struct text *text)
{
    (void)dump, (void)cancel;
    text_cell(text, frame);
    text_add(text, "\tsnapshot\t0\t0\t0\t0\t0\tend");
    return 0;
}

int vma_snapshot_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text)
{
    const struct vma_dump *vma = vma_dump_of(dump);

    (void)cancel;
    if (frame >= vma->recording.frame_count)
        return -ENOENT;
    text_field(text, "frame_index", "%" PRIu64, frame);
    text_field(text, "first_packet", "%" PRIu64, frame);
    text_field(text, "last_packet", "%" PRIu64, frame);
    text_add(text, "time: -\n");
    text_field(text, "width", "%d", VMA_MAP_WIDTH);
    text_field(text, "height", "%" PRIu32, vma_map_height(&vma->recording));
    text_add(text, "grouping: snapshot\ncalls: 0\nallocating: 0\nfreeing: 0\nlate: 0\nthreads: 0\n"
                   "ended_by: end\n");
    return 0;
}

/* commands.txt: what memory holds, a line for each block and allocation. */

static void allocation_line(const struct vma_allocator *allocator,
                            const struct vma_allocation *allocation, struct text *text)
{
    text_printf(text, "allocation type=%u", allocation->type);
    if (allocation->place == VMA_PLACE_BLOCK) {
        const struct vma_range *range = vma_range(allocator, allocation->range);
        uint32_t pool = vma_vector(allocator, allocation->vector)->pool;

        if (pool != VMA_NONE)
            text_printf(text, " pool=%" PRIu32, vma_pool(allocator, pool)->ordinal);
        text_printf(text, " block=%" PRIu32 " offset=%" PRIu64,
                    vma_block(allocator, range->block)->id, range->offset);
    } else {
        text_add(text, " dedicated");
    }
    text_printf(text, " size=%" PRIu64 " %s usage=0x%" PRIx32 " user_data=", allocation->size,
                vma_label_name((enum vma_label)allocation->label), allocation->resource_usage);
    if (allocation->string || allocation->user != 0)
        vma_user_data_write(allocator->data, allocation->string, allocation->user,
                            allocation->user_length, text);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
}

static void vector_lines(const struct vma_allocator *allocator, uint32_t index, struct text *text)
{
    const struct vma_vector *vector = vma_vector(allocator, index);

    for (uint32_t i = vector->first_block; i != VMA_NONE; i = vma_block(allocator, i)->next) {
        const struct vma_block *block = vma_block(allocator, i);

        text_printf(text, "block type=%" PRIu32, vector->type);
        if (vector->pool != VMA_NONE)
            text_printf(text, " pool=%" PRIu32, vma_pool(allocator, vector->pool)->ordinal);
        text_printf(text, " block=%" PRIu32 " size=%" PRIu64 "\n", block->id, block->size);
        for (uint32_t range = block->first_range; range != VMA_NONE;
             range = vma_range(allocator, range)->next)
            if (vma_range(allocator, range)->allocation != VMA_NONE)
                allocation_line(allocator,
                                vma_allocation(allocator, vma_range(allocator, range)->allocation),
                                text);
    }
}

static void write_lines(const struct vma_allocator *allocator, struct text *text)
{
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        if (allocator->device->types[type].heap == VMA_NO_HEAP)
            continue;
        vector_lines(allocator, allocator->types[type].vector, text);
        for (uint32_t index = allocator->types[type].first_dedicated; index != VMA_NONE;
             index = vma_allocation(allocator, index)->next)
            allocation_line(allocator, vma_allocation(allocator, index), text);
    }
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        vector_lines(allocator, vma_pool(allocator, pool)->vector, text);
}

int vma_snapshot_command_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                uint64_t *pieces)
{
    (void)cancel;
    *pieces = 1;
    return snapshot_of(dump, frame) != NULL ? 0 : -ENOENT;
}

int vma_snapshot_command_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                               const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    (void)piece;
    if (status == 0)
        write_lines(&replay->allocator, text);
    vma_give_back(vma, &replay);
    return status;
}

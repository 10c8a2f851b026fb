/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/tally.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <stdlib.h>

enum { POLL_ALLOCATIONS = 4096 };

/* Appends a share of a whole, from 0 to 1, with four decimals. */
static void share_cell(struct text *text, uint64_t part, uint64_t whole)
{
    text_printf(text, "\t%.4f", whole == 0 ? 0.0 : (double)part / (double)whole);
}

/* by-frame/NNNNNN/blocks.tsv */

static uint64_t largest_free(const struct vma_allocator *allocator, const struct vma_block *block)
{
    uint64_t largest = 0;

    for (uint32_t index = block->first_range; index != VMA_NONE;
         index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);

        if (range->allocation == VMA_NONE && range->size > largest)
            largest = range->size;
    }
    return largest;
}

/* The last column, fragmentation, is the share of the free bytes outside of the largest range. */
static void block_row(const struct vma_allocator *allocator, const struct vma_vector *vector,
                      const struct vma_block *block, struct text *text)
{
    static const char *const algorithms[] = {"default", "linear", "buddy"};
    uint64_t largest = largest_free(allocator, block);
    bool pool = vector->pool != VMA_NONE;

    text_add(text, pool ? "pool" : "default");
    text_cell(text, vector->type);
    text_cell(text, vector->heap);
    text_cell_or_none(text, pool, pool ? vma_pool(allocator, vector->pool)->ordinal : 0);
    text_cell(text, block->id);
    text_cell_word(text, allocator->told ? "-" : algorithms[vector->algorithm]);
    text_cell(text, block->size);
    text_cell(text, block->size - block->free);
    text_cell(text, block->free);
    text_cell(text, block->allocations);
    text_cell(text, block->free_ranges);
    text_cell(text, largest);
    share_cell(text, block->free - largest, block->free);
    text_add_char(text, '\n');
}

static void vector_rows(const struct vma_allocator *allocator, uint32_t index, struct text *text)
{
    const struct vma_vector *vector = vma_vector(allocator, index);

    for (uint32_t block = vector->first_block; block != VMA_NONE;
         block = vma_block(allocator, block)->next)
        block_row(allocator, vector, vma_block(allocator, block), text);
}

static void dedicated_row(const struct vma_allocator *allocator,
                          const struct vma_allocation *allocation, struct text *text)
{
    text_add(text, "dedicated");
    text_cell(text, allocation->type);
    text_cell(text, allocator->device->types[allocation->type].heap);
    text_add(text, "\t-\t-\t-");
    text_cell(text, allocation->size);
    text_cell(text, allocation->size);
    text_add(text, "\t0\t1\t0\t0\t0.0000\n");
}

static void write_blocks(const struct vma_allocator *allocator, struct text *text)
{
    text_add(text, "kind\ttype\theap\tpool\tblock\talgorithm\tsize\tused_bytes\tfree_bytes\t"
                   "allocations\tfree_ranges\tlargest_free\tfragmentation\n");
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        if (allocator->device->types[type].heap == VMA_NO_HEAP)
            continue;
        vector_rows(allocator, allocator->types[type].vector, text);
        for (uint32_t index = allocator->types[type].first_dedicated; index != VMA_NONE;
             index = vma_allocation(allocator, index)->next)
            dedicated_row(allocator, vma_allocation(allocator, index), text);
    }
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        vector_rows(allocator, vma_pool(allocator, pool)->vector, text);
}

int vma_blocks(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        write_blocks(&replay->allocator, text);
    vma_give_back(vma, &replay);
    return status;
}

/* labels.tsv */

static void labels_row(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    uint64_t counts[VMA_LABELS] = {0}, bytes[VMA_LABELS] = {0};

    for (uint32_t index = 1; index < allocator->allocations.count; index++) {
        const struct vma_allocation *allocation = vma_allocation(allocator, index);

        if (!vma_allocation_is_placed(allocation))
            continue;
        counts[allocation->label]++;
        bytes[allocation->label] += allocation->size;
    }
    text_add_u64(text, replay->frame);
    for (unsigned label = VMA_UNKNOWN; label < VMA_LABELS; label++) {
        text_cell(text, counts[label]);
        text_cell(text, bytes[label]);
    }
    text_add_char(text, '\n');
}

static int label_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    (void)key;
    return vma_rows_of_frames(vma_dump_of(dump), first, end, cancel, labels_row, text);
}

const struct dump_listing vma_labels_table = {
    .columns = "frame\tunknown\tunknown_bytes\tbuffers\tbuffer_bytes\timages_unknown\t"
               "image_unknown_bytes\timages_linear\timage_linear_bytes\timages_optimal\t"
               "image_optimal_bytes",
    .count = vma_count_frames,
    .rows = label_rows,
    .piece_rows = VMA_PIECE_FRAMES};

/* pools.tsv: a row for each pool that is alive at a frame's end. */

static void pool_row(const struct vma_replay *replay, const struct vma_pool *pool,
                     struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    const struct vma_vector *vector = vma_vector(allocator, pool->vector);
    uint64_t size = 0, free = 0, allocations = 0;

    for (uint32_t index = vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next) {
        const struct vma_block *block = vma_block(allocator, index);

        size += block->size;
        free += block->free;
        allocations += block->allocations;
    }
    text_add_u64(text, replay->frame);
    text_cell(text, pool->ordinal);
    text_cell(text, vector->type);
    text_cell(text, vector->count);
    text_cell(text, allocations);
    text_cell(text, size);
    text_cell(text, size - free);
    text_add_char(text, '\n');
}

static void pools_row(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;

    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        pool_row(replay, vma_pool(allocator, pool), text);
}

static int pool_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text)
{
    (void)key;
    return vma_rows_of_frames(vma_dump_of(dump), first, end, cancel, pools_row, text);
}

const struct dump_listing vma_pools_table = {
    .columns = "frame\tpool\ttype\tblocks\tallocations\tblock_bytes\tused_bytes",
    .count = vma_count_frames,
    .rows = pool_rows,
    .piece_rows = VMA_PIECE_FRAMES};

/* peak.tsv: what memory holds when its use is at its maximum, the largest first. */

struct holder {
    uint64_t size;
    uint32_t number, index;
};

static int compare_holders(const void *a, const void *b)
{
    const struct holder *left = a, *right = b;

    if (left->size != right->size)
        return left->size > right->size ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

static void holder_row(const struct vma_allocator *allocator,
                       const struct vma_allocation *allocation, uint64_t all, struct text *text)
{
    text_add_u64(text, allocation->number);
    text_cell(text, allocation->packet);
    text_cell(text, allocation->frame);
    text_cell_word(text, vma_function_name(allocation->function));
    text_cell_word(text, vma_label_name((enum vma_label)allocation->label));
    text_cell(text, allocation->size);
    share_cell(text, allocation->size, all);
    vma_place_cells(allocator, allocation, text);
    vma_user_data_cell(allocator, allocation, text);
    text_add_char(text, '\n');
}

static int write_holders(const struct vma_allocator *allocator, const struct cancel *cancel,
                         struct text *text)
{
    struct holder *holders = calloc(allocator->allocations.used + 1, sizeof(*holders));
    uint64_t all = 0;
    uint32_t count = 0;
    int status = holders != NULL ? 0 : -ENOMEM;

    for (uint32_t index = 1; status == 0 && index < allocator->allocations.count; index++) {
        const struct vma_allocation *allocation = vma_allocation(allocator, index);

        if (!vma_allocation_is_placed(allocation))
            continue;
        holders[count++] = (struct holder){allocation->size, allocation->number, index};
        all += allocation->size;
    }
    if (status == 0)
        qsort(holders, count, sizeof(*holders), compare_holders);
    for (uint32_t n = 0; n < count && status == 0; n++) {
        holder_row(allocator, vma_allocation(allocator, holders[n].index), all, text);
        if (n % POLL_ALLOCATIONS == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    free(holders);
    return status;
}

int vma_peak(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_dump_wait(vma, cancel);

    (void)key;
    text_add(text, "allocation\tpacket\tframe\tcall\tlabel\tsize\tshare\ttype\theap\tpool\t"
                   "block\toffset\tuser_data\n");
    if (status < 0 || vma_pass_peaks(vma->pass)->total.used_bytes == 0)
        return status;
    status = vma_seek_packet(vma, vma_pass_peaks(vma->pass)->packet, cancel, &replay);
    if (status == 0)
        status = write_holders(&replay->allocator, cancel, text);
    vma_give_back(vma, &replay);
    return status;
}

#include "formats/vma/views/tables.h"

#include "formats/vma/decode/escape.h"
#include "formats/vma/views/measured_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static const char live_head[] =
    "allocation\tpointer\tpacket\tframe\tcall\tlabel\tsize\trequirements\talignment\ttype\theap\t"
    "pool\tblock\toffset\tusage\tflags\tcreated_index\tlast_use_index\tlost\tmaps\tuser_data\n";

void vma_user_data_write(const uint8_t *data, bool string, uint64_t value, uint32_t length,
                         struct text *text)
{
    if (string)
        vma_escaped_write(data + value, length, text);
    else if (value != 0)
        vma_pointer_write(value, text);
}

static void user_data_cell(const struct vma_allocator *allocator,
                           const struct vma_allocation *allocation, struct text *text)
{
    size_t begin;

    text_add_char(text, '\t');
    begin = text->length;
    vma_user_data_write(allocator->data, allocation->string, allocation->user,
                        allocation->user_length, text);
    text_end_cell(text, begin);
}

static void pointer_cell(struct text *text, uint64_t value)
{
    text_add_char(text, '\t');
    vma_pointer_write(value, text);
}

/* The columns type to offset. */
static void place_cells(const struct vma_allocator *allocator,
                        const struct vma_allocation *allocation, struct text *text)
{
    const struct vma_range *range;
    uint32_t pool;

    if (allocation->place != VMA_PLACE_BLOCK && allocation->place != VMA_PLACE_DEDICATED) {
        text_add(text, "\t-\t-\t-\t-\t-");
        return;
    }
    text_cell(text, allocation->type);
    text_cell(text, allocator->device->types[allocation->type].heap);
    if (allocation->place == VMA_PLACE_DEDICATED) {
        text_add(text, "\t-\t-\t-");
        return;
    }
    range = vma_range(allocator, allocation->range);
    pool = vma_vector(allocator, allocation->vector)->pool;
    text_cell_or_none(text, pool != VMA_NONE,
                      pool != VMA_NONE ? vma_pool(allocator, pool)->ordinal : 0);
    text_cell(text, vma_block(allocator, range->block)->id);
    text_cell(text, range->offset);
}

static void live_row(const struct vma_allocator *allocator, const struct vma_allocation *allocation,
                     struct text *text)
{
    text_add_u64(text, allocation->number);
    pointer_cell(text, allocation->pointer);
    text_cell(text, allocation->packet);
    text_cell(text, allocation->frame);
    text_cell_word(text, vma_functions[allocation->function].name);
    text_cell_word(text, vma_label_name((enum vma_label)allocation->label));
    text_cell(text, allocation->size);
    text_cell_word(text, allocation->estimated ? "estimated" : "exact");
    text_cell(text, allocation->alignment);
    place_cells(allocator, allocation, text);
    pointer_cell(text, allocation->resource_usage);
    pointer_cell(text, allocation->flags);
    text_cell(text, allocation->created);
    text_cell(text, allocation->last_use);
    text_cell(text, allocation->place == VMA_PLACE_LOST);
    text_cell(text, allocation->maps);
    user_data_cell(allocator, allocation, text);
    text_add_char(text, '\n');
}

static bool is_listed(const struct vma_allocation *allocation)
{
    return allocation->row_length > 0;
}

struct listed {
    uint32_t number, index;
};

static int compare_listed(const void *a, const void *b)
{
    const struct listed *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

int vma_live_write(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    struct listed *listed = calloc(allocator->allocations.used + 1, sizeof(*listed));
    uint32_t count = 0;

    if (listed == NULL)
        return -ENOMEM;
    for (uint32_t i = 1; i < allocator->allocations.count; i++)
        if (is_listed(vma_allocation(allocator, i)))
            listed[count++] = (struct listed){vma_allocation(allocator, i)->number, i};
    qsort(listed, count, sizeof(*listed), compare_listed);
    text_add(text, live_head);
    for (uint32_t i = 0; i < count; i++)
        live_row(allocator, vma_allocation(allocator, listed[i].index), text);
    free(listed);
    return text_status(text);
}

uint64_t vma_live_length(const struct vma_replay *replay)
{
    return sizeof(live_head) - 1 + replay->allocator.rows_length;
}

/* Texts of numbers: written or measured. */

static void heap_field(struct vma_measured_text *out, uint32_t heap, const char *name,
                       uint64_t value)
{
    vma_measured_add(out, "heap.");
    vma_measured_u64(out, heap);
    vma_measured_add(out, ".");
    vma_measured_add(out, name);
    vma_measured_add(out, ": ");
    vma_measured_u64(out, value);
    vma_measured_add(out, "\n");
}

static void put_budget(struct vma_measured_text *out, const struct vma_allocator *allocator)
{
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++) {
        const struct vma_heap_state *state = &allocator->heaps[heap];
        uint64_t budget = vma_budget(allocator, heap);

        heap_field(out, heap, "size", allocator->device->heaps[heap].size);
        heap_field(out, heap, "block_bytes", state->block_bytes);
        heap_field(out, heap, "allocation_bytes", state->allocation_bytes);
        heap_field(out, heap, "usage", state->block_bytes);
        heap_field(out, heap, "budget", budget);
        heap_field(out, heap, "free_budget",
                   state->block_bytes < budget ? budget - state->block_bytes : 0);
        heap_field(out, heap, "device_allocations", state->device_allocations);
    }
}

void vma_budget_write(const struct vma_allocator *allocator, struct text *text)
{
    struct vma_measured_text out = {.text = text};

    put_budget(&out, allocator);
}

uint64_t vma_budget_length(const struct vma_allocator *allocator)
{
    struct vma_measured_text out = {.text = NULL};

    put_budget(&out, allocator);
    return out.length;
}

/* Sums over all memory types, as they are: without the faults of vma.md 3.11. */
struct sums {
    uint64_t blocks, dedicated, unused_ranges, block_bytes, used_bytes;
    uint64_t largest_free; /* when measuring: some number of as many digits */
};

static uint64_t largest_free(const struct vma_allocator *allocator)
{
    uint64_t largest = 0;

    for (uint32_t i = 1; i < allocator->ranges.count; i++) {
        const struct vma_range *range = vma_range(allocator, i);

        /* Ranges that are given back have no block. */
        if (range->block != VMA_NONE && range->allocation == VMA_NONE && range->size > largest)
            largest = range->size;
    }
    return largest;
}

/* The digits of the largest free range. */
static unsigned largest_free_digits(const struct vma_allocator *allocator)
{
    unsigned max = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;
        /* What one count leaves out, the other has. */
        unsigned all = vma_tally_max(tally->max_unused);
        unsigned linear = vma_tally_max(tally->min_unused);

        max = all > max ? all : max;
        max = linear > max ? linear : max;
    }
    return max;
}

static struct sums sum_up(const struct vma_measured_text *out,
                          const struct vma_allocator *allocator)
{
    struct sums sums = {0};
    unsigned digits;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        sums.blocks += tally->blocks;
        sums.dedicated += tally->dedicated;
        sums.unused_ranges += tally->unused_ranges;
        sums.block_bytes += tally->block_bytes;
        sums.used_bytes += tally->used_bytes;
    }
    if (out->text != NULL) {
        sums.largest_free = largest_free(allocator);
    } else {
        digits = largest_free_digits(allocator);
        for (sums.largest_free = digits > 0; digits > 1; digits--)
            sums.largest_free *= 10;
    }
    return sums;
}

static uint64_t percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (uint64_t)((unsigned __int128)part * 100 / whole);
}

static uint32_t count_pools(const struct vma_allocator *allocator)
{
    return allocator->pools.used - allocator->null_pools;
}

void vma_state_write(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    const struct vma_measured_text out = {.text = text};
    struct sums sums = sum_up(&out, allocator);
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {
        {"frame_index", allocator->frame_index},
        {"allocations", allocator->live},
        {"lost", allocator->lost},
        {"null", allocator->null},
        {"orphans", allocator->orphans},
        {"pools", count_pools(allocator)},
        {"blocks", sums.blocks},
        {"dedicated", sums.dedicated},
        {"device_allocations", allocator->device_allocations},
        {"device_allocations_max", allocator->device->max_allocations},
        {"block_bytes", sums.block_bytes},
        {"used_bytes", sums.used_bytes},
        {"unused_bytes", sums.block_bytes - sums.used_bytes},
        {"unused_ranges", sums.unused_ranges},
        {"largest_free", sums.largest_free},
        {"mapped", allocator->mapped},
        {"open_defragmentations", replay->contexts.count},
        {"estimated_percent", percent(allocator->estimated_bytes, sums.used_bytes)},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        text_field(text, fields[i].name, "%" PRIu64, fields[i].value);
}

void vma_memory_head(const struct vma_device *device, struct text *text)
{
    text_add(text, "frame\tblocks\tdedicated\tallocations\tlost\tpools\tblock_bytes\tused_bytes\t"
                   "unused_bytes\tunused_ranges\tlargest_free");
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        text_printf(text, "\theap%u_block_bytes\theap%u_used_bytes", heap, heap);
    text_add_char(text, '\n');
}

static void put_memory(struct vma_measured_text *out, const struct vma_replay *replay)
{
    const struct vma_allocator *allocator = &replay->allocator;
    struct sums sums = sum_up(out, allocator);
    const uint64_t columns[] = {sums.blocks,
                                sums.dedicated,
                                allocator->live,
                                allocator->lost,
                                count_pools(allocator),
                                sums.block_bytes,
                                sums.used_bytes,
                                sums.block_bytes - sums.used_bytes,
                                sums.unused_ranges,
                                sums.largest_free};
    uint64_t used[VMA_HEAPS] = {0};

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        if (allocator->device->types[type].heap != VMA_NO_HEAP)
            used[allocator->device->types[type].heap] += allocator->types[type].tally.used_bytes;
    vma_measured_u64(out, replay->frame);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        vma_measured_add(out, "\t");
        vma_measured_u64(out, columns[i]);
    }
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++) {
        vma_measured_add(out, "\t");
        vma_measured_u64(out, allocator->heaps[heap].block_bytes);
        vma_measured_add(out, "\t");
        vma_measured_u64(out, used[heap]);
    }
    vma_measured_add(out, "\n");
}

void vma_memory_write(const struct vma_replay *replay, struct text *text)
{
    struct vma_measured_text out = {.text = text};

    put_memory(&out, replay);
}

uint64_t vma_memory_length(const struct vma_replay *replay)
{
    struct vma_measured_text out = {.text = NULL};

    put_memory(&out, replay);
    return out.length;
}

/* SPDX-License-Identifier: MIT */
#include "base/wide.h"
#include "formats/vma/decode/decode.h"
#include "formats/vma/replay/tally.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Stands for a length that the arrays of lengths cannot hold; it is found by making the text. */
enum { TOO_LONG = UINT32_MAX };

static const char live_head[] =
    "allocation\tpointer\tpacket\tframe\tcall\tlabel\tsize\trequirements\talignment\ttype\theap\t"
    "pool\tblock\toffset\tusage\tflags\tcreated_index\tlast_use_index\tlost\tmaps\tuser_data\n";

void vma_user_data_write(const uint8_t *data, bool string, uint64_t value, uint32_t length,
                         struct text *text)
{
    if (string)
        text_add_escaped(text, data + value, length);
    else if (value != 0)
        vma_pointer_write(value, text);
}

void vma_user_data_cell(const struct vma_allocator *allocator,
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

void vma_place_cells(const struct vma_allocator *allocator, const struct vma_allocation *allocation,
                     struct text *text)
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
    text_cell_word(text, vma_function_name(allocation->function));
    text_cell_word(text, vma_label_name((enum vma_label)allocation->label));
    text_cell(text, allocation->size);
    text_cell_word(text, allocation->estimated ? "estimated" : "exact");
    text_cell(text, allocation->alignment);
    vma_place_cells(allocator, allocation, text);
    pointer_cell(text, allocation->resource_usage);
    pointer_cell(text, allocation->flags);
    text_cell(text, allocation->created);
    text_cell(text, allocation->last_use);
    text_cell(text, allocation->place == VMA_PLACE_LOST);
    text_cell(text, allocation->maps);
    vma_user_data_cell(allocator, allocation, text);
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

static uint64_t live_length(const struct vma_allocator *allocator)
{
    return strlen(live_head) + allocator->rows_length;
}

static void heap_field(struct text *text, uint32_t heap, const char *name, uint64_t value)
{
    text_printf(text, "heap.%" PRIu32 ".%s: %" PRIu64 "\n", heap, name, value);
}

void vma_budget_write(const struct vma_allocator *allocator, struct text *text)
{
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++) {
        const struct vma_heap_state *state = &allocator->heaps[heap];
        uint64_t budget = vma_budget(allocator, heap);
        uint64_t usage = allocator->told ? state->told_usage : state->block_bytes;

        heap_field(text, heap, "size", allocator->device->heaps[heap].size);
        heap_field(text, heap, "block_bytes", state->block_bytes);
        heap_field(text, heap, "allocation_bytes", state->allocation_bytes);
        heap_field(text, heap, "usage", usage);
        heap_field(text, heap, "budget", budget);
        heap_field(text, heap, "free_budget", usage < budget ? budget - usage : 0);
        heap_field(text, heap, "device_allocations", state->device_allocations);
    }
}

/* Sums over all memory types, without the library's faults (vma.md 3.11). */
struct sums {
    uint64_t blocks, dedicated, unused_ranges, block_bytes, used_bytes;
};

static struct sums sum_up(const struct vma_allocator *allocator)
{
    struct sums sums = {0};

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        sums.blocks += tally->blocks;
        sums.dedicated += tally->dedicated;
        sums.unused_ranges += tally->unused_ranges;
        sums.block_bytes += tally->block_bytes;
        sums.used_bytes += tally->used_bytes;
    }
    return sums;
}

static uint64_t percent(uint64_t part, uint64_t whole)
{
    return wide_share(part, whole, 100);
}

static uint32_t count_pools(const struct vma_allocator *allocator)
{
    return allocator->pools.used - allocator->null_pools;
}

void vma_state_write(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    const struct sums sums = sum_up(allocator);
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
        {"largest_free", vma_largest_free(allocator)},
        {"mapped", allocator->mapped},
        {"open_defragmentations", replay->contexts.count},
        {"estimated_percent", percent(allocator->estimated_bytes, sums.used_bytes)},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        text_field(text, fields[i].name, "%" PRIu64, fields[i].value);
}

/* Files of by-frame/NNNNNN/. */

static int write_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       int (*write)(const struct vma_replay *replay, struct text *text),
                       struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        status = write(replay, text);
    vma_give_back(vma, &replay);
    return status;
}

static int write_stats(const struct vma_replay *replay, struct text *text)
{
    vma_json_write(&replay->allocator, false, text);
    return 0;
}

int vma_frame_stats(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text)
{
    return write_frame(dump, frame, cancel, write_stats, text);
}

static int write_detailed(const struct vma_replay *replay, struct text *text)
{
    vma_json_write(&replay->allocator, true, text);
    return 0;
}

int vma_frame_detailed(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text)
{
    return write_frame(dump, frame, cancel, write_detailed, text);
}

int vma_frame_live(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text)
{
    return write_frame(dump, frame, cancel, vma_live_write, text);
}

static int write_budget(const struct vma_replay *replay, struct text *text)
{
    vma_budget_write(&replay->allocator, text);
    return 0;
}

int vma_frame_budget(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct text *text)
{
    return write_frame(dump, frame, cancel, write_budget, text);
}

static int write_state(const struct vma_replay *replay, struct text *text)
{
    vma_state_write(replay, text);
    return 0;
}

int vma_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text)
{
    return write_frame(dump, frame, cancel, write_state, text);
}

static uint32_t narrow(uint64_t length)
{
    return length < TOO_LONG ? (uint32_t)length : TOO_LONG;
}

static int known_size(uint32_t length, uint64_t *size)
{
    *size = length;
    return length == TOO_LONG ? -ENODATA : 0;
}

void vma_note_frame(struct vma_dump *dump, const struct vma_replay *replay)
{
    uint64_t stats, detailed;

    vma_json_lengths(&replay->allocator, &stats, &detailed);
    dump->frame_lengths[replay->frame] = (struct vma_frame_lengths){
        narrow(stats), narrow(detailed), narrow(live_length(&replay->allocator))};
}

/* Returns the lengths of a frame's texts, or -EAGAIN if the pass has not reached the frame. */
static int frame_lengths(struct dump *dump, uint64_t frame, struct vma_frame_lengths *out)
{
    struct vma_dump *vma = vma_dump_of(dump);

    if (frame >= vma->recording.frame_count)
        return -ENOENT;
    if (vma->series != NULL)
        return -ENODATA; /* they are found by formatting */
    if (!vma_pass_knows(vma->pass, vma_recording_frame_last(&vma->recording, (uint32_t)frame)))
        return -EAGAIN;
    *out = vma->frame_lengths[frame];
    return 0;
}

#define FRAME_SIZE(linkage, function, member)                                                      \
    linkage int function(struct dump *dump, uint64_t frame, uint64_t *size)                        \
    {                                                                                              \
        struct vma_frame_lengths lengths;                                                          \
        int status = frame_lengths(dump, frame, &lengths);                                         \
                                                                                                   \
        return status == 0 ? known_size(lengths.member, size) : status;                            \
    }

FRAME_SIZE(, vma_stats_size, stats)
FRAME_SIZE(static, simulated_detailed_size, detailed)
FRAME_SIZE(, vma_live_size, live)

/* For a snapshot, the text itself has the length. */
int vma_detailed_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    return vma_dump_of(dump)->series != NULL ? vma_snapshot_size(dump, frame, size)
                                             : simulated_detailed_size(dump, frame, size);
}

int vma_prepare_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    if (frame >= dump->recording.frame_count)
        return -ENOENT;
    return vma_pass_until(dump->pass,
                          vma_recording_frame_last(&dump->recording, (uint32_t)frame) + 1, cancel);
}

/* after/BBBBB/NNNNNNNN.json */

static uint32_t group_size(const struct vma_recording *recording, uint64_t group)
{
    uint64_t left = recording->packets - group * VMA_GROUP_PACKETS;

    return left < VMA_GROUP_PACKETS ? (uint32_t)left : VMA_GROUP_PACKETS;
}

static void take_lock(struct vma_dump *dump) ACQUIRE(lock_of_vma_lengths)
{
    pthread_mutex_lock(&dump->lock);
}

static void give_lock(struct vma_dump *dump) RELEASE(lock_of_vma_lengths)
{
    pthread_mutex_unlock(&dump->lock);
}

/* Returns 0, or -EAGAIN if the length was not measured yet. */
static int group_length(struct vma_dump *dump, uint64_t packet, uint32_t *length)
{
    const struct vma_lengths *lengths;
    bool known;

    take_lock(dump);
    lengths = dump->lengths[packet / VMA_GROUP_PACKETS];
    known = lengths != NULL && packet % VMA_GROUP_PACKETS < lengths->count;
    if (known)
        *length = lengths->after[packet % VMA_GROUP_PACKETS];
    give_lock(dump);
    return known ? 0 : -EAGAIN;
}

int vma_after_json_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct vma_dump *vma = vma_dump_of(dump);
    uint32_t length = 0;
    int status;

    if (packet >= vma->recording.packets)
        return -ENOENT;
    status = group_length(vma, packet, &length);
    return status == 0 ? known_size(length, size) : status;
}

/* Measures the JSON after each packet of a group. */
static int measure_group(struct vma_dump *dump, uint64_t group, const struct cancel *cancel,
                         struct vma_lengths *lengths)
{
    struct vma_replay *replay = NULL;
    int status = vma_checkpoints_seek(dump->checkpoints, (uint32_t)(group * VMA_GROUP_PACKETS),
                                      cancel, &replay);

    for (uint32_t i = 0; i < lengths->count && status == 0; i++) {
        status = vma_replay_step(replay);
        if (status == 0)
            lengths->after[i] = narrow(vma_json_length(&replay->allocator));
    }
    if (status < 0)
        vma_checkpoints_drop(&replay);
    vma_give_back(dump, &replay);
    return status;
}

/*
 * Keeps the lengths, unless another thread has kept as many. Those of a recording that grows may
 * cover more packets than before.
 */
static void keep_lengths(struct vma_dump *dump, uint64_t group, struct vma_lengths **lengths)
{
    struct vma_lengths *before;

    take_lock(dump);
    before = dump->lengths[group];
    if (before == NULL || before->count < (*lengths)->count) {
        dump->lengths[group] = *lengths;
        *lengths = before;
    }
    give_lock(dump);
}

int vma_prepare_after(struct vma_dump *dump, uint64_t packet, const struct cancel *cancel)
{
    uint64_t group = packet / VMA_GROUP_PACKETS;
    struct vma_lengths *lengths;
    uint32_t count, unused;
    int status;

    if (packet >= dump->recording.packets)
        return -ENOENT;
    if (group_length(dump, packet, &unused) == 0)
        return 0;
    count = group_size(&dump->recording, group);
    lengths = malloc(sizeof(*lengths) + count * sizeof(*lengths->after));
    if (lengths == NULL)
        return -ENOMEM;
    lengths->count = count;
    status = measure_group(dump, group, cancel, lengths);
    if (status == 0)
        keep_lengths(dump, group, &lengths);
    free(lengths);
    return status;
}

int vma_after_json(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                   struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_packet(vma, packet, cancel, &replay);

    if (status == 0)
        vma_json_write(&replay->allocator, true, text);
    vma_give_back(vma, &replay);
    return status;
}

/* memory.tsv */

static int memory_head(struct dump *dump, uint64_t key, struct text *text)
{
    const struct vma_device *device = &vma_dump_of(dump)->recording.configuration.device;

    (void)key;
    text_add(text, "frame\tblocks\tdedicated\tallocations\tlost\tpools\tblock_bytes\tused_bytes\t"
                   "unused_bytes\tunused_ranges\tlargest_free");
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        text_printf(text, "\theap%u_block_bytes\theap%u_used_bytes", heap, heap);
    text_add(text, "\tfragmented_bytes\n");
    return 0;
}

static void memory_row(const struct vma_replay *replay, struct text *text)
{
    const struct vma_allocator *allocator = &replay->allocator;
    const struct sums sums = sum_up(allocator);
    const uint64_t columns[] = {sums.blocks,
                                sums.dedicated,
                                allocator->live,
                                allocator->lost,
                                count_pools(allocator),
                                sums.block_bytes,
                                sums.used_bytes,
                                sums.block_bytes - sums.used_bytes,
                                sums.unused_ranges,
                                vma_largest_free(allocator)};
    uint64_t used[VMA_HEAPS] = {0};

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        if (allocator->device->types[type].heap != VMA_NO_HEAP)
            used[allocator->device->types[type].heap] += allocator->types[type].tally.used_bytes;
    text_add_u64(text, replay->frame);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        text_cell(text, columns[i]);
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++) {
        text_cell(text, allocator->heaps[heap].block_bytes);
        text_cell(text, used[heap]);
    }
    text_cell(text, vma_fragmented(allocator));
    text_add_char(text, '\n');
}

int vma_count_frames(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = vma_dump_of(dump)->recording.frame_count;
    return 0;
}

struct rows {
    void (*row)(const struct vma_replay *replay, struct text *text);
    struct text *text;
};

static void add_row(void *context, const struct vma_replay *replay)
{
    struct rows *rows = context;

    rows->row(replay, rows->text);
}

int vma_rows_of_frames(struct vma_dump *vma, uint64_t first, uint64_t end,
                       const struct cancel *cancel,
                       void (*row)(const struct vma_replay *replay, struct text *text),
                       struct text *text)
{
    struct rows rows = {row, text};

    return vma_each_frame(vma, first, end, cancel, add_row, &rows);
}

static int memory_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    (void)key;
    return vma_rows_of_frames(vma_dump_of(dump), first, end, cancel, memory_row, text);
}

const struct dump_listing vma_memory_table = {.head = memory_head,
                                              .count = vma_count_frames,
                                              .rows = memory_rows,
                                              .piece_rows = VMA_PIECE_FRAMES};

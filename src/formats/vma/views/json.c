/* SPDX-License-Identifier: MIT */
/*
 * The same code writes and measures everything except the lists of ranges, for which measuring
 * takes the sums of tally.c. Writing finds the smallest and greatest sizes by a walk. When
 * measuring, only their numbers of digits are known; any number with as many digits serves.
 */
#include "formats/vma/views/views.h"

#include "formats/vma/decode/decode.h"
#include "formats/vma/views/measured_text.h"

/* A writer of JSON in the library's layout. */
struct json {
    struct vma_measured_text out;
    unsigned depth;
    bool first; /* the current object has no member yet */
};

/* Begins a new line. `end` ends the previous line. */
static inline void begin_line(struct json *json, const char *end)
{
    static const char blanks[] = "                ";

    vma_measured_add(&json->out, end);
    vma_measured_bytes(&json->out, blanks, json->depth * 2);
}

/* Writes what precedes a member. */
static inline void next_member(struct json *json)
{
    begin_line(json, json->first ? "\n" : ", \n");
    json->first = false;
}

static void key(struct json *json, const char *name)
{
    next_member(json);
    vma_measured_add(&json->out, "\"");
    vma_measured_add(&json->out, name);
    vma_measured_add(&json->out, "\": ");
}

static void numbered_key(struct json *json, const char *name, uint64_t number)
{
    next_member(json);
    vma_measured_add(&json->out, "\"");
    vma_measured_add(&json->out, name);
    vma_measured_u64(&json->out, number);
    vma_measured_add(&json->out, "\": ");
}

static void open_group(struct json *json, const char *bracket)
{
    vma_measured_add(&json->out, bracket);
    json->depth++;
    json->first = true;
}

static void close_group(struct json *json, const char *bracket)
{
    json->depth--;
    begin_line(json, "\n");
    vma_measured_add(&json->out, bracket);
    json->first = false;
}

static void member_u64(struct json *json, const char *name, uint64_t value)
{
    key(json, name);
    vma_measured_u64(&json->out, value);
}

/*
 * Adds the length of members that were measured before. `length` includes a separator after each of
 * them.
 */
static void skip_members(struct json *json, uint64_t length)
{
    if (length == 0)
        return;
    json->out.length += length - VMA_JSON_SEPARATOR + (json->first ? VMA_JSON_LAST : 0);
    json->first = false;
}

/* The smallest and greatest size. If there are none, `min` is UINT64_MAX and `max` is 0. */
struct extremes {
    uint64_t min, max;
};

static const struct extremes no_extremes = {UINT64_MAX, 0};

static void widen(struct extremes *extremes, struct extremes more)
{
    if (more.min < extremes->min)
        extremes->min = more.min;
    if (more.max > extremes->max)
        extremes->max = more.max;
}

/* STAT in the schema of the statistics. */
struct statistic {
    uint64_t blocks, allocations, unused_ranges, used_bytes, unused_bytes;
    struct extremes used, unused;
};

static void add_stat(struct statistic *stat, const struct statistic *more)
{
    stat->blocks += more->blocks;
    stat->allocations += more->allocations;
    stat->unused_ranges += more->unused_ranges;
    stat->used_bytes += more->used_bytes;
    stat->unused_bytes += more->unused_bytes;
    widen(&stat->used, more->used);
    widen(&stat->unused, more->unused);
}

/* Returns a number with that many digits, or `none` if `digits` is 0. */
static uint64_t of_digits(unsigned digits, uint64_t none)
{
    uint64_t value = 1;

    if (digits == 0)
        return none;
    while (--digits > 0)
        value *= 10;
    return value;
}

static void add_range(const struct vma_vector *vector, const struct vma_range *range,
                      struct statistic *stat)
{
    struct extremes *extremes = range->allocation != VMA_NONE ? &stat->used : &stat->unused;
    bool buddy = vector->algorithm == VMA_ALGORITHM_BUDDY;
    bool tail = range->allocation == VMA_NONE && range->up == VMA_BUDDY_TAIL;

    /*
     * The library leaves linear blocks out of "Max", and buddy blocks, except their tails, out of
     * "Min".
     */
    if ((!buddy || tail) && range->size < extremes->min)
        extremes->min = range->size;
    if (vector->algorithm != VMA_ALGORITHM_LINEAR && range->size > extremes->max)
        extremes->max = range->size;
}

static void add_vector(const struct vma_allocator *allocator, uint32_t index,
                       struct statistic *stats)
{
    const struct vma_vector *vector = vma_vector(allocator, index);

    for (uint32_t block = vector->first_block; block != VMA_NONE;
         block = vma_block(allocator, block)->next)
        for (uint32_t range = vma_block(allocator, block)->first_range; range != VMA_NONE;
             range = vma_range(allocator, range)->next)
            add_range(vector, vma_range(allocator, range), &stats[vector->type]);
}

/* Finds the extremes of all types by a walk over all ranges. */
static void find_extremes(const struct vma_allocator *allocator, struct statistic stats[VMA_TYPES])
{
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        uint32_t index = allocator->types[type].first_dedicated;

        for (; index != VMA_NONE; index = vma_allocation(allocator, index)->next) {
            uint64_t size = vma_allocation(allocator, index)->size;

            widen(&stats[type].used, (struct extremes){size, size});
        }
        if (allocator->types[type].vector != VMA_NONE)
            add_vector(allocator, allocator->types[type].vector, stats);
    }
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        add_vector(allocator, vma_pool(allocator, pool)->vector, stats);
}

static void collect(const struct vma_allocator *allocator, bool measure,
                    struct statistic stats[VMA_TYPES])
{
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        stats[type] = (struct statistic){.blocks = tally->blocks + tally->dedicated,
                                         .allocations = tally->allocations,
                                         .unused_ranges = tally->unused_ranges,
                                         .used_bytes = tally->used_bytes,
                                         .unused_bytes = tally->block_bytes - tally->used_bytes,
                                         .used = no_extremes,
                                         .unused = no_extremes};
        if (!measure)
            continue;
        stats[type].used = (struct extremes){of_digits(vma_tally_min(tally->min_used), UINT64_MAX),
                                             of_digits(vma_tally_max(tally->max_used), 0)};
        stats[type].unused =
            (struct extremes){of_digits(vma_tally_min(tally->min_unused), UINT64_MAX),
                              of_digits(vma_tally_max(tally->max_unused), 0)};
    }
    if (!measure)
        find_extremes(allocator, stats);
}

static void write_sizes(struct json *json, const char *name, uint64_t sum, uint64_t count,
                        struct extremes extremes)
{
    key(json, name);
    vma_measured_add(&json->out, "{\"Min\": ");
    vma_measured_u64(&json->out, extremes.min);
    vma_measured_add(&json->out, ", \"Avg\": ");
    vma_measured_u64(&json->out, (sum + count / 2) / count);
    vma_measured_add(&json->out, ", \"Max\": ");
    vma_measured_u64(&json->out, extremes.max);
    vma_measured_add(&json->out, "}");
}

static void write_stat(struct json *json, const char *name, const struct statistic *stat)
{
    key(json, name);
    open_group(json, "{");
    member_u64(json, "Blocks", stat->blocks);
    member_u64(json, "Allocations", stat->allocations);
    member_u64(json, "UnusedRanges", stat->unused_ranges);
    member_u64(json, "UsedBytes", stat->used_bytes);
    member_u64(json, "UnusedBytes", stat->unused_bytes);
    if (stat->allocations > 1)
        write_sizes(json, "AllocationSize", stat->used_bytes, stat->allocations, stat->used);
    if (stat->unused_ranges > 1)
        write_sizes(json, "UnusedRangeSize", stat->unused_bytes, stat->unused_ranges, stat->unused);
    close_group(json, "}");
}

static void write_flags(struct json *json, const struct vma_enum *values, uint32_t flags,
                        uint32_t known)
{
    const char *joint = "";

    key(json, "Flags");
    vma_measured_add(&json->out, "[");
    for (size_t i = 0; i < values->count; i++) {
        if ((flags & known & values->names[i].value) == 0)
            continue;
        vma_measured_add(&json->out, joint);
        vma_measured_add(&json->out, "\"");
        vma_measured_add(&json->out, values->names[i].name);
        vma_measured_add(&json->out, "\"");
        joint = ", ";
    }
    vma_measured_add(&json->out, "]");
}

static void write_budget(struct json *json, const struct vma_allocator *allocator, uint32_t heap)
{
    key(json, "Budget");
    open_group(json, "{");
    member_u64(json, "BlockBytes", allocator->heaps[heap].block_bytes);
    member_u64(json, "AllocationBytes", allocator->heaps[heap].allocation_bytes);
    member_u64(json, "Usage", allocator->heaps[heap].block_bytes);
    member_u64(json, "Budget", vma_budget(allocator, heap));
    close_group(json, "}");
}

static void write_heap(struct json *json, const struct vma_allocator *allocator, uint32_t heap,
                       const struct statistic *stat, const struct statistic stats[VMA_TYPES])
{
    /* The flags that the library prints. */
    const uint32_t heap_flags = 0x1, type_flags = 0x1F;
    const struct vma_device *device = allocator->device;

    numbered_key(json, "Heap ", heap);
    open_group(json, "{");
    member_u64(json, "Size", device->heaps[heap].size);
    write_flags(json, &vma_heap_flags, device->heaps[heap].flags, heap_flags);
    if (allocator->budget)
        write_budget(json, allocator, heap);
    if (stat->blocks > 0)
        write_stat(json, "Stats", stat);
    for (uint32_t type = 0; type < device->type_count; type++) {
        if (device->types[type].heap != heap)
            continue;
        numbered_key(json, "Type ", type);
        open_group(json, "{");
        write_flags(json, &vma_property_flags, device->types[type].flags, type_flags);
        if (stats[type].blocks > 0)
            write_stat(json, "Stats", &stats[type]);
        close_group(json, "}");
    }
    close_group(json, "}");
}

static void write_totals(struct json *json, const struct vma_allocator *allocator)
{
    const struct vma_device *device = allocator->device;
    const struct statistic nothing = {.used = no_extremes, .unused = no_extremes};
    struct statistic stats[VMA_TYPES], heaps[VMA_HEAPS], total = nothing;

    collect(allocator, json->out.text == NULL, stats);
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        heaps[heap] = nothing;
    for (uint32_t type = 0; type < device->type_count; type++) {
        if (device->types[type].heap == VMA_NO_HEAP)
            continue;
        add_stat(&heaps[device->types[type].heap], &stats[type]);
        add_stat(&total, &stats[type]);
    }
    write_stat(json, "Total", &total);
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        write_heap(json, allocator, heap, &heaps[heap], stats);
}

/* Writes the members of an allocation, without braces. Not used for measuring. */
static void write_allocation(const struct vma_allocator *allocator,
                             const struct vma_allocation *allocation, struct text *text)
{
    text_add(text, "\"Type\": \"");
    text_add(text, vma_label_name((enum vma_label)allocation->label));
    text_add(text, "\", \"Size\": ");
    text_add_u64(text, allocation->size);
    if (allocation->string || allocation->user != 0) {
        text_add(text, ", \"UserData\": \"");
        if (allocation->string)
            vma_json_escaped_write(allocator->data + allocation->user, allocation->user_length,
                                   text);
        else
            vma_pointer_write(allocation->user, text);
        text_add(text, "\"");
    }
    text_add(text, ", \"CreationFrameIndex\": ");
    text_add_u64(text, allocation->created);
    text_add(text, ", \"LastUseFrameIndex\": ");
    text_add_u64(text, allocation->last_use);
    if (allocation->resource_usage != 0) {
        text_add(text, ", \"Usage\": ");
        text_add_u64(text, allocation->resource_usage);
    }
}

static void write_range(struct json *json, const struct vma_allocator *allocator,
                        const struct vma_range *range)
{
    struct text *text = json->out.text;

    next_member(json);
    text_add(text, "{\"Offset\": ");
    text_add_u64(text, range->offset);
    text_add(text, ", ");
    if (range->allocation != VMA_NONE) {
        write_allocation(allocator, vma_allocation(allocator, range->allocation), text);
    } else {
        text_add(text, "\"Type\": \"FREE\", \"Size\": ");
        text_add_u64(text, range->size);
    }
    text_add(text, "}");
}

static void write_blocks(struct json *json, const struct vma_allocator *allocator,
                         const struct vma_vector *vector)
{
    key(json, "Blocks");
    open_group(json, "{");
    if (json->out.text == NULL)
        skip_members(json, vector->json_length);
    for (uint32_t index = vector->first_block; index != VMA_NONE && json->out.text != NULL;
         index = vma_block(allocator, index)->next) {
        const struct vma_block *block = vma_block(allocator, index);

        numbered_key(json, "", block->id);
        open_group(json, "{");
        member_u64(json, "TotalBytes", block->size);
        member_u64(json, "UnusedBytes", block->free);
        member_u64(json, "Allocations", block->allocations);
        member_u64(json, "UnusedRanges", block->free_ranges);
        key(json, "Suballocations");
        open_group(json, "[");
        for (uint32_t range = block->first_range; range != VMA_NONE;
             range = vma_range(allocator, range)->next)
            write_range(json, allocator, vma_range(allocator, range));
        close_group(json, "]");
        close_group(json, "}");
    }
    close_group(json, "}");
}

static void write_dedicated_type(struct json *json, const struct vma_allocator *allocator,
                                 uint32_t type)
{
    uint32_t index = allocator->types[type].first_dedicated;

    numbered_key(json, "Type ", type);
    open_group(json, "[");
    if (json->out.text == NULL)
        skip_members(json, allocator->types[type].dedicated_json_length);
    for (; index != VMA_NONE && json->out.text != NULL;
         index = vma_allocation(allocator, index)->next) {
        next_member(json);
        text_add(json->out.text, "{");
        write_allocation(allocator, vma_allocation(allocator, index), json->out.text);
        text_add(json->out.text, "}");
    }
    close_group(json, "]");
}

static void write_dedicated(struct json *json, const struct vma_allocator *allocator)
{
    bool any = false;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        if (allocator->types[type].first_dedicated == VMA_NONE)
            continue;
        if (!any) {
            key(json, "DedicatedAllocations");
            open_group(json, "{");
        }
        any = true;
        write_dedicated_type(json, allocator, type);
    }
    if (any)
        close_group(json, "}");
}

static void write_default_pools(struct json *json, const struct vma_allocator *allocator)
{
    bool any = false;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_vector *vector;

        if (allocator->types[type].vector == VMA_NONE)
            continue;
        vector = vma_vector(allocator, allocator->types[type].vector);
        if (vector->count == 0)
            continue;
        if (!any) {
            key(json, "DefaultPools");
            open_group(json, "{");
        }
        any = true;
        numbered_key(json, "Type ", type);
        open_group(json, "{");
        member_u64(json, "PreferredBlockSize", vector->preferred);
        write_blocks(json, allocator, vector);
        close_group(json, "}");
    }
    if (any)
        close_group(json, "}");
}

static void write_pool_name(struct json *json, const struct vma_allocator *allocator,
                            const struct vma_pool *pool)
{
    const uint8_t *name = allocator->data + pool->name;

    key(json, "Name");
    vma_measured_add(&json->out, "\"");
    if (json->out.text != NULL)
        vma_json_escaped_write(name, pool->name_length, json->out.text);
    else
        json->out.length += vma_json_escaped_length(name, pool->name_length);
    vma_measured_add(&json->out, "\"");
}

static void write_block_count(struct json *json, const struct vma_vector *vector)
{
    key(json, "BlockCount");
    vma_measured_add(&json->out, "{");
    if (vector->min_count > 0) {
        vma_measured_add(&json->out, "\"Min\": ");
        vma_measured_u64(&json->out, vector->min_count);
        vma_measured_add(&json->out, ", ");
    }
    if (vector->max_count < UINT64_MAX) {
        vma_measured_add(&json->out, "\"Max\": ");
        vma_measured_u64(&json->out, vector->max_count);
        vma_measured_add(&json->out, ", ");
    }
    vma_measured_add(&json->out, "\"Cur\": ");
    vma_measured_u64(&json->out, vector->count);
    vma_measured_add(&json->out, "}");
}

static void write_pool(struct json *json, const struct vma_allocator *allocator,
                       const struct vma_pool *pool, const struct vma_vector *vector)
{
    numbered_key(json, "", pool->id);
    open_group(json, "{");
    if (pool->name_length > 0)
        write_pool_name(json, allocator, pool);
    member_u64(json, "MemoryTypeIndex", vector->type);
    member_u64(json, "BlockSize", vector->preferred);
    write_block_count(json, vector);
    if (vector->frames_in_use > 0)
        member_u64(json, "FrameInUseCount", vector->frames_in_use);
    if (vector->algorithm != VMA_ALGORITHM_DEFAULT) {
        key(json, "Algorithm");
        vma_measured_add(&json->out,
                         vector->algorithm == VMA_ALGORITHM_LINEAR ? "\"Linear\"" : "\"Buddy\"");
    }
    write_blocks(json, allocator, vector);
    close_group(json, "}");
}

static void write_pools(struct json *json, const struct vma_allocator *allocator)
{
    if (allocator->first_pool == VMA_NONE)
        return;
    key(json, "Pools");
    open_group(json, "{");
    if (json->out.text == NULL)
        skip_members(json, allocator->pools_json_length);
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE && json->out.text != NULL;
         pool = vma_pool(allocator, pool)->next)
        write_pool(json, allocator, vma_pool(allocator, pool),
                   vma_vector(allocator, vma_pool(allocator, pool)->vector));
    close_group(json, "}");
}

static void write_details(struct json *json, const struct vma_allocator *allocator)
{
    write_dedicated(json, allocator);
    write_default_pools(json, allocator);
    write_pools(json, allocator);
}

static void write_all(struct json *json, const struct vma_allocator *allocator, bool detailed)
{
    open_group(json, "{");
    write_totals(json, allocator);
    if (detailed)
        write_details(json, allocator);
    close_group(json, "}");
}

void vma_json_lengths(const struct vma_allocator *allocator, uint64_t *stats, uint64_t *detailed)
{
    struct json json = {.out = {.text = NULL}};
    struct json details;

    open_group(&json, "{");
    write_totals(&json, allocator);
    details = json;
    close_group(&json, "}");
    *stats = json.out.length;
    write_details(&details, allocator);
    close_group(&details, "}");
    *detailed = details.out.length;
}

void vma_json_write(const struct vma_allocator *allocator, bool detailed, struct text *text)
{
    struct json json = {.out = {.text = text}};

    write_all(&json, allocator, detailed);
}

uint64_t vma_json_length(const struct vma_allocator *allocator)
{
    struct json json = {.out = {.text = NULL}};

    write_all(&json, allocator, true);
    return json.out.length;
}

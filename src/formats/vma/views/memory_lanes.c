/* SPDX-License-Identifier: MIT */
/*
 * The lanes of a map: memory types and pools with their bands of bars. Types that hold nothing have
 * no lane. The lanes share the height according to their number of bars.
 */
#include "formats/vma/views/memory_map_parts.h"

#include "formats/vma/replay/tally.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MIN_BLOCKS_BAND = 27, /* minimum heights of bands, without their rulers */
    MIN_DEDICATED_BAND = 14,
    MIN_POOL_BAND = 19,
    MAX_BLOCK = 56,     /* maximum height for a block */
    MAX_DEDICATED = 32, /* maximum height for a dedicated allocation */
    OTHERS_BAND = VMA_POOL_HEIGHT - VMA_CAPTION_HEIGHT - 2,
};

/* A band of bars. If it has no bars, it is not drawn. */
struct band {
    uint64_t bars;
    /* `min`: minimum height of the band, without the ruler; `max`: maximum height of one bar. */
    uint64_t min, max;
};

/* A memory type, or a pool that has a lane of its own. */
struct lane {
    const struct vma_vector *vector;
    const struct vma_pool *pool; /* NULL for a type */
    struct band blocks, dedicated;
};

struct layout {
    struct lane lanes[VMA_TYPES + VMA_POOL_SLOTS];
    unsigned count;
    uint64_t min, wanted; /* heights of all lanes, with bands as low or as high as possible */
    uint64_t height;      /* the height that is available */
};

static uint64_t wanted_height(const struct band *band)
{
    uint64_t wanted = band->bars * band->max;

    return wanted > band->min ? wanted : band->min;
}

/* Returns a band's height: its minimum and its share of the height that is left over. */
static int64_t band_height(const struct layout *layout, const struct band *band)
{
    uint64_t more = wanted_height(band) - band->min;

    if (layout->wanted <= layout->height)
        return (int64_t)(band->min + more);
    if (layout->min >= layout->height)
        return (int64_t)band->min;
    return (int64_t)band->min +
           vma_part_of(layout->height - layout->min, layout->wanted - layout->min, more);
}

static void add_lane(struct layout *layout, const struct lane *lane)
{
    const struct band *bands[] = {&lane->blocks, &lane->dedicated};

    layout->lanes[layout->count++] = *lane;
    layout->min += VMA_CAPTION_HEIGHT;
    layout->wanted += VMA_CAPTION_HEIGHT;
    for (unsigned i = 0; i < 2; i++)
        if (bands[i]->bars > 0) {
            layout->min += bands[i]->min + VMA_RULER_HEIGHT;
            layout->wanted += wanted_height(bands[i]) + VMA_RULER_HEIGHT;
        }
}

static const struct vma_pool *pool_in_slot(const struct vma_allocator *allocator, uint32_t slot)
{
    for (uint32_t index = allocator->first_pool; index != VMA_NONE;
         index = vma_pool(allocator, index)->next)
        if (vma_pool(allocator, index)->slot == slot)
            return vma_pool(allocator, index);
    return NULL;
}

/* Lists the types that hold anything outside of pools, and all pools that have a lane. */
static void make_layout(const struct vma_painter *painter, int64_t height, struct layout *layout)
{
    const struct vma_allocator *allocator = painter->allocator;

    *layout = (struct layout){.height = (uint64_t)height};
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        if (allocator->device->types[type].heap == VMA_NO_HEAP)
            continue; /* it has no vector either */

        struct lane lane = {.vector = vma_vector(allocator, allocator->types[type].vector)};

        lane.blocks = (struct band){lane.vector->count, MIN_BLOCKS_BAND, MAX_BLOCK};
        lane.dedicated = (struct band){allocator->types[type].tally.dedicated, MIN_DEDICATED_BAND,
                                       MAX_DEDICATED};
        if (lane.blocks.bars + lane.dedicated.bars > 0)
            add_lane(layout, &lane);
    }
    for (uint32_t slot = 0; slot < painter->replay->recording->pool_lanes; slot++) {
        struct lane lane = {.pool = pool_in_slot(allocator, slot)};

        if (lane.pool == NULL)
            continue;
        lane.vector = vma_vector(allocator, lane.pool->vector);
        lane.blocks = (struct band){lane.vector->count, MIN_POOL_BAND, MAX_BLOCK};
        add_lane(layout, &lane);
    }
}

/* Captions. */

struct lane_sums {
    uint64_t blocks, allocations, bytes, used;
};

static struct lane_sums sum_lane(const struct vma_allocator *allocator,
                                 const struct vma_vector *vector)
{
    struct lane_sums sums = {.blocks = vector->count};

    for (uint32_t index = vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next) {
        const struct vma_block *block = vma_block(allocator, index);

        sums.allocations += block->allocations;
        sums.bytes += block->size;
        sums.used += block->size - block->free;
    }
    return sums;
}

/* `20 blocks, 287 allocations, 996 MiB of 1.1 GiB used, 85 %`. */
static void sums_text(const struct lane_sums *sums, char line[VMA_LINE_ROOM])
{
    char used[VMA_SIZE_ROOM], bytes[VMA_SIZE_ROOM];

    vma_size_text(sums->used, used);
    vma_size_text(sums->bytes, bytes);
    snprintf(line, VMA_LINE_ROOM,
             "%" PRIu64 " block%s, %" PRIu64 " allocation%s, %s of %s used, %u %%", sums->blocks,
             vma_plural(sums->blocks), sums->allocations, vma_plural(sums->allocations), used,
             bytes, vma_fill_percent(sums->used, sums->bytes));
}

static void hidden_text(uint64_t hidden, char line[VMA_SIZE_ROOM + 16])
{
    line[0] = '\0';
    if (hidden > 0)
        snprintf(line, VMA_SIZE_ROOM + 16, "  +%" PRIu64 " not drawn", hidden);
}

static void type_caption(struct vma_painter *painter, const struct vma_vector *vector,
                         char line[2 * VMA_LINE_ROOM])
{
    char flags[VMA_LINE_ROOM], preferred[VMA_SIZE_ROOM];

    vma_describe_flags(painter, &vma_property_flags,
                       painter->allocator->device->types[vector->type].flags, flags);
    vma_size_text(vector->preferred, preferred);
    snprintf(line, 2 * VMA_LINE_ROOM, "Type %u  heap %u  flags %.100s  block size %s", vector->type,
             vector->heap, flags, preferred);
}

static void pool_caption(struct vma_painter *painter, const struct lane *lane,
                         char line[2 * VMA_LINE_ROOM])
{
    static const char *const algorithms[] = {"", "  Linear", "  Buddy"};
    const struct vma_pool *pool = lane->pool;
    char name[64] = "", preferred[VMA_SIZE_ROOM], limit[40] = "";

    vma_plain_text(painter->allocator->data + pool->name, pool->name_length, name, sizeof(name));
    vma_size_text(lane->vector->preferred, preferred);
    if (lane->vector->max_count < UINT64_MAX)
        snprintf(limit, sizeof(limit), " at max %" PRIu64, lane->vector->max_count);
    snprintf(line, 2 * VMA_LINE_ROOM, "Pool %u%s%s%s  type %u%s  block size %s%s", pool->ordinal,
             name[0] != '\0' ? "  \"" : "", name, name[0] != '\0' ? "\"" : "", lane->vector->type,
             algorithms[lane->vector->algorithm], preferred, limit);
}

/* Appends what a lane holds, after its caption. */
static void write_contents(struct vma_painter *painter, const struct lane *lane, uint64_t hidden,
                           uint64_t hidden_dedicated, struct text *line)
{
    struct lane_sums sums = sum_lane(painter->allocator, lane->vector);
    char text[VMA_LINE_ROOM], more[VMA_SIZE_ROOM + 16];

    sums_text(&sums, text);
    hidden_text(hidden, more);
    if (sums.blocks > 0 || lane->pool != NULL)
        text_printf(line, "   %s%s", text, more);
    hidden_text(hidden_dedicated, more);
    if (lane->dedicated.bars > 0)
        text_printf(line, "   %" PRIu64 " dedicated%s", lane->dedicated.bars, more);
}

static void draw_lane(struct vma_painter *painter, const struct layout *layout,
                      const struct lane *lane)
{
    struct text line = TEXT_INIT;
    char caption[2 * VMA_LINE_ROOM];
    uint64_t hidden = 0, hidden_dedicated = 0;
    int64_t y = painter->y;

    painter->y += VMA_CAPTION_HEIGHT;
    if (lane->blocks.bars > 0) {
        hidden = vma_paint_blocks(painter, lane->vector, band_height(layout, &lane->blocks));
        painter->y += band_height(layout, &lane->blocks) + VMA_RULER_HEIGHT;
    }
    if (lane->dedicated.bars > 0) {
        hidden_dedicated =
            vma_paint_dedicated(painter, lane->vector->type, band_height(layout, &lane->dedicated));
        painter->y += band_height(layout, &lane->dedicated) + VMA_RULER_HEIGHT;
    }
    if (lane->pool != NULL)
        pool_caption(painter, lane, caption);
    else
        type_caption(painter, lane->vector, caption);
    text_add(&line, caption);
    write_contents(painter, lane, hidden, hidden_dedicated, &line);
    font_draw(painter->canvas, VMA_MAP_MARGIN, y + 5, VMA_BAND_WIDTH, line.bytes, line.length,
              VMA_COLOUR_TEXT);
    if (text_status(&line) < 0)
        painter->status = text_status(&line);
    text_clear(&line);
}

/* Draws the lane that all pools without a lane of their own share. */
static void draw_other_pools(struct vma_painter *painter)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint32_t lanes = painter->replay->recording->pool_lanes;
    struct lane_sums all = {0};
    char line[VMA_LINE_ROOM + 48], text[VMA_LINE_ROOM];
    uint64_t count = 0;

    for (uint32_t index = allocator->first_pool; index != VMA_NONE;
         index = vma_pool(allocator, index)->next) {
        struct lane_sums sums;

        if (vma_pool(allocator, index)->slot < lanes)
            continue;
        sums = sum_lane(allocator, vma_vector(allocator, vma_pool(allocator, index)->vector));
        all.blocks += sums.blocks;
        all.allocations += sums.allocations;
        all.bytes += sums.bytes;
        all.used += sums.used;
        count++;
    }
    if (count == 0)
        return;
    sums_text(&all, text);
    snprintf(line, sizeof(line), "%" PRIu64 " more pools   %s", count, text);
    vma_paint_line(painter, VMA_MAP_MARGIN, painter->y + 4, VMA_BAND_WIDTH, VMA_COLOUR_TEXT, line);
    snprintf(line, sizeof(line), "pools beyond %" PRIu32 " are not drawn", lanes);
    canvas_outline(painter->canvas, VMA_MAP_MARGIN, painter->y + VMA_CAPTION_HEIGHT, VMA_BAND_WIDTH,
                   OTHERS_BAND, VMA_COLOUR_GRID);
    vma_paint_line(painter, VMA_MAP_MARGIN + 4,
                   painter->y + VMA_CAPTION_HEIGHT + (OTHERS_BAND - FONT_HEIGHT) / 2,
                   VMA_BAND_WIDTH - 8, VMA_COLOUR_FAINT, line);
    canvas_fill(painter->canvas, VMA_MAP_MARGIN, painter->y + VMA_CAPTION_HEIGHT,
                vma_part_of(all.used, all.bytes, VMA_BAND_WIDTH), 4, VMA_COLOUR_HEAP_USED);
    painter->y += VMA_POOL_HEIGHT;
}

void vma_paint_lanes(struct vma_painter *painter)
{
    int64_t bottom = (int64_t)painter->canvas->height - VMA_MAP_MARGIN;
    struct layout layout;

    if (painter->replay->recording->shared_lane)
        bottom -= VMA_POOL_HEIGHT;
    make_layout(painter, bottom - painter->y, &layout);
    for (unsigned i = 0; i < layout.count; i++)
        draw_lane(painter, &layout, &layout.lanes[i]);
    if (layout.count == 0)
        vma_paint_line(painter, VMA_MAP_MARGIN, painter->y + 5, VMA_BAND_WIDTH, VMA_COLOUR_FAINT,
                       "no memory is allocated");
    if (painter->replay->recording->shared_lane)
        draw_other_pools(painter);
}

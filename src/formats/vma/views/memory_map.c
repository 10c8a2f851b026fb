/* SPDX-License-Identifier: MIT */
/*
 * The picture is a column of strips: title, legend, heaps, then a strip for each memory type and
 * pool. All maps of a recording have one size, in which every type and pool would have room. What
 * holds nothing takes no room, and the bars of the others become taller.
 */
#include "formats/vma/views/memory_map_parts.h"

#include "base/wide.h"
#include "formats/vma/replay/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    TITLE_HEIGHT = 16,
    LEGEND_ROW = 14,
    LEGEND_ROWS = 2,
    LEGEND_COLUMNS = 8,
    SWATCH = 10,
    SWATCH_TEXT = SWATCH + 4, /* from a swatch to its name */
    HEAP_HEIGHT = 20,
    UNUSED_HEIGHT = 14, /* of the line that lists what holds nothing */
    HEAP_TEXT = 300,
    HEAP_BAR = 560,
    HEAP_BAR_HEIGHT = 12,
};

static const struct {
    const char *name;
    enum vma_colour colour;
    bool mark; /* with a black line on it */
} legend[LEGEND_ROWS][LEGEND_COLUMNS] = {
    {{"BUFFER vertex, index, indirect", VMA_COLOUR_BUFFER_VERTEX, false},
     {"BUFFER storage", VMA_COLOUR_BUFFER_STORAGE, false},
     {"BUFFER uniform", VMA_COLOUR_BUFFER_UNIFORM, false},
     {"BUFFER other", VMA_COLOUR_BUFFER_OTHER, false},
     {"UNKNOWN", VMA_COLOUR_UNKNOWN, false},
     {"FREE", VMA_COLOUR_FREE, false},
     {"used of a heap", VMA_COLOUR_HEAP_USED, false},
     {"budget of a heap", VMA_COLOUR_PAPER, true}},
    {{"IMAGE_OPTIMAL depth, stencil", VMA_COLOUR_IMAGE_DEPTH, false},
     {"IMAGE_OPTIMAL attachment", VMA_COLOUR_IMAGE_ATTACHMENT, false},
     {"IMAGE_OPTIMAL sampled", VMA_COLOUR_IMAGE_SAMPLED, false},
     {"IMAGE_OPTIMAL other", VMA_COLOUR_IMAGE_OTHER, false},
     {"IMAGE_LINEAR", VMA_COLOUR_IMAGE_LINEAR, false},
     {"IMAGE_UNKNOWN", VMA_COLOUR_IMAGE_UNKNOWN, false},
     {"in blocks of it", VMA_COLOUR_HEAP_BLOCKS, false},
     {"too narrow to show", VMA_COLOUR_FREE, true}},
};

static uint32_t usable_types(const struct vma_device *device)
{
    uint32_t count = 0;

    for (uint32_t type = 0; type < device->type_count; type++)
        count += device->types[type].heap != VMA_NO_HEAP;
    return count;
}

uint32_t vma_map_height(const struct vma_recording *recording)
{
    const struct vma_device *device = &recording->configuration.device;
    uint32_t lanes = recording->pool_lanes + recording->shared_lane;

    return VMA_MAP_MARGIN + TITLE_HEIGHT + LEGEND_ROWS * LEGEND_ROW +
           HEAP_HEIGHT * device->heap_count + VMA_TYPE_HEIGHT * usable_types(device) +
           VMA_POOL_HEIGHT * lanes + VMA_MAP_MARGIN;
}

const char *vma_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

unsigned vma_fill_percent(uint64_t used, uint64_t whole)
{
    return (unsigned)wide_share(used, whole, 100);
}

/* Title and legend. */

static const char *tell_estimate(uint64_t estimated, uint64_t used)
{
    if (estimated == 0)
        return "";
    return estimated < used ? "   sizes partly estimated" : "   sizes estimated";
}

static void draw_title(struct vma_painter *painter)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t blocks = 0, block_bytes = 0, used_bytes = 0, time = painter->replay->milliseconds;
    char line[VMA_LINE_ROOM], used[VMA_SIZE_ROOM], whole[VMA_SIZE_ROOM], frame[16] = "-";
    char seconds[32] = "-";

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        blocks += allocator->types[type].tally.blocks + allocator->types[type].tally.dedicated;
        block_bytes += allocator->types[type].tally.block_bytes;
        used_bytes += allocator->types[type].tally.used_bytes;
    }
    vma_size_text(used_bytes, used);
    vma_size_text(block_bytes, whole);
    if (painter->replay->frame != VMA_NO_FRAME)
        snprintf(frame, sizeof(frame), "%06u", painter->replay->frame);
    if (time != VMA_NO_TIME)
        snprintf(seconds, sizeof(seconds), "%" PRIu64 ".%03u s", time / 1000,
                 (unsigned)(time % 1000));
    snprintf(line, sizeof(line),
             "frame %s   index %u   time %s   %" PRIu64 " allocation%s, %" PRIu64 " lost   %" PRIu64
             " block%s   %s of %s used, %u %%%s",
             frame, allocator->frame_index, seconds, allocator->live, vma_plural(allocator->live),
             allocator->lost, blocks, vma_plural(blocks), used, whole,
             vma_fill_percent(used_bytes, block_bytes),
             tell_estimate(allocator->estimated_bytes, used_bytes));
    vma_paint_line(painter, VMA_MAP_MARGIN, painter->y + 3, VMA_BAND_WIDTH, VMA_COLOUR_TEXT, line);
    painter->y += TITLE_HEIGHT;
}

/* Returns the width of a legend column, which is that of its longest name. */
static int64_t legend_width(unsigned column)
{
    size_t longest = 0;

    for (unsigned row = 0; row < LEGEND_ROWS; row++)
        if (strlen(legend[row][column].name) > longest) /* it is ASCII */
            longest = strlen(legend[row][column].name);
    return SWATCH_TEXT + (int64_t)font_width(longest);
}

static void draw_legend_column(struct vma_painter *painter, unsigned column, int64_t x)
{
    for (unsigned row = 0; row < LEGEND_ROWS; row++) {
        int64_t y = painter->y + row * LEGEND_ROW + 1;

        canvas_fill(painter->canvas, x, y, SWATCH, SWATCH, (uint8_t)legend[row][column].colour);
        canvas_outline(painter->canvas, x, y, SWATCH, SWATCH, VMA_COLOUR_OUTLINE);
        if (legend[row][column].mark)
            canvas_fill(painter->canvas, x + SWATCH / 2, y, 1, SWATCH, VMA_COLOUR_TEXT);
        vma_paint_line(painter, x + SWATCH_TEXT, y + 1, VMA_BAND_WIDTH, VMA_COLOUR_TEXT,
                       legend[row][column].name);
    }
}

/* The columns share the width that they leave. */
static void draw_legend(struct vma_painter *painter)
{
    int64_t gap = VMA_BAND_WIDTH, x = VMA_MAP_MARGIN;

    for (unsigned column = 0; column < LEGEND_COLUMNS; column++)
        gap -= legend_width(column);
    gap /= LEGEND_COLUMNS - 1;
    for (unsigned column = 0; column < LEGEND_COLUMNS; column++) {
        draw_legend_column(painter, column, x);
        x += legend_width(column) + gap;
    }
    painter->y += LEGEND_ROWS * LEGEND_ROW;
}

/* Heaps. */

static uint64_t used_of_heap(const struct vma_allocator *allocator, uint32_t heap)
{
    uint64_t used = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        if (allocator->device->types[type].heap == heap)
            used += allocator->types[type].tally.used_bytes;
    return used;
}

void vma_describe_flags(struct vma_painter *painter, const struct vma_enum *values, uint32_t flags,
                        char line[VMA_LINE_ROOM])
{
    struct text text = TEXT_INIT;

    if (flags != 0)
        vma_enum_write(values, flags, &text);
    else
        text_add_char(&text, '-'); /* as in metadata.txt */
    vma_plain_text((const uint8_t *)text.bytes,
                   text.length < VMA_LINE_ROOM / 2 ? text.length : VMA_LINE_ROOM / 2, line,
                   VMA_LINE_ROOM);
    if (text_status(&text) < 0)
        painter->status = text_status(&text);
    text_clear(&text);
}

static void draw_heap(struct vma_painter *painter, uint32_t heap)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t size = allocator->device->heaps[heap].size;
    uint64_t blocks = allocator->heaps[heap].block_bytes;
    uint64_t used = used_of_heap(allocator, heap), budget = vma_budget(allocator, heap);
    int64_t x = VMA_MAP_MARGIN + HEAP_TEXT, y = painter->y + (HEAP_HEIGHT - HEAP_BAR_HEIGHT) / 2;
    char line[VMA_LINE_ROOM], flags[VMA_LINE_ROOM], sizes[4][VMA_SIZE_ROOM];

    vma_describe_flags(painter, &vma_heap_flags, allocator->device->heaps[heap].flags, flags);
    snprintf(line, sizeof(line), "Heap %u  flags %.120s", heap, flags);
    vma_paint_line(painter, VMA_MAP_MARGIN, y + 2, HEAP_TEXT - 8, VMA_COLOUR_TEXT, line);
    canvas_fill(painter->canvas, x, y, vma_part_of(blocks, size, HEAP_BAR), HEAP_BAR_HEIGHT,
                VMA_COLOUR_HEAP_BLOCKS);
    canvas_fill(painter->canvas, x, y, vma_part_of(used, size, HEAP_BAR), HEAP_BAR_HEIGHT,
                VMA_COLOUR_HEAP_USED);
    canvas_outline(painter->canvas, x, y, HEAP_BAR, HEAP_BAR_HEIGHT, VMA_COLOUR_OUTLINE);
    canvas_fill(painter->canvas, x + vma_part_of(budget, size, HEAP_BAR), y - 2, 1,
                HEAP_BAR_HEIGHT + 4, VMA_COLOUR_TEXT);
    vma_size_text(used, sizes[0]);
    vma_size_text(blocks, sizes[1]);
    vma_size_text(size, sizes[2]);
    vma_size_text(budget, sizes[3]);
    snprintf(line, sizeof(line), "%s used, %s in blocks, of %s; budget %s", sizes[0], sizes[1],
             sizes[2], sizes[3]);
    vma_paint_line(painter, x + HEAP_BAR + 8, y + 2, VMA_BAND_WIDTH - HEAP_TEXT - HEAP_BAR - 8,
                   VMA_COLOUR_TEXT, line);
    painter->y += HEAP_HEIGHT;
}

/* A line that lists what holds nothing: `nothing in heap 2; types 1-6, 8`. */

/* Appends the numbers of the bits; consecutive numbers as 1-6. */
static void add_unused(struct text *text, const char *what, uint32_t unused)
{
    if (unused == 0)
        return;
    text_printf(text, "%s%s%s ", text->length > 0 ? "; " : "nothing in ", what,
                (unused & (unused - 1)) != 0 ? "s" : "");
    for (const char *separator = ""; unused != 0; separator = ", ") {
        unsigned first = (unsigned)__builtin_ctz(unused), last = first;

        while (last < 31 && (unused >> (last + 1) & 1) != 0)
            last++;
        text_printf(text, "%s%u", separator, first);
        if (last > first)
            text_printf(text, "-%u", last);
        unused &= last == 31 ? 0 : ~UINT32_C(0) << (last + 1);
    }
}

static uint32_t unused_heaps(const struct vma_allocator *allocator)
{
    uint32_t unused = 0;

    for (uint32_t heap = 0; heap < VMA_HEAPS && heap < allocator->device->heap_count; heap++)
        unused |= (uint32_t)(allocator->heaps[heap].block_bytes == 0) << heap;
    return unused;
}

/*
 * Returns the types in which nothing is held, not even by pools. A type without a heap cannot be
 * used.
 */
static uint32_t unused_types(const struct vma_allocator *allocator)
{
    uint32_t unused = 0;

    for (uint32_t type = 0; type < VMA_TYPES && type < allocator->device->type_count; type++)
        unused |= (uint32_t)(allocator->device->types[type].heap != VMA_NO_HEAP &&
                             allocator->types[type].tally.block_bytes == 0)
                  << type;
    return unused;
}

static void draw_unused(struct vma_painter *painter)
{
    struct text text = TEXT_INIT;

    add_unused(&text, "heap", unused_heaps(painter->allocator));
    add_unused(&text, "type", unused_types(painter->allocator));
    if (text.length > 0) {
        font_draw(painter->canvas, VMA_MAP_MARGIN, painter->y + 2, VMA_BAND_WIDTH, text.bytes,
                  text.length, VMA_COLOUR_FAINT);
        painter->y += UNUSED_HEIGHT;
    }
    if (text_status(&text) < 0)
        painter->status = text_status(&text);
    text_clear(&text);
}

int vma_map_draw(const struct vma_replay *replay, enum vma_scale scale, struct canvas *canvas)
{
    struct vma_painter painter = {.canvas = canvas,
                                  .replay = replay,
                                  .allocator = &replay->allocator,
                                  .scale = scale,
                                  .y = VMA_MAP_MARGIN};
    uint32_t unused = unused_heaps(&replay->allocator);
    int status =
        canvas_init(canvas, VMA_MAP_WIDTH, vma_map_height(replay->recording), VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    if (scale == VMA_SCALE_FRAME)
        painter.biggest = vma_biggest_of_all(&replay->allocator);
    draw_title(&painter);
    draw_legend(&painter);
    for (uint32_t heap = 0; heap < painter.allocator->device->heap_count; heap++)
        if ((unused >> heap & 1) == 0)
            draw_heap(&painter, heap);
    draw_unused(&painter);
    vma_paint_lanes(&painter);
    return painter.status;
}

/* SPDX-License-Identifier: MIT */
/*
 * The picture is a column of strips of fixed heights: title, legend, heaps, memory
 * types, slots of pools. Blocks are bars in a band, in rows and columns that depend
 * on their number; allocations are parts of a bar.
 */
#include "formats/vma/views/views.h"

#include "base/utf8.h"
#include "formats/vma/replay/tally.h"
#include "image/canvas.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MARGIN = 8,
    BAND_WIDTH = VMA_MAP_WIDTH - 2 * MARGIN,
    TITLE_HEIGHT = 16,
    LEGEND_ROW = 14,
    LEGEND_ROWS = 2,
    LEGEND_COLUMNS = 8,
    SWATCH = 10,
    SWATCH_TEXT = SWATCH + 4, /* from a swatch to its name */
    HEAP_HEIGHT = 20,
    CAPTION_HEIGHT = 14,
    BLOCKS_BAND = 48,
    DEDICATED_BAND = 18,
    POOL_BAND = 32,
    TYPE_HEIGHT = CAPTION_HEIGHT + BLOCKS_BAND + DEDICATED_BAND,
    POOL_HEIGHT = CAPTION_HEIGHT + POOL_BAND,
    BAND_INSET = 1, /* paper below a band, within its height */
    MIN_ROW = 6,    /* height of a row of bars, with the gap below it */
    COLUMN_GAP = 4,
    ROW_GAP = 1,
    MIN_CELL = 8,     /* width */
    MIN_BAR = 4,      /* width */
    MIN_SHOWN = 2,    /* width of a range; below, a black line */
    MIN_OUTLINED = 9, /* height of a bar whose ranges are outlined all around */
    MIN_LABELLED = FONT_HEIGHT,
    TWO_LINES = 22,  /* height of a bar with room for two lines of text */
    MIN_NAME = 4,    /* characters of a name that is cut */
    LABEL_INSET = 3, /* between the edges of a range and its text */
    HEAP_TEXT = 300,
    HEAP_BAR = 560,
    HEAP_BAR_HEIGHT = 12,
    LINE_ROOM = 256,
};

static const struct {
    const char *name;
    enum vma_colour colour;
    bool mark; /* a black line on it */
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

    return MARGIN + TITLE_HEIGHT + LEGEND_ROWS * LEGEND_ROW + HEAP_HEIGHT * device->heap_count +
           TYPE_HEIGHT * usable_types(device) + POOL_HEIGHT * lanes + MARGIN;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static unsigned fill_percent(uint64_t used, uint64_t whole)
{
    return whole == 0 ? 0 : (unsigned)((unsigned __int128)used * 100 / whole);
}

/* What is being drawn. */
struct painter {
    struct canvas *canvas;
    const struct vma_replay *replay;
    const struct vma_allocator *allocator;
    enum vma_scale scale;
    uint64_t biggest; /* with VMA_SCALE_FRAME */
    int64_t y;        /* of the current strip */
    int status;       /* 0, or -ENOMEM: a text is not there */
};

static void write_line(struct painter *painter, int64_t x, int64_t y, int64_t room, uint8_t colour,
                       const char *line)
{
    font_draw(painter->canvas, x, y, room, line, strlen(line), colour);
}

/* Bytes of the dump as one line, of whole characters: `?` for each that is not printable. */
static size_t plain_text(const uint8_t *bytes, size_t length, char *line, size_t room)
{
    size_t written = 0;

    for (size_t i = 0; i < length;) {
        uint32_t point = 0;
        size_t taken = utf8_decode(bytes + i, length - i, &point);
        bool good = taken > 0 && utf8_printable(point);
        size_t shown = good ? taken : 1;

        if (written + shown >= room)
            break;
        memcpy(line + written, good ? bytes + i : (const uint8_t *)"?", shown);
        written += shown;
        i += taken > 0 ? taken : 1;
    }
    line[written] = '\0';
    return written;
}

/* Title and legend. */

static void draw_title(struct painter *painter)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t blocks = 0, block_bytes = 0, used_bytes = 0, time = painter->replay->milliseconds;
    char line[LINE_ROOM], used[VMA_SIZE_ROOM], whole[VMA_SIZE_ROOM], frame[16] = "-";
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
             frame, allocator->frame_index, seconds, allocator->live, plural(allocator->live),
             allocator->lost, blocks, plural(blocks), used, whole,
             fill_percent(used_bytes, block_bytes),
             allocator->estimated_bytes > 0 ? "   sizes partly estimated" : "");
    write_line(painter, MARGIN, painter->y + 3, BAND_WIDTH, VMA_COLOUR_TEXT, line);
    painter->y += TITLE_HEIGHT;
}

/* As wide as its longest name. */
static int64_t legend_width(unsigned column)
{
    size_t longest = 0;

    for (unsigned row = 0; row < LEGEND_ROWS; row++)
        if (strlen(legend[row][column].name) > longest) /* it is ASCII */
            longest = strlen(legend[row][column].name);
    return SWATCH_TEXT + (int64_t)font_width(longest);
}

static void draw_legend_column(struct painter *painter, unsigned column, int64_t x)
{
    for (unsigned row = 0; row < LEGEND_ROWS; row++) {
        int64_t y = painter->y + row * LEGEND_ROW + 1;

        canvas_fill(painter->canvas, x, y, SWATCH, SWATCH, (uint8_t)legend[row][column].colour);
        canvas_outline(painter->canvas, x, y, SWATCH, SWATCH, VMA_COLOUR_OUTLINE);
        if (legend[row][column].mark)
            canvas_fill(painter->canvas, x + SWATCH / 2, y, 1, SWATCH, VMA_COLOUR_TEXT);
        write_line(painter, x + SWATCH_TEXT, y + 1, BAND_WIDTH, VMA_COLOUR_TEXT,
                   legend[row][column].name);
    }
}

/* The columns share what width they leave. */
static void draw_legend(struct painter *painter)
{
    int64_t gap = BAND_WIDTH, x = MARGIN;

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

static int64_t part_of(uint64_t part, uint64_t whole, uint64_t length)
{
    return whole == 0 ? 0 : (int64_t)((unsigned __int128)part * length / whole);
}

static uint64_t used_of_heap(const struct vma_allocator *allocator, uint32_t heap)
{
    uint64_t used = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        if (allocator->device->types[type].heap == heap)
            used += allocator->types[type].tally.used_bytes;
    return used;
}

static void describe(struct painter *painter, const struct vma_enum *values, uint32_t flags,
                     char line[LINE_ROOM])
{
    struct text text = TEXT_INIT;

    vma_enum_write(values, flags, &text);
    plain_text((const uint8_t *)text.bytes,
               text.length < LINE_ROOM / 2 ? text.length : LINE_ROOM / 2, line, LINE_ROOM);
    if (text_status(&text) < 0)
        painter->status = text_status(&text);
    text_clear(&text);
}

static void draw_heap(struct painter *painter, uint32_t heap)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t size = allocator->device->heaps[heap].size;
    uint64_t blocks = allocator->heaps[heap].block_bytes;
    uint64_t used = used_of_heap(allocator, heap), budget = vma_budget(allocator, heap);
    int64_t x = MARGIN + HEAP_TEXT, y = painter->y + (HEAP_HEIGHT - HEAP_BAR_HEIGHT) / 2;
    char line[LINE_ROOM], flags[LINE_ROOM], sizes[4][VMA_SIZE_ROOM];

    describe(painter, &vma_heap_flags, allocator->device->heaps[heap].flags, flags);
    snprintf(line, sizeof(line), "Heap %u  flags %.120s", heap, flags);
    write_line(painter, MARGIN, y + 2, HEAP_TEXT - 8, VMA_COLOUR_TEXT, line);
    canvas_fill(painter->canvas, x, y, part_of(blocks, size, HEAP_BAR), HEAP_BAR_HEIGHT,
                VMA_COLOUR_HEAP_BLOCKS);
    canvas_fill(painter->canvas, x, y, part_of(used, size, HEAP_BAR), HEAP_BAR_HEIGHT,
                VMA_COLOUR_HEAP_USED);
    canvas_outline(painter->canvas, x, y, HEAP_BAR, HEAP_BAR_HEIGHT, VMA_COLOUR_OUTLINE);
    canvas_fill(painter->canvas, x + part_of(budget, size, HEAP_BAR), y - 2, 1, HEAP_BAR_HEIGHT + 4,
                VMA_COLOUR_TEXT);
    vma_size_text(used, sizes[0]);
    vma_size_text(blocks, sizes[1]);
    vma_size_text(size, sizes[2]);
    vma_size_text(budget, sizes[3]);
    snprintf(line, sizeof(line), "%s used, %s in blocks, of %s; budget %s", sizes[0], sizes[1],
             sizes[2], sizes[3]);
    write_line(painter, x + HEAP_BAR + 8, y + 2, BAND_WIDTH - HEAP_TEXT - HEAP_BAR - 8,
               VMA_COLOUR_TEXT, line);
    painter->y += HEAP_HEIGHT;
}

/* Bars. */

/* How `count` bars are laid out in a band. */
struct grid {
    uint32_t columns, rows, drawn; /* cells that hold bars */
    int64_t x, y, cell_width, cell_height;
    bool hatched; /* the last cell stands for all bars that are not drawn */
};

static struct grid make_grid(int64_t x, int64_t y, int64_t height, uint64_t count)
{
    const uint32_t max_rows = (uint32_t)((height + BAND_INSET) / MIN_ROW);
    const uint32_t max_columns = (BAND_WIDTH + COLUMN_GAP) / (MIN_CELL + COLUMN_GAP);
    uint64_t columns = (count + max_rows - 1) / max_rows;
    struct grid grid = {.x = x, .y = y};

    grid.hatched = columns > max_columns;
    grid.columns = grid.hatched ? max_columns : (uint32_t)columns;
    grid.rows = grid.hatched ? max_rows : (uint32_t)((count + columns - 1) / columns);
    grid.drawn = grid.hatched ? grid.columns * grid.rows - 1 : (uint32_t)count;
    grid.cell_width = (BAND_WIDTH - COLUMN_GAP * (int64_t)(grid.columns - 1)) / grid.columns;
    grid.cell_height = (height - ROW_GAP * (int64_t)(grid.rows - 1)) / grid.rows;
    return grid;
}

/* Cells are filled downward, column by column. */
static void cell_place(const struct grid *grid, uint32_t cell, int64_t *x, int64_t *y)
{
    *x = grid->x + (int64_t)(cell / grid->rows) * (grid->cell_width + COLUMN_GAP);
    *y = grid->y + (int64_t)(cell % grid->rows) * (grid->cell_height + ROW_GAP);
}

/* A bar: the place of one block or dedicated allocation. */
struct bar {
    int64_t x, y, width, height;
    uint64_t size;
};

static struct bar make_bar(const struct painter *painter, const struct grid *grid, uint32_t cell,
                           uint64_t size, uint64_t biggest)
{
    struct bar bar = {.height = grid->cell_height, .size = size};

    cell_place(grid, cell, &bar.x, &bar.y);
    if (painter->scale == VMA_SCALE_BLOCK)
        biggest = size;
    else if (painter->scale == VMA_SCALE_FRAME)
        biggest = painter->biggest;
    bar.width = part_of(size, biggest, (uint64_t)grid->cell_width);
    if (bar.width < MIN_BAR)
        bar.width = MIN_BAR;
    return bar;
}

/* Text of which at least so many characters are seen, or all. */
static void write_whole_or(struct painter *painter, int64_t x, int64_t y, int64_t room,
                           uint8_t colour, const char *line, size_t min)
{
    if (font_width(font_cells(line, strlen(line))) <= room || (min > 0 && font_width(min) <= room))
        write_line(painter, x, y, room, colour, line);
}

/* Whether any text could stand in a part of a bar. */
static bool takes_label(const struct bar *bar, int64_t width)
{
    return bar->height >= MIN_LABELLED && width >= FONT_WIDTH + 2 * LABEL_INSET;
}

/* Name (cut to fit) and size inside a part of a bar that takes a label. */
static void label_part(struct painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       const char *name, const char *size, uint8_t colour)
{
    bool named = name[0] != '\0';
    bool two = bar->height >= TWO_LINES && named;
    int64_t y = bar->y + (bar->height - (two ? 2 * FONT_HEIGHT + 2 : FONT_HEIGHT)) / 2;

    x += LABEL_INSET;
    width -= 2 * LABEL_INSET - 1;
    if (named)
        write_whole_or(painter, x, y, width, colour, name, MIN_NAME);
    /* A figure that is cut would be another one. */
    if (two || !named)
        write_whole_or(painter, x, two ? y + FONT_HEIGHT + 2 : y, width, colour, size, 0);
}

/* User data and size of an allocation. */
static void label_used(struct painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       const struct vma_allocation *allocation)
{
    char name[LINE_ROOM] = "", size[VMA_SIZE_ROOM];

    if (allocation->string)
        plain_text(painter->allocator->data + allocation->user, allocation->user_length, name,
                   sizeof(name));
    else if (allocation->user != 0)
        snprintf(name, sizeof(name), "0x%" PRIx64, allocation->user);
    vma_size_text(allocation->size, size);
    label_part(painter, bar, x, width, name, size, VMA_COLOUR_TEXT);
}

static void draw_used(struct painter *painter, const struct bar *bar, int64_t x, int64_t width,
                      const struct vma_allocation *allocation)
{
    if (width < MIN_SHOWN) {
        canvas_fill(painter->canvas, x, bar->y, 1, bar->height, VMA_COLOUR_TEXT);
        return;
    }
    canvas_fill(painter->canvas, x, bar->y, width, bar->height, vma_allocation_colour(allocation));
    if (bar->height >= MIN_OUTLINED && width > MIN_SHOWN)
        canvas_outline(painter->canvas, x, bar->y, width, bar->height, VMA_COLOUR_OUTLINE);
    else
        canvas_fill(painter->canvas, x, bar->y, 1, bar->height, VMA_COLOUR_OUTLINE);
    if (takes_label(bar, width))
        label_used(painter, bar, x, width, allocation);
}

static void label_free(struct painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       uint64_t bytes)
{
    char size[VMA_SIZE_ROOM], name[VMA_SIZE_ROOM + 8];

    vma_size_text(bytes, size);
    snprintf(name, sizeof(name), "free %s", size);
    label_part(painter, bar, x, width, "", name, VMA_COLOUR_FAINT);
}

static void draw_block(struct painter *painter, const struct bar *bar,
                       const struct vma_block *block)
{
    const struct vma_allocator *allocator = painter->allocator;

    canvas_fill(painter->canvas, bar->x, bar->y, bar->width, bar->height, VMA_COLOUR_FREE);
    for (uint32_t index = block->first_range; index != VMA_NONE;
         index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);
        int64_t begin = part_of(range->offset, bar->size, (uint64_t)bar->width);
        int64_t end = part_of(range->offset + range->size, bar->size, (uint64_t)bar->width);

        if (range->allocation != VMA_NONE) {
            /* What ends at the bar's end is still seen. */
            if (begin == end && begin == bar->width)
                begin--;
            draw_used(painter, bar, bar->x + begin, end - begin,
                      vma_allocation(allocator, range->allocation));
        } else {
            /* Free nodes of buddy blocks stand side by side. */
            if (range->previous != VMA_NONE &&
                vma_range(allocator, range->previous)->allocation == VMA_NONE)
                canvas_fill(painter->canvas, bar->x + begin, bar->y, 1, bar->height,
                            VMA_COLOUR_OUTLINE);
            if (takes_label(bar, end - begin))
                label_free(painter, bar, bar->x + begin, end - begin, range->size);
        }
    }
}

static void draw_empty_band(struct painter *painter, int64_t y, int64_t height, const char *what)
{
    canvas_outline(painter->canvas, MARGIN, y, BAND_WIDTH, height, VMA_COLOUR_GRID);
    write_line(painter, MARGIN + 4, y + (height - FONT_HEIGHT) / 2, BAND_WIDTH - 8,
               VMA_COLOUR_FAINT, what);
}

static void draw_last_cell(struct painter *painter, const struct grid *grid)
{
    int64_t x, y;

    if (!grid->hatched)
        return;
    cell_place(grid, grid->drawn, &x, &y);
    canvas_hatch(painter->canvas, x, y, grid->cell_width, grid->cell_height, VMA_COLOUR_TEXT);
}

static uint64_t biggest_of(const struct vma_allocator *allocator, const struct vma_vector *vector)
{
    uint64_t biggest = 0;

    for (uint32_t index = vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next)
        if (vma_block(allocator, index)->size > biggest)
            biggest = vma_block(allocator, index)->size;
    return biggest;
}

/* The blocks of a vector; returns how many are not drawn. */
static uint64_t draw_blocks(struct painter *painter, const struct vma_vector *vector, int64_t y,
                            int64_t height)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t biggest = biggest_of(allocator, vector);
    uint32_t index = vector->first_block;
    struct grid grid;

    if (vector->count == 0) {
        draw_empty_band(painter, y, height, "no blocks");
        return 0;
    }
    grid = make_grid(MARGIN, y, height, vector->count);
    for (uint32_t cell = 0; cell < grid.drawn; cell++) {
        const struct vma_block *block = vma_block(allocator, index);
        struct bar bar = make_bar(painter, &grid, cell, block->size, biggest);

        draw_block(painter, &bar, block);
        index = block->next;
    }
    draw_last_cell(painter, &grid);
    return vector->count - grid.drawn;
}

static uint64_t biggest_dedicated(const struct vma_allocator *allocator, uint32_t type)
{
    uint64_t biggest = 0;

    for (uint32_t index = allocator->types[type].first_dedicated; index != VMA_NONE;
         index = vma_allocation(allocator, index)->next)
        if (vma_allocation(allocator, index)->size > biggest)
            biggest = vma_allocation(allocator, index)->size;
    return biggest;
}

/* The dedicated allocations of a type; returns how many are not drawn. */
static uint64_t draw_dedicated(struct painter *painter, uint32_t type, int64_t y, int64_t height)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t count = allocator->types[type].tally.dedicated;
    uint64_t biggest = biggest_dedicated(allocator, type);
    uint32_t index = allocator->types[type].first_dedicated;
    struct grid grid;

    if (count == 0) {
        draw_empty_band(painter, y, height, "no dedicated allocations");
        return 0;
    }
    grid = make_grid(MARGIN, y, height, count);
    for (uint32_t cell = 0; cell < grid.drawn; cell++) {
        const struct vma_allocation *allocation = vma_allocation(allocator, index);
        struct bar bar = make_bar(painter, &grid, cell, allocation->size, biggest);

        draw_used(painter, &bar, bar.x, bar.width, allocation);
        index = allocation->next;
    }
    draw_last_cell(painter, &grid);
    return count - grid.drawn;
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
static void sums_text(const struct lane_sums *sums, char line[LINE_ROOM])
{
    char used[VMA_SIZE_ROOM], bytes[VMA_SIZE_ROOM];

    vma_size_text(sums->used, used);
    vma_size_text(sums->bytes, bytes);
    snprintf(line, LINE_ROOM, "%" PRIu64 " block%s, %" PRIu64 " allocation%s, %s of %s used, %u %%",
             sums->blocks, plural(sums->blocks), sums->allocations, plural(sums->allocations), used,
             bytes, fill_percent(sums->used, sums->bytes));
}

static void hidden_text(uint64_t hidden, char line[VMA_SIZE_ROOM + 16])
{
    line[0] = '\0';
    if (hidden > 0)
        snprintf(line, VMA_SIZE_ROOM + 16, "  +%" PRIu64 " not drawn", hidden);
}

static void draw_type(struct painter *painter, uint32_t type)
{
    const struct vma_allocator *allocator = painter->allocator;
    const struct vma_vector *vector = vma_vector(allocator, allocator->types[type].vector);
    const struct vma_tally *tally = &allocator->types[type].tally;
    struct lane_sums sums = sum_lane(allocator, vector);
    char line[2 * LINE_ROOM], flags[LINE_ROOM], text[LINE_ROOM], preferred[VMA_SIZE_ROOM];
    char hidden[2][VMA_SIZE_ROOM + 16];

    hidden_text(draw_blocks(painter, vector, painter->y + CAPTION_HEIGHT, BLOCKS_BAND - BAND_INSET),
                hidden[0]);
    hidden_text(draw_dedicated(painter, type, painter->y + CAPTION_HEIGHT + BLOCKS_BAND,
                               DEDICATED_BAND - BAND_INSET),
                hidden[1]);
    describe(painter, &vma_property_flags, allocator->device->types[type].flags, flags);
    sums_text(&sums, text);
    vma_size_text(vector->preferred, preferred);
    snprintf(line, sizeof(line),
             "Type %u  heap %u  flags %.100s  block size %s   %s%s   %" PRIu64 " dedicated%s", type,
             vector->heap, flags, preferred, text, hidden[0], tally->dedicated, hidden[1]);
    write_line(painter, MARGIN, painter->y + 4, BAND_WIDTH, VMA_COLOUR_TEXT, line);
    painter->y += TYPE_HEIGHT;
}

static void draw_pool(struct painter *painter, const struct vma_pool *pool)
{
    static const char *const algorithms[] = {"", "  Linear", "  Buddy"};
    const struct vma_allocator *allocator = painter->allocator;
    const struct vma_vector *vector = vma_vector(allocator, pool->vector);
    struct lane_sums sums = sum_lane(allocator, vector);
    char line[2 * LINE_ROOM], name[64] = "", text[LINE_ROOM], preferred[VMA_SIZE_ROOM];
    char limit[40] = "", hidden[VMA_SIZE_ROOM + 16];

    hidden_text(draw_blocks(painter, vector, painter->y + CAPTION_HEIGHT, POOL_BAND - BAND_INSET),
                hidden);
    plain_text(allocator->data + pool->name, pool->name_length, name, sizeof(name));
    sums_text(&sums, text);
    vma_size_text(vector->preferred, preferred);
    if (vector->max_count < UINT64_MAX)
        snprintf(limit, sizeof(limit), " at most %" PRIu64, vector->max_count);
    snprintf(line, sizeof(line), "Pool %u%s%s%s  type %u%s  block size %s%s   %s%s", pool->ordinal,
             name[0] != '\0' ? "  \"" : "", name, name[0] != '\0' ? "\"" : "", vector->type,
             algorithms[vector->algorithm], preferred, limit, text, hidden);
    write_line(painter, MARGIN, painter->y + 4, BAND_WIDTH, VMA_COLOUR_TEXT, line);
    painter->y += POOL_HEIGHT;
}

static const struct vma_pool *pool_in_slot(const struct vma_allocator *allocator, uint32_t slot)
{
    for (uint32_t index = allocator->first_pool; index != VMA_NONE;
         index = vma_pool(allocator, index)->next)
        if (vma_pool(allocator, index)->slot == slot)
            return vma_pool(allocator, index);
    return NULL;
}

/* The lane of all pools that have none of their own. */
static void draw_other_pools(struct painter *painter)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint32_t lanes = painter->replay->recording->pool_lanes;
    struct lane_sums all = {0};
    char line[LINE_ROOM + 32], text[LINE_ROOM];
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
    sums_text(&all, text);
    snprintf(line, sizeof(line), "%" PRIu64 " more pools   %s", count, text);
    write_line(painter, MARGIN, painter->y + 4, BAND_WIDTH, VMA_COLOUR_TEXT, line);
    snprintf(line, sizeof(line), "pools beyond %" PRIu32 " are not drawn", lanes);
    draw_empty_band(painter, painter->y + CAPTION_HEIGHT, POOL_BAND - BAND_INSET, line);
    canvas_fill(painter->canvas, MARGIN, painter->y + CAPTION_HEIGHT,
                part_of(all.used, all.bytes, BAND_WIDTH), 4, VMA_COLOUR_HEAP_USED);
    painter->y += POOL_HEIGHT;
}

static void draw_pools(struct painter *painter)
{
    const struct vma_recording *recording = painter->replay->recording;

    for (uint32_t slot = 0; slot < recording->pool_lanes; slot++) {
        const struct vma_pool *pool = pool_in_slot(painter->allocator, slot);

        if (pool != NULL) {
            draw_pool(painter, pool);
            continue;
        }
        draw_empty_band(painter, painter->y + CAPTION_HEIGHT, POOL_BAND - BAND_INSET, "no pool");
        painter->y += POOL_HEIGHT;
    }
    if (recording->shared_lane)
        draw_other_pools(painter);
}

static uint64_t biggest_of_all(const struct vma_allocator *allocator)
{
    uint64_t biggest = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        uint64_t size = biggest_dedicated(allocator, type);

        biggest = size > biggest ? size : biggest;
    }
    for (uint32_t index = 1; index < allocator->blocks.count; index++)
        if (vma_block(allocator, index)->first_range != VMA_NONE &&
            vma_block(allocator, index)->size > biggest)
            biggest = vma_block(allocator, index)->size;
    return biggest;
}

int vma_map_draw(const struct vma_replay *replay, enum vma_scale scale, struct canvas *canvas)
{
    const struct vma_device *device = &replay->recording->configuration.device;
    struct painter painter = {.canvas = canvas,
                              .replay = replay,
                              .allocator = &replay->allocator,
                              .scale = scale,
                              .y = MARGIN};
    int status =
        canvas_init(canvas, VMA_MAP_WIDTH, vma_map_height(replay->recording), VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    if (scale == VMA_SCALE_FRAME)
        painter.biggest = biggest_of_all(&replay->allocator);
    draw_title(&painter);
    draw_legend(&painter);
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        draw_heap(&painter, heap);
    for (uint32_t type = 0; type < device->type_count; type++)
        if (device->types[type].heap != VMA_NO_HEAP)
            draw_type(&painter, type);
    draw_pools(&painter);
    return painter.status;
}

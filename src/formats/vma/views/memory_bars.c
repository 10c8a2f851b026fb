/* SPDX-License-Identifier: MIT */
/*
 * Blocks and dedicated allocations are bars in a band, in rows and columns that depend on their
 * number. Allocations are parts of a bar. All bars of a band have one scale, which a ruler shows.
 */
#include "formats/vma/views/memory_map_parts.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MIN_ROW = 6, /* minimum height of a row of bars, with the gap below it */
    COLUMN_GAP = 4,
    ROW_GAP = 1,
    MIN_CELL = 8,     /* minimum width of a cell */
    MIN_BAR = 4,      /* minimum width of a bar */
    MIN_SHOWN = 2,    /* minimum width of a range; a narrower one is a black line */
    MIN_OUTLINED = 9, /* minimum height of a bar whose ranges have an outline on all sides */
    MIN_LABELLED = FONT_HEIGHT,
    TWO_LINES = 22,  /* minimum height of a bar with two lines of text */
    MIN_NAME = 4,    /* minimum number of characters of a name that is cut */
    LABEL_INSET = 3, /* between the edges of a range and its text */
    TICK_GAP = 90,   /* minimum distance between two ticks of a ruler */
    TICK_HEIGHT = 3,
};

void vma_paint_line(struct vma_painter *painter, int64_t x, int64_t y, int64_t room, uint8_t colour,
                    const char *line)
{
    font_draw(painter->canvas, x, y, room, line, strlen(line), colour);
}

size_t vma_plain_text(const uint8_t *bytes, size_t length, char *line, size_t room)
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

/* How `count` bars are laid out in a band. */
struct grid {
    uint32_t columns, rows, drawn; /* cells that hold bars */
    int64_t x, y, cell_width, cell_height;
    bool hatched; /* the last cell is hatched: it stands for all bars that are not drawn */
};

static struct grid make_grid(int64_t x, int64_t y, int64_t height, uint64_t count)
{
    const uint32_t max_rows = (uint32_t)((height + ROW_GAP) / MIN_ROW);
    const uint32_t max_columns = (VMA_BAND_WIDTH + COLUMN_GAP) / (MIN_CELL + COLUMN_GAP);
    uint64_t columns = (count + max_rows - 1) / max_rows;
    struct grid grid = {.x = x, .y = y};

    grid.hatched = columns > max_columns;
    grid.columns = grid.hatched ? max_columns : (uint32_t)columns;
    grid.rows = grid.hatched ? max_rows : (uint32_t)((count + columns - 1) / columns);
    grid.drawn = grid.hatched ? grid.columns * grid.rows - 1 : (uint32_t)count;
    grid.cell_width = (VMA_BAND_WIDTH - COLUMN_GAP * (int64_t)(grid.columns - 1)) / grid.columns;
    grid.cell_height = (height - ROW_GAP * (int64_t)(grid.rows - 1)) / grid.rows;
    return grid;
}

/* Finds the place of a cell. Cells are filled downward, column by column. */
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

static struct bar make_bar(const struct vma_painter *painter, const struct grid *grid,
                           uint32_t cell, uint64_t size, uint64_t biggest)
{
    struct bar bar = {.height = grid->cell_height, .size = size};

    cell_place(grid, cell, &bar.x, &bar.y);
    if (painter->scale == VMA_SCALE_BLOCK)
        biggest = size;
    else if (painter->scale == VMA_SCALE_FRAME)
        biggest = painter->biggest;
    bar.width = vma_part_of(size, biggest, (uint64_t)grid->cell_width);
    if (bar.width < MIN_BAR)
        bar.width = MIN_BAR;
    return bar;
}

/* Writes a line if all of it, or at least `min` characters, are visible. */
static void write_whole_or(struct vma_painter *painter, int64_t x, int64_t y, int64_t room,
                           uint8_t colour, const char *line, size_t min)
{
    if (font_width(font_cells(line, strlen(line))) <= room || (min > 0 && font_width(min) <= room))
        vma_paint_line(painter, x, y, room, colour, line);
}

/* Returns whether a part of a bar has room for any text. */
static bool takes_label(const struct bar *bar, int64_t width)
{
    return bar->height >= MIN_LABELLED && width >= FONT_WIDTH + 2 * LABEL_INSET;
}

/*
 * Writes name (cut to fit) and size inside a part of a bar, for which takes_label() must be true.
 */
static void label_part(struct vma_painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       const char *name, const char *size, uint8_t colour)
{
    bool named = name[0] != '\0';
    bool two = bar->height >= TWO_LINES && named;
    int64_t y = bar->y + (bar->height - (two ? 2 * FONT_HEIGHT + 2 : FONT_HEIGHT)) / 2;

    x += LABEL_INSET;
    width -= 2 * LABEL_INSET - 1;
    if (named)
        write_whole_or(painter, x, y, width, colour, name, MIN_NAME);
    /* A number must not be cut, as it would be another number. */
    if (two || !named)
        write_whole_or(painter, x, two ? y + FONT_HEIGHT + 2 : y, width, colour, size, 0);
}

/* User data and size of an allocation. */
static void label_used(struct vma_painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       const struct vma_allocation *allocation)
{
    char name[VMA_LINE_ROOM] = "", size[VMA_SIZE_ROOM];

    if (allocation->string)
        vma_plain_text(painter->allocator->data + allocation->user, allocation->user_length, name,
                       sizeof(name));
    else if (allocation->user != 0)
        snprintf(name, sizeof(name), "0x%" PRIx64, allocation->user);
    vma_size_text(allocation->size, size);
    label_part(painter, bar, x, width, name, size, VMA_COLOUR_TEXT);
}

static void draw_used(struct vma_painter *painter, const struct bar *bar, int64_t x, int64_t width,
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

static void label_free(struct vma_painter *painter, const struct bar *bar, int64_t x, int64_t width,
                       uint64_t bytes)
{
    char size[VMA_SIZE_ROOM], name[VMA_SIZE_ROOM + 8];

    vma_size_text(bytes, size);
    snprintf(name, sizeof(name), "free %s", size);
    label_part(painter, bar, x, width, "", name, VMA_COLOUR_FAINT);
}

static void draw_block(struct vma_painter *painter, const struct bar *bar,
                       const struct vma_block *block)
{
    const struct vma_allocator *allocator = painter->allocator;

    canvas_fill(painter->canvas, bar->x, bar->y, bar->width, bar->height, VMA_COLOUR_FREE);
    for (uint32_t index = block->first_range; index != VMA_NONE;
         index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);
        int64_t begin = vma_part_of(range->offset, bar->size, (uint64_t)bar->width);
        int64_t end = vma_part_of(range->offset + range->size, bar->size, (uint64_t)bar->width);

        if (range->allocation != VMA_NONE) {
            /* A range at the very end of the bar must remain visible. */
            if (begin == end && begin == bar->width)
                begin--;
            draw_used(painter, bar, bar->x + begin, end - begin,
                      vma_allocation(allocator, range->allocation));
        } else {
            /* Free nodes of buddy blocks may be next to each other. */
            if (range->previous != VMA_NONE &&
                vma_range(allocator, range->previous)->allocation == VMA_NONE)
                canvas_fill(painter->canvas, bar->x + begin, bar->y, 1, bar->height,
                            VMA_COLOUR_OUTLINE);
            if (takes_label(bar, end - begin))
                label_free(painter, bar, bar->x + begin, end - begin, range->size);
        }
    }
}

static void draw_last_cell(struct vma_painter *painter, const struct grid *grid)
{
    int64_t x, y;

    if (!grid->hatched)
        return;
    cell_place(grid, grid->drawn, &x, &y);
    canvas_hatch(painter->canvas, x, y, grid->cell_width, grid->cell_height, VMA_COLOUR_TEXT);
}

/*
 * Returns the step of a ruler: a power of two, chosen so that there is room for a size at each
 * tick.
 */
static uint64_t tick_step(uint64_t biggest, int64_t width)
{
    uint64_t step = 1;

    while (step <= biggest / 2 && vma_part_of(step, biggest, (uint64_t)width) < TICK_GAP)
        step *= 2;
    return step;
}

/* Draws the ruler of one column: ticks from 0 on, and sizes where they fit. */
static void draw_ticks(struct vma_painter *painter, int64_t x, int64_t y, int64_t width,
                       uint64_t biggest)
{
    uint64_t step = tick_step(biggest, width), ticks = biggest / step;
    char size[VMA_SIZE_ROOM];

    canvas_fill(painter->canvas, x, y, width, 1, VMA_COLOUR_GRID);
    for (uint64_t tick = 0; tick <= ticks; tick++) {
        int64_t at = vma_part_of(tick * step, biggest, (uint64_t)width - 1);

        canvas_fill(painter->canvas, x + at, y, 1, TICK_HEIGHT, VMA_COLOUR_OUTLINE);
        vma_size_text(tick * step, size);
        if (tick > 0 && (int64_t)font_width(strlen(size)) > at)
            continue;
        at -= tick == 0 ? 0 : (int64_t)font_width(strlen(size)) / (tick * step == biggest ? 1 : 2);
        if (at + (int64_t)font_width(strlen(size)) <= width)
            vma_paint_line(painter, x + at, y + TICK_HEIGHT + 1, width - at, VMA_COLOUR_FAINT,
                           size);
    }
}

/* Draws the ruler below a grid whose bars have one scale. Each column has its own zero. */
static void draw_ruler(struct vma_painter *painter, const struct grid *grid, int64_t y,
                       uint64_t biggest)
{
    if (painter->scale == VMA_SCALE_BLOCK)
        return;
    if (painter->scale == VMA_SCALE_FRAME)
        biggest = painter->biggest;
    for (uint32_t column = 0; column < grid->columns && grid->cell_width >= TICK_GAP; column++)
        draw_ticks(painter, grid->x + (int64_t)column * (grid->cell_width + COLUMN_GAP), y,
                   grid->cell_width, biggest);
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

uint64_t vma_paint_blocks(struct vma_painter *painter, const struct vma_vector *vector,
                          int64_t height)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t biggest = biggest_of(allocator, vector);
    uint32_t index = vector->first_block;
    struct grid grid;

    grid = make_grid(VMA_MAP_MARGIN, painter->y, height, vector->count);
    for (uint32_t cell = 0; cell < grid.drawn; cell++) {
        const struct vma_block *block = vma_block(allocator, index);
        struct bar bar = make_bar(painter, &grid, cell, block->size, biggest);

        draw_block(painter, &bar, block);
        index = block->next;
    }
    draw_last_cell(painter, &grid);
    draw_ruler(painter, &grid, painter->y + height, biggest);
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

uint64_t vma_paint_dedicated(struct vma_painter *painter, uint32_t type, int64_t height)
{
    const struct vma_allocator *allocator = painter->allocator;
    uint64_t count = allocator->types[type].tally.dedicated;
    uint64_t biggest = biggest_dedicated(allocator, type);
    uint32_t index = allocator->types[type].first_dedicated;
    struct grid grid;

    grid = make_grid(VMA_MAP_MARGIN, painter->y, height, count);
    for (uint32_t cell = 0; cell < grid.drawn; cell++) {
        const struct vma_allocation *allocation = vma_allocation(allocator, index);
        struct bar bar = make_bar(painter, &grid, cell, allocation->size, biggest);

        draw_used(painter, &bar, bar.x, bar.width, allocation);
        index = allocation->next;
    }
    draw_last_cell(painter, &grid);
    draw_ruler(painter, &grid, painter->y + height, biggest);
    return count - grid.drawn;
}

uint64_t vma_biggest_of_all(const struct vma_allocator *allocator)
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

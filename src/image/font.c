#include "image/font.h"

#include "base/utf8.h"

#include <stdbool.h>

/* One cell of a text: a character, and what stands on it. */
struct cell {
    uint32_t point;
    enum font_mark mark;
};

/* The character that a text begins with: its length. What is none, or not printable, is `?`. */
static size_t next_character(const char *text, size_t length, uint32_t *point)
{
    size_t taken = utf8_decode((const uint8_t *)text, length, point);

    if (taken == 0 || !utf8_printable(*point))
        *point = '?';
    return taken > 0 ? taken : 1;
}

/* The cell that a text begins with: its length. */
static size_t next_cell(const char *text, size_t length, struct cell *cell)
{
    size_t taken = next_character(text, length, &cell->point), more = 0;
    uint32_t point = 0;

    cell->mark = FONT_NO_MARK;
    for (; taken < length; taken += more) {
        more = next_character(text + taken, length - taken, &point);
        if (!font_is_combining(point))
            break;
        if (cell->mark == FONT_NO_MARK)
            cell->mark = font_find_mark(point);
    }
    return taken;
}

size_t font_cells(const char *text, size_t length)
{
    struct cell cell;
    size_t cells = 0;

    for (size_t taken = 0; taken < length; cells++)
        taken += next_cell(text + taken, length - taken, &cell);
    return cells;
}

static void draw_cell(struct canvas *canvas, int64_t x, int64_t y, const struct cell *cell,
                      uint8_t colour)
{
    struct font_glyph glyph;

    font_find_glyph(cell->point, cell->mark, &glyph);
    for (unsigned row = 0; row < FONT_HEIGHT; row++)
        for (unsigned column = 0; column < FONT_WIDTH; column++)
            if ((glyph.rows[row] & 1U << (FONT_WIDTH - 1 - column)) != 0)
                canvas_dot(canvas, x + column, y + row, colour);
}

uint32_t font_draw(struct canvas *canvas, int64_t x, int64_t y, int64_t room, const char *text,
                   size_t length, uint8_t colour)
{
    size_t fitting = room < FONT_WIDTH ? 0 : ((size_t)room - FONT_WIDTH) / FONT_ADVANCE + 1;
    size_t drawn = 0;
    struct cell cell;

    for (size_t taken = 0; taken < length && drawn < fitting; drawn++) {
        taken += next_cell(text + taken, length - taken, &cell);
        draw_cell(canvas, x + (int64_t)drawn * FONT_ADVANCE, y, &cell, colour);
    }
    return font_width(drawn);
}

/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/buffers.h"

#include "formats/psx/gpu/scanout.h"

#include <stdlib.h>

enum {
    NEAR = 16,   /* frames that are looked at before and after a frame */
    BESIDE = 16, /* columns or lines beside a display that belong to its buffer, too */
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How far a buffer extends beyond its display towards lower coordinates. */
static int slack(int start, int distance, int size)
{
    return distance == 0 ? smaller(start, BESIDE) : smaller(start, distance - size);
}

static void place_buffer(struct psx_buffers *buffers, unsigned i, int x, int y, int width,
                         int height)
{
    buffers->screen[i] = (struct psx_range){x, y, x + width, y + height};
}

/*
 * Places both buffers: they begin at the same distance before their displays. Along an axis in
 * which the displays do not overlap, the second buffer begins where the first one ends.
 */
static void place_parts(struct psx_buffers *buffers, int width, int height)
{
    const struct psx_range *low = &buffers->screen[0], *high = &buffers->screen[1];
    int dx = abs(high->x0 - low->x0), dy = abs(high->y0 - low->y0);
    int left = slack(smaller(low->x0, high->x0), dx >= width ? dx : 0, width);
    int above = slack(smaller(low->y0, high->y0), dy >= height ? dy : 0, height);
    int columns = dx >= width ? dx : width + left + BESIDE;
    int lines = dy >= height ? dy : height + above + BESIDE;

    for (unsigned i = 0; i < 2; i++) {
        const struct psx_range *screen = &buffers->screen[i];

        buffers->part[i] =
            (struct psx_range){screen->x0 - left, screen->y0 - above, screen->x0 - left + columns,
                               screen->y0 - above + lines};
    }
}

void psx_buffers_of(const struct psx_display *display, const struct psx_display *other,
                    struct psx_buffers *out)
{
    struct psx_screen one, two;
    int width, height, dx, dy;
    bool second;

    *out = (struct psx_buffers){0};
    psx_display_screen(display, &one);
    psx_display_screen(other, &two);
    if (one.off || one.empty || one.woven)
        return;
    width = (int)psx_scanout_columns(&one);
    height = (int)one.height;
    dx = (int)one.x - (int)two.x;
    dy = (int)one.y - (int)two.y;
    if (abs(dx) < width && abs(dy) < height)
        return;
    second = dy > 0 || (dy == 0 && dx > 0);
    place_buffer(out, second, (int)one.x, (int)one.y, width, height);
    place_buffer(out, !second, (int)two.x, (int)two.y, width, height);
    place_parts(out, width, height);
    out->swapped = second;
}

static bool is_other(const struct psx_display *display, const struct psx_display *other)
{
    return other->start != display->start && other->x == display->x && other->y == display->y &&
           other->mode == display->mode && !other->off;
}

void psx_buffers_find(const struct psx_index *index, uint64_t frame, struct psx_buffers *out)
{
    const struct psx_display *display = &index->frames[frame].display;
    uint64_t count = index->frame_count;

    *out = (struct psx_buffers){0};
    for (uint64_t i = 1; i <= NEAR; i++) {
        const struct psx_display *before = i <= frame ? &index->frames[frame - i].display : NULL;
        const struct psx_display *behind =
            i < count - frame ? &index->frames[frame + i].display : NULL;

        if (before != NULL && is_other(display, before))
            psx_buffers_of(display, before, out);
        else if (behind != NULL && is_other(display, behind))
            psx_buffers_of(display, behind, out);
        else
            continue;
        return;
    }
}

static bool is_within(const struct psx_range *range, int x, int y, int width, int height)
{
    return x >= range->x0 && y >= range->y0 && x + width <= range->x1 && y + height <= range->y1;
}

static bool meets(const struct psx_range *range, int x, int y, int width, int height)
{
    return x < range->x1 && y < range->y1 && x + width > range->x0 && y + height > range->y0;
}

/*
 * Returns the buffer that contains a rectangle, if some of the rectangle is on its display, or -1
 * if there is none.
 */
static int buffer_of(const struct psx_buffers *buffers, int x, int y, int width, int height)
{
    for (int i = 0; i < 2; i++)
        if (is_within(&buffers->part[i], x, y, width, height) &&
            meets(&buffers->screen[i], x, y, width, height))
            return i;
    return -1;
}

static bool is_in_part(const struct psx_buffers *buffers, int x, int y)
{
    return is_within(&buffers->part[0], x, y, 1, 1) || is_within(&buffers->part[1], x, y, 1, 1);
}

/* Moves a point in either buffer to the same place in the other one. */
static void move(const struct psx_buffers *buffers, int *x, int *y)
{
    for (unsigned i = 0; i < 2; i++)
        if (is_within(&buffers->part[i], *x, *y, 1, 1)) {
            *x += buffers->part[!i].x0 - buffers->part[i].x0;
            *y += buffers->part[!i].y0 - buffers->part[i].y0;
            return;
        }
}

/* For E3, E4 and GP1(05): 10 bits of x, then `y_bits` of y. */
static uint32_t move_corner(const struct psx_buffers *buffers, uint32_t word, uint32_t y_bits)
{
    int x = (int)(word & 0x3FF), y = (int)(word >> 10 & y_bits);

    move(buffers, &x, &y);
    return (word & ~(0x3FF | y_bits << 10)) | ((uint32_t)x & 0x3FF) | ((uint32_t)y & y_bits) << 10;
}

static uint32_t move_offset(const struct psx_buffers *buffers, uint32_t word)
{
    int x = psx_sign11(word), y = psx_sign11(word >> 11);

    move(buffers, &x, &y);
    return (word & ~UINT32_C(0x3FFFFF)) | ((uint32_t)x & 0x7FF) | ((uint32_t)y & 0x7FF) << 11;
}

/* Moves the place of a rectangle, which is a word of its own; the size is in another word. */
static void move_place(const struct psx_buffers *buffers, uint32_t *place, int width, int height,
                       uint32_t lines)
{
    uint32_t y_bits = lines - 1;
    int x = (int)(*place & 0x3FF), y = (int)(*place >> 16 & y_bits);

    if (buffer_of(buffers, x, y, width, height) < 0)
        return;
    move(buffers, &x, &y);
    *place = (*place & ~(0x3FF | y_bits << 16)) | (uint32_t)x | ((uint32_t)y & y_bits) << 16;
}

/*
 * Moves the drawing area, which belongs to a buffer if both corners do. `word` is the command's
 * first word.
 */
static void move_area(const struct psx_buffers *buffers, struct psx_registers *registers,
                      uint32_t *word)
{
    struct psx_area area = psx_registers_area(registers);
    bool first = is_in_part(buffers, area.x0, area.y0);
    bool last = is_in_part(buffers, area.x1, area.y1);

    if ((*word >> 24 == 0xE3 && last) || (*word >> 24 == 0xE4 && first))
        *word = move_corner(buffers, *word, 0x3FF);
    if (!first || !last)
        return;
    registers->e[3] = move_corner(buffers, registers->e[3], 0x3FF);
    registers->e[4] = move_corner(buffers, registers->e[4], 0x3FF);
}

static void move_operands(const struct psx_buffers *buffers, struct psx_gp0_event *event,
                          const struct psx_registers *registers)
{
    uint32_t lines = psx_display_lines(&registers->display);
    uint32_t *words = event->words;
    struct psx_draw draw;

    psx_draw_decode(event, registers, &draw);
    switch (draw.kind) {
    case GP0_COPY:
        move_place(buffers, &words[1], (int)draw.width, (int)draw.height, lines);
        move_place(buffers, &words[2], (int)draw.width, (int)draw.height, lines);
        break;
    case GP0_FILL:
    case GP0_UPLOAD:
    case GP0_READ:
        move_place(buffers, &words[1], (int)draw.width, (int)draw.height, lines);
        break;
    case GP0_ENVIRONMENT:
        if (words[0] >> 24 == 0xE5)
            words[0] = move_offset(buffers, words[0]);
        break;
    default:
        break;
    }
}

void psx_buffers_gp0(const struct psx_buffers *buffers, struct psx_gp0_event *event,
                     struct psx_registers *registers, struct psx_box *polyline)
{
    int x, y, from_x, from_y;

    if (!buffers->swapped)
        return;
    move_operands(buffers, event, registers);
    move_area(buffers, registers, &event->words[0]);
    psx_registers_offset(registers, &from_x, &from_y);
    registers->e[5] = move_offset(buffers, registers->e[5]);
    psx_registers_offset(registers, &x, &y);
    polyline->x += x - from_x;
    polyline->y += y - from_y;
}

uint32_t psx_buffers_gp1(const struct psx_buffers *buffers, uint32_t word)
{
    if (!buffers->swapped || (word >> 24 & 0x3F) != 5)
        return word;
    return move_corner(buffers, word, 0x3FF);
}

/* SPDX-License-Identifier: MIT */
/*
 * Drawing for maps and charts: rectangles, lines and text in a small palette, one byte per pixel.
 * Everything is clipped to the canvas. A canvas belongs to one thread at a time. The only font is a
 * bitmap, readable at the size of a caption. It has the characters of Western and Central European
 * languages, and a box for all others.
 */
#ifndef GPUDUMPFS_IMAGE_CANVAS_H
#define GPUDUMPFS_IMAGE_CANVAS_H

#include "image/picture.h"

#include <stddef.h>
#include <stdint.h>

struct canvas {
    uint32_t width, height;
    uint8_t *pixels; /* rows from the top, `width` bytes each: indexes of colours */
};

/*
 * Makes a canvas of one colour. Returns 0, -EINVAL for a size that no picture can have, or -ENOMEM.
 */
int canvas_init(struct canvas *canvas, uint32_t width, uint32_t height, uint8_t colour);
void canvas_clear(struct canvas *canvas);

/* Fills a rectangle. Coordinates may be anywhere; sizes below 1 draw nothing. */
void canvas_fill(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                 uint8_t colour);

/* Draws the outline of a rectangle, one pixel thick, inside it. */
void canvas_outline(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                    uint8_t colour);

/* Draws diagonal stripes over a rectangle. */
void canvas_hatch(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                  uint8_t colour);

/* Draws one pixel. */
void canvas_dot(struct canvas *canvas, int64_t x, int64_t y, uint8_t colour);

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 8,  /* the eighth row is below the baseline */
    FONT_ADVANCE = 6, /* from one character to the next */
};

/*
 * Draws UTF-8 text with its upper left corner at (x, y), as many characters as fit into `room`
 * pixels. Invalid UTF-8 and unprintable characters are drawn as `?`, and characters that the font
 * does not have as a box. Returns the width drawn.
 */
uint32_t font_draw(struct canvas *canvas, int64_t x, int64_t y, int64_t room, const char *text,
                   size_t length, uint8_t colour);

/*
 * Returns how many cells font_draw() uses. A combining mark is in the cell of the character before
 * it.
 */
size_t font_cells(const char *text, size_t length);

/* Returns the width of this many characters. */
static inline uint32_t font_width(size_t cells)
{
    return cells == 0 ? 0 : (uint32_t)(cells * FONT_ADVANCE - (FONT_ADVANCE - FONT_WIDTH));
}

#endif

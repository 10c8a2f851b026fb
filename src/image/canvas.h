/* SPDX-License-Identifier: MIT */
/*
 * Drawing for maps and charts: rectangles, lines and text in a palette of few
 * colours, one byte a pixel. Everything is clipped to the canvas. A canvas belongs
 * to one thread at a time. The one font is a bitmap, readable at the size of a caption; it has
 * the characters of Western and Central European languages, and boxes for all others.
 */
#ifndef GPUDUMPFS_IMAGE_CANVAS_H
#define GPUDUMPFS_IMAGE_CANVAS_H

#include "image/picture.h"

#include <stddef.h>
#include <stdint.h>

struct canvas {
    uint32_t width, height;
    uint8_t *pixels; /* rows from the top, width bytes each: indexes of colours */
};

/* A canvas of one colour. 0, -EINVAL for a size that no picture has, -ENOMEM. */
int canvas_init(struct canvas *canvas, uint32_t width, uint32_t height, uint8_t colour);
void canvas_clear(struct canvas *canvas);

/* A filled rectangle. Coordinates may lie anywhere; sizes below 1 draw nothing. */
void canvas_fill(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                 uint8_t colour);

/* The outline of a rectangle, one pixel thick, inside it. */
void canvas_outline(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                    uint8_t colour);

/* Diagonal stripes over a rectangle. */
void canvas_hatch(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                  uint8_t colour);

/* One pixel. */
void canvas_dot(struct canvas *canvas, int64_t x, int64_t y, uint8_t colour);

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 8,  /* the eighth row is below the base line */
    FONT_ADVANCE = 6, /* from one character to the next */
};

/*
 * Draws UTF-8 with its upper left corner at (x, y), as many characters as fit in `room`
 * pixels. Bytes that are no UTF-8 and what is not printable are drawn as `?`, a character
 * that the font does not have as a box. Returns the width drawn.
 */
uint32_t font_draw(struct canvas *canvas, int64_t x, int64_t y, int64_t room, const char *text,
                   size_t length, uint8_t colour);

/* How many characters font_draw() shows side by side: marks stand on the one before them. */
size_t font_cells(const char *text, size_t length);

/* The width of so many characters. */
static inline uint32_t font_width(size_t cells)
{
    return cells == 0 ? 0 : (uint32_t)(cells * FONT_ADVANCE - (FONT_ADVANCE - FONT_WIDTH));
}

#endif

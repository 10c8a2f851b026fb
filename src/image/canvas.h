/*
 * Drawing for maps and charts: rectangles, lines and text in a palette of few
 * colours, one byte a pixel. Everything is clipped to the canvas. A canvas belongs
 * to one thread at a time.
 */
#ifndef GPUDUMPFS_IMAGE_CANVAS_H
#define GPUDUMPFS_IMAGE_CANVAS_H

#include "image/picture.h"

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

#endif

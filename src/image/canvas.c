/* SPDX-License-Identifier: MIT */
#include "image/canvas.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HATCH_STEP = 4 };

int canvas_init(struct canvas *canvas, uint32_t width, uint32_t height, uint8_t colour)
{
    *canvas = (struct canvas){.width = width, .height = height};
    if (width == 0 || width > PICTURE_MAX || height == 0 || height > PICTURE_MAX)
        return -EINVAL;
    canvas->pixels = malloc((size_t)width * height);
    if (canvas->pixels == NULL)
        return -ENOMEM;
    memset(canvas->pixels, colour, (size_t)width * height);
    return 0;
}

void canvas_clear(struct canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (struct canvas){0};
}

/* Clips [begin, begin + length) to [0, size). */
static void clip(int64_t *begin, int64_t *length, uint32_t size)
{
    int64_t end;

    /* Far outside: avoids overflow below. */
    if (*length <= 0 || *begin >= size || *begin <= INT64_MIN / 2) {
        *length = 0;
        return;
    }
    end = *length > (int64_t)size - *begin ? (int64_t)size : *begin + *length;
    if (*begin < 0)
        *begin = 0;
    *length = end - *begin;
}

void canvas_fill(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                 uint8_t colour)
{
    clip(&x, &width, canvas->width);
    clip(&y, &height, canvas->height);
    if (width <= 0)
        return;
    for (; height > 0; height--, y++)
        memset(canvas->pixels + (size_t)y * canvas->width + (size_t)x, colour, (size_t)width);
}

void canvas_outline(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                    uint8_t colour)
{
    if (width <= 0 || height <= 0)
        return;
    canvas_fill(canvas, x, y, width, 1, colour);
    canvas_fill(canvas, x, y + height - 1, width, 1, colour);
    canvas_fill(canvas, x, y, 1, height, colour);
    canvas_fill(canvas, x + width - 1, y, 1, height, colour);
}

void canvas_hatch(struct canvas *canvas, int64_t x, int64_t y, int64_t width, int64_t height,
                  uint8_t colour)
{
    clip(&x, &width, canvas->width);
    clip(&y, &height, canvas->height);
    for (int64_t row = y; row < y + height; row++)
        for (int64_t column = x; column < x + width; column++)
            if ((row + column) % HATCH_STEP == 0)
                canvas->pixels[(size_t)row * canvas->width + (size_t)column] = colour;
}

void canvas_dot(struct canvas *canvas, int64_t x, int64_t y, uint8_t colour)
{
    if (x >= 0 && x < canvas->width && y >= 0 && y < canvas->height)
        canvas->pixels[(size_t)y * canvas->width + (size_t)x] = colour;
}

/*
 * The one bitmap font: five pixels wide and eight high with one for descenders, readable
 * at the size of a caption. It has the characters of Western and Central European languages;
 * others are boxes. Pure data, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_FONT_H
#define GPUDUMPFS_IMAGE_FONT_H

#include "image/canvas.h"
#include "image/font_glyphs.h"

#include <stddef.h>

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

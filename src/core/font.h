/*
 * The one bitmap font: printable ASCII, five pixels wide and eight high with one
 * for descenders, readable at the size of a caption. Pure data, any thread.
 */
#ifndef GPUDUMPFS_CORE_FONT_H
#define GPUDUMPFS_CORE_FONT_H

#include "core/canvas.h"

#include <stddef.h>

enum {
    FONT_WIDTH = 5,
    FONT_HEIGHT = 8,  /* the eighth row is below the base line */
    FONT_ADVANCE = 6, /* from one character to the next */
};

/*
 * Draws bytes with their upper left corner at (x, y), as many as fit in `room`
 * pixels; what is no printable ASCII is drawn as `?`. Returns the width drawn.
 */
uint32_t font_draw(struct canvas *canvas, int64_t x, int64_t y, int64_t room, const char *text,
                   size_t length, uint8_t colour);

/* The width of so many characters. */
static inline uint32_t font_width(size_t length)
{
    return length == 0 ? 0 : (uint32_t)(length * FONT_ADVANCE - (FONT_ADVANCE - FONT_WIDTH));
}

#endif

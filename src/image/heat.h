/* SPDX-License-Identifier: MIT */
/*
 * Numbers as colours that grow warmer, and never darker, with a strip that tells what they mean:
 * how often pixels were written, or what that cost. Constant but for canvases; any thread.
 */
#ifndef GPUDUMPFS_IMAGE_HEAT_H
#define GPUDUMPFS_IMAGE_HEAT_H

#include "image/canvas.h"

enum { HEATS = 14 };

/* From `min` on, up to the next row. */
struct heat {
    uint16_t min;
    uint8_t rgb[3];
    const char *label;
};

struct heat_scale {
    const char *title;
    struct heat heats[HEATS];
};

/* How often a pixel was written. */
extern const struct heat_scale heat_writes;

/* Three bytes. */
const uint8_t *heat_colour(const struct heat_scale *scale, unsigned value);

/* The strip of all colours, of a width: how many lines it has, one below the other. */
uint32_t heat_legend_lines(uint32_t width);
/* Draws it. As canvas_init(). */
int heat_legend_init(const struct heat_scale *scale, uint32_t width, struct canvas *legend);
/* What a pixel of that canvas means: three bytes. */
const uint8_t *heat_legend_colour(const struct heat_scale *scale, uint8_t colour);

#endif

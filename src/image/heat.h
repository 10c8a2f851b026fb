/* SPDX-License-Identifier: MIT */
/*
 * Shows numbers as colours that get warmer and never darker, with a legend strip: how often pixels
 * were written, or what that cost. Everything is constant except canvases; any thread.
 */
#ifndef GPUDUMPFS_IMAGE_HEAT_H
#define GPUDUMPFS_IMAGE_HEAT_H

#include "image/canvas.h"

enum { HEATS = 14 };

/* A colour for values from `min` up to the `min` of the next row. */
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

/* Returns the colour of a value: three bytes. */
const uint8_t *heat_colour(const struct heat_scale *scale, unsigned value);

/* Returns the height in pixels of the legend for a given width: it has one or more rows. */
uint32_t heat_legend_lines(uint32_t width);
/* Draws the legend. Returns as canvas_init(). */
int heat_legend_init(const struct heat_scale *scale, uint32_t width, struct canvas *legend);
/* Returns what a pixel of the legend's canvas means: three bytes. */
const uint8_t *heat_legend_colour(const struct heat_scale *scale, uint8_t colour);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Charts over the frames of a recording: strips of stacked areas above one axis of frames (vma.md
 * 4.7). This only draws; the caller provides the values. For the thread that draws.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_CHARTS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_CHARTS_H

#include "image/canvas.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VMA_CHART_MARGIN = 8,
    VMA_CHART_AXIS = 72, /* for the figures on the left */
    VMA_CHART_X = VMA_CHART_MARGIN + VMA_CHART_AXIS,
    VMA_CHART_ROW = 16,     /* height of a title, and of the axis of frames */
    VMA_CHART_CAPTION = 14, /* above a strip */
    VMA_CHART_GAP = 10,     /* below a strip */
};

/* A name in a legend. */
struct vma_chart_key {
    const char *name;
    uint8_t colour;
};

/*
 * A strip of a chart. A column stands for an equal part of the frames, and shows a stack of values.
 */
struct vma_strip {
    const char *caption;
    const uint64_t *values; /* column after column; in a column, from the lowest area up */
    const uint8_t *colours; /* one for each value of a column */
    unsigned series;        /* values in a column */
    int64_t height;
    bool numbers; /* the values are numbers, not bytes */
};

struct vma_chart {
    struct canvas *canvas;
    uint32_t columns;
    uint64_t frames;
    int64_t y; /* where the next part is drawn */
};

/* The next three functions draw at the chart's y, and move it below what they have drawn. */

/* Draws a line of text. */
void vma_chart_title(struct vma_chart *chart, const char *title);

/* Draws a line of colours and names. */
void vma_chart_legend(struct vma_chart *chart, const struct vma_chart_key *keys, unsigned count);

/* Draws a strip with its caption, scale and grid. */
void vma_chart_strip(struct vma_chart *chart, const struct vma_strip *strip);

/* Draws the axis of frames, with ticks at round numbers. */
void vma_chart_frames(struct vma_chart *chart);

/*
 * Draws the stacked areas alone, without scale, caption and gap, in a rectangle at `x` and the
 * chart's y. A column whose sum is `top` has the strip's full height.
 */
void vma_chart_areas(struct vma_chart *chart, const struct vma_strip *strip, int64_t x,
                     int64_t width, uint64_t top);

/* Returns the greatest sum of a column. */
uint64_t vma_strip_greatest(const struct vma_strip *strip, uint32_t columns);

#endif

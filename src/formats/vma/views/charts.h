/* SPDX-License-Identifier: MIT */
/*
 * Charts over the frames of a recording: strips of stacked areas above one axis of frames
 * (vma.md 4.7). Drawing alone: what the values are is the caller's. For the thread that draws.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_CHARTS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_CHARTS_H

#include "image/canvas.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VMA_CHART_MARGIN = 8,
    VMA_CHART_AXIS = 72, /* for the figures at the left */
    VMA_CHART_X = VMA_CHART_MARGIN + VMA_CHART_AXIS,
    VMA_CHART_ROW = 16,     /* height of a title, and of the axis of frames */
    VMA_CHART_CAPTION = 14, /* above a strip */
    VMA_CHART_GAP = 10,     /* below it */
};

/* A name in a legend. */
struct vma_chart_key {
    const char *name;
    uint8_t colour;
};

/* What one column, an equal part of the frames, shows of a strip. */
struct vma_strip {
    const char *caption;
    const uint64_t *values; /* of the columns one after the other; of each, from below */
    const uint8_t *colours; /* of the values of a column */
    unsigned series;        /* values of a column */
    int64_t height;
    uint64_t top; /* of the scale; 0: as the greatest column needs */
    bool numbers; /* they are no bytes */
};

struct vma_chart {
    struct canvas *canvas;
    uint32_t columns;
    uint64_t frames;
    int64_t y; /* of what is drawn next */
};

/* A line of text; a line of colours and names, and where it would end. */
void vma_chart_title(struct vma_chart *chart, const char *title);
void vma_chart_legend(struct vma_chart *chart, const struct vma_chart_key *keys, unsigned count);

void vma_chart_strip(struct vma_chart *chart, const struct vma_strip *strip);

/* The axis of frames, with ticks at round numbers. */
void vma_chart_frames(struct vma_chart *chart);

/*
 * The stacked areas alone, in a rectangle whose height is `top`: without scale, caption and gap.
 */
void vma_chart_areas(struct vma_chart *chart, const struct vma_strip *strip, int64_t x,
                     int64_t width, uint64_t top);

/* The greatest sum of a column. */
uint64_t vma_strip_greatest(const struct vma_strip *strip, uint32_t columns);

#endif

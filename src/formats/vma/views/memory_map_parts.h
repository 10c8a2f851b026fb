/* SPDX-License-Identifier: MIT */
/*
 * What the files of the memory map share (vma.md 4.5). memory_map.c draws what is above the lanes,
 * memory_lanes.c gives the lanes their heights and captions, and memory_bars.c fills a band with
 * bars. For the thread that draws.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_MEMORY_MAP_PARTS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_MEMORY_MAP_PARTS_H

#include "base/wide.h"
#include "formats/vma/views/views.h"
#include "image/canvas.h"

enum {
    VMA_MAP_MARGIN = 8,
    VMA_BAND_WIDTH = VMA_MAP_WIDTH - 2 * VMA_MAP_MARGIN,
    VMA_RULER_HEIGHT = 12, /* below the bars of a band: ticks and their sizes */
    VMA_LINE_ROOM = 256,
    /* Heights of captions, and of lanes with the lowest bands. */
    VMA_CAPTION_HEIGHT = 15,
    VMA_TYPE_HEIGHT = 80,
    VMA_POOL_HEIGHT = 46,
};

/* The state of drawing. */
struct vma_painter {
    struct canvas *canvas;
    const struct vma_replay *replay;
    const struct vma_allocator *allocator;
    enum vma_scale scale;
    uint64_t biggest; /* only for VMA_SCALE_FRAME */
    int64_t y;        /* of the current strip */
    int status;       /* 0, or -ENOMEM if a text is missing */
};

void vma_paint_line(struct vma_painter *painter, int64_t x, int64_t y, int64_t room, uint8_t colour,
                    const char *line);

/*
 * Writes bytes of the dump as one line of complete characters, with `?` for each that is not
 * printable, and a NUL. Returns the length.
 */
size_t vma_plain_text(const uint8_t *bytes, size_t length, char *line, size_t room);

/* Returns the share of `length` that `part` is of `whole`; 0 if `whole` is 0. */
static inline int64_t vma_part_of(uint64_t part, uint64_t whole, uint64_t length)
{
    return (int64_t)wide_share(part, whole, length);
}

/* Returns the ending of a noun after a number: "s", or "" if `count` is 1. */
const char *vma_plural(uint64_t count);

/* Returns how many percent of `whole` are used, rounded down. */
unsigned vma_fill_percent(uint64_t used, uint64_t whole);

/* Writes the names of flags into `line`, as many as fit in half of it; `-` if no flag is set. */
void vma_describe_flags(struct vma_painter *painter, const struct vma_enum *values, uint32_t flags,
                        char line[VMA_LINE_ROOM]);

/* Draws all lanes, from the painter's y to the end of the picture. */
void vma_paint_lanes(struct vma_painter *painter);

/*
 * Draws the blocks of a vector as bars in a band of `height` pixels at the painter's y. Below the
 * band, draws a ruler if all bars have one scale. There must be at least one block. Returns how
 * many are not drawn.
 */
uint64_t vma_paint_blocks(struct vma_painter *painter, const struct vma_vector *vector,
                          int64_t height);

/* Does the same for the dedicated allocations of a type. */
uint64_t vma_paint_dedicated(struct vma_painter *painter, uint32_t type, int64_t height);

/* Returns the size of the biggest block or dedicated allocation of a state, for VMA_SCALE_FRAME. */
uint64_t vma_biggest_of_all(const struct vma_allocator *allocator);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A state at the size of a thumbnail: a bar for each block and dedicated allocation, without text.
 */
#include "formats/vma/views/views.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { BAR_MIN = 6 /* minimum width, pixels */, GAP_FROM = 4, EDGE_FROM = 3 };

/*
 * For use beside dark pictures: unused memory is inconspicuous. Other colours are as in the maps.
 */
static const uint8_t ground[3] = {34, 37, 45}, unused[3] = {66, 71, 82};

struct bars {
    const struct vma_allocator *allocator;
    const struct cancel *cancel;
    struct canvas *canvas; /* NULL while bars are counted */
    uint64_t biggest;
    uint32_t count, at;
};

/* Returns where bar `at` begins, from the top. */
static int64_t top_of(const struct bars *bars, uint32_t at)
{
    return (int64_t)at * bars->canvas->height / bars->count;
}

/*
 * Returns the length of a bar, by the square root of the size: a block of a hundredth of the bytes
 * is still a tenth as long.
 */
static int64_t length_of(const struct bars *bars, uint64_t size)
{
    double part = sqrt((double)size / (double)bars->biggest);
    int64_t length = (int64_t)(part * bars->canvas->width);

    return length > BAR_MIN ? length : BAR_MIN;
}

static void draw_ranges(const struct bars *bars, const struct vma_block *block, int64_t y,
                        int64_t length, int64_t height)
{
    const struct vma_allocator *allocator = bars->allocator;

    for (uint32_t index = block->first_range; index != VMA_NONE;
         index = vma_range(allocator, index)->next) {
        const struct vma_range *range = vma_range(allocator, index);
        int64_t x = (int64_t)((double)range->offset / (double)block->size * (double)length);
        int64_t end = (int64_t)(((double)range->offset + (double)range->size) /
                                (double)block->size * (double)length);

        if (range->allocation == VMA_NONE || cancel_requested(bars->cancel))
            continue;
        canvas_fill(bars->canvas, x, y, end > x ? end - x : 1, height,
                    vma_allocation_colour(vma_allocation(allocator, range->allocation)));
        if (end - x >= EDGE_FROM)
            canvas_fill(bars->canvas, end - 1, y, 1, height, VMA_COLOUR_PAPER);
    }
}

/*
 * Counts or draws a bar, for either a block or a dedicated allocation. Bars that share a row of
 * pixels are drawn over each other.
 */
static void add_bar(struct bars *bars, const struct vma_block *block,
                    const struct vma_allocation *dedicated)
{
    uint64_t size = block != NULL ? block->size : dedicated->size;
    int64_t y, length, height;

    if (size == 0)
        return;
    if (bars->canvas == NULL) {
        bars->count++;
        bars->biggest = size > bars->biggest ? size : bars->biggest;
        return;
    }
    y = top_of(bars, bars->at++);
    height = top_of(bars, bars->at) - y;
    height = height >= GAP_FROM ? height - 1 : height > 0 ? height : 1;
    length = length_of(bars, size);
    canvas_fill(bars->canvas, 0, y, length, height,
                block != NULL ? (uint8_t)VMA_COLOUR_FREE : vma_allocation_colour(dedicated));
    if (block != NULL)
        draw_ranges(bars, block, y, length, height);
}

static void add_vector(struct bars *bars, const struct vma_vector *vector)
{
    for (uint32_t index = vector->first_block; index != VMA_NONE;
         index = vma_block(bars->allocator, index)->next)
        add_bar(bars, vma_block(bars->allocator, index), NULL);
}

static void add_all(struct bars *bars)
{
    const struct vma_allocator *allocator = bars->allocator;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        if (allocator->device->types[type].heap == VMA_NO_HEAP)
            continue;
        add_vector(bars, vma_vector(allocator, allocator->types[type].vector));
        for (uint32_t index = allocator->types[type].first_dedicated; index != VMA_NONE;
             index = vma_allocation(allocator, index)->next)
            add_bar(bars, NULL, vma_allocation(allocator, index));
    }
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        add_vector(bars, vma_vector(allocator, vma_pool(allocator, pool)->vector));
}

static int take_pixels(const struct canvas *canvas, struct picture_pixels *out)
{
    size_t count = (size_t)canvas->width * canvas->height;

    *out =
        (struct picture_pixels){canvas->width, canvas->height, PICTURE_RGB, memory_take(3 * count)};
    if (out->bytes == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        uint8_t colour = canvas->pixels[i];

        memcpy(out->bytes + 3 * i,
               colour == VMA_COLOUR_PAPER  ? ground
               : colour == VMA_COLOUR_FREE ? unused
                                           : vma_palette.colours[colour],
               3);
    }
    return 0;
}

int vma_small_map_draw(const struct vma_allocator *allocator, uint32_t width, uint32_t height,
                       const struct cancel *cancel, struct picture_pixels *out)
{
    struct bars bars = {.allocator = allocator, .cancel = cancel};
    struct canvas canvas;
    int status = canvas_init(&canvas, width, height, VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    add_all(&bars);
    bars.canvas = &canvas;
    if (bars.count > 0)
        add_all(&bars);
    status = cancel_requested(cancel) ? -EINTR : take_pixels(&canvas, out);
    canvas_clear(&canvas);
    return status;
}

int vma_frame_small(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                    const struct cancel *cancel, struct picture_pixels *out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        status = vma_small_map_draw(&replay->allocator, width, height, cancel, out);
    vma_give_back(vma, &replay);
    return status;
}

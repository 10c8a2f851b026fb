/*
 * What memory maps and the timeline share: colours by what they stand for, and sizes in
 * captions. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_DRAWING_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_DRAWING_H

#include "formats/vma/replay/allocator.h"
#include "image/picture.h"

enum vma_colour {
    VMA_COLOUR_PAPER,
    VMA_COLOUR_TEXT,  /* and marks, and what is too narrow to show */
    VMA_COLOUR_FAINT, /* secondary text */
    VMA_COLOUR_OUTLINE,
    VMA_COLOUR_GRID,
    VMA_COLOUR_FREE,
    VMA_COLOUR_UNKNOWN,
    VMA_COLOUR_BUFFER_VERTEX,
    VMA_COLOUR_BUFFER_STORAGE,
    VMA_COLOUR_BUFFER_UNIFORM,
    VMA_COLOUR_BUFFER_OTHER,
    VMA_COLOUR_IMAGE_DEPTH,
    VMA_COLOUR_IMAGE_ATTACHMENT,
    VMA_COLOUR_IMAGE_SAMPLED,
    VMA_COLOUR_IMAGE_OTHER,
    VMA_COLOUR_IMAGE_LINEAR,
    VMA_COLOUR_IMAGE_UNKNOWN,
    VMA_COLOUR_HEAP_BLOCKS, /* bars of heaps */
    VMA_COLOUR_HEAP_USED,
    VMA_COLOURS = 32, /* entries of the palette, the rest black */
};

extern const struct picture_palette vma_palette;

uint8_t vma_allocation_colour(const struct vma_allocation *allocation);

/* `1.5 GiB`, with a NUL; for captions. */
enum { VMA_SIZE_ROOM = 24 };
void vma_size_text(uint64_t bytes, char text[VMA_SIZE_ROOM]);

#endif

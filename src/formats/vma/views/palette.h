/*
 * The colours of maps and of the timeline, by what they stand for. Part of the
 * pictures; constant.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_PALETTE_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_PALETTE_H

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

#endif

/*
 * The memory map (vma.md 4.5): heaps, memory types, blocks and allocations of one
 * state as a picture. Its size is the same for every state of a recording, and
 * known from the line index. Pure functions of what they are given, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_MEMORY_MAP_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_MEMORY_MAP_H

#include "formats/vma/options.h"
#include "formats/vma/replay/replay.h"
#include "image/canvas.h"

enum { VMA_MAP_WIDTH = 1280 };

uint32_t vma_map_height(const struct vma_recording *recording);

/* Draws a state. The canvas is made here; 0, -EINVAL, -ENOMEM. */
int vma_map_draw(const struct vma_replay *replay, enum vma_scale scale, struct canvas *canvas);

#endif

/*
 * The timeline: how many bytes of each heap blocks and allocations held, over all
 * frames. What memory.tsv has, drawn. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_TIMELINE_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_TIMELINE_H

#include "core/canvas.h"
#include "formats/vma/replay/pass.h"

uint32_t vma_timeline_width(void);
uint32_t vma_timeline_height(const struct vma_recording *recording);

/* Draws all samples of a recording. The canvas is made here; 0, -EINVAL, -ENOMEM. */
int vma_timeline_draw(const struct vma_recording *recording, const struct vma_sample *samples,
                      struct canvas *canvas);

#endif

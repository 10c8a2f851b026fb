/*
 * frames.tsv, and info.txt of a frame (vma.md 4.2): from the lines and the index,
 * without the state. Answers of struct dump_ops, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_FRAMES_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_FRAMES_H

#include "formats/vma/dump.h"

int vma_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                    struct text *text);
int vma_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text);

#endif

/*
 * Pictures of the allocator's state: the memory map at the end of a frame and after a
 * packet (vma.md 4.5). Makers and sizes of rules, and answers of struct dump_ops; any
 * thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_PICTURES_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_PICTURES_H

#include "formats/vma/dump.h"

/* frames/NNNNNN.png. */
int vma_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);

/* after/BBBBB/NNNNNNNN.png; the key is the packet. */
int vma_after_png_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_after_png_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out);

#endif

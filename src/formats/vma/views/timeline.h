/*
 * timeline.png: how many bytes of each heap blocks and allocations held, over all
 * frames. What memory.tsv has, drawn. Maker and size of a rule, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_TIMELINE_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_TIMELINE_H

#include "formats/vma/dump.h"

int vma_timeline_size(struct dump *dump, uint64_t key, uint64_t *size);
int vma_timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

#endif

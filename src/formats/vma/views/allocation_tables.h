/*
 * Tables over the whole recording: allocations.tsv, also of one pool, leaks.txt and
 * pools/ (vma.md 4.3). They wait for the pass. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_ALLOCATION_TABLES_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_ALLOCATION_TABLES_H

#include "formats/vma/dump.h"

int vma_allocations_head(struct dump *dump, uint64_t key, struct text *text);
int vma_allocations_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_allocations_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

/* The rows of one pool; the key is its ordinal. */
int vma_pool_allocations_piece(struct dump *dump, uint64_t pool, uint64_t piece,
                               const struct cancel *cancel, struct text *text);

int vma_pool_info(struct dump *dump, uint64_t pool, const struct cancel *cancel, struct text *text);

int vma_leaks_write(struct dump *dump, const struct cancel *cancel, struct text *text);

#endif

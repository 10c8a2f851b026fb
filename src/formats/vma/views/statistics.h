/*
 * Texts of the allocator's state as files: JSON statistics, live allocations, budgets,
 * state.txt, and the memory table (vma.md 3.11, 4.3, 4.4). Makers and sizes of rules, and
 * answers of struct dump_ops; any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_STATISTICS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_STATISTICS_H

#include "formats/vma/dump.h"

/* state.txt. */
int vma_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);

/* Files of by-frame/NNNNNN/; the key is the frame. */
int vma_stats_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_stats_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct blob **out);
int vma_detailed_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_detailed_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int vma_live_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_live_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                  struct blob **out);
int vma_budget_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_budget_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct blob **out);

/* after/BBBBB/NNNNNNNN.json; the key is the packet. */
int vma_after_json_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_after_json_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                        struct blob **out);

/* Makes the sizes known of the state's texts: of a frame, of a packet's group. */
int vma_prepare_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel);
int vma_prepare_after(struct vma_dump *dump, uint64_t packet, const struct cancel *cancel);

/* memory.tsv */
int vma_memory_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      uint64_t *pieces);
int vma_memory_table_head(struct dump *dump, uint64_t key, struct text *text);
int vma_memory_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                     struct text *text);
int vma_memory_measure(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                       struct text *text);

#endif

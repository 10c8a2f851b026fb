/*
 * Texts of one state of the allocator: live.tsv, budget.txt, state.txt, and its row
 * of memory.tsv (vma.md 4.3). Those whose size is needed before they are read are
 * also measured without being written. Any thread, as long as the state stays as it is.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_TABLES_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_TABLES_H

#include "base/text.h"
#include "formats/vma/replay/replay.h"

/* live.tsv: every live and every lost allocation, by number. 0 or -ENOMEM. */
int vma_live_write(const struct vma_replay *replay, struct text *text);
uint64_t vma_live_length(const struct vma_replay *replay);

void vma_budget_write(const struct vma_allocator *allocator, struct text *text);
uint64_t vma_budget_length(const struct vma_allocator *allocator);

void vma_state_write(const struct vma_replay *replay, struct text *text);

/* memory.tsv: its header, and the row of the frame at whose end the state is. */
void vma_memory_head(const struct vma_device *device, struct text *text);
void vma_memory_write(const struct vma_replay *replay, struct text *text);
uint64_t vma_memory_length(const struct vma_replay *replay);

/* The column that shows user data: a string, a pointer, or nothing. */
void vma_user_data_write(const uint8_t *data, bool string, uint64_t value, uint32_t length,
                         struct text *text);

#endif

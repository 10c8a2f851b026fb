/*
 * What the files of the replay share: replay.c has the state and the walk over
 * packets, replay_allocations.c and replay_pools.c carry out the calls. A handler
 * trusts the call's values (their verdict was good) and nothing else.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_PARTS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_REPLAY_PARTS_H

#include "formats/vma/replay/replay.h"

/* Tells what is wrong with the current line. */
void vma_replay_complain(struct vma_replay *replay, enum problem_severity severity,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Tells when the current call has met one of the limits (vma.md 5). */
void vma_replay_limits(struct vma_replay *replay);

/* Tells when what was recorded has not happened: `status` is negative for a call that failed. */
void vma_replay_outcome(struct vma_replay *replay, int status, bool succeeded);

/* The current call's function. */
const char *vma_replay_function_name(const struct vma_replay *replay);

/* What a pointer names, or VMA_NONE with a complaint. */
uint32_t vma_replay_find_allocation(struct vma_replay *replay, uint64_t pointer);
uint32_t vma_replay_find_pool(struct vma_replay *replay, uint64_t pointer);

/* The same, and the pointer names nothing any more. */
uint32_t vma_replay_take_allocation(struct vma_replay *replay, uint64_t pointer);

/* Takes the next pointer of a list; false at its end. */
bool vma_replay_next_pointer(struct vma_slice *list, uint64_t *pointer);

/* The handlers. 0 or -ENOMEM. */
int vma_on_create_pool(struct vma_replay *replay);
int vma_on_destroy_pool(struct vma_replay *replay);
int vma_on_set_user_data(struct vma_replay *replay);
int vma_on_allocate(struct vma_replay *replay);
int vma_on_free(struct vma_replay *replay);
int vma_on_create_lost(struct vma_replay *replay);
int vma_on_map(struct vma_replay *replay);
int vma_on_unmap(struct vma_replay *replay);
int vma_on_touch(struct vma_replay *replay);
int vma_on_use(struct vma_replay *replay);
int vma_on_make_lost(struct vma_replay *replay);
int vma_on_allocate_pages(struct vma_replay *replay);
int vma_on_free_pages(struct vma_replay *replay);
int vma_on_defragmentation_begin(struct vma_replay *replay);
int vma_on_defragmentation_end(struct vma_replay *replay);
int vma_on_set_pool_name(struct vma_replay *replay);

#endif

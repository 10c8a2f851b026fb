/*
 * Items of one size in one growing array, named by their index: an allocator's
 * state is a handful of slabs, and a copy of it a handful of memcpy(). Index 0
 * is never taken. Not shared among threads.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_SLAB_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_SLAB_H

#include <stddef.h>
#include <stdint.h>

enum { VMA_NONE = 0 };

struct vma_slab {
    uint8_t *items;
    uint32_t item_size; /* at least 4 */
    uint32_t count;     /* items ever taken, and item 0 */
    uint32_t room;
    uint32_t vacant; /* first of the list of items given back */
    uint32_t used;   /* items in use */
};

void vma_slab_init(struct vma_slab *slab, size_t item_size);
void vma_slab_clear(struct vma_slab *slab);

/* Makes sure that `more` items can be taken. 0 or -ENOMEM. Moves the items. */
int vma_slab_reserve(struct vma_slab *slab, uint32_t more);

/* A zeroed item, room for which was reserved. */
uint32_t vma_slab_take(struct vma_slab *slab);
void vma_slab_give(struct vma_slab *slab, uint32_t index);

/* A copy with room for its items only; *out is overwritten. 0 or -ENOMEM. */
int vma_slab_copy(const struct vma_slab *slab, struct vma_slab *out);

static inline void *vma_slab_at(const struct vma_slab *slab, uint32_t index)
{
    return slab->items + (size_t)index * slab->item_size;
}

static inline size_t vma_slab_bytes(const struct vma_slab *slab)
{
    return (size_t)slab->count * slab->item_size;
}

#endif

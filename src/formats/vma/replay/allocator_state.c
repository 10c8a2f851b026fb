/* SPDX-License-Identifier: MIT */
/* Making, copying and ending a state of the allocator. */
#include "formats/vma/replay/allocator_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void vma_slab_init(struct vma_slab *slab, size_t item_size)
{
    *slab = (struct vma_slab){.item_size = (uint32_t)item_size, .count = 1};
}

void vma_slab_clear(struct vma_slab *slab)
{
    free(slab->items);
    vma_slab_init(slab, slab->item_size);
}

int vma_slab_reserve(struct vma_slab *slab, uint32_t more)
{
    uint32_t vacant = slab->count - 1 - slab->used;
    uint64_t needed = (uint64_t)slab->count + (more > vacant ? more - vacant : 0);
    uint64_t room = slab->room < FIRST_ROOM ? FIRST_ROOM : slab->room;
    uint8_t *items;

    if (needed <= slab->room)
        return 0;
    while (room < needed)
        room += room / 2;
    if (room > UINT32_MAX)
        return -ENOMEM;
    items = reallocarray(slab->items, room, slab->item_size);
    if (items == NULL)
        return -ENOMEM;
    if (slab->items == NULL)
        memset(items, 0, slab->item_size);
    slab->items = items;
    slab->room = (uint32_t)room;
    return 0;
}

uint32_t vma_slab_take(struct vma_slab *slab)
{
    uint32_t index = slab->vacant;

    slab->used++;
    if (index == VMA_NONE) {
        index = slab->count++;
        memset(vma_slab_at(slab, index), 0, slab->item_size);
        return index;
    }
    /* The item is zero except for the index of the next vacant item. */
    memcpy(&slab->vacant, vma_slab_at(slab, index), sizeof(slab->vacant));
    memset(vma_slab_at(slab, index), 0, sizeof(slab->vacant));
    return index;
}

void vma_slab_give(struct vma_slab *slab, uint32_t index)
{
    memset(vma_slab_at(slab, index), 0, slab->item_size);
    memcpy(vma_slab_at(slab, index), &slab->vacant, sizeof(slab->vacant));
    slab->vacant = index;
    slab->used--;
}

int vma_slab_copy(const struct vma_slab *slab, struct vma_slab *out)
{
    uint8_t *items = NULL;

    if (slab->items != NULL) {
        items = malloc(vma_slab_bytes(slab));
        if (items == NULL)
            return -ENOMEM;
        memcpy(items, slab->items, vma_slab_bytes(slab));
    }
    *out = *slab;
    out->items = items;
    out->room = items == NULL ? 0 : slab->count;
    return 0;
}

/* All slabs of a state, so that no function forgets one. */
static const size_t slab_offsets[] = {
    offsetof(struct vma_allocator, ranges),   offsetof(struct vma_allocator, allocations),
    offsetof(struct vma_allocator, blocks),   offsetof(struct vma_allocator, vectors),
    offsetof(struct vma_allocator, pools),    offsetof(struct vma_allocator, levels),
    offsetof(struct vma_allocator, contexts), offsetof(struct vma_allocator, members),
};

enum { SLABS = sizeof(slab_offsets) / sizeof(slab_offsets[0]) };

static struct vma_slab *slab(const struct vma_allocator *allocator, size_t i)
{
    return (struct vma_slab *)(void *)((char *)(uintptr_t)allocator + slab_offsets[i]);
}

int vma_allocator_init(struct vma_allocator *allocator, const struct vma_allocator_params *params)
{
    int status = 0;

    *allocator = (struct vma_allocator){.device = params->device,
                                        .macros = params->macros,
                                        .data = params->data,
                                        .max_bytes = params->max_bytes,
                                        .budget = params->budget,
                                        .told = params->told,
                                        .pool_algorithm = params->pool_algorithm};
    allocator->granularity = vma_configuration_granularity(params->device, params->macros);
    vma_slab_init(&allocator->ranges, sizeof(struct vma_range));
    vma_slab_init(&allocator->allocations, sizeof(struct vma_allocation));
    vma_slab_init(&allocator->blocks, sizeof(struct vma_block));
    vma_slab_init(&allocator->vectors, sizeof(struct vma_vector));
    vma_slab_init(&allocator->pools, sizeof(struct vma_pool));
    vma_slab_init(&allocator->levels, sizeof(struct vma_buddy_levels));
    vma_slab_init(&allocator->contexts, sizeof(struct vma_context));
    vma_slab_init(&allocator->members, sizeof(struct vma_context_member));
    for (uint32_t type = 0; type < params->device->type_count && status == 0; type++)
        if (params->device->types[type].heap != VMA_NO_HEAP)
            status = vma_vector_create(allocator, type, &allocator->types[type].vector);
    if (status < 0)
        vma_allocator_clear(allocator);
    return status;
}

void vma_allocator_clear(struct vma_allocator *allocator)
{
    for (size_t i = 0; i < SLABS; i++)
        vma_slab_clear(slab(allocator, i));
}

int vma_allocator_copy(const struct vma_allocator *allocator, struct vma_allocator *out)
{
    int status = 0;

    *out = *allocator;
    out->observer = NULL;
    for (size_t i = 0; i < SLABS; i++)
        vma_slab_init(slab(out, i), slab(allocator, i)->item_size);
    for (size_t i = 0; i < SLABS && status == 0; i++)
        status = vma_slab_copy(slab(allocator, i), slab(out, i));
    if (status < 0)
        vma_allocator_clear(out);
    return status;
}

size_t vma_allocator_bytes(const struct vma_allocator *allocator)
{
    size_t bytes = sizeof(*allocator);

    for (size_t i = 0; i < SLABS; i++)
        bytes += vma_slab_bytes(slab(allocator, i));
    return bytes;
}

void vma_allocator_begin_call(struct vma_allocator *allocator)
{
    allocator->all_steps += allocator->steps;
    allocator->steps = 0;
    allocator->exhausted = allocator->too_large = false;
    allocator->failure = VMA_FAILURE_NONE;
}

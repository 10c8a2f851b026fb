/* Making, copying and ending a state of the allocator. */
#include "formats/vma/replay/allocator_parts.h"

#include <string.h>

/* All slabs of a state, so that none is forgotten. */
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
                                        .budget = params->budget};
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
}

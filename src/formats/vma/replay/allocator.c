#include "formats/vma/replay/allocator.h"

#include "formats/vma/replay/allocator_parts.h"
#include "formats/vma/replay/tally.h"
#include "formats/vma/views/json.h"

#include <errno.h>
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

static void link_pool(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_pool *pool = vma_pool(allocator, index);

    pool->previous = allocator->last_pool;
    *(pool->previous == VMA_NONE ? &allocator->first_pool
                                 : &vma_pool(allocator, pool->previous)->next) = index;
    allocator->last_pool = index;
    pool->id = allocator->next_pool_id++;
}

static void set_vector(struct vma_allocator *allocator, struct vma_vector *vector,
                       const struct vma_pool_request *request)
{
    if (request->block_size != 0)
        vector->preferred = request->block_size;
    vector->explicit_size = request->block_size != 0;
    vector->min_count = request->min_count;
    vector->max_count = request->max_count != 0 ? request->max_count : UINT64_MAX;
    vector->frames_in_use = request->frames_in_use;
    vector->place_length += (uint8_t)(vma_digits(request->ordinal) - VMA_LENGTH("-"));
    if ((request->flags & VMA_POOL_LINEAR) != 0)
        vector->algorithm = VMA_ALGORITHM_LINEAR;
    else if ((request->flags & VMA_POOL_BUDDY) != 0)
        vector->algorithm = VMA_ALGORITHM_BUDDY;
    if ((request->flags & VMA_POOL_IGNORE_GRANULARITY) != 0)
        vector->granularity = 1;
    else
        vector->granularity = allocator->granularity;
}

/* The blocks that a pool has from the beginning. */
static int add_min_blocks(struct vma_allocator *allocator, uint32_t vector, uint64_t count)
{
    uint32_t block;
    int status = 0;

    for (uint64_t i = 0; i < count && status == 0; i++)
        status = vma_vector_add_block(allocator, vector, vma_vector(allocator, vector)->preferred,
                                      &block);
    return status;
}

int vma_pool_create(struct vma_allocator *allocator, const struct vma_pool_request *request,
                    uint32_t *out)
{
    uint32_t vector = VMA_NONE;
    int status;

    if (request->type >= allocator->device->type_count ||
        allocator->device->types[request->type].heap == VMA_NO_HEAP ||
        (request->max_count != 0 && request->min_count > request->max_count))
        return -ENOSPC;
    status = vma_reserve(allocator, 0);
    if (status == 0)
        status = vma_slab_reserve(&allocator->pools, 1);
    if (status == 0)
        status = vma_vector_create(allocator, request->type, &vector);
    if (status < 0)
        return status;
    *out = vma_slab_take(&allocator->pools);
    vma_pool(allocator, *out)->vector = vector;
    vma_vector(allocator, vector)->pool = *out;
    vma_pool(allocator, *out)->ordinal = request->ordinal;
    set_vector(allocator, vma_vector(allocator, vector), request);
    status = add_min_blocks(allocator, vector, request->min_count);
    if (status < 0) {
        vma_vector_destroy(allocator, vector);
        vma_slab_give(&allocator->pools, *out);
        return status;
    }
    link_pool(allocator, *out);
    vma_pool_name(allocator, *out, 0, 0);
    return 0;
}

void vma_pool_name(struct vma_allocator *allocator, uint32_t index, uint64_t name, uint32_t length)
{
    struct vma_pool *pool = vma_pool(allocator, index);

    pool->name = name;
    pool->name_length = length;
    pool->json_frame = vma_json_pool_frame(allocator, index);
    vma_tally_pool(allocator, index);
}

void vma_pool_destroy(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_pool *pool = vma_pool(allocator, index);

    vma_vector_destroy(allocator, pool->vector);
    allocator->pools_json_length -= pool->json_length;
    *(pool->previous == VMA_NONE ? &allocator->first_pool
                                 : &vma_pool(allocator, pool->previous)->next) = pool->next;
    *(pool->next == VMA_NONE ? &allocator->last_pool : &vma_pool(allocator, pool->next)->previous) =
        pool->previous;
    vma_slab_give(&allocator->pools, index);
}

/* SPDX-License-Identifier: MIT */
/*
 * One allocation call (vma.md 3.2): which memory type, a place in a block or dedicated memory, and
 * what is tried if that fails.
 */
#include "formats/vma/replay/allocator_parts.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>

enum usage {
    USAGE_GPU_ONLY = 1,
    USAGE_CPU_ONLY,
    USAGE_CPU_TO_GPU,
    USAGE_GPU_TO_CPU,
    USAGE_CPU_COPY,
    USAGE_LAZILY_ALLOCATED,
};

/* What each usage requires, prefers and avoids of memory properties. */
static const struct {
    uint32_t required, preferred, avoided;
} usage_preferences[] = {
    [USAGE_GPU_ONLY] = {0, VMA_DEVICE_LOCAL, 0},
    [USAGE_CPU_ONLY] = {VMA_HOST_VISIBLE | VMA_HOST_COHERENT, 0, 0},
    [USAGE_CPU_TO_GPU] = {VMA_HOST_VISIBLE, VMA_DEVICE_LOCAL, 0},
    [USAGE_GPU_TO_CPU] = {VMA_HOST_VISIBLE, VMA_HOST_CACHED, 0},
    [USAGE_CPU_COPY] = {0, 0, VMA_DEVICE_LOCAL},
    [USAGE_LAZILY_ALLOCATED] = {VMA_LAZILY_ALLOCATED, 0, 0},
};

enum { NO_TYPE = UINT32_MAX };

/* Counts bits; usually none or one is set. */
static int count_bits(uint32_t bits)
{
    int count = 0;

    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Returns the best type among `candidates`, or NO_TYPE. */
static uint32_t choose_type(const struct vma_allocator *allocator,
                            const struct vma_request *request, uint32_t candidates)
{
    const struct vma_device *device = allocator->device;
    uint32_t required = request->required, preferred = request->preferred, avoided = 0;
    uint32_t best = NO_TYPE;
    int min = 0;

    if (request->usage < sizeof(usage_preferences) / sizeof(usage_preferences[0])) {
        uint32_t wanted = usage_preferences[request->usage].preferred;

        if (device->kind == VMA_DEVICE_INTEGRATED && (preferred & VMA_HOST_VISIBLE) != 0)
            wanted &= ~(uint32_t)VMA_DEVICE_LOCAL;
        required |= usage_preferences[request->usage].required;
        preferred |= wanted;
        avoided = usage_preferences[request->usage].avoided;
    }
    if (request->memory_type_bits != 0)
        candidates &= request->memory_type_bits;
    for (uint32_t i = 0; i < device->type_count && (best == NO_TYPE || min > 0); i++) {
        uint32_t flags = device->types[i].flags;
        int cost;

        if ((candidates >> i & 1) == 0 || device->types[i].heap == VMA_NO_HEAP ||
            (required & ~flags) != 0)
            continue;
        cost = count_bits(preferred & ~flags) + count_bits(avoided & flags);
        if (best == NO_TYPE || cost < min) {
            best = i;
            min = cost;
        }
    }
    return best;
}

static uint64_t required_alignment(const struct vma_allocator *allocator,
                                   const struct vma_request *request, uint32_t type)
{
    uint32_t flags = allocator->device->types[type].flags;
    uint64_t alignment = request->alignment > 1 ? request->alignment : 1;

    if (alignment < allocator->macros->alignment)
        alignment = allocator->macros->alignment;
    if ((flags & VMA_HOST_VISIBLE) != 0 && (flags & VMA_HOST_COHERENT) == 0 &&
        alignment < allocator->device->atom)
        alignment = allocator->device->atom;
    return alignment;
}

/* Makes a new allocation without a place. Room must have been reserved. */
static uint32_t take_allocation(struct vma_allocator *allocator, const struct vma_request *request,
                                uint32_t type)
{
    uint32_t index = vma_slab_take(&allocator->allocations);
    struct vma_allocation *allocation = vma_allocation(allocator, index);

    allocation->size = request->size;
    allocation->alignment = required_alignment(allocator, request, type);
    allocation->created = allocation->last_use = allocator->frame_index;
    allocation->flags = request->flags;
    allocation->resource_usage = request->resource_usage;
    allocation->usage = request->usage;
    allocation->label = (uint8_t)request->label;
    allocation->type = (uint8_t)type;
    return index;
}

void vma_enter(struct vma_allocator *allocator, uint32_t allocation_index)
{
    const struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);

    allocator->heaps[allocator->device->types[allocation->type].heap].allocation_bytes +=
        allocation->size;
    allocator->live++;
}

void vma_link_dedicated(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    struct vma_type_state *type = &allocator->types[allocation->type];

    allocation->place = VMA_PLACE_DEDICATED;
    allocation->previous = type->last_dedicated;
    *(allocation->previous == VMA_NONE ? &type->first_dedicated
                                       : &vma_allocation(allocator, allocation->previous)->next) =
        allocation_index;
    type->last_dedicated = allocation_index;
    vma_tally_dedicated(allocator, allocation_index, 1);
}

static void free_dedicated(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, index);
    struct vma_type_state *type = &allocator->types[allocation->type];

    vma_tally_dedicated(allocator, index, -1);
    *(allocation->previous == VMA_NONE ? &type->first_dedicated
                                       : &vma_allocation(allocator, allocation->previous)->next) =
        allocation->next;
    *(allocation->next == VMA_NONE ? &type->last_dedicated
                                   : &vma_allocation(allocator, allocation->next)->previous) =
        allocation->previous;
    vma_device_give(allocator, allocation->type, allocation->size);
}

/* Makes dedicated memory for all items, or for none. */
static int place_dedicated(struct vma_allocator *allocator, const struct vma_request *request,
                           uint32_t type, uint32_t count, uint32_t *out)
{
    uint32_t heap = allocator->device->types[type].heap;
    uint64_t bytes;
    uint32_t done = 0;

    if ((request->flags & VMA_FLAG_WITHIN_BUDGET) != 0 &&
        (!bytes_mul(request->size, count, &bytes) || bytes > vma_budget_free(allocator, heap))) {
        allocator->failure = VMA_FAILURE_BUDGET;
        return -ENOSPC;
    }
    while (done < count && vma_device_take(allocator, type, request->size))
        done++;
    if (done < count) {
        while (done-- > 0)
            vma_device_give(allocator, type, request->size);
        return -ENOSPC;
    }
    for (uint32_t i = 0; i < count; i++) {
        out[i] = take_allocation(allocator, request, type);
        vma_link_dedicated(allocator, out[i]);
        vma_enter(allocator, out[i]);
    }
    return 0;
}

/* Finds places for all items in the blocks of a vector, or for none. */
static int place_in_blocks(struct vma_allocator *allocator, const struct vma_request *request,
                           uint32_t vector, uint32_t count, uint32_t *out)
{
    uint32_t type = vma_vector(allocator, vector)->type;
    uint32_t done = 0;
    int status = 0;

    for (; done < count && status == 0; done += status == 0) {
        out[done] = take_allocation(allocator, request, type);
        status = vma_vector_place(allocator, vector, request, out[done]);
        if (status == 0)
            vma_enter(allocator, out[done]);
        else
            vma_slab_give(&allocator->allocations, out[done]);
    }
    if (status < 0)
        while (done-- > 0)
            vma_free(allocator, out[done]);
    return status;
}

static int place_in_type(struct vma_allocator *allocator, struct vma_request request, uint32_t type,
                         uint32_t count, uint32_t *out)
{
    uint32_t vector = allocator->types[type].vector;
    int status;

    if ((allocator->device->types[type].flags & VMA_HOST_VISIBLE) == 0)
        request.flags &= ~(uint32_t)VMA_FLAG_MAPPED;
    if (request.usage == USAGE_LAZILY_ALLOCATED)
        request.flags |= VMA_FLAG_DEDICATED;
    if ((request.flags & VMA_FLAG_NEVER_ALLOCATE) == 0 &&
        (allocator->macros->always_dedicated || request.requires_dedicated ||
         request.prefers_dedicated || request.size > vma_vector(allocator, vector)->preferred / 2))
        request.flags |= VMA_FLAG_DEDICATED;
    if ((request.flags & VMA_FLAG_DEDICATED) != 0) {
        allocator->failure = VMA_FAILURE_NEVER;
        return (request.flags & VMA_FLAG_NEVER_ALLOCATE) != 0
                   ? -ENOSPC
                   : place_dedicated(allocator, &request, type, count, out);
    }
    status = place_in_blocks(allocator, &request, vector, count, out);
    if (status == -ENOSPC && (request.flags & VMA_FLAG_NEVER_ALLOCATE) == 0 &&
        !allocator->exhausted && !allocator->too_large)
        status = place_dedicated(allocator, &request, type, count, out);
    return status;
}

/* Returns whether flags contradict each other or the requirements. */
static bool refused(const struct vma_request *request)
{
    uint32_t flags = request->flags;
    bool dedicated = (flags & VMA_FLAG_DEDICATED) != 0;
    bool never = (flags & VMA_FLAG_NEVER_ALLOCATE) != 0;
    bool pool = request->pool != VMA_NONE;

    return request->size == 0 || (dedicated && (never || pool)) ||
           ((flags & VMA_FLAG_MAPPED) != 0 && (flags & VMA_FLAG_CAN_BECOME_LOST) != 0) ||
           (request->requires_dedicated && (never || pool));
}

static int place_in_pool(struct vma_allocator *allocator, struct vma_request request,
                         uint32_t count, uint32_t *out)
{
    uint32_t vector = vma_pool(allocator, request.pool)->vector;
    uint32_t type = vma_vector(allocator, vector)->type;

    if ((allocator->device->types[type].flags & VMA_HOST_VISIBLE) == 0)
        request.flags &= ~(uint32_t)VMA_FLAG_MAPPED;
    return place_in_blocks(allocator, &request, vector, count, out);
}

/* Places the items in the best type that has room. */
static int place_in_types(struct vma_allocator *allocator, const struct vma_request *request,
                          uint32_t count, uint32_t *out)
{
    uint32_t candidates = request->type_bits, type;
    int status = -ENOSPC;

    allocator->failure = VMA_FAILURE_TYPE;
    while (status == -ENOSPC && !allocator->exhausted && !allocator->too_large) {
        type = choose_type(allocator, request, candidates);
        if (type == NO_TYPE)
            break;
        status = place_in_type(allocator, *request, type, count, out);
        candidates &= ~(UINT32_C(1) << type);
    }
    return status;
}

int vma_allocate(struct vma_allocator *allocator, const struct vma_request *request, uint32_t count,
                 uint32_t *out)
{
    int status;

    allocator->failure = VMA_FAILURE_REQUEST;
    if (refused(request))
        return -ENOSPC;
    status = vma_reserve(allocator, count);
    if (status == 0)
        status = request->pool != VMA_NONE ? place_in_pool(allocator, *request, count, out)
                                           : place_in_types(allocator, request, count, out);
    if (allocator->exhausted || allocator->too_large)
        allocator->failure = VMA_FAILURE_LIMIT;
    return status;
}

int vma_allocate_nowhere(struct vma_allocator *allocator, enum vma_place_kind place, uint32_t *out)
{
    struct vma_allocation *allocation;
    int status = vma_reserve(allocator, 1);

    if (status < 0)
        return status;
    *out = vma_slab_take(&allocator->allocations);
    allocation = vma_allocation(allocator, *out);
    allocation->place = (uint8_t)place;
    allocation->label = VMA_UNKNOWN;
    allocation->created = allocation->last_use = allocator->frame_index;
    if (place == VMA_PLACE_LOST) {
        allocator->lost++;
        allocator->rows_length += vma_place_length(allocator, allocation);
    } else {
        allocator->null++;
    }
    return 0;
}

void vma_touch(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    unsigned digits = decimal_digits(allocation->last_use);

    allocation->last_use = allocator->frame_index;
    if (decimal_digits(allocation->last_use) != digits && allocation->place != VMA_PLACE_NULL &&
        allocation->place != VMA_PLACE_ORPHAN)
        vma_tally_measure(allocator, allocation_index);
}

void vma_free(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    bool in_heap = allocation->size > 0; /* false if it was created lost */
    enum vma_place_kind place = (enum vma_place_kind)allocation->place;

    vma_tally_forget(allocator, allocation_index);
    switch (place) {
    case VMA_PLACE_NULL:
        allocator->null--;
        in_heap = false;
        break;
    case VMA_PLACE_ORPHAN:
        allocator->orphans--;
        in_heap = false;
        break;
    case VMA_PLACE_LOST:
        allocator->lost--;
        break;
    case VMA_PLACE_DEDICATED:
        allocator->live--;
        free_dedicated(allocator, allocation_index);
        break;
    case VMA_PLACE_BLOCK:
        allocator->live--;
        vma_vector_free(allocator, allocation_index);
        break;
    }
    if (in_heap) {
        uint32_t heap = allocator->device->types[allocation->type].heap;

        allocator->heaps[heap].allocation_bytes -= allocation->size;
        if (place != VMA_PLACE_LOST) {
            if (allocation->estimated)
                allocator->estimated_bytes -= allocation->size;
            if (allocation->maps > 0)
                allocator->mapped--;
        }
    }
    vma_slab_give(&allocator->allocations, allocation_index);
}

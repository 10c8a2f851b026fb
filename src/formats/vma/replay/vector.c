/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a memory type or pool (vma.md 3.4, 3.6): which block gets an allocation, when a
 * block is made or given back, and their order.
 */
#include "formats/vma/replay/allocator_parts.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>

enum {
    NEW_BLOCK_HALVINGS = 3,
    NEW_BLOCK_STEPS = 15,     /* a new block costs more than a step of searching */
    CORRUPTION_ALIGNMENT = 4, /* of sizes and alignments, with corruption detection */
};

bool vma_device_take(struct vma_allocator *allocator, uint32_t type, uint64_t size)
{
    uint32_t heap = allocator->device->types[type].heap;
    struct vma_heap_state *state = &allocator->heaps[heap];
    uint64_t bytes;

    allocator->failure = VMA_FAILURE_COUNT;
    if (!allocator->told && allocator->device_allocations >= allocator->device->max_allocations)
        return false;
    allocator->failure = VMA_FAILURE_HEAP;
    if (!bytes_add(state->block_bytes, size, &bytes) ||
        (!allocator->told && bytes > allocator->device->heaps[heap].size))
        return false;
    state->block_bytes = bytes;
    state->device_allocations++;
    allocator->device_allocations++;
    allocator->types[type].device_allocations++;
    allocator->types[type].ever_allocations++;
    allocator->types[type].ever_bytes += size;
    return true;
}

void vma_device_give(struct vma_allocator *allocator, uint32_t type, uint64_t size)
{
    struct vma_heap_state *state = &allocator->heaps[allocator->device->types[type].heap];

    state->block_bytes -= size;
    state->device_allocations--;
    allocator->device_allocations--;
    allocator->types[type].device_allocations--;
}

uint64_t vma_budget(const struct vma_allocator *allocator, uint32_t heap)
{
    uint64_t size = allocator->device->heaps[heap].size;

    if (allocator->told)
        return allocator->heaps[heap].told_budget;
    /* Computes size * 8 / 10 without overflow. */
    return size / 10 * 8 + size % 10 * 8 / 10;
}

uint64_t vma_budget_free(const struct vma_allocator *allocator, uint32_t heap)
{
    uint64_t budget = vma_budget(allocator, heap);
    uint64_t usage = allocator->heaps[heap].block_bytes;

    if (!allocator->budget)
        return UINT64_MAX;
    return usage < budget ? budget - usage : 0;
}

int vma_vector_create(struct vma_allocator *allocator, uint32_t type, uint32_t *out)
{
    const struct vma_device *device = allocator->device;
    struct vma_vector *vector;
    int status = vma_slab_reserve(&allocator->vectors, 1);

    if (status < 0)
        return status;
    *out = vma_slab_take(&allocator->vectors);
    vector = vma_vector(allocator, *out);
    vector->serial = ++allocator->vector_serial;
    vector->type = type;
    vector->heap = device->types[type].heap;
    vector->preferred =
        vma_preferred_block_size(allocator->macros, device->heaps[vector->heap].size);
    vector->max_count = UINT64_MAX;
    vector->granularity = allocator->granularity;
    vector->place_length =
        (uint8_t)(decimal_digits(type) + decimal_digits(vector->heap) + VMA_LENGTH("-"));
    return 0;
}

/*
 * Returns whether corruption detection works in a vector: in default and linear blocks of memory
 * that is host-visible and coherent.
 */
static bool detects_corruption(const struct vma_allocator *allocator,
                               const struct vma_vector *vector)
{
    const uint32_t needed = VMA_HOST_VISIBLE | VMA_HOST_COHERENT;

    return allocator->macros->detect_corruption && allocator->macros->margin > 0 &&
           vector->algorithm != VMA_ALGORITHM_BUDDY &&
           (allocator->device->types[vector->type].flags & needed) == needed;
}

void vma_vector_destroy(struct vma_allocator *allocator, uint32_t vector_index)
{
    struct vma_vector *vector = vma_vector(allocator, vector_index);

    while (vector->last_block != VMA_NONE)
        vma_vector_remove_block(allocator, vector->last_block);
    vma_slab_give(&allocator->vectors, vector_index);
}

static void append_block(struct vma_allocator *allocator, struct vma_vector *vector, uint32_t index)
{
    struct vma_block *block = vma_block(allocator, index);

    block->previous = vector->last_block;
    *(block->previous == VMA_NONE ? &vector->first_block
                                  : &vma_block(allocator, block->previous)->next) = index;
    vector->last_block = index;
    vector->count++;
}

int vma_vector_add_block(struct vma_allocator *allocator, uint32_t vector_index, uint64_t size,
                         uint32_t *out)
{
    struct vma_vector *vector = vma_vector(allocator, vector_index);
    struct vma_block *block;
    int status;

    allocator->failure = VMA_FAILURE_LIMIT;
    allocator->steps += NEW_BLOCK_STEPS;
    if (size == 0 || vector->count >= VMA_BLOCKS_A_VECTOR || allocator->blocks.used >= VMA_BLOCKS ||
        !vma_step(allocator))
        return -ENOSPC;
    status = vma_reserve(allocator, 0);
    if (status == 0)
        status = vma_grow(allocator, &allocator->blocks, 1);
    if (status == 0 && vector->algorithm == VMA_ALGORITHM_BUDDY)
        status = vma_grow(allocator, &allocator->levels, 1);
    if (status < 0)
        return status;
    if (!vma_device_take(allocator, vector->type, size))
        return -ENOSPC;
    *out = vma_slab_take(&allocator->blocks);
    block = vma_block(allocator, *out);
    block->size = block->free = size;
    block->vector = vector_index;
    block->id = vector->next_id++;
    append_block(allocator, vector, *out);
    vector->empty++;
    vma_tally_block(allocator, *out, 1);
    vma_range_whole(allocator, *out);
    if (vector->algorithm == VMA_ALGORITHM_BUDDY)
        vma_buddy_open(allocator, *out);
    else if (vector->algorithm == VMA_ALGORITHM_DEFAULT && size >= VMA_MIN_INDEXED)
        vma_index_insert(allocator, block->first_range);
    vma_tally_settle(allocator, *out);
    return 0;
}

/*
 * Makes an allocation an orphan: it is still in a block of a pool that is being destroyed, and
 * loses its place. The budget continues to count its bytes, as in the library.
 */
static void orphan(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, index);

    allocator->live--;
    allocator->orphans++;
    if (allocation->estimated)
        allocator->estimated_bytes -= allocation->size;
    if (allocation->maps > 0)
        allocator->mapped--;
    vma_tally_forget(allocator, index);
    allocation->place = VMA_PLACE_ORPHAN;
    allocation->range = VMA_NONE;
}

static void clear_ranges(struct vma_allocator *allocator, uint32_t index)
{
    uint32_t range = vma_block(allocator, index)->first_range, next;

    for (; range != VMA_NONE; range = next) {
        uint32_t allocation = vma_range(allocator, range)->allocation;

        next = vma_range(allocator, range)->next;
        vma_range_clear(allocator, range);
        if (allocation != VMA_NONE)
            orphan(allocator, allocation);
    }
}

void vma_vector_remove_block(struct vma_allocator *allocator, uint32_t block_index)
{
    struct vma_block *block = vma_block(allocator, block_index);
    struct vma_vector *vector = vma_vector(allocator, block->vector);

    if (vector->algorithm == VMA_ALGORITHM_BUDDY)
        vma_buddy_close(allocator, block_index);
    clear_ranges(allocator, block_index);
    vma_tally_block(allocator, block_index, -1);
    vector->empty--; /* the block is empty at this point */
    *(block->previous == VMA_NONE ? &vector->first_block
                                  : &vma_block(allocator, block->previous)->next) = block->next;
    *(block->next == VMA_NONE ? &vector->last_block
                              : &vma_block(allocator, block->next)->previous) = block->previous;
    vector->count--;
    if (vector->pool != VMA_NONE)
        vma_tally_pool(allocator, vector->pool);
    vma_device_give(allocator, vector->type, block->size);
    vma_slab_give(&allocator->blocks, block_index);
}

/* Exchanges a block with the one after it. */
static void swap_with_next(struct vma_allocator *allocator, struct vma_vector *vector,
                           uint32_t index)
{
    struct vma_block *first = vma_block(allocator, index);
    uint32_t second_index = first->next;
    struct vma_block *second = vma_block(allocator, second_index);
    uint32_t before = first->previous, behind = second->next;

    second->previous = before;
    second->next = index;
    first->previous = second_index;
    first->next = behind;
    *(before == VMA_NONE ? &vector->first_block : &vma_block(allocator, before)->next) =
        second_index;
    *(behind == VMA_NONE ? &vector->last_block : &vma_block(allocator, behind)->previous) = index;
}

/*
 * Counts a block that is passed in sorting. Returns false if all calls have exhausted their share.
 */
static bool step_of_sorting(struct vma_allocator *allocator, uint32_t steps)
{
    if (++allocator->sorting_steps <= VMA_SORTING_STEPS_ALL || steps < VMA_STEPS_LATER)
        return true;
    allocator->exhausted = true;
    return false;
}

/* Makes one exchange towards ascending free bytes. */
static void sort_a_little(struct vma_allocator *allocator, struct vma_vector *vector)
{
    uint64_t before = 0;
    uint32_t steps = 0;

    if (vector->algorithm == VMA_ALGORITHM_LINEAR)
        return;
    for (uint32_t index = vector->first_block;
         index != VMA_NONE && step_of_sorting(allocator, steps);
         index = vma_block(allocator, index)->next, steps++) {
        const struct vma_block *block = vma_block(allocator, index);

        if (before > block->free) {
            swap_with_next(allocator, vector, block->previous);
            return;
        }
        before = block->free;
    }
}

uint32_t vma_block_drop(struct vma_allocator *allocator, uint32_t range)
{
    uint32_t block = vma_range(allocator, range)->block;

    switch (vma_vector(allocator, vma_block(allocator, block)->vector)->algorithm) {
    case VMA_ALGORITHM_LINEAR:
        return vma_linear_drop(allocator, range);
    case VMA_ALGORITHM_BUDDY:
        return vma_buddy_drop(allocator, range);
    default:
        return vma_fit_drop(allocator, range);
    }
}

void vma_vector_free(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    struct vma_vector *vector = vma_vector(allocator, allocation->vector);
    uint32_t block = vma_range(allocator, allocation->range)->block;
    bool had_empty = vector->empty > 0;
    bool over_budget = vma_budget_free(allocator, vector->heap) == 0;
    bool can_delete = vector->count > vector->min_count;

    vma_block_drop(allocator, allocation->range);
    if (vma_block(allocator, block)->allocations == 0) {
        if ((had_empty || over_budget) && can_delete) {
            vma_vector_remove_block(allocator, block);
            block = VMA_NONE;
        }
    } else if (had_empty && can_delete &&
               vma_block(allocator, vector->last_block)->allocations == 0) {
        vma_vector_remove_block(allocator, vector->last_block);
    }
    if (block != VMA_NONE)
        vma_tally_settle(allocator, block);
    sort_a_little(allocator, vector);
}

/* The search for a place for one allocation. */
struct search {
    struct vma_allocator *allocator;
    uint32_t vector;
    struct vma_space space;
    uint32_t allocation;
    uint32_t flags;
    bool can_create;
};

static bool find_in(struct search *search, uint32_t block, struct vma_spot *spot)
{
    struct vma_allocator *allocator = search->allocator;

    switch (vma_vector(allocator, search->vector)->algorithm) {
    case VMA_ALGORITHM_LINEAR:
        return vma_linear_find(allocator, block, &search->space, spot);
    case VMA_ALGORITHM_BUDDY:
        return vma_buddy_find(allocator, block, &search->space, spot);
    default:
        return vma_fit_find(allocator, block, &search->space, spot) ||
               (search->space.make_lost && vma_lost_find(allocator, block, &search->space, spot));
    }
}

/*
 * Puts the allocation at a spot. The block's printed length is updated later, when the allocation
 * gets its name or is freed.
 */
static void put(struct search *search, const struct vma_spot *spot)
{
    struct vma_allocator *allocator = search->allocator;

    vma_allocation(allocator, search->allocation)->place = VMA_PLACE_BLOCK;
    vma_allocation(allocator, search->allocation)->vector = search->vector;
    switch (vma_vector(allocator, search->vector)->algorithm) {
    case VMA_ALGORITHM_LINEAR:
        vma_linear_put(allocator, spot, search->space.size, search->allocation);
        break;
    case VMA_ALGORITHM_BUDDY:
        vma_buddy_put(allocator, spot, search->space.size, search->allocation);
        break;
    default:
        vma_fit_put(allocator, spot, search->space.size, search->allocation);
        break;
    }
}

/*
 * Places the allocation in an existing block. Tries blocks from the first for best fit, otherwise
 * from the last; of a linear pool, only the last. Returns false if none has a place.
 */
static bool place_in_existing(struct search *search)
{
    struct vma_allocator *allocator = search->allocator;
    const struct vma_vector *vector = vma_vector(allocator, search->vector);
    bool forward = search->space.strategy == VMA_FLAG_BEST_FIT;
    bool last_only = vector->algorithm == VMA_ALGORITHM_LINEAR;
    uint32_t index = forward && !last_only ? vector->first_block : vector->last_block;
    struct vma_spot spot;

    while (index != VMA_NONE && vma_step(allocator)) {
        if (find_in(search, index, &spot)) {
            put(search, &spot);
            return true;
        }
        if (last_only)
            break;
        index = forward ? vma_block(allocator, index)->next : vma_block(allocator, index)->previous;
    }
    return false;
}

static uint64_t biggest_block(const struct search *search)
{
    const struct vma_vector *vector = vma_vector(search->allocator, search->vector);
    uint64_t biggest = 0;

    for (uint32_t index = vector->first_block;
         index != VMA_NONE && biggest < vector->preferred && vma_step(search->allocator);
         index = vma_block(search->allocator, index)->next)
        if (vma_block(search->allocator, index)->size > biggest)
            biggest = vma_block(search->allocator, index)->size;
    return biggest;
}

/* Makes a new block. The first blocks have 1/8, 1/4 and 1/2 of the preferred size. */
static int create_block(struct search *search, uint32_t *out)
{
    struct vma_allocator *allocator = search->allocator;
    const struct vma_vector *vector = vma_vector(allocator, search->vector);
    uint64_t needed = search->space.size, size = vector->preferred;
    unsigned halvings = 0;
    uint64_t biggest;
    int status = -ENOSPC;

    if (!vector->explicit_size) {
        biggest = biggest_block(search);
        for (; halvings < NEW_BLOCK_HALVINGS && size / 2 > biggest && size / 4 >= needed;
             halvings++)
            size /= 2;
    }
    for (;;) {
        vector = vma_vector(allocator, search->vector);
        allocator->failure = VMA_FAILURE_BUDGET;
        if (vector->pool != VMA_NONE || size <= vma_budget_free(allocator, vector->heap))
            status = vma_vector_add_block(allocator, search->vector, size, out);
        if (status != -ENOSPC || vector->explicit_size || allocator->too_large ||
            halvings >= NEW_BLOCK_HALVINGS || size / 2 < needed)
            return status;
        size /= 2;
        halvings++;
    }
}

/*
 * Places the allocation in a new block. Returns 0, -ENOSPC if no block could be made, -EFAULT if a
 * block was made, and remains, but has no place for the allocation, or -ENOMEM.
 */
static int place_in_new(struct search *search)
{
    struct vma_spot spot;
    uint32_t block = VMA_NONE;
    int status = create_block(search, &block);

    if (status < 0)
        return status;
    if (!find_in(search, block, &spot))
        return -EFAULT;
    put(search, &spot);
    return 0;
}

/*
 * Places the allocation where the cheapest other allocations are lost. Returns false if there is no
 * such place.
 */
static bool place_by_losing(struct search *search)
{
    struct vma_allocator *allocator = search->allocator;
    const struct vma_vector *vector = vma_vector(allocator, search->vector);
    bool forward = search->space.strategy == VMA_FLAG_BEST_FIT;
    uint32_t index = forward ? vector->first_block : vector->last_block;
    struct vma_spot best = {.block = VMA_NONE}, spot;

    search->space.make_lost = true;
    for (; index != VMA_NONE && vma_step(allocator);
         index = forward ? vma_block(allocator, index)->next
                         : vma_block(allocator, index)->previous) {
        if (!find_in(search, index, &spot) || (best.block != VMA_NONE && spot.cost >= best.cost))
            continue;
        best = spot;
        if (best.cost == 0 || search->space.strategy == VMA_FLAG_FIRST_FIT)
            break;
    }
    if (best.block == VMA_NONE || allocator->exhausted)
        return false;
    if (best.victims > 0)
        vma_lost_make(allocator, &search->space, &best);
    put(search, &best);
    return true;
}

/* Sets what is searched for. Returns false if the flags or the size rule out any place. */
static bool set_space(struct search *search, const struct vma_request *request,
                      const struct vma_allocation *allocation)
{
    const struct vma_allocator *allocator = search->allocator;
    const struct vma_vector *vector = vma_vector(allocator, search->vector);
    bool single_linear = vector->algorithm == VMA_ALGORITHM_LINEAR && vector->max_count == 1;
    uint32_t strategies = request->flags & VMA_FLAG_STRATEGIES;
    struct vma_space *space = &search->space;
    uint64_t with_margins;

    *space = (struct vma_space){.size = allocation->size,
                                .alignment = allocation->alignment,
                                .granularity = vector->granularity,
                                .margin = allocator->macros->margin,
                                .label = request->label,
                                .strategy = strategies != 0 ? strategies : VMA_FLAG_BEST_FIT,
                                .upper = (request->flags & VMA_FLAG_UPPER_ADDRESS) != 0,
                                .frames_in_use = vector->frames_in_use};
    search->flags = request->flags;
    if (vector->algorithm == VMA_ALGORITHM_LINEAR && !single_linear)
        search->flags &= ~(uint32_t)VMA_FLAG_CAN_MAKE_OTHER_LOST;
    if ((space->upper && !single_linear) || (strategies & (strategies - 1)) != 0)
        return false;
    return bytes_mul(space->margin, 2, &with_margins) &&
           bytes_add(space->size, with_margins, &with_margins) && with_margins <= vector->preferred;
}

/* Rounds size and alignment up to multiples of 4 if corruption detection works. */
static bool round_for_corruption(const struct vma_allocator *allocator,
                                 const struct vma_vector *vector, struct vma_allocation *allocation)
{
    return !detects_corruption(allocator, vector) ||
           (vma_up(allocation->size, CORRUPTION_ALIGNMENT, &allocation->size) &&
            vma_up(allocation->alignment, CORRUPTION_ALIGNMENT, &allocation->alignment));
}

/* Returns why no block could be made if no existing block has a place. */
static enum vma_failure obstacle(const struct search *search)
{
    const struct vma_vector *vector = vma_vector(search->allocator, search->vector);

    if ((search->flags & VMA_FLAG_NEVER_ALLOCATE) != 0)
        return VMA_FAILURE_NEVER;
    return vector->count >= vector->max_count ? VMA_FAILURE_POOL : VMA_FAILURE_BUDGET;
}

/*
 * Searches for a place: in existing blocks, in a new block, then by losing others. Returns 0,
 * -ENOSPC or -ENOMEM.
 */
static int search_place(struct search *search)
{
    struct vma_allocator *allocator = search->allocator;
    bool make_lost = (search->flags & VMA_FLAG_CAN_MAKE_OTHER_LOST) != 0;
    int status;

    allocator->failure = obstacle(search);
    if (!make_lost || search->can_create) {
        if (place_in_existing(search))
            return 0;
        if (search->can_create && !allocator->exhausted) {
            status = place_in_new(search);
            if (status != -ENOSPC)
                return status == -EFAULT ? -ENOSPC : status;
        }
    }
    return make_lost && !allocator->exhausted && place_by_losing(search) ? 0 : -ENOSPC;
}

int vma_vector_place(struct vma_allocator *allocator, uint32_t vector_index,
                     const struct vma_request *request, uint32_t allocation_index)
{
    const struct vma_vector *vector = vma_vector(allocator, vector_index);
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    uint64_t size = allocation->size, alignment = allocation->alignment;
    struct search search = {
        .allocator = allocator, .vector = vector_index, .allocation = allocation_index};
    int status = vma_reserve(allocator, 0);

    if (status == 0 && (!round_for_corruption(allocator, vector, allocation) ||
                        !set_space(&search, request, allocation))) {
        allocator->failure = VMA_FAILURE_BLOCK_SIZE;
        status = -ENOSPC;
    }
    if (status == 0) {
        search.can_create = (request->flags & VMA_FLAG_NEVER_ALLOCATE) == 0 &&
                            vector->count < vector->max_count &&
                            (vector->pool != VMA_NONE ||
                             vma_budget_free(allocator, vector->heap) >= search.space.size);
        status = search_place(&search);
    }
    if (status < 0) {
        allocation->size = size;
        allocation->alignment = alignment;
    }
    return status;
}

/* Pools. */

static void link_pool(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_pool *pool = vma_pool(allocator, index);

    pool->previous = allocator->last_pool;
    *(pool->previous == VMA_NONE ? &allocator->first_pool
                                 : &vma_pool(allocator, pool->previous)->next) = index;
    allocator->last_pool = index;
    pool->id = allocator->next_pool_id++;
}

static enum vma_algorithm pool_algorithm(const struct vma_allocator *allocator, uint32_t flags)
{
    if (allocator->pool_algorithm != VMA_ALGORITHM_RECORDED)
        return allocator->pool_algorithm;
    if ((flags & VMA_POOL_LINEAR) != 0)
        return VMA_ALGORITHM_LINEAR;
    return (flags & VMA_POOL_BUDDY) != 0 ? VMA_ALGORITHM_BUDDY : VMA_ALGORITHM_DEFAULT;
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
    vector->place_length += (uint8_t)(decimal_digits(request->ordinal) - VMA_LENGTH("-"));
    vector->algorithm = pool_algorithm(allocator, request->flags);
    if ((request->flags & VMA_POOL_IGNORE_GRANULARITY) != 0)
        vector->granularity = 1;
    else
        vector->granularity = allocator->granularity;
}

/* Adds the blocks that a pool has from the beginning. */
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

    allocator->failure = VMA_FAILURE_TYPE;
    if (request->type >= allocator->device->type_count ||
        allocator->device->types[request->type].heap == VMA_NO_HEAP)
        return -ENOSPC;
    allocator->failure = VMA_FAILURE_REQUEST;
    if (request->max_count != 0 && request->min_count > request->max_count)
        return -ENOSPC;
    allocator->failure = VMA_FAILURE_LIMIT;
    status = vma_grow(allocator, &allocator->pools, 1);
    if (status == 0)
        status = vma_grow(allocator, &allocator->vectors, 1);
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

void vma_pool_name(struct vma_allocator *allocator, uint32_t pool_index, uint64_t name,
                   uint32_t length)
{
    struct vma_pool *pool = vma_pool(allocator, pool_index);

    pool->name = name;
    pool->name_length = length;
    vma_tally_name(allocator, pool_index);
}

void vma_pool_destroy(struct vma_allocator *allocator, uint32_t pool_index)
{
    struct vma_pool *pool = vma_pool(allocator, pool_index);

    vma_vector_destroy(allocator, pool->vector);
    allocator->pools_json_length -= pool->json_length;
    *(pool->previous == VMA_NONE ? &allocator->first_pool
                                 : &vma_pool(allocator, pool->previous)->next) = pool->next;
    *(pool->next == VMA_NONE ? &allocator->last_pool : &vma_pool(allocator, pool->next)->previous) =
        pool->previous;
    vma_slab_give(&allocator->pools, pool_index);
}

/* SPDX-License-Identifier: MIT */
/*
 * Defragmentation (vma.md 3.9). The general method moves allocations one by one into free ranges of
 * earlier blocks. The fast method packs all of them one after the other, at a cursor. Both work on
 * one vector; the observer is notified of each move.
 */
#include "formats/vma/decode/decode.h"
#include "formats/vma/replay/allocator_parts.h"

#include <errno.h>
#include <stdlib.h>

enum {
    GAPS = 4,
    MIN_MOVE_PART = 64 /* a move that overlaps itself is by at least 1/MIN_MOVE_PART of the size */
};

/* A vector that takes part. */
struct part {
    uint32_t vector;
    uint32_t listed; /* number of allocations in the call's list */
    bool all;
};

/* An allocation of the vector in the order of work. */
struct item {
    uint32_t allocation; /* VMA_NONE if it was moved already */
    uint32_t block;      /* index in `blocks` */
    uint64_t offset;     /* only in the fast method */
};

/* A block of the vector, in the order of work. */
struct block_item {
    uint32_t block;
    uint32_t ordinal;     /* in the vector */
    uint32_t first, last; /* range of items, `last` excluded */
    bool fixed;           /* has allocations that must not move */
    uint64_t free;
};

struct work {
    struct vma_allocator *allocator;
    const uint8_t *movable; /* a bit for each allocation; NULL if all may be moved */
    struct vma_vector *vector;
    struct block_item *blocks;
    struct item *items;
    uint32_t block_count, item_count;
    uint64_t max_bytes, bytes;
    uint32_t max_moves, moves;
    bool overlap; /* moves may overlap themselves, since the CPU makes them */
};

static bool may_move(const struct work *work, uint32_t allocation)
{
    return work->movable == NULL || (work->movable[allocation / 8] >> allocation % 8 & 1) != 0;
}

static void notify_moved(struct vma_allocator *allocator, uint32_t allocation)
{
    if (allocator->observer != NULL)
        allocator->observer->moved(allocator->observer, vma_allocation(allocator, allocation));
}

/*
 * Orders blocks: those with allocations that must not move first, then by ascending free bytes,
 * then in their previous order.
 */
static int compare_blocks(const void *a, const void *b)
{
    const struct block_item *left = a, *right = b;

    if (left->fixed != right->fixed)
        return left->fixed ? -1 : 1;
    if (left->free != right->free)
        return left->free < right->free ? -1 : 1;
    return left->ordinal < right->ordinal ? -1 : left->ordinal > right->ordinal;
}

/*
 * Lists the blocks, sorted, and the movable allocations in the order of the blocks. Returns 0,
 * -ENOMEM, or -EDQUOT if the call has too few steps left for that.
 */
static int gather(struct work *work)
{
    struct vma_allocator *allocator = work->allocator;
    uint32_t count = 0;

    for (uint32_t index = work->vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next)
        count += vma_block(allocator, index)->allocations;
    allocator->steps += (uint64_t)count + work->vector->count;
    if (!vma_step(allocator))
        return -EDQUOT;
    work->blocks = calloc(work->vector->count + 1, sizeof(*work->blocks));
    work->items = calloc((size_t)count + 1, sizeof(*work->items));
    if (work->blocks == NULL || work->items == NULL)
        return -ENOMEM;
    for (uint32_t index = work->vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next) {
        struct block_item *item = &work->blocks[work->block_count];
        const struct vma_block *block = vma_block(allocator, index);

        *item = (struct block_item){
            .block = index, .ordinal = work->block_count++, .free = block->free};
        for (uint32_t range = block->first_range; range != VMA_NONE && work->movable != NULL;
             range = vma_range(allocator, range)->next)
            item->fixed |= vma_range(allocator, range)->allocation != VMA_NONE &&
                           !may_move(work, vma_range(allocator, range)->allocation);
    }
    qsort(work->blocks, work->block_count, sizeof(*work->blocks), compare_blocks);
    for (uint32_t i = 0; i < work->block_count; i++) {
        uint32_t range = vma_block(allocator, work->blocks[i].block)->first_range;

        work->blocks[i].first = work->item_count;
        for (; range != VMA_NONE; range = vma_range(allocator, range)->next) {
            uint32_t allocation = vma_range(allocator, range)->allocation;

            if (allocation != VMA_NONE && may_move(work, allocation))
                work->items[work->item_count++] =
                    (struct item){allocation, i, vma_range(allocator, range)->offset};
        }
        work->blocks[i].last = work->item_count;
    }
    return 0;
}

static bool over_limit(const struct work *work, uint64_t size)
{
    uint64_t bytes;

    return work->moves >= work->max_moves || !bytes_add(work->bytes, size, &bytes) ||
           bytes > work->max_bytes;
}

/* The general method. */

/* Moves an allocation to a spot. Takes the new place before freeing the old one. */
static void move_to(struct work *work, uint32_t index, const struct vma_spot *spot)
{
    struct vma_allocator *allocator = work->allocator;
    struct vma_allocation *allocation = vma_allocation(allocator, index);
    uint32_t old = allocation->range, old_block = vma_range(allocator, old)->block;

    vma_fit_put(allocator, spot, allocation->size, index);
    vma_fit_drop(allocator, old);
    allocation->range = spot->range;
    vma_tally_settle(allocator, old_block);
    vma_tally_settle(allocator, spot->block);
    work->moves++;
    work->bytes += allocation->size;
    notify_moved(allocator, index);
}

/*
 * Tries to move an allocation. Returns 1 if it was moved, 0 if it stays, -EDQUOT if the round is
 * over, or -ENOMEM.
 */
static int try_blocks(struct work *work, struct item *item)
{
    struct vma_allocator *allocator = work->allocator;
    const struct vma_allocation *allocation = vma_allocation(allocator, item->allocation);
    const struct vma_space space = {.size = allocation->size,
                                    .alignment = allocation->alignment,
                                    .granularity = work->vector->granularity,
                                    .margin = allocator->macros->margin,
                                    .label = (enum vma_label)allocation->label,
                                    .strategy = VMA_FLAG_FIRST_FIT};
    struct vma_spot spot;
    int status;

    for (uint32_t i = 0; i <= item->block && vma_step(allocator); i++) {
        if (!vma_fit_find(allocator, work->blocks[i].block, &space, &spot) ||
            (i == item->block && spot.offset >= vma_range(allocator, allocation->range)->offset))
            continue;
        if (over_limit(work, allocation->size))
            return -EDQUOT;
        status = vma_slab_reserve(&allocator->ranges, 2);
        if (status < 0)
            return status;
        move_to(work, item->allocation, &spot);
        return 1;
    }
    return allocator->exhausted ? -EDQUOT : 0;
}

/* Moves allocations of the last block first; within a block, from the lowest offset. */
static int move_round(struct work *work)
{
    for (uint32_t b = work->block_count; b-- > 0;)
        for (uint32_t i = work->blocks[b].first; i < work->blocks[b].last; i++) {
            int moved =
                work->items[i].allocation == VMA_NONE ? 0 : try_blocks(work, &work->items[i]);

            if (moved < 0)
                return moved;
            if (moved > 0)
                work->items[i].allocation = VMA_NONE;
        }
    return 0;
}

static int move_generally(struct work *work)
{
    enum { ROUNDS = 2 };
    int status = 0;

    for (unsigned round = 0; round < ROUNDS && status != -ENOMEM; round++)
        status = move_round(work);
    return status == -ENOMEM ? status : 0;
}

/* The fast method. */

/* Free space that the cursor has passed. */
struct gap {
    bool used;
    uint32_t block; /* index in `blocks` */
    uint64_t offset, size;
};

/* The state of packing: allocations go to the cursor, or into remembered gaps. */
struct packer {
    struct gap gaps[GAPS];
    uint32_t block; /* of the cursor: index in `blocks` */
    uint64_t offset;
};

static void remember_gap(struct packer *packer, uint64_t size)
{
    struct gap *best = NULL;

    if (size < VMA_MIN_INDEXED)
        return;
    for (struct gap *gap = packer->gaps; gap < packer->gaps + GAPS; gap++) {
        if (!gap->used) {
            best = gap;
            break;
        }
        if (gap->size < size && (best == NULL || best->size > gap->size))
            best = gap;
    }
    if (best != NULL)
        *best = (struct gap){true, packer->block, packer->offset, size};
}

/*
 * Puts an item into the gap that would have the most space left over. Returns false if no gap is
 * large enough.
 */
static bool fill_gap(struct packer *packer, const struct vma_allocation *allocation,
                     struct item *item)
{
    struct gap *best = NULL;
    uint64_t best_offset = 0, max_left = 0;

    for (struct gap *gap = packer->gaps; gap < packer->gaps + GAPS; gap++) {
        uint64_t offset, needed;

        if (!gap->used || !vma_up(gap->offset, allocation->alignment, &offset) ||
            !bytes_add(offset - gap->offset, allocation->size, &needed) || needed > gap->size ||
            (best != NULL && gap->size - needed <= max_left))
            continue;
        best = gap;
        best_offset = offset;
        max_left = gap->size - needed;
    }
    if (best == NULL)
        return false;
    item->block = best->block;
    item->offset = best_offset;
    best->used = max_left >= VMA_MIN_INDEXED;
    best->offset = best_offset + allocation->size;
    best->size = max_left;
    return true;
}

/* Returns whether an item in the cursor's own block should stay where it is. */
static bool is_left(const struct work *work, const struct vma_allocation *allocation,
                    uint64_t offset, uint64_t old)
{
    uint64_t min = allocation->size / MIN_MOVE_PART + (allocation->size % MIN_MOVE_PART != 0);

    if (offset >= old)
        return true;
    return old - offset < allocation->size && (!work->overlap || old - offset < min);
}

/* Places an item at the cursor, or leaves it where it is. Returns whether it moves. */
static bool pack(struct work *work, struct packer *packer, const struct vma_allocation *allocation,
                 struct item *item)
{
    uint64_t offset = 0, end = 0, old = item->offset;
    bool fits;

    for (;;) {
        uint64_t block_size = vma_block(work->allocator, work->blocks[packer->block].block)->size;

        fits = vma_up(packer->offset, allocation->alignment, &offset) &&
               bytes_add(offset, allocation->size, &end) && end <= block_size;
        if (fits || packer->block >= item->block)
            break;
        remember_gap(packer, block_size - packer->offset);
        packer->block++;
        packer->offset = 0;
    }
    if (packer->block == item->block && (!fits || is_left(work, allocation, offset, old))) {
        remember_gap(packer, old - packer->offset);
        packer->offset = old + allocation->size;
        return false;
    }
    item->block = packer->block;
    item->offset = offset;
    packer->offset = end;
    return true;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *left = a, *right = b;

    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Empties a block: leaves a single range, which is free and not in the index. */
static void empty_block(struct vma_allocator *allocator, uint32_t index)
{
    uint32_t range = vma_block(allocator, index)->first_range;

    for (; range != VMA_NONE; range = vma_range(allocator, range)->next)
        if (vma_range(allocator, range)->allocation != VMA_NONE)
            vma_range_release(allocator, range, false, false);
    range = vma_block(allocator, index)->first_range;
    while (vma_range(allocator, range)->next != VMA_NONE)
        vma_range_join(allocator, range);
    vma_index_clear(allocator, index);
}

/*
 * Inserts free ranges into the index from the last to the first, so that ranges of equal size are
 * in the order of their offsets.
 */
static void index_block(struct vma_allocator *allocator, uint32_t index)
{
    uint32_t range = vma_block(allocator, index)->last_range;

    for (; range != VMA_NONE; range = vma_range(allocator, range)->previous)
        if (vma_range(allocator, range)->allocation == VMA_NONE &&
            vma_indexed(vma_range(allocator, range)))
            vma_index_insert(allocator, range);
    vma_tally_settle(allocator, index);
}

/* Rebuilds the blocks' ranges from the new places of the items. */
static int rebuild(struct work *work)
{
    struct vma_allocator *allocator = work->allocator;
    uint32_t i = 0, before, after;
    int status = vma_slab_reserve(&allocator->ranges, work->item_count * 2 + 2);

    if (status < 0)
        return status;
    qsort(work->items, work->item_count, sizeof(*work->items), compare_items);
    for (uint32_t b = 0; b < work->block_count; b++)
        empty_block(allocator, work->blocks[b].block);
    for (uint32_t b = 0; b < work->block_count; b++) {
        uint32_t rest = vma_block(allocator, work->blocks[b].block)->first_range;

        for (; i < work->item_count && work->items[i].block == b; i++) {
            uint32_t allocation = work->items[i].allocation;

            vma_range_use(allocator, rest, work->items[i].offset,
                          vma_allocation(allocator, allocation)->size, allocation, &before, &after);
            rest = after;
        }
        index_block(allocator, work->blocks[b].block);
    }
    return 0;
}

static int move_fast(struct work *work)
{
    struct vma_allocator *allocator = work->allocator;
    struct packer packer = {.block = 0};
    uint8_t *moved = calloc(work->item_count + 1, 1);
    int status = 0;

    if (moved == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < work->item_count; i++) {
        struct item *item = &work->items[i];
        const struct vma_allocation *allocation = vma_allocation(allocator, item->allocation);

        if (over_limit(work, allocation->size) || !vma_step(allocator))
            break;
        moved[i] = fill_gap(&packer, allocation, item) || pack(work, &packer, allocation, item);
        work->moves += moved[i];
        work->bytes += moved[i] ? allocation->size : 0;
    }
    if (work->moves > 0 && allocator->observer != NULL) {
        /* Notify the observer in the order of moves, before the items are sorted. */
        for (uint32_t i = 0; i < work->item_count; i++)
            if (moved[i])
                notify_moved(allocator, work->items[i].allocation);
    }
    if (work->moves > 0)
        status = rebuild(work);
    free(moved);
    return status;
}

/*
 * Returns whether ranges that must not share a page could do so. Considers all blocks (vma.md 3.9).
 */
static bool conflict_possible(const struct work *work)
{
    const struct vma_allocator *allocator = work->allocator;
    enum vma_label before = VMA_FREE;

    if (work->vector->granularity == 1)
        return false;
    for (uint32_t index = work->vector->first_block; index != VMA_NONE;
         index = vma_block(allocator, index)->next) {
        uint64_t min = UINT64_MAX;

        for (uint32_t range = vma_block(allocator, index)->first_range; range != VMA_NONE;
             range = vma_range(allocator, range)->next) {
            uint32_t allocation = vma_range(allocator, range)->allocation;

            if (allocation == VMA_NONE)
                continue;
            if (vma_allocation(allocator, allocation)->alignment < min)
                min = vma_allocation(allocator, allocation)->alignment;
            if (vma_conflict(before, vma_range_label(allocator, vma_range(allocator, range))))
                return true;
            before = vma_range_label(allocator, vma_range(allocator, range));
        }
        if (vma_block(allocator, index)->allocations > 0 && min >= work->vector->granularity)
            return true;
    }
    return false;
}

/* Which processor moves the allocations of a vector. */
enum processor { PROCESSOR_NONE, PROCESSOR_CPU, PROCESSOR_GPU };

static enum processor choose_processor(const struct vma_allocator *allocator,
                                       const struct vma_vector *vector,
                                       const struct vma_defragmentation *what)
{
    uint32_t flags = allocator->device->types[vector->type].flags;
    const uint32_t checked = VMA_HOST_VISIBLE | VMA_HOST_COHERENT;
    bool corruption = allocator->macros->detect_corruption && allocator->macros->margin > 0 &&
                      (flags & checked) == checked;
    bool cpu = what->cpu_bytes > 0 && what->cpu_allocations > 0 && (flags & VMA_HOST_VISIBLE) != 0;
    bool gpu = what->has_command_buffer && what->gpu_bytes > 0 && what->gpu_allocations > 0 &&
               !corruption && (vma_buffer_type_bits(allocator->device) >> vector->type & 1) != 0;

    if (cpu && gpu)
        return (flags & VMA_DEVICE_LOCAL) != 0 || allocator->device->kind == VMA_DEVICE_INTEGRATED
                   ? PROCESSOR_GPU
                   : PROCESSOR_CPU;
    return gpu ? PROCESSOR_GPU : cpu ? PROCESSOR_CPU : PROCESSOR_NONE;
}

static uint64_t count_allocations(const struct vma_allocator *allocator, uint32_t vector)
{
    uint64_t count = 0;

    for (uint32_t block = vma_vector(allocator, vector)->first_block; block != VMA_NONE;
         block = vma_block(allocator, block)->next)
        count += vma_block(allocator, block)->allocations;
    return count;
}

/* Moves what can be moved in one vector. Sets *on_gpu if the GPU moved anything. */
static int process(struct vma_allocator *allocator, struct part *part, const uint8_t *movable,
                   const struct vma_defragmentation *what, bool *on_gpu)
{
    struct vma_vector *vector = vma_vector(allocator, part->vector);
    enum processor processor = choose_processor(allocator, vector, what);
    bool gpu = processor == PROCESSOR_GPU;
    struct work work = {.allocator = allocator,
                        .movable = movable,
                        .vector = vector,
                        .max_bytes = gpu ? what->gpu_bytes : what->cpu_bytes,
                        .max_moves = gpu ? what->gpu_allocations : what->cpu_allocations,
                        .overlap = !gpu};
    int status;

    if (processor == PROCESSOR_NONE)
        return 0;
    /* Counted only here, as a walk over all blocks takes longer than a call that moves nothing. */
    part->all |= part->listed == count_allocations(allocator, part->vector);
    if (part->all)
        work.movable = NULL;
    status = gather(&work);
    if (status == 0 && part->all && allocator->macros->margin == 0 && !conflict_possible(&work))
        status = move_fast(&work);
    else if (status == 0)
        status = move_generally(&work);
    *on_gpu |= gpu && work.moves > 0;
    free(work.blocks);
    free(work.items);
    return status == -EDQUOT ? 0 : status;
}

/* Frees empty blocks, from the last to the first, down to the vector's minimum. */
static void free_empty_blocks(struct vma_allocator *allocator, uint32_t index)
{
    struct vma_vector *vector = vma_vector(allocator, index);
    uint32_t block = vector->last_block, previous;

    for (; block != VMA_NONE && vector->empty > 0 && vector->count > vector->min_count;
         block = previous) {
        previous = vma_block(allocator, block)->previous;
        if (vma_block(allocator, block)->allocations == 0)
            vma_vector_remove_block(allocator, block);
    }
}

/* The vectors that take part, and which allocations may move. */
struct plan {
    struct part *parts;
    uint32_t count;
    uint32_t *ordinals; /* of each vector: its index in `parts` plus one; 0: none */
    uint8_t *movable;
};

static struct part *plan_part(struct plan *plan, uint32_t vector)
{
    uint32_t *ordinal = &plan->ordinals[vector];

    if (*ordinal == 0) {
        plan->parts[plan->count] = (struct part){.vector = vector};
        *ordinal = ++plan->count;
    }
    return &plan->parts[*ordinal - 1];
}

static void plan_allocation(struct vma_allocator *allocator, struct plan *plan, uint32_t index,
                            bool pools)
{
    const struct vma_allocation *allocation = vma_allocation(allocator, index);
    const struct vma_vector *vector;

    if (allocation->place != VMA_PLACE_BLOCK)
        return;
    vector = vma_vector(allocator, allocation->vector);
    if (vector->algorithm != VMA_ALGORITHM_DEFAULT || (vector->pool != VMA_NONE) != pools ||
        (plan->movable[index / 8] >> index % 8 & 1) != 0)
        return;
    plan->movable[index / 8] |= (uint8_t)(1u << index % 8);
    plan_part(plan, allocation->vector)->listed++;
}

static int compare_types(const void *a, const void *b)
{
    const struct part *left = a, *right = b;

    return left->vector < right->vector ? -1 : left->vector > right->vector;
}

/*
 * Plans the parts: default vectors by memory type, then pools, listed pools before those of listed
 * allocations.
 */
static int make_plan(struct vma_allocator *allocator, const struct vma_defragmentation *what,
                     struct plan *plan)
{
    plan->parts = calloc(allocator->vectors.used + 1, sizeof(*plan->parts));
    plan->ordinals = calloc(allocator->vectors.count, sizeof(*plan->ordinals));
    plan->movable = calloc(allocator->allocations.count / 8 + 1, 1);
    if (plan->parts == NULL || plan->ordinals == NULL || plan->movable == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < what->allocation_count; i++)
        plan_allocation(allocator, plan, what->allocations[i], false);
    /* Default vectors were created in the order of types. */
    qsort(plan->parts, plan->count, sizeof(*plan->parts), compare_types);
    for (uint32_t i = 0; i < plan->count; i++)
        plan->ordinals[plan->parts[i].vector] = i + 1;
    for (uint32_t i = 0; i < what->pool_count; i++) {
        uint32_t vector = vma_pool(allocator, what->pools[i])->vector;

        if (vma_vector(allocator, vector)->algorithm == VMA_ALGORITHM_DEFAULT)
            plan_part(plan, vector)->all = true;
    }
    for (uint32_t i = 0; i < what->allocation_count; i++)
        plan_allocation(allocator, plan, what->allocations[i], true);
    return 0;
}

/* Makes a context. If it remains open, the empty blocks of its vectors are freed at its end. */
static int make_context(struct vma_allocator *allocator, const struct plan *plan, bool open,
                        uint32_t *out)
{
    uint32_t members = open ? plan->count : 0;
    int status = vma_grow(allocator, &allocator->contexts, 1);
    uint32_t *next;

    if (status == 0)
        status = vma_grow(allocator, &allocator->members, members);
    if (status < 0)
        return status;
    *out = vma_slab_take(&allocator->contexts);
    next = &vma_context(allocator, *out)->first_member;
    for (uint32_t i = 0; i < members; i++) {
        struct vma_context_member *member;

        *next = vma_slab_take(&allocator->members);
        member = vma_slab_at(&allocator->members, *next);
        member->vector = plan->parts[i].vector;
        member->serial = vma_vector(allocator, member->vector)->serial;
        next = &member->next;
    }
    return 0;
}

int vma_defragment(struct vma_allocator *allocator, const struct vma_defragmentation *what,
                   uint32_t *context)
{
    struct plan plan = {0};
    bool on_gpu = false;
    int status = make_plan(allocator, what, &plan);

    *context = VMA_NONE;
    for (uint32_t i = 0; i < plan.count && status == 0; i++)
        status = process(allocator, &plan.parts[i], plan.movable, what, &on_gpu);
    if (status == 0)
        status = make_context(allocator, &plan, on_gpu, context);
    for (uint32_t i = 0; i < plan.count && status == 0 && !on_gpu; i++)
        free_empty_blocks(allocator, plan.parts[i].vector);
    free(plan.parts);
    free(plan.ordinals);
    free(plan.movable);
    return status;
}

void vma_defragment_end(struct vma_allocator *allocator, uint32_t context_index)
{
    uint32_t member = vma_context(allocator, context_index)->first_member, next;

    for (; member != VMA_NONE; member = next) {
        const struct vma_context_member *part = vma_slab_at(&allocator->members, member);

        next = part->next;
        if (vma_vector(allocator, part->vector)->serial == part->serial)
            free_empty_blocks(allocator, part->vector);
        vma_slab_give(&allocator->members, member);
    }
    vma_slab_give(&allocator->contexts, context_index);
}

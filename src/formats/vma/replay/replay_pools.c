/*
 * Calls on pools, and defragmentation. Part of the replay (replay.h).
 */
#include "formats/vma/replay/replay.h"

#include "formats/vma/replay/history.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Pools. */

static uint8_t take_slot(struct vma_replay *replay)
{
    for (uint8_t slot = 0; slot < VMA_POOL_SLOTS; slot++)
        if ((replay->used_slots >> slot & 1) == 0) {
            replay->used_slots |= UINT32_C(1) << slot;
            return slot;
        }
    return VMA_NO_SLOT;
}

static void destroy_pool(struct vma_replay *replay, uint32_t index)
{
    uint8_t slot = vma_pool(&replay->allocator, index)->slot;

    if (slot != VMA_NO_SLOT)
        replay->used_slots &= ~(UINT32_C(1) << slot);
    vma_pool_destroy(&replay->allocator, index);
}

/* A pool without blocks, whose creation failed here and not in the recording. */
static int make_null_pool(struct vma_replay *replay, uint32_t *out)
{
    int status = vma_slab_reserve(&replay->allocator.pools, 1);

    if (status < 0)
        return status;
    *out = vma_slab_take(&replay->allocator.pools);
    replay->allocator.null_pools++;
    return 0;
}

static int name_pool(struct vma_replay *replay, uint32_t index, uint64_t pointer, uint32_t ordinal)
{
    struct vma_pool *pool = vma_pool(&replay->allocator, index);
    uint32_t old = VMA_NONE;
    int status = vma_map_exchange(&replay->pools, pointer, index, &old);

    if (status < 0)
        return status;
    if (old != VMA_NONE) {
        vma_replay_complain(replay, PROBLEM_WARNING, "Pool %" PRIX64 " already exists.", pointer);
        vma_pool(&replay->allocator, old)->named = false;
    }
    pool->named = pool->in_use = true;
    pool->pointer = pointer;
    pool->packet = replay->packet;
    pool->ordinal = ordinal;
    pool->slot = pool->vector != VMA_NONE ? take_slot(replay) : VMA_NO_SLOT;
    return 0;
}

int vma_on_create_pool(struct vma_replay *replay)
{
    const struct vma_call *call = replay->call;
    uint32_t index = VMA_NONE, ordinal = replay->next_pool++;
    const struct vma_pool_request request = {
        .ordinal = ordinal,
        .type = (uint32_t)call->value[VMA_TYPE_INDEX],
        .flags = (uint32_t)call->value[VMA_POOL_FLAGS],
        .frames_in_use = (uint32_t)call->value[VMA_FRAMES_IN_USE],
        .block_size = call->value[VMA_BLOCK_SIZE],
        .min_count = call->value[VMA_MIN_BLOCKS],
        .max_count = call->value[VMA_MAX_BLOCKS],
    };
    uint64_t pointer = call->value[VMA_POOL];
    int status = vma_pool_create(&replay->allocator, &request, &index);

    vma_replay_limits(replay);
    if (status < 0 && status != -ENOSPC)
        return status;
    vma_replay_outcome(replay, status, pointer != 0);
    if (replay->history != NULL)
        vma_history_pool(replay->history, replay->packet,
                         status == 0 && pointer != 0 ? vma_pool(&replay->allocator, index)->id
                                                     : VMA_NEVER);
    if (status == 0 && pointer == 0) {
        vma_pool(&replay->allocator, index)->slot = VMA_NO_SLOT;
        destroy_pool(replay, index);
    }
    if (pointer == 0)
        return 0;
    status = status == 0 ? 0 : make_null_pool(replay, &index);
    return status < 0 ? status : name_pool(replay, index, pointer, ordinal);
}

/* The pool of a call that is about a pool; VMA_NONE with a complaint. */
static uint32_t usable_pool(struct vma_replay *replay)
{
    uint32_t index = vma_replay_find_pool(replay, replay->call->value[VMA_POOL]);

    if (index == VMA_NONE || vma_pool(&replay->allocator, index)->vector != VMA_NONE)
        return index;
    vma_replay_complain(replay, PROBLEM_WARNING, "Cannot call %s - pool is null.",
                        vma_replay_function_name(replay));
    return VMA_NONE;
}

/* Tells the history which allocations go with a pool; returns how many. */
static uint32_t report_orphans(struct vma_replay *replay, const struct vma_vector *vector)
{
    const struct vma_allocator *allocator = &replay->allocator;
    uint32_t count = 0;

    for (uint32_t block = vector->first_block; block != VMA_NONE;
         block = vma_block(allocator, block)->next) {
        count += vma_block(allocator, block)->allocations;
        for (uint32_t range = vma_block(allocator, block)->first_range;
             range != VMA_NONE && replay->history != NULL;
             range = vma_range(allocator, range)->next)
            if (vma_range(allocator, range)->allocation != VMA_NONE)
                vma_history_orphan(
                    replay->history,
                    vma_allocation(allocator, vma_range(allocator, range)->allocation)->number);
    }
    return count;
}

int vma_on_destroy_pool(struct vma_replay *replay)
{
    uint64_t pointer = replay->call->value[VMA_POOL];
    const struct vma_pool *pool;
    uint32_t index, orphans = 0;

    if (pointer == 0)
        return 0;
    index = vma_replay_find_pool(replay, pointer);
    if (index == VMA_NONE)
        return 0;
    pool = vma_pool(&replay->allocator, index);
    if (replay->history != NULL)
        vma_history_pool_end(replay->history, pool->ordinal, replay->packet);
    vma_map_remove(&replay->pools, pointer);
    if (pool->vector == VMA_NONE) {
        vma_slab_give(&replay->allocator.pools, index);
        replay->allocator.null_pools--;
        return 0;
    }
    orphans = report_orphans(replay, vma_vector(&replay->allocator, pool->vector));
    if (orphans > 0)
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "Pool %" PRIX64 " is destroyed with %u allocations.", pointer, orphans);
    destroy_pool(replay, index);
    return 0;
}

int vma_on_make_lost(struct vma_replay *replay)
{
    uint32_t index = usable_pool(replay);

    if (index != VMA_NONE)
        vma_pool_make_lost(&replay->allocator, index);
    return 0;
}

int vma_on_set_pool_name(struct vma_replay *replay)
{
    uint32_t index = usable_pool(replay);
    struct vma_user_data name;

    if (index == VMA_NONE)
        return 0;
    vma_user_data(replay->recording, replay->call->text, true, &name);
    vma_pool_name(&replay->allocator, index, name.value, name.length);
    if (replay->history != NULL)
        vma_history_pool_name(replay->history, vma_pool(&replay->allocator, index)->ordinal,
                              replay->packet);
    return 0;
}

/* Defragmentation. */

/* The known objects of a list of pointers, for free(). */
static int resolve_list(struct vma_replay *replay, struct vma_slice list, bool pools,
                        uint32_t **out, uint32_t *count)
{
    struct vma_slice walk = list;
    uint64_t pointer;
    uint32_t max = 0;

    while (max < UINT32_MAX && vma_replay_next_pointer(&walk, &pointer))
        max++;
    *count = 0;
    *out = reallocarray(NULL, (size_t)max + 1, sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    /* Not more than were counted, should the file be changed meanwhile. */
    for (; max > 0 && vma_replay_next_pointer(&list, &pointer); max--) {
        uint32_t index;

        if (pointer == 0)
            continue;
        index = pools ? vma_replay_find_pool(replay, pointer)
                      : vma_replay_find_allocation(replay, pointer);
        if (index != VMA_NONE &&
            (!pools || vma_pool(&replay->allocator, index)->vector != VMA_NONE))
            (*out)[(*count)++] = index;
    }
    return 0;
}

static int name_context(struct vma_replay *replay, uint32_t index, uint64_t pointer)
{
    struct vma_context *context = vma_context(&replay->allocator, index);
    uint32_t old = VMA_NONE;
    int status = vma_map_exchange(&replay->contexts, pointer, index, &old);

    if (status < 0)
        return status;
    if (old != VMA_NONE) {
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "Defragmentation context %" PRIX64 " already exists.", pointer);
        vma_context(&replay->allocator, old)->named = false;
    }
    context->named = context->in_use = true;
    context->pointer = pointer;
    context->packet = replay->packet;
    return 0;
}

int vma_on_defragmentation_begin(struct vma_replay *replay)
{
    const struct vma_call *call = replay->call;
    struct vma_defragmentation what = {
        .cpu_bytes = call->value[VMA_CPU_BYTES],
        .cpu_allocations = (uint32_t)call->value[VMA_CPU_ALLOCATIONS],
        .gpu_bytes = call->value[VMA_GPU_BYTES],
        .gpu_allocations = (uint32_t)call->value[VMA_GPU_ALLOCATIONS],
        .has_command_buffer = call->value[VMA_COMMAND_BUFFER] != 0,
    };
    uint32_t *allocations = NULL, *pools = NULL, context = VMA_NONE;
    int status =
        resolve_list(replay, call->allocations, false, &allocations, &what.allocation_count);

    if (status == 0)
        status = resolve_list(replay, call->pools, true, &pools, &what.pool_count);
    what.allocations = allocations;
    what.pools = pools;
    if (status == 0)
        status = vma_defragment(&replay->allocator, &what, &context);
    vma_replay_limits(replay);
    if (status == 0 && call->value[VMA_CONTEXT] != 0)
        status = name_context(replay, context, call->value[VMA_CONTEXT]);
    else if (status == 0)
        vma_defragment_end(&replay->allocator, context);
    free(allocations);
    free(pools);
    return status;
}

int vma_on_defragmentation_end(struct vma_replay *replay)
{
    uint64_t pointer = replay->call->value[VMA_CONTEXT];
    uint32_t index = vma_map_get(&replay->contexts, pointer);

    if (pointer == 0)
        return 0;
    if (index == VMA_NONE) {
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "Defragmentation context %" PRIX64 " not found.", pointer);
        return 0;
    }
    vma_map_remove(&replay->contexts, pointer);
    vma_defragment_end(&replay->allocator, index);
    return 0;
}

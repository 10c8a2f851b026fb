/* SPDX-License-Identifier: MIT */
/*
 * Executes the calls of a recording: on allocations, on pools, and defragmentation. Part of the
 * replay (replay.h).
 */
#include "formats/vma/replay/history.h"
#include "formats/vma/replay/replay.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Returns the allocation of the call, or VMA_NONE with a problem if it cannot be used. */
static uint32_t usable_allocation(struct vma_replay *replay)
{
    uint32_t index = vma_replay_find_allocation(replay, replay->call->value[VMA_ALLOCATION]);

    if (index == VMA_NONE)
        return VMA_NONE;
    switch ((enum vma_place_kind)vma_allocation(&replay->allocator, index)->place) {
    case VMA_PLACE_NULL:
        vma_replay_complain(replay, PROBLEM_WARNING, "Cannot call %s - allocation is null.",
                            vma_replay_function_name(replay));
        return VMA_NONE;
    case VMA_PLACE_ORPHAN:
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "The pool of allocation %" PRIX64 " was destroyed.",
                            vma_allocation(&replay->allocator, index)->pointer);
        return VMA_NONE;
    default:
        return index;
    }
}

/*
 * Sets an allocation's user data from the call's text. The caller measures the allocation
 * afterwards.
 */
static void set_user_data(struct vma_replay *replay, struct vma_allocation *allocation)
{
    struct vma_user_data data;

    vma_user_data(replay->recording, replay->call->text, (allocation->flags & VMA_FLAG_STRING) != 0,
                  &data);
    if (data.bad)
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "User data is not a pointer; treated as null.");
    if (data.surplus)
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "Surplus columns after the user data pointer.");
    allocation->string = data.string;
    allocation->user = data.value;
    allocation->user_length = data.length;
    allocation->user_field_length = replay->parsed->field_length;
    allocation->user_json_length = replay->parsed->json_length;
}

/* Gives a new allocation its name and all fields that are printed. */
static int name_allocation(struct vma_replay *replay, uint32_t index, uint64_t pointer)
{
    const struct vma_call *call = replay->call;
    struct vma_allocation *allocation = vma_allocation(&replay->allocator, index);
    uint32_t old = VMA_NONE;
    int status = vma_map_exchange(&replay->allocations, pointer, index, &old);

    if (status < 0)
        return status;
    if (old != VMA_NONE) {
        vma_replay_complain(replay, PROBLEM_WARNING, "Allocation %" PRIX64 " already exists.",
                            pointer);
        vma_allocation(&replay->allocator, old)->named = false;
    }
    allocation->named = true;
    allocation->pointer = pointer;
    allocation->packet = replay->packet;
    allocation->frame = replay->frame;
    allocation->function = (uint8_t)call->head.function;
    allocation->number = replay->next_number++;
    allocation->estimated = (vma_functions[call->head.function].roles & VMA_ESTIMATED) != 0;
    if (call->head.function != VMA_CREATE_LOST_ALLOCATION) {
        allocation->flags = (uint32_t)call->value[VMA_FLAGS];
        set_user_data(replay, allocation);
    }
    if (allocation->place == VMA_PLACE_BLOCK || allocation->place == VMA_PLACE_DEDICATED)
        replay->allocator.estimated_bytes += allocation->estimated ? allocation->size : 0;
    if (allocation->place != VMA_PLACE_NULL)
        vma_tally_measure(&replay->allocator, index);
    if (replay->history != NULL)
        vma_history_begin(replay->history, &replay->allocator, index, replay->parsed->needs.size);
    return 0;
}

/* Gives the name to a null allocation, as the call has failed here, but not in the recording. */
static int name_null(struct vma_replay *replay, uint64_t pointer)
{
    uint32_t index;
    int status = vma_allocate_nowhere(&replay->allocator, VMA_PLACE_NULL, &index);

    if (status == -ENOSPC)
        return 0;
    return status < 0 ? status : name_allocation(replay, index, pointer);
}

/* Allocating calls. */

/* Returns the pool of a call. An unknown or failed pool counts as none. */
static uint32_t pool_of_call(struct vma_replay *replay)
{
    uint64_t pointer = replay->call->value[VMA_POOL];
    uint32_t pool = pointer == 0 ? VMA_NONE : vma_replay_find_pool(replay, pointer);

    return pool != VMA_NONE && vma_pool(&replay->allocator, pool)->vector == VMA_NONE ? VMA_NONE
                                                                                      : pool;
}

static enum vma_label label_of_call(const struct vma_call *call)
{
    switch (call->head.function) {
    case VMA_CREATE_BUFFER:
    case VMA_ALLOCATE_MEMORY_FOR_BUFFER:
        return VMA_BUFFER;
    case VMA_CREATE_IMAGE:
        return call->value[VMA_TILING] == 0 ? VMA_IMAGE_OPTIMAL : VMA_IMAGE_LINEAR;
    case VMA_ALLOCATE_MEMORY_FOR_IMAGE:
        return VMA_IMAGE_UNKNOWN;
    default:
        return VMA_UNKNOWN;
    }
}

static void check_alignment(struct vma_replay *replay, uint64_t alignment)
{
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
        vma_replay_complain(replay, PROBLEM_WARNING, "Alignment %" PRIu64 " is not a power of two.",
                            alignment);
}

/* Makes `count` allocations as the call requests. Returns 0, -ENOSPC or -ENOMEM. */
static int allocate(struct vma_replay *replay, uint32_t count, uint32_t *out)
{
    const struct vma_call *call = replay->call;
    bool resource = (vma_functions[call->head.function].roles & VMA_ESTIMATED) != 0;
    const struct vma_requirements *needs = &replay->parsed->needs;
    struct vma_request request;
    int status;

    if (replay->parsed->too_large) {
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "The size does not fit into 64 bits; %s fails.",
                            vma_replay_function_name(replay));
        replay->allocator.failure = VMA_FAILURE_REQUEST;
        return -ENOSPC;
    }
    check_alignment(replay, needs->alignment);
    request = (struct vma_request){
        .size = needs->size,
        .alignment = needs->alignment,
        .type_bits = needs->type_bits,
        .requires_dedicated = needs->requires_dedicated,
        .prefers_dedicated = needs->prefers_dedicated,
        .label = label_of_call(call),
        .flags = (uint32_t)call->value[VMA_FLAGS],
        .usage = (uint32_t)call->value[VMA_USAGE],
        .required = (uint32_t)call->value[VMA_REQUIRED],
        .preferred = (uint32_t)call->value[VMA_PREFERRED],
        .memory_type_bits = (uint32_t)call->value[VMA_TYPE_BITS],
        .pool = pool_of_call(replay),
        .resource_usage = resource ? (uint32_t)call->value[VMA_RESOURCE_USAGE] : 0,
    };
    status = vma_allocate(&replay->allocator, &request, count, out);
    vma_replay_limits(replay);
    return status;
}

/*
 * Reconciles what has happened with what was recorded: names the allocation, frees it, or names a
 * null allocation.
 */
static int settle(struct vma_replay *replay, int status, uint64_t pointer, uint32_t index)
{
    if (status == 0 && pointer != 0)
        return name_allocation(replay, index, pointer);
    if (status == 0)
        vma_free(&replay->allocator, index);
    else if (pointer != 0)
        return name_null(replay, pointer);
    return 0;
}

int vma_on_allocate(struct vma_replay *replay)
{
    uint64_t pointer = replay->call->value[VMA_ALLOCATION];
    uint32_t index = VMA_NONE;
    int status = allocate(replay, 1, &index);

    if (status < 0 && status != -ENOSPC)
        return status;
    vma_replay_outcome(replay, status, pointer != 0);
    return settle(replay, status, pointer, index);
}

/* Ensures room for `count` indexes. */
static int reserve_outputs(struct vma_replay *replay, uint32_t count)
{
    uint32_t *outputs;

    if (count <= replay->output_room)
        return 0;
    outputs = reallocarray(replay->outputs, count, sizeof(*outputs));
    if (outputs == NULL)
        return -ENOMEM;
    replay->outputs = outputs;
    replay->output_room = count;
    return 0;
}

int vma_on_allocate_pages(struct vma_replay *replay)
{
    struct vma_slice list = replay->call->allocations;
    uint64_t pointer;
    uint32_t count = 0;
    bool succeeded = false;
    int status, made;

    for (; count < UINT32_MAX && vma_replay_next_pointer(&list, &pointer); count++)
        succeeded |= pointer != 0;
    if (count == 0)
        return 0;
    status = reserve_outputs(replay, count);
    if (status < 0)
        return status;
    made = allocate(replay, count, replay->outputs);
    if (made < 0 && made != -ENOSPC)
        return made;
    vma_replay_outcome(replay, made, succeeded);
    list = replay->call->allocations;
    for (uint32_t i = 0; i < count && status == 0 && vma_replay_next_pointer(&list, &pointer); i++)
        status = settle(replay, made, pointer, made == 0 ? replay->outputs[i] : VMA_NONE);
    return status;
}

int vma_on_create_lost(struct vma_replay *replay)
{
    uint64_t pointer = replay->call->value[VMA_ALLOCATION];
    uint32_t index = VMA_NONE;
    int status;

    if (pointer == 0)
        return 0;
    status = vma_allocate_nowhere(&replay->allocator, VMA_PLACE_LOST, &index);
    vma_replay_limits(replay);
    if (status == -ENOSPC)
        return 0;
    return status < 0 ? status : name_allocation(replay, index, pointer);
}

/* Freeing calls. */

static void free_one(struct vma_replay *replay, uint64_t pointer)
{
    const struct vma_allocation *allocation;
    uint32_t index;

    if (pointer == 0)
        return;
    index = vma_replay_take_allocation(replay, pointer);
    if (index == VMA_NONE)
        return;
    allocation = vma_allocation(&replay->allocator, index);
    if (allocation->place == VMA_PLACE_ORPHAN)
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "The pool of allocation %" PRIX64 " was destroyed.", pointer);
    else if (replay->history != NULL)
        vma_history_end(replay->history, allocation->number, replay->packet);
    vma_free(&replay->allocator, index);
}

int vma_on_free(struct vma_replay *replay)
{
    free_one(replay, replay->call->value[VMA_ALLOCATION]);
    vma_replay_limits(replay);
    return 0;
}

int vma_on_free_pages(struct vma_replay *replay)
{
    struct vma_slice list = replay->call->allocations;
    uint64_t pointer;

    while (vma_replay_next_pointer(&list, &pointer))
        free_one(replay, pointer);
    vma_replay_limits(replay);
    return 0;
}

/* Calls on one allocation. */

int vma_on_set_user_data(struct vma_replay *replay)
{
    uint32_t index = vma_replay_find_allocation(replay, replay->call->value[VMA_ALLOCATION]);
    struct vma_allocation *allocation;

    if (index == VMA_NONE)
        return 0;
    allocation = vma_allocation(&replay->allocator, index);
    if (allocation->place == VMA_PLACE_NULL || allocation->place == VMA_PLACE_ORPHAN)
        return 0;
    set_user_data(replay, allocation);
    vma_tally_measure(&replay->allocator, index);
    if (replay->history != NULL)
        vma_history_rename(replay->history, allocation->number, replay->packet);
    return 0;
}

int vma_on_touch(struct vma_replay *replay)
{
    uint32_t index = usable_allocation(replay);

    if (index != VMA_NONE && vma_allocation(&replay->allocator, index)->place != VMA_PLACE_LOST)
        vma_touch(&replay->allocator, index);
    return 0;
}

static bool can_map(const struct vma_replay *replay, const struct vma_allocation *allocation)
{
    const struct vma_device *device = &replay->recording->configuration.device;

    return allocation->place != VMA_PLACE_LOST &&
           (allocation->flags & VMA_FLAG_CAN_BECOME_LOST) == 0 &&
           (device->types[allocation->type].flags & VMA_HOST_VISIBLE) != 0;
}

int vma_on_map(struct vma_replay *replay)
{
    uint32_t index = usable_allocation(replay);
    struct vma_allocation *allocation;

    if (index == VMA_NONE)
        return 0;
    allocation = vma_allocation(&replay->allocator, index);
    if (!can_map(replay, allocation)) {
        vma_replay_complain(replay, PROBLEM_WARNING, "vmaMapMemory failed (-5)");
        return 0;
    }
    replay->allocator.mapped += allocation->maps == 0;
    allocation->maps++;
    vma_tally_measure(&replay->allocator, index);
    if (replay->history != NULL)
        vma_history_map(replay->history, allocation->number);
    return 0;
}

int vma_on_unmap(struct vma_replay *replay)
{
    uint32_t index = usable_allocation(replay);
    struct vma_allocation *allocation;

    if (index == VMA_NONE)
        return 0;
    allocation = vma_allocation(&replay->allocator, index);
    if (allocation->maps == 0) {
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "vmaUnmapMemory of an allocation that is not mapped.");
        return 0;
    }
    allocation->maps--;
    replay->allocator.mapped -= allocation->maps == 0;
    vma_tally_measure(&replay->allocator, index);
    return 0;
}

/* Handles calls that change nothing here, but name an allocation. */
int vma_on_use(struct vma_replay *replay)
{
    usable_allocation(replay);
    return 0;
}

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

/*
 * Makes a pool without blocks, whose creation failed here, but not in the recording. Returns 0,
 * -ENOMEM, or -ENOSPC if there is no room for the pool; its name remains unknown then.
 */
static int make_null_pool(struct vma_replay *replay, uint32_t *out)
{
    int status = vma_grow(&replay->allocator, &replay->allocator.pools, 1);

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
    if (status == -ENOSPC) {
        vma_replay_limits(replay);
        return 0;
    }
    return status < 0 ? status : name_pool(replay, index, pointer, ordinal);
}

/* Returns the pool of a call on a pool, or VMA_NONE with a problem. */
static uint32_t usable_pool(struct vma_replay *replay)
{
    uint32_t index = vma_replay_find_pool(replay, replay->call->value[VMA_POOL]);

    if (index == VMA_NONE || vma_pool(&replay->allocator, index)->vector != VMA_NONE)
        return index;
    vma_replay_complain(replay, PROBLEM_WARNING, "Cannot call %s - pool is null.",
                        vma_replay_function_name(replay));
    return VMA_NONE;
}

/* Reports to the history which allocations lose their pool. Returns their number. */
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
    vma_replay_limits(replay);
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

/* Lists the known objects that a list of pointers names. The caller frees *out. */
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
    /* Take no more than were counted, in case the file is changed meanwhile. */
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
    return status == -ENOSPC ? 0 : status; /* there was no room for a context, so there is none */
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

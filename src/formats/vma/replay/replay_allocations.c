/*
 * Calls on allocations: making, freeing, mapping, touching, user data. Part of the
 * replay (replay.h).
 */
#include "formats/vma/replay/replay.h"

#include "formats/vma/replay/history.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The allocation of the call, if it can be used; else VMA_NONE with a complaint. */
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

/* Sets an allocation's user data as the call's text says; it is measured afterwards. */
static void set_user_data(struct vma_replay *replay, struct vma_allocation *allocation)
{
    struct vma_user_data data;

    vma_user_data(replay->recording, replay->call->text, (allocation->flags & VMA_FLAG_STRING) != 0,
                  &data);
    if (data.bad)
        vma_replay_complain(replay, PROBLEM_WARNING, "User data is no pointer; taken as null.");
    if (data.surplus)
        vma_replay_complain(replay, PROBLEM_WARNING,
                            "Surplus columns behind the user data pointer.");
    allocation->string = data.string;
    allocation->user = data.value;
    allocation->user_length = data.length;
    allocation->user_field_length = replay->parsed->field_length;
    allocation->user_json_length = replay->parsed->json_length;
}

/* Gives a new allocation its name and all that is printed of it. */
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

/* The call failed here, and not in the recording: a null allocation has the name. */
static int name_null(struct vma_replay *replay, uint64_t pointer)
{
    uint32_t index;
    int status = vma_allocate_nowhere(&replay->allocator, VMA_PLACE_NULL, &index);

    if (status == -ENOSPC)
        return 0;
    return status < 0 ? status : name_allocation(replay, index, pointer);
}

/* Allocating calls. */

/* The pool of a call: an unknown or failed one counts as none. */
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
        vma_replay_complain(replay, PROBLEM_WARNING, "Alignment %" PRIu64 " is no power of two.",
                            alignment);
}

/* Makes `count` allocations as the call asks. 0, -ENOSPC, -ENOMEM. */
static int allocate(struct vma_replay *replay, uint32_t count, uint32_t *out)
{
    const struct vma_call *call = replay->call;
    bool resource = (vma_functions[call->head.function].roles & VMA_ESTIMATED) != 0;
    const struct vma_requirements *needs = &replay->parsed->needs;
    struct vma_request request;
    int status;

    if (replay->parsed->too_large) {
        vma_replay_complain(replay, PROBLEM_WARNING, "The size does not fit 64 bits; %s fails.",
                            vma_replay_function_name(replay));
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

/* What was recorded, against what has happened: names, frees or complains. */
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

/* Room for `count` indexes. */
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
    return 0;
}

int vma_on_free_pages(struct vma_replay *replay)
{
    struct vma_slice list = replay->call->allocations;
    uint64_t pointer;

    while (vma_replay_next_pointer(&list, &pointer))
        free_one(replay, pointer);
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

/* Calls that change nothing here, but name an allocation. */
int vma_on_use(struct vma_replay *replay)
{
    usable_allocation(replay);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Each function of the recording has one handler in a constant table. A handler trusts the values
 * of a call, since their verdict was VMA_CALL_GOOD, and nothing else.
 */
#include "formats/vma/replay/replay.h"

#include "formats/vma/replay/history.h"
#include "formats/vma/replay/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Work between two checks of the cancel flag: bytes of lines, and steps of the allocator. */
enum { POLL_WORK = 1 << 18, PACKET_WORK = POLL_WORK >> 12 };

void vma_replay_complain(struct vma_replay *replay, enum problem_severity severity,
                         const char *format, ...)
{
    char what[200];
    va_list arguments;

    if (replay->diagnostics == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    vma_diagnostics_add(replay->diagnostics, severity, replay->line.offset, replay->packet, "%s",
                        what);
}

const char *vma_replay_function_name(const struct vma_replay *replay)
{
    return vma_functions[replay->call->head.function].name;
}

int vma_replay_init(struct vma_replay *replay, const struct vma_recording *recording,
                    const struct vma_allocator_params *params)
{
    *replay = (struct vma_replay){
        .recording = recording, .frame = VMA_NO_FRAME, .milliseconds = VMA_NO_TIME};
    return vma_allocator_init(&replay->allocator, params);
}

void vma_replay_clear(struct vma_replay *replay)
{
    vma_allocator_clear(&replay->allocator);
    vma_map_clear(&replay->allocations);
    vma_map_clear(&replay->pools);
    vma_map_clear(&replay->contexts);
    free(replay->outputs);
    replay->outputs = NULL;
}

int vma_replay_name(struct vma_replay *replay)
{
    const struct vma_allocator *allocator = &replay->allocator;
    int status = 0;

    for (uint32_t i = 1; i < allocator->allocations.count && status == 0; i++)
        if (vma_allocation(allocator, i)->named)
            status = vma_map_set(&replay->allocations, vma_allocation(allocator, i)->pointer, i);
    for (uint32_t i = 1; i < allocator->pools.count && status == 0; i++)
        if (vma_pool(allocator, i)->named)
            status = vma_map_set(&replay->pools, vma_pool(allocator, i)->pointer, i);
    for (uint32_t i = 1; i < allocator->contexts.count && status == 0; i++)
        if (vma_context(allocator, i)->named)
            status = vma_map_set(&replay->contexts, vma_context(allocator, i)->pointer, i);
    return status;
}

int vma_replay_copy(const struct vma_replay *replay, struct vma_replay *out)
{
    int status;

    *out = *replay;
    out->allocations = out->pools = out->contexts = (struct vma_map){0};
    out->diagnostics = NULL;
    out->history = NULL;
    out->outputs = NULL;
    out->output_room = 0;
    status = vma_allocator_copy(&replay->allocator, &out->allocator);
    return status;
}

/* What the handlers share. */

static uint32_t know_allocation(struct vma_replay *replay, uint64_t pointer, uint32_t index)
{
    if (index == VMA_NONE)
        vma_replay_complain(replay, PROBLEM_WARNING, "Allocation %" PRIX64 " not found.", pointer);
    return index;
}

uint32_t vma_replay_find_allocation(struct vma_replay *replay, uint64_t pointer)
{
    return know_allocation(replay, pointer, vma_map_get(&replay->allocations, pointer));
}

uint32_t vma_replay_take_allocation(struct vma_replay *replay, uint64_t pointer)
{
    return know_allocation(replay, pointer, vma_map_remove(&replay->allocations, pointer));
}

uint32_t vma_replay_find_pool(struct vma_replay *replay, uint64_t pointer)
{
    uint32_t index = vma_map_get(&replay->pools, pointer);

    if (index == VMA_NONE)
        vma_replay_complain(replay, PROBLEM_WARNING, "Pool %" PRIX64 " not found.", pointer);
    return index;
}

void vma_user_data(const struct vma_recording *recording, struct vma_slice text, bool string,
                   struct vma_user_data *out)
{
    *out = (struct vma_user_data){0};
    if (text.begin == text.end)
        return;
    if (!string) {
        out->bad = !vma_call_text_pointer(text, &out->value, &out->surplus);
        return;
    }
    out->string = true;
    out->value = (uint64_t)(text.begin - recording->data);
    out->length =
        vma_slice_length(text) < UINT32_MAX ? (uint32_t)vma_slice_length(text) : UINT32_MAX;
}

void vma_replay_limits(struct vma_replay *replay)
{
    if (replay->allocator.exhausted)
        vma_replay_complain(replay, PROBLEM_WARNING, "%s takes too much work and is abandoned.",
                            vma_replay_function_name(replay));
    if (replay->allocator.too_large)
        vma_replay_complain(replay, PROBLEM_WARNING, "%s would need too much memory and fails.",
                            vma_replay_function_name(replay));
}

void vma_replay_outcome(struct vma_replay *replay, int status, bool succeeded)
{
    if (status == 0 && !succeeded)
        vma_replay_complain(replay, PROBLEM_WARNING, "%s succeeded, originally failed.",
                            vma_replay_function_name(replay));
    if (status < 0 && replay->history != NULL)
        vma_history_failure(replay->history, replay->packet, replay->allocator.failure, succeeded);
    if (status < 0 && succeeded)
        vma_replay_complain(replay, PROBLEM_WARNING, "%s failed, while originally succeeded.",
                            vma_replay_function_name(replay));
}

bool vma_replay_next_pointer(struct vma_slice *list, uint64_t *pointer)
{
    struct vma_slice item;

    return vma_list_next(list, &item) && vma_read_pointer(item, pointer);
}

static int on_create_allocator(struct vma_replay *replay)
{
    if (replay->created)
        vma_replay_complain(replay, PROBLEM_WARNING, "A second vmaCreateAllocator.");
    replay->created = true;
    return 0;
}

static int on_destroy_allocator(struct vma_replay *replay)
{
    replay->destroyed = true;
    return 0;
}

static int (*const handlers[VMA_FUNCTIONS])(struct vma_replay *replay) = {
    [VMA_CREATE_ALLOCATOR] = on_create_allocator,
    [VMA_DESTROY_ALLOCATOR] = on_destroy_allocator,
    [VMA_CREATE_POOL] = vma_on_create_pool,
    [VMA_DESTROY_POOL] = vma_on_destroy_pool,
    [VMA_SET_ALLOCATION_USER_DATA] = vma_on_set_user_data,
    [VMA_CREATE_BUFFER] = vma_on_allocate,
    [VMA_CREATE_IMAGE] = vma_on_allocate,
    [VMA_DESTROY_BUFFER] = vma_on_free,
    [VMA_DESTROY_IMAGE] = vma_on_free,
    [VMA_FREE_MEMORY] = vma_on_free,
    [VMA_CREATE_LOST_ALLOCATION] = vma_on_create_lost,
    [VMA_ALLOCATE_MEMORY] = vma_on_allocate,
    [VMA_ALLOCATE_MEMORY_FOR_BUFFER] = vma_on_allocate,
    [VMA_ALLOCATE_MEMORY_FOR_IMAGE] = vma_on_allocate,
    [VMA_MAP_MEMORY] = vma_on_map,
    [VMA_UNMAP_MEMORY] = vma_on_unmap,
    [VMA_TOUCH_ALLOCATION] = vma_on_touch,
    [VMA_GET_ALLOCATION_INFO] = vma_on_touch,
    [VMA_FLUSH_ALLOCATION] = vma_on_use,
    [VMA_INVALIDATE_ALLOCATION] = vma_on_use,
    [VMA_MAKE_POOL_ALLOCATIONS_LOST] = vma_on_make_lost,
    [VMA_RESIZE_ALLOCATION] = vma_on_use,
    [VMA_ALLOCATE_MEMORY_PAGES] = vma_on_allocate_pages,
    [VMA_FREE_MEMORY_PAGES] = vma_on_free_pages,
    [VMA_DEFRAGMENTATION_BEGIN] = vma_on_defragmentation_begin,
    [VMA_DEFRAGMENTATION_END] = vma_on_defragmentation_end,
    [VMA_SET_POOL_NAME] = vma_on_set_pool_name,
};

static int run_call(struct vma_replay *replay, const struct vma_parsed *parsed)
{
    const struct vma_call *call = &parsed->call;
    int status = 0;

    replay->parsed = parsed;
    replay->call = call;
    if (call->head.frame_good)
        replay->allocator.frame_index = call->head.frame_index;
    if (call->head.time_good)
        replay->milliseconds = call->head.milliseconds;
    if (!vma_call_is_flawless(call))
        vma_call_judge(call, &replay->line, replay->packet, replay->diagnostics);
    if (replay->destroyed && call->verdict == VMA_CALL_GOOD)
        vma_replay_complain(replay, PROBLEM_WARNING, "%s after vmaDestroyAllocator.",
                            vma_replay_function_name(replay));
    if (call->verdict == VMA_CALL_GOOD) {
        vma_allocator_begin_call(&replay->allocator);
        status = handlers[call->head.function](replay);
    }
    return status;
}

static void enter_frame(struct vma_replay *replay)
{
    const struct vma_recording *recording = replay->recording;
    uint32_t next = replay->frame == VMA_NO_FRAME ? 0 : replay->frame + 1;

    if (next < recording->frame_count && recording->frames[next].first == replay->packet) {
        replay->frame = next;
        if (replay->history != NULL)
            replay->history->frame = next;
    }
}

int vma_replay_take(struct vma_replay *replay, const struct vma_parsed *parsed)
{
    int status;

    replay->line = parsed->line;
    enter_frame(replay);
    status = run_call(replay, parsed);
    replay->packet++;
    if (status == 0 && replay->history != NULL)
        status = replay->history->status;
    return status;
}

int vma_replay_step(struct vma_replay *replay)
{
    const struct vma_recording *recording = replay->recording;
    struct vma_line line = replay->line;

    if (replay->packet == 0)
        vma_recording_line(recording, 0, &line);
    else
        vma_recording_next(recording, &line);
    if (replay->packet >= recording->first_call) {
        vma_parsed_read(recording, &line, &replay->own);
        return vma_replay_take(replay, &replay->own);
    }
    replay->line = line;
    replay->packet++;
    return 0;
}

int vma_replay_run(struct vma_replay *replay, uint32_t packet, const struct cancel *cancel)
{
    uint64_t work = 0;
    int status = 0;

    while (replay->packet < packet && status == 0) {
        status = vma_replay_step(replay);
        work += PACKET_WORK + vma_slice_length(replay->line.text) + replay->allocator.steps;
        if (work < POLL_WORK)
            continue;
        /* A packet that has failed is only partly executed, so its state cannot be continued. */
        if (status == 0 && cancel_requested(cancel))
            return -EINTR;
        work = 0;
    }
    return status;
}

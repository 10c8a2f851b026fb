/* SPDX-License-Identifier: MIT */
#include "formats/gapir/index.h"

#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_MARKER UINT32_C(0x6060fa51)

/*
 * Frames in the order in which they end, by one of the two rules (posts, calls). Which rule counts
 * is decided at the end of the run.
 */
struct tracker {
    struct gapir_frame_record *frames;
    uint32_t count, room;
    bool closing;        /* control has not yet left the packet of the last end */
    bool ranged;         /* a packet was entered since the last end: `low` and `high` are valid */
    uint32_t low, high;  /* minimum and maximum of the packets entered since the last end */
    uint64_t first_call; /* of the frame that is open */
};

struct indexer {
    const struct gapir_replay *replay;
    struct gapir_index *index;
    uint32_t packet; /* the packet in which control is */
    struct tracker posts, calls;
};

/*
 * Makes room for one more element unless the count has reached its maximum. Returns 0, -ENOMEM, or
 * 1 at the maximum.
 */
#define RESERVE(array, count, room) ((count) < GAPIR_POSTS_MAX ? ARRAY_GROW(array, count, room) : 1)

/* Ends the run, as an exhausted budget does, if a count has reached its maximum (status is 1). */
static int settle(struct indexer *indexer, struct gapir_vm_instance *instance, int status)
{
    if (status <= 0)
        return status;
    indexer->index->exhausted = true;
    gapir_vm_exhaust(instance->vm);
    return 0;
}

static struct gapir_site site_of(const struct indexer *indexer, const struct gapir_vm *vm)
{
    return (struct gapir_site){.steps = vm->steps,
                               .pc = vm->pc,
                               .packet = indexer->packet,
                               .label = vm->labelled ? vm->label : GAPIR_LABEL_START};
}

static struct gapir_extent extent_of(const struct gapir_post *post)
{
    return (struct gapir_extent){.region = post->location.region,
                                 .window = post->location.window,
                                 .offset = post->location.offset,
                                 .size = post->size};
}

/* Frames. */

static struct gapir_driver *driver_of(const struct gapir_vm *vm)
{
    return ((struct gapir_vm_instance *)vm->context)->driver;
}

/* For Vulkan: takes size and format from the image that is presented at the end. */
static void note_presented(const struct gapir_driver *driver, struct gapir_frame_record *frame)
{
    const struct gapir_presented *presented = gapir_driver_presented(driver);

    if (strcmp(frame->end, "present") != 0 || presented->format == NULL)
        return;
    frame->width = presented->width;
    frame->height = presented->height;
    frame->format = presented->format;
}

/* Determines which surface a frame shows that ends without a post. */
static void note_backbuffer(const struct indexer *indexer, const struct gapir_vm *vm,
                            struct gapir_frame_record *frame)
{
    const struct gapir_driver *driver = driver_of(vm);
    const struct gapir_renderer *renderer = gapir_driver_bound(driver);

    if (frame->post != GAPIR_NO_POST || !indexer->replay->draws)
        return;
    if (gapir_replay_api(indexer->replay) == GAPIR_API_VULKAN)
        note_presented(driver, frame);
    if (renderer == NULL || renderer->thread != vm->thread)
        return;
    frame->width = renderer->width;
    frame->height = renderer->height;
}

static int end_frame(struct tracker *tracker, const struct indexer *indexer,
                     const struct gapir_vm *vm, uint32_t post, const char *end)
{
    int status = RESERVE(tracker->frames, tracker->count, tracker->room);

    if (status != 0)
        return status;
    /* two ends in one packet: the calls between them belong to the second frame */
    if (tracker->closing)
        tracker->first_call = tracker->frames[tracker->count - 1].call_end;
    if (!tracker->ranged)
        tracker->low = tracker->high = indexer->packet;
    tracker->frames[tracker->count++] =
        (struct gapir_frame_record){.site = site_of(indexer, vm),
                                    .close = vm->steps,
                                    .first_call = tracker->first_call,
                                    .call_end = vm->calls,
                                    .first_packet = tracker->low,
                                    .last_packet = tracker->high,
                                    .post = post,
                                    .end = end};
    note_backbuffer(indexer, vm, &tracker->frames[tracker->count - 1]);
    tracker->closing = true;
    tracker->ranged = false;
    return 0;
}

/* Calls after an end still belong to the frame until control leaves the packet. */
static void leave_frame(struct tracker *tracker, const struct gapir_vm *vm, uint64_t steps)
{
    if (!tracker->closing)
        return;
    tracker->frames[tracker->count - 1].call_end = vm->calls;
    tracker->frames[tracker->count - 1].close = steps;
    tracker->first_call = vm->calls;
    tracker->closing = false;
}

static void range_packet(struct tracker *tracker, uint32_t packet)
{
    if (!tracker->ranged || packet < tracker->low)
        tracker->low = packet;
    if (!tracker->ranged || packet > tracker->high)
        tracker->high = packet;
    tracker->ranged = true;
}

static void enter_packet(struct indexer *indexer, const struct gapir_vm *vm, uint32_t packet,
                         uint64_t steps)
{
    struct gapir_visit *visits = indexer->index->visits;

    if (packet == indexer->packet)
        return;
    if (indexer->packet != GAPIR_NO_PACKET)
        visits[indexer->packet].left = steps;
    if (visits[packet].left == 0)
        visits[packet].first = steps;
    indexer->packet = packet;
    leave_frame(&indexer->posts, vm, steps);
    leave_frame(&indexer->calls, vm, steps);
    range_packet(&indexer->posts, packet);
    range_packet(&indexer->calls, packet);
}

static int on_entered(void *context, struct gapir_vm_instance *instance, uint64_t steps)
{
    struct indexer *indexer = context;
    const struct gapir_scan *scan = &indexer->replay->scan;
    uint32_t pc = instance->vm->pc, next = indexer->packet + 1;

    /* It is usually the next packet; GAPIR_NO_PACKET + 1 is 0. */
    if (next >= scan->packet_count || scan->packets[next].pc != pc)
        next = gapir_scan_packet(scan, pc);
    enter_packet(indexer, instance->vm, next, steps);
    return 0;
}

/* Posts. */

static bool is_end_marker(const struct gapir_post *post)
{
    return post->size == 4 && post->location.region == GAPIR_CONSTANTS &&
           bytes_le32(post->location.data) == END_MARKER;
}

static bool all_zero(const uint8_t *data, uint64_t size)
{
    return size == 0 || (data[0] == 0 && memcmp(data, data + 1, size - 1) == 0);
}

/* Pixels that the program has not written itself would have come from the driver. */
static enum gapir_content content_of(const struct gapir_vm *vm, const struct gapir_post *post)
{
    const struct gapir_location origin = gapir_driver_origin(driver_of(vm), post);
    const struct gapir_written *written = &vm->written;

    if (origin.region == GAPIR_CONSTANTS)
        return GAPIR_BY_VM;
    if (origin.region == GAPIR_VOLATILE && all_zero(post->location.data, post->size))
        return GAPIR_BY_DRIVER;
    if (origin.region == GAPIR_WINDOW) {
        const struct gapir_window *window = &vm->windows[origin.window];

        if (window->written_to <= origin.offset ||
            window->written_from >= origin.offset + post->size)
            return GAPIR_BY_DRIVER;
        written = &window->written;
    }
    return gapir_written_has(written, origin.offset, post->size) ? GAPIR_BY_VM : GAPIR_BY_BOTH;
}

/* Rows of GL are bottom-up; rows of Vulkan come from memory that it has mapped. */
static bool is_drawn(const struct gapir_replay *replay, const struct gapir_vm *vm,
                     const struct gapir_post *post, const struct gapir_post_record *record)
{
    const struct gapir_location origin = gapir_driver_origin(driver_of(vm), post);
    bool opengl = gapir_replay_api(replay) == GAPIR_API_GLES;

    return replay->draws && (opengl ? record->shape.bottom_up : origin.region == GAPIR_WINDOW) &&
           (record->content != GAPIR_BY_VM || replay->params.drawing == GAPIR_DRAW_ALL);
}

static int on_post(void *context, struct gapir_vm_instance *instance, const struct gapir_post *post)
{
    struct indexer *indexer = context;
    struct gapir_index *index = indexer->index;
    int status = RESERVE(index->posts, index->post_count, index->post_room);

    if (status != 0)
        return settle(indexer, instance, status);
    struct gapir_post_record *record = &index->posts[index->post_count++];
    *record = (struct gapir_post_record){
        .site = site_of(indexer, instance->vm), .bytes = extent_of(post), .frame = GAPIR_NO_FRAME};
    if (is_end_marker(post)) {
        record->kind = GAPIR_POST_END;
        return 0;
    }
    if (post->size != 0)
        gapir_vm_instance_shape(instance, post, &record->shape);
    if (record->shape.format == NULL)
        return 0;
    record->kind = GAPIR_POST_IMAGE;
    record->content = content_of(instance->vm, post);
    record->drawn = is_drawn(indexer->replay, instance->vm, post, record);
    return settle(indexer, instance,
                  end_frame(&indexer->posts, indexer, instance->vm, index->post_count - 1, "post"));
}

static int on_notification(void *context, struct gapir_vm_instance *instance,
                           const struct gapir_notification *notification)
{
    struct indexer *indexer = context;
    struct gapir_index *index = indexer->index;
    int status = RESERVE(index->notifications, index->notification_count, index->notification_room);

    if (status == 0)
        index->notifications[index->notification_count++] =
            (struct gapir_notification_record){.site = site_of(indexer, instance->vm),
                                               .bytes = extent_of(&notification->bytes),
                                               .id = notification->id};
    return settle(indexer, instance, status);
}

static int on_fence(void *context, struct gapir_vm_instance *instance, uint32_t id)
{
    struct indexer *indexer = context;
    struct gapir_index *index = indexer->index;
    int status = RESERVE(index->fences, index->fence_count, index->fence_room);

    if (status == 0)
        index->fences[index->fence_count++] =
            (struct gapir_fence_record){.site = site_of(indexer, instance->vm), .id = id};
    return settle(indexer, instance, status);
}

/* Calls. */

static int mark_call(struct gapir_index *index, const struct gapir_vm *vm)
{
    if ((vm->calls - 1) % GAPIR_CALL_MARK != 0)
        return 0;
    int status = ARRAY_GROW(index->call_marks, index->call_mark_count, index->call_mark_room);
    if (status == 0)
        index->call_marks[index->call_mark_count++] = vm->steps - 1;
    return status;
}

static struct gapir_function_calls *calls_of(struct gapir_index *index,
                                             const struct gapir_scan *scan, uint32_t word,
                                             const struct gapir_function *function)
{
    unsigned api = gapir_call_api(word);

    if (function != NULL)
        return &index->functions[api][gapir_table_index(scan->tables[api], function)];
    unsigned builtin = api == 0 ? gapir_builtin_number(gapir_call_function(word)) : GAPIR_BUILTINS;
    return builtin < GAPIR_BUILTINS ? &index->builtins[builtin] : NULL;
}

const struct gapir_function_calls *gapir_index_calls(const struct gapir_index *index,
                                                     const struct gapir_scan *scan, uint32_t word)
{
    return calls_of((struct gapir_index *)index, scan, word, gapir_scan_function(scan, word));
}

static void count_call(struct indexer *indexer, const struct gapir_call *call)
{
    struct gapir_function_calls *calls =
        calls_of(indexer->index, &indexer->replay->scan, call->word, call->function);

    if (calls != NULL && calls->calls++ == 0)
        calls->first_packet = indexer->packet;
}

static int on_called(void *context, struct gapir_vm_instance *instance)
{
    struct indexer *indexer = context;
    const struct gapir_call *call = &instance->vm->call;
    int status = mark_call(indexer->index, instance->vm);

    count_call(indexer, call);
    if (status != 0 || call->function == NULL)
        return status;
    const char *end = gapir_model_frame_end(&indexer->replay->model, call->word, call->function);
    if (end == NULL)
        return 0;
    return settle(indexer, instance,
                  end_frame(&indexer->calls, indexer, instance->vm, GAPIR_NO_POST, end));
}

static const struct gapir_run_observer observer = {
    .called = on_called,
    .entered = on_entered,
    .post = on_post,
    .notification = on_notification,
    .fence = on_fence,
};

/* The end. */

static int finish_frames(struct indexer *indexer, const struct gapir_vm *vm)
{
    struct gapir_index *index = indexer->index;
    struct tracker *chosen = indexer->posts.count != 0 ? &indexer->posts : &indexer->calls;
    int status = 0;

    leave_frame(chosen, vm, vm->steps);
    if (vm->calls > chosen->first_call)
        status = end_frame(chosen, indexer, vm, GAPIR_NO_POST, "-");
    free(chosen == &indexer->posts ? indexer->calls.frames : indexer->posts.frames);
    index->frames = chosen->frames;
    index->frame_count = chosen->count;
    for (uint32_t n = 0; n < chosen->count; n++)
        if (chosen->frames[n].post != GAPIR_NO_POST)
            index->posts[chosen->frames[n].post].frame = n;
    return status < 0 ? status : 0;
}

static int copy_windows(struct gapir_index *index, const struct gapir_vm *vm)
{
    if (vm->window_count == 0)
        return 0;
    index->windows = malloc(vm->window_count * sizeof(*vm->windows));
    if (index->windows == NULL)
        return -ENOMEM;
    memcpy(index->windows, vm->windows, vm->window_count * sizeof(*vm->windows));
    index->window_count = vm->window_count;
    for (uint32_t n = 0; n < index->window_count; n++) {
        index->windows[n].data = NULL;
        index->windows[n].written = (struct gapir_written){.bits = NULL};
    }
    return 0;
}

static void report(const struct indexer *indexer)
{
    const struct gapir_index *index = indexer->index;
    struct problems *problems = indexer->replay->problems;
    char result[32];

    if (problems == NULL || index->fault == GAPIR_FAULT_NONE)
        return;
    gapir_index_result(index, result);
    problems_add(
        problems, PROBLEM_ERROR, gapir_replay_offset(indexer->replay, index->end.pc),
        index->end.packet == GAPIR_NO_PACKET ? PROBLEM_NOWHERE : index->end.packet,
        "the run ends with %s%s, see fault.txt", result,
        index->exhausted ? " (more posts, notifications, fences or frames than are counted)" : "");
}

static int finish(struct indexer *indexer, const struct gapir_vm *vm)
{
    struct gapir_index *index = indexer->index;

    index->fault = vm->fault;
    index->end = site_of(indexer, vm);
    index->thread = vm->thread;
    index->moved = vm->moved;
    index->calls = vm->calls;
    memcpy(index->executed, vm->executed, sizeof(index->executed));
    if (indexer->packet != GAPIR_NO_PACKET)
        index->visits[indexer->packet].left = vm->steps;
    int status = finish_frames(indexer, vm);
    if (status == 0)
        status = copy_windows(index, vm);
    report(indexer);
    return status;
}

static int prepare(struct indexer *indexer)
{
    const struct gapir_scan *scan = &indexer->replay->scan;
    struct gapir_index *index = indexer->index;

    index->visits =
        calloc(scan->packet_count != 0 ? scan->packet_count : 1, sizeof(*index->visits));
    if (index->visits == NULL)
        return -ENOMEM;
    for (unsigned api = 0; api < GAPIR_APIS; api++) {
        if (scan->tables[api] == NULL)
            continue;
        index->functions[api] =
            calloc(gapir_table_size(scan->tables[api]), sizeof(*index->functions[api]));
        if (index->functions[api] == NULL)
            return -ENOMEM;
    }
    return 0;
}

static int refuse(const struct indexer *indexer)
{
    const struct gapir_replay *replay = indexer->replay;

    indexer->index->refused = true;
    indexer->index->end.packet = GAPIR_NO_PACKET;
    if (replay->problems != NULL)
        problems_add(
            replay->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
            "%u bytes of volatile memory are more than max-memory allows: nothing is executed",
            replay->payload.volatile_size);
    return 0;
}

int gapir_index_run(const struct gapir_replay *replay, const struct cancel *cancel,
                    struct gapir_index *out)
{
    struct indexer indexer = {.replay = replay, .index = out, .packet = GAPIR_NO_PACKET};
    struct gapir_vm_instance *instance = NULL;

    *out = (struct gapir_index){0};
    int status = prepare(&indexer);
    if (status == 0)
        status = gapir_vm_instance_create(replay, &instance);
    if (status != 0)
        return status == -EFBIG ? refuse(&indexer) : status;
    instance->observer = &observer;
    instance->context = &indexer;
    if (replay->scan.packet_count != 0 && replay->scan.packets[0].label == GAPIR_LABEL_START)
        enter_packet(&indexer, instance->vm, 0, 0);
    status = gapir_vm_instance_run(instance, GAPIR_TO_THE_END, cancel);
    if (status == 0) {
        status = finish(&indexer, instance->vm);
    } else {
        free(indexer.posts.frames);
        free(indexer.calls.frames);
    }
    gapir_vm_instance_destroy(&instance);
    return status;
}

void gapir_index_clear(struct gapir_index *index)
{
    free(index->visits);
    free(index->posts);
    free(index->notifications);
    free(index->fences);
    free(index->frames);
    free(index->windows);
    free(index->call_marks);
    for (unsigned api = 0; api < GAPIR_APIS; api++)
        free(index->functions[api]);
    *index = (struct gapir_index){0};
}

void gapir_index_result(const struct gapir_index *index, char result[32])
{
    if (index->refused)
        snprintf(result, 32, "refused");
    else if (index->fault == GAPIR_FAULT_NONE)
        snprintf(result, 32, "ok");
    else
        snprintf(result, 32, "err:%s@%u", gapir_fault_name(index->fault), index->end.pc);
}

uint32_t gapir_index_packet_frame(const struct gapir_index *index, uint32_t packet)
{
    const struct gapir_visit *visit = &index->visits[packet];
    uint32_t low = 0, high = index->frame_count;

    if (visit->left == 0)
        return GAPIR_NO_FRAME;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (index->frames[middle].close <= visit->first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->frame_count ? low : GAPIR_NO_FRAME;
}

const char *gapir_post_kind_name(enum gapir_post_kind kind)
{
    static const char *const names[] = {"data", "image", "end-of-replay"};

    return names[kind];
}

const char *gapir_content_name(const struct gapir_post_record *post)
{
    static const char *const names[] = {"null-driver", "vm", "mixed"};

    return post->drawn ? "mesa" : names[post->content];
}

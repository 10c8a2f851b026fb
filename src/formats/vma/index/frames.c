/* SPDX-License-Identifier: MIT */
#include "formats/vma/index/frames.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    LATE_FRAMES = 16, /* how many frames a late line may be behind */
    HALF_TURN = UINT32_MAX / 2 + 1,
};

int vma_framer_init(struct vma_framer *framer, struct vma_recording *recording,
                    const struct vma_recording_params *params, struct vma_diagnostics *diagnostics)
{
    *framer = (struct vma_framer){
        .recording = recording, .diagnostics = diagnostics, .milliseconds = VMA_NO_TIME};
    framer->counts = recording->counts;
    if (params->growth != NULL)
        framer->frame_room = VMA_FRAMES_MAX + 1;
    framer->may_group = params->calls_per_frame != 0;
    framer->fixed = params->calls_per_frame > 0;
    framer->calls_per_mark = framer->fixed ? (uint32_t)params->calls_per_frame : 1;
    return 0;
}

void vma_framer_clear(struct vma_framer *framer)
{
    vma_map_clear(&framer->threads);
    vma_map_clear(&framer->pools);
    free(framer->marks);
    framer->marks = NULL;
}

/* Ends the current frame and begins the next with `packet`. */
static int begin_frame(struct vma_framer *framer, uint32_t packet, enum vma_frame_end ended_by)
{
    struct vma_recording *recording = framer->recording;

    if (framer->frame_count == VMA_FRAMES_MAX) {
        framer->joined = true;
        return 0;
    }
    if (ARRAY_GROW(recording->frames, framer->frame_count + 1, framer->frame_room) != 0)
        return -ENOMEM;
    if (framer->frame_count > 0) {
        recording->frames[framer->frame_count - 1].ended_by = ended_by;
        recording->frames[framer->frame_count - 1].milliseconds = framer->milliseconds;
    }
    framer->whole = framer->counts;
    framer->whole.threads = framer->threads.count;
    recording->frames[framer->frame_count++] =
        (struct vma_frame){.first = packet, .milliseconds = VMA_NO_TIME, .ended_by = VMA_FRAME_END};
    return 0;
}

/*
 * Returns whether a line with an earlier index is late: its thread has not seen the current frame's
 * index.
 */
static bool is_late(const struct vma_framer *framer, const struct vma_call_head *head)
{
    return framer->index - head->frame_index <= LATE_FRAMES &&
           !(head->thread_good &&
             vma_map_get(&framer->threads, head->thread) == framer->frame_count);
}

/* Notes a thread that has not seen the index of any frame yet. */
static int meet_thread(struct vma_framer *framer, const struct vma_call_head *head)
{
    if (!head->thread_good || vma_map_get(&framer->threads, head->thread) != VMA_MAP_NONE)
        return 0;
    return vma_map_set(&framer->threads, head->thread, VMA_NO_FRAME);
}

/*
 * Notes that the thread has seen the index of the current frame. For most lines this is already
 * noted.
 */
static int note_seen(struct vma_framer *framer, uint32_t thread)
{
    struct vma_seen *seen = &framer->seen[thread * 0x9E3779B1 >> 27 & (VMA_FRAMER_SEEN - 1)];

    if (seen->thread == thread && seen->frame == framer->frame_count)
        return 0;
    *seen = (struct vma_seen){thread, framer->frame_count};
    return vma_map_set(&framer->threads, thread, framer->frame_count);
}

static int take_index(struct vma_framer *framer, const struct vma_call_head *head, uint32_t packet)
{
    struct vma_recording *recording = framer->recording;
    uint32_t forward = head->frame_index - framer->index;
    int status = 0;

    if (!framer->any_index) {
        framer->any_index = true;
    } else if (forward == 0) {
        ;
    } else if (forward >= HALF_TURN && is_late(framer, head)) {
        framer->counts.late_lines++;
        return meet_thread(framer, head);
    } else {
        status = begin_frame(framer, packet, VMA_FRAME_INDEX);
        framer->counts.set_back += forward >= HALF_TURN;
    }
    framer->index = head->frame_index;
    recording->frames[framer->frame_count - 1].index = framer->index;
    if (status == 0 && head->thread_good)
        status = note_seen(framer, head->thread);
    return status;
}

/* Drops every second mark if there are too many, so that groups become twice as large. */
static void thin_marks(struct vma_framer *framer)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < framer->mark_count; i += 2)
        framer->marks[kept++] = framer->marks[i];
    framer->mark_count = kept;
    framer->calls_per_mark *= 2;
}

static int take_mark(struct vma_framer *framer, uint32_t packet)
{
    uint32_t max = framer->fixed ? VMA_FRAMES_MAX - 1 : VMA_PSEUDO_FRAMES;

    if (framer->counts.allocating % framer->calls_per_mark != 0)
        return 0;
    if (ARRAY_GROW(framer->marks, framer->mark_count, framer->mark_room) != 0)
        return -ENOMEM;
    framer->marks[framer->mark_count++] = (struct vma_mark){packet, framer->milliseconds};
    if (framer->mark_count > max)
        thin_marks(framer);
    return 0;
}

/*
 * Counts pools by their pointers, for the height of the picture (vma.md 4.5). If a pointer is
 * created again, the replay keeps its old pool, which nothing can destroy any more.
 */
static int take_pool(struct vma_framer *framer, const struct vma_line *line)
{
    struct vma_call call;
    uint32_t old = VMA_MAP_NONE;
    uint64_t pointer;
    int status = 0;

    vma_call_read(line->text, line->ended, &call);
    if (call.verdict != VMA_CALL_GOOD)
        return 0;
    framer->counts.pools += call.head.function == VMA_CREATE_POOL;
    pointer = call.value[VMA_POOL];
    if (pointer == 0)
        return 0;
    if (call.head.function == VMA_CREATE_POOL)
        status = vma_map_exchange(&framer->pools, pointer, 1, &old);
    else
        vma_map_remove(&framer->pools, pointer);
    framer->kept_pools += old != VMA_MAP_NONE;
    if (framer->pools.count + framer->kept_pools > framer->counts.max_pools)
        framer->counts.max_pools = framer->pools.count + framer->kept_pools;
    return status;
}

/* Reports the first call of a function that is newer than the recording's version. */
static void report_newer(struct vma_framer *framer, const struct vma_function *function,
                         const struct vma_line *line, uint32_t packet)
{
    vma_diagnostics_add(framer->diagnostics, PROBLEM_NOTE, line->offset, packet,
                        "%s was added in version 1,%u, but the recording is of version 1,%" PRIu32
                        ".",
                        function->name, function->since, framer->recording->minor);
}

static int take_function(struct vma_framer *framer, const struct vma_call_head *head,
                         const struct vma_line *line, uint32_t packet)
{
    const struct vma_function *function = &vma_functions[head->function];
    struct vma_counts *counts = &framer->counts;

    if (counts->functions[head->function]++ == 0 && function->since > framer->recording->minor)
        report_newer(framer, function, line, packet);
    counts->finished |= head->function == VMA_DESTROY_ALLOCATOR;
    if (head->function == VMA_CREATE_POOL || head->function == VMA_DESTROY_POOL)
        return take_pool(framer, line);
    if ((function->roles & VMA_ALLOCATES) == 0)
        return 0;
    counts->allocating++;
    return framer->may_group ? take_mark(framer, packet) : 0;
}

static void take_time(struct vma_framer *framer, uint64_t milliseconds)
{
    struct vma_counts *counts = &framer->counts;

    if (milliseconds > VMA_NO_TIME - 1)
        milliseconds = VMA_NO_TIME - 1;
    framer->milliseconds = milliseconds;
    if (counts->first_time == VMA_NO_TIME)
        counts->first_time = milliseconds;
    counts->last_time = milliseconds;
}

int vma_framer_line(struct vma_framer *framer, const struct vma_line *line, uint32_t packet)
{
    struct vma_call_head head;
    int status = 0;

    vma_call_read_head(line->text, &head);
    if (head.verdict != VMA_CALL_GOOD && head.verdict != VMA_CALL_UNKNOWN)
        return 0;
    if (!framer->any_call)
        status = begin_frame(framer, packet, VMA_FRAME_INDEX);
    framer->any_call = true;
    if (status == 0)
        status = head.frame_good ? take_index(framer, &head, packet) : meet_thread(framer, &head);
    framer->counts.call_lines++;
    if (head.time_good)
        take_time(framer, head.milliseconds);
    if (status == 0 && head.verdict == VMA_CALL_GOOD)
        status = take_function(framer, &head, line, packet);
    /* Groups are only for recordings whose frame index never changes. */
    if (framer->frame_count > 1 || framer->counts.late_lines > 0)
        framer->may_group = false;
    return status;
}

/* Replaces the one frame that the index gave by frames of groups of allocating calls. */
static int group(struct vma_framer *framer, uint32_t packets)
{
    struct vma_recording *recording = framer->recording;
    uint32_t first = recording->frames[0].first;
    uint64_t last_time = framer->milliseconds;
    int status = 0;

    recording->calls_per_frame = framer->calls_per_mark;
    recording->by_index = false;
    framer->frame_count = 0;
    for (uint32_t i = 0; i < framer->mark_count && status == 0; i++) {
        status = begin_frame(framer, first, VMA_FRAME_CALLS);
        framer->milliseconds = framer->marks[i].milliseconds;
        first = framer->marks[i].packet + 1;
    }
    if (status == 0 && first < packets) {
        status = begin_frame(framer, first, VMA_FRAME_CALLS);
        framer->milliseconds = last_time;
    } else if (framer->frame_count > 0) {
        recording->frames[framer->frame_count - 1].ended_by = VMA_FRAME_CALLS;
    }
    for (uint32_t i = 0; i < framer->frame_count; i++)
        recording->frames[i].index = framer->index;
    return status;
}

int vma_framer_finish(struct vma_framer *framer, uint32_t packets)
{
    struct vma_recording *recording = framer->recording;
    int status = 0;

    if (framer->frame_count == 1 && framer->may_group && framer->counts.allocating > 0)
        status = group(framer, packets);
    if (framer->frame_count > 0) {
        recording->frames[framer->frame_count - 1].milliseconds = framer->milliseconds;
        recording->frames[framer->frame_count].first = packets;
    }
    framer->counts.threads = framer->threads.count;
    if (framer->joined)
        problems_add(framer->diagnostics->problems, PROBLEM_WARNING, PROBLEM_NOWHERE,
                     PROBLEM_NOWHERE, "more than %d frames; the rest is part of the last one",
                     VMA_FRAMES_MAX);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/pass.h"

#include "cache/follow.h"
#include "cache/index_task.h"
#include "formats/vma/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    AHEAD_MIN = 1 << 14,    /* packets for which a parsing thread is worthwhile */
    STEP_PACKETS = 1 << 12, /* packets between two checks for waiting threads */
};

struct vma_pass {
    struct index_task pass; /* its position counts executed packets */
    struct vma_recording *recording;
    struct vma_checkpoints *checkpoints;
    struct follow *follow; /* NULL if the recording does not grow */
    void (*at_frame_end)(void *context, const struct vma_replay *replay);
    void *context;
    struct vma_diagnostics diagnostics;
    struct vma_history history;
    struct vma_replay replay;
    struct vma_sample *samples; /* NULL if the recording grows */
    struct vma_pass_peaks peaks;
    struct vma_peaks now[VMA_TYPES]; /* the last known sums of each type */
    struct vma_peaks heaps_now[VMA_HEAPS], total_now;
    struct vma_ahead *ahead; /* NULL if the replay parses its lines itself */
    bool tried_ahead;
    atomic_bool threads; /* the pass may start a parsing thread */
};

static inline void raise(uint64_t *peak, uint64_t value)
{
    if (value > *peak)
        *peak = value;
}

/* Adds each member of `change` to `sum`. */
static inline void add(struct vma_peaks *sum, const struct vma_peaks *change)
{
    sum->blocks += change->blocks;
    sum->allocations += change->allocations;
    sum->unused_ranges += change->unused_ranges;
    sum->block_bytes += change->block_bytes;
    sum->used_bytes += change->used_bytes;
    sum->unused_bytes += change->unused_bytes;
}

/*
 * The same for a sum whose peaks are kept. Skips the peaks of blocks if these have not changed,
 * which is usual.
 */
static inline void shift(struct vma_peaks *peaks, struct vma_peaks *sum,
                         const struct vma_peaks *change)
{
    add(sum, change);
    raise(&peaks->allocations, sum->allocations);
    raise(&peaks->unused_ranges, sum->unused_ranges);
    raise(&peaks->used_bytes, sum->used_bytes);
    raise(&peaks->unused_bytes, sum->unused_bytes);
    if ((change->blocks | change->block_bytes) == 0)
        return;
    raise(&peaks->blocks, sum->blocks);
    raise(&peaks->block_bytes, sum->block_bytes);
}

/* Updates the sums of one type and of its heap, and adds the change to *all. */
static void note_type(struct vma_pass *pass, uint32_t type, struct vma_peaks *all)
{
    const struct vma_tally *tally = &pass->replay.allocator.types[type].tally;
    uint32_t heap = pass->recording->configuration.device.types[type].heap;
    struct vma_peaks *now = &pass->now[type];
    const struct vma_peaks change = {
        .blocks = tally->blocks + tally->dedicated - now->blocks,
        .allocations = tally->allocations - now->allocations,
        .unused_ranges = tally->unused_ranges - now->unused_ranges,
        .block_bytes = tally->block_bytes - now->block_bytes,
        .used_bytes = tally->used_bytes - now->used_bytes,
        .unused_bytes = tally->block_bytes - tally->used_bytes - now->unused_bytes,
    };

    shift(&pass->peaks.types[type], now, &change);
    shift(&pass->peaks.heaps[heap], &pass->heaps_now[heap], &change);
    add(all, &change);
}

static void note_peaks(struct vma_pass *pass)
{
    uint32_t touched = pass->replay.allocator.touched;
    uint64_t max = pass->peaks.total.used_bytes;
    struct vma_peaks all = {0};

    if (touched == 0)
        return;
    pass->replay.allocator.touched = 0;
    for (; touched != 0; touched &= touched - 1)
        note_type(pass, (uint32_t)__builtin_ctz(touched), &all);
    shift(&pass->peaks.total, &pass->total_now, &all);
    if (pass->peaks.total.used_bytes > max)
        pass->peaks.packet = pass->replay.packet - 1;
}

uint32_t vma_sample_count(const struct vma_recording *recording)
{
    uint32_t frames = recording->frame_count;

    return frames < VMA_TIMELINE_SAMPLES ? frames : VMA_TIMELINE_SAMPLES;
}

void vma_sample_add(struct vma_sample *samples, const struct vma_replay *replay)
{
    const struct vma_allocator *allocator = &replay->allocator;
    const struct vma_recording *recording = replay->recording;
    struct vma_sample *sample =
        &samples[(uint64_t)replay->frame * vma_sample_count(recording) / recording->frame_count];
    uint64_t used[VMA_HEAPS] = {0};

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        if (allocator->device->types[type].heap != VMA_NO_HEAP)
            used[allocator->device->types[type].heap] += allocator->types[type].tally.used_bytes;
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++) {
        raise(&sample->block_bytes[heap], allocator->heaps[heap].block_bytes);
        raise(&sample->used_bytes[heap], used[heap]);
    }
}

static void end_frame(struct vma_pass *pass)
{
    if (pass->at_frame_end != NULL)
        pass->at_frame_end(pass->context, &pass->replay);
    if (pass->samples != NULL)
        vma_sample_add(pass->samples, &pass->replay);
}

/* Objects that were never ended are not a defect, but are reported. */
static void note_leaks(struct vma_pass *pass)
{
    const struct vma_allocator *allocator = &pass->replay.allocator;
    uint64_t allocations = allocator->live + allocator->lost + allocator->null + allocator->orphans;
    uint64_t pools = allocator->pools.used, contexts = allocator->contexts.used;

    if (allocations + pools + contexts > 0 && pass->diagnostics.problems != NULL)
        problems_add(pass->diagnostics.problems, PROBLEM_NOTE, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "never ended: %" PRIu64 " allocations, %" PRIu64 " pools, %" PRIu64
                     " defragmentations (leaks.txt)",
                     allocations, pools, contexts);
}

/* Has lines parsed by another thread if that is worthwhile and calls are reached. */
static void parse_ahead(struct vma_pass *pass)
{
    uint32_t packet = pass->replay.packet;

    if (pass->tried_ahead || packet < pass->recording->first_call ||
        pass->recording->packets - packet < AHEAD_MIN)
        return;
    pass->tried_ahead = true;
    vma_ahead_create(pass->recording, packet, &pass->ahead);
}

static int step(struct vma_pass *pass)
{
    const struct vma_parsed *parsed, *next;

    if (pass->ahead == NULL)
        return vma_replay_step(&pass->replay);
    parsed = vma_ahead_next(pass->ahead);
    next = vma_ahead_peek(pass->ahead);
    if (next != NULL)
        vma_map_expect(&pass->replay.allocations, next->call.value[VMA_ALLOCATION]);
    return vma_replay_take(&pass->replay, parsed);
}

/* Executes STEP_PACKETS packets, or those that are available. */
static int carry_out(struct vma_pass *pass)
{
    const struct vma_recording *recording = pass->recording;
    struct vma_replay *replay = &pass->replay;
    uint32_t packets = recording->packets;
    uint32_t end =
        packets - replay->packet < STEP_PACKETS ? packets : replay->packet + STEP_PACKETS;

    while (replay->packet < end) {
        int status = step(pass);

        if (status < 0)
            return status;
        note_peaks(pass);
        if (replay->frame != VMA_NO_FRAME &&
            recording->frames[replay->frame + 1].first == replay->packet)
            end_frame(pass);
        vma_checkpoints_offer(pass->checkpoints, replay);
    }
    return 0;
}

static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct vma_pass *pass = context;
    int status = 0;

    (void)cancel;
    if (atomic_load(&pass->threads))
        parse_ahead(pass);
    status = carry_out(pass);
    if (status < 0)
        return status;
    position->known = pass->replay.packet;
    position->ended = pass->replay.packet == pass->recording->packets;
    if (position->ended) {
        vma_ahead_destroy(&pass->ahead);
        note_leaks(pass);
    }
    return 0;
}

static void show(struct vma_pass *pass, bool ended)
{
    follow_show(pass->follow, pass->recording->packets, pass->recording->frame_count, ended);
}

/* The same for a recording that grows: at the end of the available packets, it waits for more. */
static int advance_and_wait(void *context, const struct cancel *cancel,
                            struct index_task_position *position)
{
    struct vma_pass *pass = context;
    struct vma_recording *recording = pass->recording;
    int status = 0;

    if (pass->replay.packet == recording->packets && !recording->complete)
        status = vma_recording_follow(recording, cancel);
    if (recording->packets > pass->follow->packets)
        show(pass, false);
    if (status == 0)
        status = carry_out(pass);
    position->known = pass->replay.packet;
    position->ended =
        status == 0 && recording->complete && pass->replay.packet == recording->packets;
    if (position->ended)
        note_leaks(pass);
    if (position->ended || (status < 0 && status != -EINTR))
        show(pass, true);
    return status;
}

int vma_pass_create(const struct vma_pass_params *params, struct vma_pass **out)
{
    struct index_task_work work = {.advance = advance,
                                   .cancel = params->cancel,
                                   .spending = params->follow == NULL ? params->spending : NULL};
    struct vma_pass *pass = calloc(1, sizeof(*pass));
    int status;

    *out = NULL;
    if (pass == NULL)
        return -ENOMEM;
    pass->recording = params->recording;
    pass->checkpoints = params->checkpoints;
    pass->follow = params->follow;
    pass->at_frame_end = params->at_frame_end;
    pass->context = params->context;
    pass->diagnostics.problems = params->problems;
    work.context = pass;
    if (pass->follow != NULL)
        work.advance = advance_and_wait;
    index_task_init(&pass->pass, &work);
    vma_history_init(&pass->history);
    status = vma_replay_init(&pass->replay, params->recording, params->allocator);
    pass->replay.diagnostics = &pass->diagnostics;
    pass->replay.history = &pass->history;
    pass->replay.allocator.observer = &pass->history.observer;
    if (status == 0 && pass->follow == NULL) {
        pass->samples = calloc(vma_sample_count(pass->recording) + 1, sizeof(*pass->samples));
        status = pass->samples != NULL ? 0 : -ENOMEM;
    }
    if (status < 0)
        vma_pass_destroy(&pass);
    *out = pass;
    return status;
}

void vma_pass_destroy(struct vma_pass **pass)
{
    struct vma_pass *destroyed = *pass;

    *pass = NULL;
    if (destroyed == NULL)
        return;
    vma_ahead_destroy(&destroyed->ahead);
    vma_replay_clear(&destroyed->replay);
    vma_history_clear(&destroyed->history);
    free(destroyed->samples);
    index_task_destroy(&destroyed->pass);
    free(destroyed);
}

int vma_pass_start(struct vma_pass *pass)
{
    vma_pass_allow_threads(pass);
    return index_task_start(&pass->pass, NULL, NULL);
}

void vma_pass_join(struct vma_pass *pass)
{
    if (pass != NULL)
        index_task_join(&pass->pass);
}

int vma_pass_until(struct vma_pass *pass, uint32_t packet, const struct cancel *cancel)
{
    return packet > 0 ? index_task_wait(&pass->pass, packet - 1, cancel) : 0;
}

void vma_pass_allow_threads(struct vma_pass *pass)
{
    atomic_store(&pass->threads, true);
}

bool vma_pass_knows(struct vma_pass *pass, uint32_t packet)
{
    return index_task_knows(&pass->pass, packet);
}

const struct vma_history *vma_pass_history(const struct vma_pass *pass)
{
    return &pass->history;
}

const struct vma_replay *vma_pass_end(const struct vma_pass *pass)
{
    return &pass->replay;
}

const struct vma_pass_peaks *vma_pass_peaks(const struct vma_pass *pass)
{
    return &pass->peaks;
}

const struct vma_sample *vma_pass_samples(const struct vma_pass *pass)
{
    return pass->samples;
}

size_t vma_pass_bytes(const struct vma_pass *pass)
{
    return vma_history_bytes(&pass->history) +
           vma_sample_count(pass->recording) * sizeof(*pass->samples);
}

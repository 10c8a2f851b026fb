/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/replay.h"

#include "base/locks.h"
#include "base/thread.h"
#include "formats/vma/decode/decode.h"
#include "formats/vma/replay/allocator.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Returns whether a call has a string. Includes calls for which only the replay knows whether user
 * data is a string.
 */
static bool may_be_string(const struct vma_call *call, bool allocates)
{
    return call->head.function == VMA_SET_ALLOCATION_USER_DATA ||
           (allocates && (call->value[VMA_FLAGS] & VMA_FLAG_STRING) != 0);
}

static uint32_t narrow(uint64_t length)
{
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

static void measure_text(struct vma_parsed *parsed)
{
    uint64_t field, json;

    vma_escaped_lengths(parsed->call.text.begin, vma_slice_length(parsed->call.text), &field,
                        &json);
    parsed->field_length = narrow(field);
    parsed->json_length = narrow(json);
}

void vma_parsed_read(const struct vma_recording *recording, const struct vma_line *line,
                     struct vma_parsed *out)
{
    bool allocates;

    out->line = *line;
    out->needs = (struct vma_requirements){0};
    out->too_large = false;
    out->field_length = out->json_length = 0;
    vma_call_read(line->text, line->ended, &out->call);
    if (out->call.verdict != VMA_CALL_GOOD)
        return;
    allocates = (vma_functions[out->call.head.function].roles & VMA_ALLOCATES) != 0;
    if (allocates)
        out->too_large =
            !vma_requirements(&recording->configuration.device, &out->call, &out->needs);
    if (may_be_string(&out->call, allocates))
        measure_text(out);
}

/*
 * Parsing ahead of the replay. The parser, a thread of its own, fills a ring of batches of lines;
 * the reader, the thread of the replay, empties them. The lock is taken once for each batch.
 *
 * Waking a thread costs as much as executing a dozen calls, so it must not happen for each batch.
 * Therefore the thread that has to wait sleeps until the other one has done half a ring. If the
 * lines are calls, parsing is faster than executing: the parser finds the ring full, and sleeps
 * until half of it is empty. If the lines are not calls, the reader finds the ring empty, and
 * sleeps until half of it is filled.
 */

enum { BATCHES = 32, HALF = BATCHES / 2, BATCH_LINES = 64 };

/*
 * What one thread changes with each line is far from what the other thread reads, so that they do
 * not share cache lines.
 */
struct vma_ahead {
    uint32_t reading; /* lines of the current batch that the reader has taken */
    struct vma_parsed batches[BATCHES][BATCH_LINES];
    uint32_t lines[BATCHES]; /* lines of each batch; the last may have fewer */
    const struct vma_recording *recording;
    uint32_t next_packet; /* the next packet to be parsed */
    pthread_t thread;

    pthread_mutex_t lock; /* protects what follows */
    pthread_cond_t moved;
    /*
     * Batches, counted from the start; the reader is in batch `emptied`. Only the parser writes
     * `filled`, and only the reader writes `emptied`; each reads its own counter without the lock.
     */
    uint32_t filled, emptied;
    bool full GUARDED_BY(lock_of_vma_ahead); /* the parser sleeps until only HALF are filled */
    /* The reader sleeps until HALF are filled, or all lines are parsed. */
    bool empty GUARDED_BY(lock_of_vma_ahead);
    bool stopped GUARDED_BY(lock_of_vma_ahead);
};

static void take_lock(struct vma_ahead *ahead) ACQUIRE(lock_of_vma_ahead)
{
    pthread_mutex_lock(&ahead->lock);
}

static void give_lock(struct vma_ahead *ahead) RELEASE(lock_of_vma_ahead)
{
    pthread_mutex_unlock(&ahead->lock);
}

static void fill(struct vma_ahead *ahead, uint32_t batch)
{
    const struct vma_recording *recording = ahead->recording;
    struct vma_line line;
    uint32_t i = 0;

    vma_recording_line(recording, ahead->next_packet, &line);
    for (; i < BATCH_LINES && ahead->next_packet < recording->packets; i++) {
        vma_parsed_read(recording, &line, &ahead->batches[batch][i]);
        vma_recording_next(recording, &line);
        ahead->next_packet++;
    }
    ahead->lines[batch] = i;
}

static bool is_through(const struct vma_ahead *ahead)
{
    return ahead->next_packet >= ahead->recording->packets;
}

static void *parse(void *context)
{
    struct vma_ahead *ahead = context;

    take_lock(ahead);
    while (!is_through(ahead) && !ahead->stopped) {
        ahead->full |= ahead->filled - ahead->emptied == BATCHES;
        if (ahead->full) {
            pthread_cond_wait(&ahead->moved, &ahead->lock);
            continue;
        }
        give_lock(ahead);
        fill(ahead, ahead->filled % BATCHES);
        take_lock(ahead);
        ahead->filled++;
        if (ahead->empty && (ahead->filled - ahead->emptied == HALF || is_through(ahead))) {
            ahead->empty = false;
            pthread_cond_signal(&ahead->moved);
        }
    }
    give_lock(ahead);
    return NULL;
}

int vma_ahead_create(const struct vma_recording *recording, uint32_t packet,
                     struct vma_ahead **out) LOCKS_UNCHECKED
{
    struct vma_ahead *ahead = malloc(sizeof(*ahead));

    if (ahead == NULL)
        return -ENOMEM;
    ahead->recording = recording;
    ahead->next_packet = packet;
    ahead->reading = ahead->filled = ahead->emptied = 0;
    ahead->full = ahead->empty = ahead->stopped = false;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->moved, NULL);
    if (thread_start(&ahead->thread, parse, ahead) == 0) {
        *out = ahead;
        return 0;
    }
    pthread_cond_destroy(&ahead->moved);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
    return -EAGAIN;
}

void vma_ahead_destroy(struct vma_ahead **ahead)
{
    struct vma_ahead *destroyed = *ahead;

    *ahead = NULL;
    if (destroyed == NULL)
        return;
    take_lock(destroyed);
    destroyed->stopped = true;
    pthread_cond_signal(&destroyed->moved);
    give_lock(destroyed);
    pthread_join(destroyed->thread, NULL);
    pthread_cond_destroy(&destroyed->moved);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

/* Goes to the first batch, or to the next when the current batch is used up. */
static void change_batch(struct vma_ahead *ahead)
{
    take_lock(ahead);
    if (ahead->reading == BATCH_LINES) {
        ahead->emptied++;
        ahead->reading = 0;
        if (ahead->full && ahead->filled - ahead->emptied == HALF) {
            ahead->full = false;
            pthread_cond_signal(&ahead->moved);
        }
    }
    ahead->empty = ahead->filled == ahead->emptied;
    while (ahead->empty)
        pthread_cond_wait(&ahead->moved, &ahead->lock);
    give_lock(ahead);
}

/*
 * Prefetches a line that another processor has written: fetching it takes as long as executing a
 * call.
 */
static void prefetch(const struct vma_parsed *parsed)
{
    __builtin_prefetch(&parsed->line);
    __builtin_prefetch(&parsed->call.head);
    __builtin_prefetch(&parsed->call.value[VMA_FLAGS]);
    __builtin_prefetch(&parsed->call.value[VMA_SIZE]);
    __builtin_prefetch(&parsed->needs);
}

const struct vma_parsed *vma_ahead_peek(const struct vma_ahead *ahead)
{
    const uint32_t batch = ahead->emptied % BATCHES;

    return ahead->reading < ahead->lines[batch] ? &ahead->batches[batch][ahead->reading] : NULL;
}

const struct vma_parsed *vma_ahead_next(struct vma_ahead *ahead)
{
    const struct vma_parsed *parsed;

    if (ahead->reading == 0 || ahead->reading == BATCH_LINES)
        change_batch(ahead);
    parsed = &ahead->batches[ahead->emptied % BATCHES][ahead->reading++];
    if (ahead->reading + 1 < BATCH_LINES)
        prefetch(parsed + 2);
    return parsed;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/locks.h"
#include "base/thread.h"

#include <stdlib.h>

enum {
    AHEAD = 2, /* chunks that are ready for the reader, or being expanded */
    /*
     * With fewer chunks than CHUNKS_MIN, or fewer bytes in each than CHUNK_MIN, waiting for the
     * thread would take longer than expanding.
     */
    CHUNKS_MIN = 4,
    CHUNK_MIN = 64 * 1024,
    CHUNK_MAX = 4 << 20, /* bytes; tracers write smaller ones: two more would take much memory */
};

struct expanded {
    struct blob *blob;
    int status;
    bool done;
};

struct apitrace_expander {
    const struct apitrace_stream *stream;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t moved;
    /* The chunks in `ahead` are numbers `first` up to `next`, exclusive. */
    uint64_t first GUARDED_BY(lock_of_apitrace_expander), next
        GUARDED_BY(lock_of_apitrace_expander);
    /* indexed by number modulo AHEAD */
    struct expanded ahead[AHEAD] GUARDED_BY(lock_of_apitrace_expander);
    bool ending GUARDED_BY(lock_of_apitrace_expander);
};

static void take_lock(struct apitrace_expander *expander) ACQUIRE(lock_of_apitrace_expander)
{
    pthread_mutex_lock(&expander->lock);
}

static void give_lock(struct apitrace_expander *expander) RELEASE(lock_of_apitrace_expander)
{
    pthread_mutex_unlock(&expander->lock);
}

static bool are_usual(const struct apitrace_stream *stream)
{
    for (uint64_t n = 0; n < stream->count; n++)
        if (stream->chunks[n + 1].raw - stream->chunks[n].raw > CHUNK_MAX)
            return false;
    return true;
}

bool apitrace_expander_helps(const struct apitrace_stream *stream)
{
    return stream->mapped == NULL && stream->fed == NULL && stream->growing == NULL &&
           stream->count >= CHUNKS_MIN && stream->size / stream->count >= CHUNK_MIN &&
           are_usual(stream);
}

static struct expanded *place_of(struct apitrace_expander *expander, uint64_t number)
    REQUIRES(lock_of_apitrace_expander)
{
    return &expander->ahead[number % AHEAD];
}

static void *expand_all(void *context)
{
    struct apitrace_expander *expander = context;

    take_lock(expander);
    while (!expander->ending) {
        uint64_t number = expander->next;
        struct expanded expanded = {.done = true};

        if (number - expander->first == AHEAD || number >= expander->stream->count) {
            pthread_cond_wait(&expander->moved, &expander->lock);
            continue;
        }
        place_of(expander, number)->done = false;
        expander->next++;
        give_lock(expander);
        expanded.status = apitrace_stream_load(expander->stream, number, &expanded.blob);
        take_lock(expander);
        *place_of(expander, number) = expanded;
        pthread_cond_broadcast(&expander->moved);
    }
    give_lock(expander);
    return NULL;
}

struct apitrace_expander *apitrace_expander_create(const struct apitrace_stream *stream,
                                                   uint64_t position) LOCKS_UNCHECKED
{
    struct apitrace_expander *expander = calloc(1, sizeof(*expander));

    if (expander == NULL)
        return NULL;
    expander->stream = stream;
    expander->first = expander->next = apitrace_stream_find(stream, position);
    pthread_mutex_init(&expander->lock, NULL);
    pthread_cond_init(&expander->moved, NULL);
    if (thread_start(&expander->thread, expand_all, expander) == 0)
        return expander;
    pthread_cond_destroy(&expander->moved);
    pthread_mutex_destroy(&expander->lock);
    free(expander);
    return NULL;
}

/* Drops all chunks. The thread has ended. */
static void drop_all(struct apitrace_expander *expander) LOCKS_UNCHECKED
{
    for (; expander->first < expander->next; expander->first++)
        blob_unref(&place_of(expander, expander->first)->blob);
}

void apitrace_expander_destroy(struct apitrace_expander **expander)
{
    struct apitrace_expander *ending = *expander;

    *expander = NULL;
    if (ending == NULL)
        return;
    take_lock(ending);
    ending->ending = true;
    pthread_cond_broadcast(&ending->moved);
    give_lock(ending);
    pthread_join(ending->thread, NULL);
    drop_all(ending);
    pthread_cond_destroy(&ending->moved);
    pthread_mutex_destroy(&ending->lock);
    free(ending);
}

/* Takes the first of the chunks ahead, waiting for it, and so makes room for another. */
static struct expanded take_first(struct apitrace_expander *expander)
    REQUIRES(lock_of_apitrace_expander)
{
    struct expanded *place = place_of(expander, expander->first), taken;

    while (!place->done)
        pthread_cond_wait(&expander->moved, &expander->lock);
    taken = *place;
    *place = (struct expanded){0};
    expander->first++;
    pthread_cond_broadcast(&expander->moved);
    return taken;
}

/* Takes the chunk if it is among those ahead, dropping those before it. */
static bool take(struct apitrace_expander *expander, uint64_t number, struct expanded *out)
{
    bool found = false;

    take_lock(expander);
    while (!found && expander->first < expander->next && expander->first <= number) {
        found = expander->first == number;
        blob_unref(&out->blob);
        *out = take_first(expander);
    }
    if (!found && expander->first <= number) {
        /* all of them were passed over: the thread continues after this chunk */
        expander->first = expander->next = number + 1;
        pthread_cond_broadcast(&expander->moved);
    }
    give_lock(expander);
    if (!found)
        blob_unref(&out->blob);
    return found;
}

int apitrace_expander_get(struct apitrace_expander *expander, uint64_t number, struct blob **out)
{
    struct expanded expanded = {0};

    if (!take(expander, number, &expanded))
        return apitrace_stream_load(expander->stream, number, out);
    *out = expanded.blob;
    return expanded.status;
}

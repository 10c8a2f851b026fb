/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/thread.h"

#include <stdlib.h>

enum {
    AHEAD = 2,             /* chunks that are kept for the reader, or being expanded */
    CHUNKS_MIN = 4,        /* below this, and below … */
    CHUNK_MIN = 64 * 1024, /* … so many bytes each, waiting would take longer */
    CHUNK_MAX = 4 << 20,   /* larger than tracers write: two more of them are not held */
};

struct expanded {
    struct blob *blob;
    int status;
    bool done;
};

struct apitrace_expander {
    const struct apitrace_stream *stream;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t moved;
    uint64_t first, next;         /* chunks in `ahead`: from `first` up to `next` */
    struct expanded ahead[AHEAD]; /* by number modulo AHEAD */
    bool ending;
};

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
{
    return &expander->ahead[number % AHEAD];
}

static void *expand_all(void *context)
{
    struct apitrace_expander *expander = context;

    pthread_mutex_lock(&expander->lock);
    while (!expander->ending) {
        uint64_t number = expander->next;
        struct expanded expanded = {.done = true};

        if (number - expander->first == AHEAD || number >= expander->stream->count) {
            pthread_cond_wait(&expander->moved, &expander->lock);
            continue;
        }
        place_of(expander, number)->done = false;
        expander->next++;
        pthread_mutex_unlock(&expander->lock);
        expanded.status = apitrace_stream_expand(expander->stream, number, &expanded.blob);
        pthread_mutex_lock(&expander->lock);
        *place_of(expander, number) = expanded;
        pthread_cond_broadcast(&expander->moved);
    }
    pthread_mutex_unlock(&expander->lock);
    return NULL;
}

struct apitrace_expander *apitrace_expander_create(const struct apitrace_stream *stream,
                                                   uint64_t position)
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

void apitrace_expander_destroy(struct apitrace_expander **expander)
{
    struct apitrace_expander *ending = *expander;

    *expander = NULL;
    if (ending == NULL)
        return;
    pthread_mutex_lock(&ending->lock);
    ending->ending = true;
    pthread_cond_broadcast(&ending->moved);
    pthread_mutex_unlock(&ending->lock);
    pthread_join(ending->thread, NULL);
    for (; ending->first < ending->next; ending->first++)
        blob_unref(&place_of(ending, ending->first)->blob);
    pthread_cond_destroy(&ending->moved);
    pthread_mutex_destroy(&ending->lock);
    free(ending);
}

/* The first of the chunks ahead, which makes room for another. The lock is held. */
static struct expanded take_first(struct apitrace_expander *expander)
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

/* The chunk, if it is among those ahead; what is before it is passed over. */
static bool take(struct apitrace_expander *expander, uint64_t number, struct expanded *out)
{
    bool found = false;

    pthread_mutex_lock(&expander->lock);
    while (!found && expander->first < expander->next && expander->first <= number) {
        found = expander->first == number;
        blob_unref(&out->blob);
        *out = take_first(expander);
    }
    if (!found && expander->first <= number) {
        /* they are all passed over: the thread goes on behind it */
        expander->first = expander->next = number + 1;
        pthread_cond_broadcast(&expander->moved);
    }
    pthread_mutex_unlock(&expander->lock);
    if (!found)
        blob_unref(&out->blob);
    return found;
}

int apitrace_expander_get(struct apitrace_expander *expander, uint64_t number, struct blob **out)
{
    struct expanded expanded = {0};

    if (!take(expander, number, &expanded))
        return apitrace_stream_expand(expander->stream, number, out);
    *out = expanded.blob;
    return expanded.status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/locks.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECENT = 4,           /* number of chunks that are kept of a long stream */
    RECENT_MAX = 2 << 20, /* bytes: larger chunks, which tracers do not write, are not kept */
    ALL_MAX = 32 << 20,   /* bytes of a stream, up to which all of its chunks are kept */
    BITS = 8,
};

struct recent {
    struct blob *blob; /* NULL: the place is free */
    uint64_t number;
};

struct apitrace_recent {
    bool all;                    /* all chunks of the stream are kept */
    struct memory_region region; /* for the complete stream, or empty */
    uint64_t chunks_of_stream;
    uint64_t count;                                            /* of the places for chunks */
    pthread_mutex_t lock;                                      /* guards what follows */
    struct recent *chunks GUARDED_BY(lock_of_apitrace_recent); /* indexed by number modulo count */
    /*
     * What apitrace_recent_keep() keeps of each chunk, by number, or NULL; the array is NULL while
     * nothing is kept of any chunk.
     */
    struct blob **rests GUARDED_BY(lock_of_apitrace_recent);
    /* A bit for each chunk: its place in `region` was given away. */
    uint8_t *placed GUARDED_BY(lock_of_apitrace_recent);
    uint8_t seen[] GUARDED_BY(lock_of_apitrace_recent); /* a bit a chunk: it was added */
};

static void take_lock(struct apitrace_recent *recent) ACQUIRE(lock_of_apitrace_recent)
{
    pthread_mutex_lock(&recent->lock);
}

static void give_lock(struct apitrace_recent *recent) RELEASE(lock_of_apitrace_recent)
{
    pthread_mutex_unlock(&recent->lock);
}

/* Reserves space for the complete stream, if possible. */
static void reserve_space(struct apitrace_recent *recent, uint64_t size) LOCKS_UNCHECKED
{
    recent->placed = calloc((size_t)(recent->count / BITS) + 1, 1);
    if (recent->placed == NULL)
        return;
    memory_region_reserve(&recent->region, (size_t)size);
}

struct apitrace_recent *apitrace_recent_create(uint64_t count, uint64_t size) LOCKS_UNCHECKED
{
    struct apitrace_recent *recent = calloc(1, sizeof(*recent) + (size_t)(count / BITS) + 1);

    if (recent == NULL)
        return NULL;
    pthread_mutex_init(&recent->lock, NULL);
    recent->chunks_of_stream = count;
    recent->all = size <= ALL_MAX && count > 0;
    recent->count = recent->all ? count : (uint64_t)RECENT;
    recent->chunks = calloc((size_t)recent->count, sizeof(*recent->chunks));
    if (recent->chunks == NULL)
        apitrace_recent_destroy(&recent);
    else if (recent->all)
        reserve_space(recent, size);
    return recent;
}

static void drop_all(struct apitrace_recent *recent) LOCKS_UNCHECKED
{
    for (uint64_t n = 0; recent->chunks != NULL && n < recent->count; n++)
        blob_unref(&recent->chunks[n].blob);
    free(recent->chunks);
    for (uint64_t n = 0; recent->rests != NULL && n < recent->chunks_of_stream; n++)
        blob_unref(&recent->rests[n]);
    free(recent->rests);
    memory_region_release(&recent->region);
    free(recent->placed);
}

void apitrace_recent_destroy(struct apitrace_recent **recent)
{
    if (*recent == NULL)
        return;
    drop_all(*recent);
    pthread_mutex_destroy(&(*recent)->lock);
    free(*recent);
    *recent = NULL;
}

bool apitrace_recent_keeps_all(const struct apitrace_recent *recent)
{
    return recent->all;
}

/* Returns whether this is the first request for the chunk's place in `region`. */
static bool take_place(struct apitrace_recent *recent, uint64_t number)
{
    const uint8_t bit = (uint8_t)(1 << number % BITS);
    uint8_t *bits;
    bool is_free;

    take_lock(recent);
    bits = &recent->placed[number / BITS];
    is_free = (*bits & bit) == 0;
    *bits |= bit;
    give_lock(recent);
    return is_free;
}

int apitrace_recent_place(struct apitrace_recent *recent, uint64_t number, uint64_t begin,
                          size_t size, struct blob **out)
{
    *out = NULL;
    if (recent->region.bytes == NULL || !take_place(recent, number))
        return 0;
    if (size >= MEMORY_LARGE)
        memory_populate(recent->region.bytes + begin, size);
    return blob_borrow(recent->region.bytes + begin, size, out);
}

struct blob *apitrace_recent_find(struct apitrace_recent *recent, uint64_t number, bool *seen)
{
    const struct recent *place;
    struct blob *blob = NULL;

    take_lock(recent);
    place = &recent->chunks[number % recent->count];
    *seen = (recent->seen[number / BITS] >> number % BITS & 1) != 0;
    if (place->blob != NULL && place->number == number)
        blob = blob_ref(place->blob);
    give_lock(recent);
    return blob;
}

void apitrace_recent_add(struct apitrace_recent *recent, uint64_t number, struct blob *blob)
{
    struct blob *before = NULL;

    take_lock(recent);
    recent->seen[number / BITS] |= (uint8_t)(1 << number % BITS);
    if (blob->size <= RECENT_MAX || recent->all) {
        struct recent *place = &recent->chunks[number % recent->count];

        before = place->blob;
        *place = (struct recent){blob_ref(blob), number};
    }
    give_lock(recent);
    blob_unref(&before);
}

/* If there is no memory for it, the chunk is expanded again later. */
void apitrace_recent_keep(struct apitrace_recent *recent, uint64_t number, struct blob *rest)
{
    struct blob *before = NULL;

    take_lock(recent);
    if (recent->rests == NULL)
        recent->rests = calloc((size_t)recent->chunks_of_stream, sizeof(struct blob *));
    if (recent->rests != NULL) {
        before = recent->rests[number];
        recent->rests[number] = blob_ref(rest);
    }
    give_lock(recent);
    blob_unref(&before);
}

struct blob *apitrace_recent_kept(struct apitrace_recent *recent, uint64_t number)
{
    struct blob *rest = NULL;

    take_lock(recent);
    if (recent->rests != NULL && recent->rests[number] != NULL)
        rest = blob_ref(recent->rests[number]);
    give_lock(recent);
    return rest;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/locks.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    RECENT = 4,           /* chunks that are kept … */
    RECENT_MAX = 2 << 20, /* … unless they are larger than tracers write */
    BITS = 8,
};

struct recent {
    struct blob *blob; /* NULL: none */
    uint64_t number;
};

struct apitrace_recent {
    pthread_mutex_t lock; /* of what follows */
    struct recent chunks[RECENT] GUARDED_BY(lock_of_apitrace_recent);
    unsigned next GUARDED_BY(lock_of_apitrace_recent);  /* takes the place of this one */
    uint8_t seen[] GUARDED_BY(lock_of_apitrace_recent); /* a bit for each chunk */
};

static void take_lock(struct apitrace_recent *recent) ACQUIRE(lock_of_apitrace_recent)
{
    pthread_mutex_lock(&recent->lock);
}

static void give_lock(struct apitrace_recent *recent) RELEASE(lock_of_apitrace_recent)
{
    pthread_mutex_unlock(&recent->lock);
}

struct apitrace_recent *apitrace_recent_create(uint64_t count)
{
    struct apitrace_recent *recent = calloc(1, sizeof(*recent) + (size_t)(count / BITS) + 1);

    if (recent != NULL)
        pthread_mutex_init(&recent->lock, NULL);
    return recent;
}

static void drop_all(struct apitrace_recent *recent) LOCKS_UNCHECKED
{
    for (unsigned n = 0; n < RECENT; n++)
        blob_unref(&recent->chunks[n].blob);
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

struct blob *apitrace_recent_find(struct apitrace_recent *recent, uint64_t number, bool *seen)
{
    struct blob *blob = NULL;

    take_lock(recent);
    *seen = (recent->seen[number / BITS] >> number % BITS & 1) != 0;
    for (unsigned n = 0; n < RECENT && blob == NULL; n++)
        if (recent->chunks[n].blob != NULL && recent->chunks[n].number == number)
            blob = blob_ref(recent->chunks[n].blob);
    give_lock(recent);
    return blob;
}

void apitrace_recent_add(struct apitrace_recent *recent, uint64_t number, struct blob *blob)
{
    struct blob *oldest = NULL;

    take_lock(recent);
    recent->seen[number / BITS] |= (uint8_t)(1 << number % BITS);
    if (blob->size <= RECENT_MAX) {
        oldest = recent->chunks[recent->next].blob;
        recent->chunks[recent->next] = (struct recent){blob_ref(blob), number};
        recent->next = (recent->next + 1) % RECENT;
    }
    give_lock(recent);
    blob_unref(&oldest);
}

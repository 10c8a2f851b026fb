/* SPDX-License-Identifier: MIT */
#include "cache/lookout.h"

#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOKS_MAX = 2, IDLE_LOOKS = 5 };

struct look {
    bool (*look)(void *context);
    void *context;
};

struct lookout {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping GUARDED_BY(lock_of_lookout);
    atomic_bool awake; /* lowered by its thread alone */
    struct look looks[LOOKS_MAX];
    unsigned count;
    pthread_t thread;
    bool has_thread;
};

static void take_lock(struct lookout *lookout) ACQUIRE(lock_of_lookout)
{
    pthread_mutex_lock(&lookout->lock);
}

static void give_lock(struct lookout *lookout) RELEASE(lock_of_lookout)
{
    pthread_mutex_unlock(&lookout->lock);
}

static bool look_at_all(const struct lookout *lookout)
{
    bool busy = false;

    for (unsigned n = 0; n < lookout->count; n++)
        busy |= lookout->looks[n].look(lookout->looks[n].context);
    return busy;
}

/* What begins after `awake` was lowered wakes it again; what began before is seen here. */
static bool may_sleep(struct lookout *lookout)
{
    atomic_store(&lookout->awake, false);
    if (!look_at_all(lookout))
        return true;
    atomic_store(&lookout->awake, true);
    return false;
}

static void *run(void *context)
{
    struct lookout *lookout = context;
    unsigned idle = IDLE_LOOKS;

    take_lock(lookout);
    while (!lookout->stopping) {
        if (!atomic_load(&lookout->awake)) {
            pthread_cond_wait(&lookout->changed, &lookout->lock);
            idle = 0;
            continue;
        }
        thread_wait_a_little(&lookout->changed, &lookout->lock);
        give_lock(lookout);
        idle = look_at_all(lookout) ? 0 : idle + 1;
        if (idle >= IDLE_LOOKS && !may_sleep(lookout))
            idle = 0;
        take_lock(lookout);
    }
    give_lock(lookout);
    return NULL;
}

int lookout_create(struct lookout **out)
{
    struct lookout *lookout = calloc(1, sizeof(*lookout));
    int status;

    *out = lookout;
    if (lookout == NULL)
        return -ENOMEM;
    pthread_mutex_init(&lookout->lock, NULL);
    thread_condition_init(&lookout->changed);
    status = thread_start(&lookout->thread, run, lookout);
    lookout->has_thread = status == 0;
    if (status < 0)
        lookout_destroy(out);
    return status;
}

void lookout_stop(struct lookout *lookout)
{
    if (lookout == NULL || !lookout->has_thread)
        return;
    take_lock(lookout);
    lookout->stopping = true;
    pthread_cond_signal(&lookout->changed);
    give_lock(lookout);
    pthread_join(lookout->thread, NULL);
    lookout->has_thread = false;
}

void lookout_destroy(struct lookout **lookout)
{
    struct lookout *destroyed = *lookout;

    *lookout = NULL;
    if (destroyed == NULL)
        return;
    lookout_stop(destroyed);
    pthread_cond_destroy(&destroyed->changed);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

void lookout_add(struct lookout *lookout, bool (*look)(void *context), void *context)
{
    assert(lookout->count < LOOKS_MAX);
    lookout->looks[lookout->count++] = (struct look){look, context};
}

void lookout_wake(struct lookout *lookout)
{
    if (lookout == NULL || atomic_load(&lookout->awake))
        return;
    take_lock(lookout);
    atomic_store(&lookout->awake, true);
    pthread_cond_signal(&lookout->changed);
    give_lock(lookout);
}

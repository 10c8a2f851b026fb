/* SPDX-License-Identifier: MIT */
#include "cache/watch.h"

#include "base/thread.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOKS_MAX = 2, IDLE_LOOKS = 5 };

struct look {
    bool (*look)(void *context);
    void *context;
};

struct watch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping GUARDED_BY(lock_of_watch);
    atomic_bool awake; /* lowered by its thread alone */
    struct look looks[LOOKS_MAX];
    unsigned count;
    pthread_t thread;
    bool has_thread;
};

static void take_lock(struct watch *watch) ACQUIRE(lock_of_watch)
{
    pthread_mutex_lock(&watch->lock);
}

static void give_lock(struct watch *watch) RELEASE(lock_of_watch)
{
    pthread_mutex_unlock(&watch->lock);
}

static bool look_at_all(const struct watch *watch)
{
    bool busy = false;

    for (unsigned n = 0; n < watch->count; n++)
        busy |= watch->looks[n].look(watch->looks[n].context);
    return busy;
}

/* What begins after `awake` was lowered wakes it again; what began before is seen here. */
static bool may_sleep(struct watch *watch)
{
    atomic_store(&watch->awake, false);
    if (!look_at_all(watch))
        return true;
    atomic_store(&watch->awake, true);
    return false;
}

static void *run(void *context)
{
    struct watch *watch = context;
    unsigned idle = IDLE_LOOKS;

    take_lock(watch);
    while (!watch->stopping) {
        if (!atomic_load(&watch->awake)) {
            pthread_cond_wait(&watch->changed, &watch->lock);
            idle = 0;
            continue;
        }
        thread_wait_a_little(&watch->changed, &watch->lock);
        give_lock(watch);
        idle = look_at_all(watch) ? 0 : idle + 1;
        if (idle >= IDLE_LOOKS && !may_sleep(watch))
            idle = 0;
        take_lock(watch);
    }
    give_lock(watch);
    return NULL;
}

int watch_create(struct watch **out)
{
    struct watch *watch = calloc(1, sizeof(*watch));
    int status;

    *out = watch;
    if (watch == NULL)
        return -ENOMEM;
    pthread_mutex_init(&watch->lock, NULL);
    thread_condition_init(&watch->changed);
    status = thread_start(&watch->thread, run, watch);
    watch->has_thread = status == 0;
    if (status < 0)
        watch_destroy(out);
    return status;
}

void watch_stop(struct watch *watch)
{
    if (watch == NULL || !watch->has_thread)
        return;
    take_lock(watch);
    watch->stopping = true;
    pthread_cond_signal(&watch->changed);
    give_lock(watch);
    pthread_join(watch->thread, NULL);
    watch->has_thread = false;
}

void watch_destroy(struct watch **watch)
{
    struct watch *destroyed = *watch;

    *watch = NULL;
    if (destroyed == NULL)
        return;
    watch_stop(destroyed);
    pthread_cond_destroy(&destroyed->changed);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

void watch_add(struct watch *watch, bool (*look)(void *context), void *context)
{
    watch->looks[watch->count++] = (struct look){look, context};
}

void watch_wake(struct watch *watch)
{
    if (watch == NULL || atomic_load(&watch->awake))
        return;
    take_lock(watch);
    atomic_store(&watch->awake, true);
    pthread_cond_signal(&watch->changed);
    give_lock(watch);
}

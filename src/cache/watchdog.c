/* SPDX-License-Identifier: MIT */
#include "cache/watchdog.h"

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

struct watchdog {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping GUARDED_BY(lock_of_watchdog);
    atomic_bool awake; /* cleared only by its own thread */
    struct look looks[LOOKS_MAX];
    unsigned count;
    pthread_t thread;
    bool has_thread;
};

static void take_lock(struct watchdog *watchdog) ACQUIRE(lock_of_watchdog)
{
    pthread_mutex_lock(&watchdog->lock);
}

static void give_lock(struct watchdog *watchdog) RELEASE(lock_of_watchdog)
{
    pthread_mutex_unlock(&watchdog->lock);
}

static bool look_at_all(const struct watchdog *watchdog)
{
    bool busy = false;

    for (unsigned n = 0; n < watchdog->count; n++)
        busy |= watchdog->looks[n].look(watchdog->looks[n].context);
    return busy;
}

/*
 * Returns whether the watchdog may sleep. Work that begins after `awake` is cleared wakes the
 * watchdog again; work that began before is seen by the look in here.
 */
static bool may_sleep(struct watchdog *watchdog)
{
    atomic_store(&watchdog->awake, false);
    if (!look_at_all(watchdog))
        return true;
    atomic_store(&watchdog->awake, true);
    return false;
}

static void *run(void *context)
{
    struct watchdog *watchdog = context;
    unsigned idle = IDLE_LOOKS;

    take_lock(watchdog);
    while (!watchdog->stopping) {
        if (!atomic_load(&watchdog->awake)) {
            pthread_cond_wait(&watchdog->changed, &watchdog->lock);
            idle = 0;
            continue;
        }
        thread_wait_a_little(&watchdog->changed, &watchdog->lock);
        give_lock(watchdog);
        idle = look_at_all(watchdog) ? 0 : idle + 1;
        if (idle >= IDLE_LOOKS && !may_sleep(watchdog))
            idle = 0;
        take_lock(watchdog);
    }
    give_lock(watchdog);
    return NULL;
}

int watchdog_create(struct watchdog **out)
{
    struct watchdog *watchdog = calloc(1, sizeof(*watchdog));
    int status;

    *out = watchdog;
    if (watchdog == NULL)
        return -ENOMEM;
    pthread_mutex_init(&watchdog->lock, NULL);
    thread_condition_init(&watchdog->changed);
    status = thread_start(&watchdog->thread, run, watchdog);
    watchdog->has_thread = status == 0;
    if (status < 0)
        watchdog_destroy(out);
    return status;
}

void watchdog_stop(struct watchdog *watchdog)
{
    if (watchdog == NULL || !watchdog->has_thread)
        return;
    take_lock(watchdog);
    watchdog->stopping = true;
    pthread_cond_signal(&watchdog->changed);
    give_lock(watchdog);
    pthread_join(watchdog->thread, NULL);
    watchdog->has_thread = false;
}

void watchdog_destroy(struct watchdog **watchdog)
{
    struct watchdog *destroyed = *watchdog;

    *watchdog = NULL;
    if (destroyed == NULL)
        return;
    watchdog_stop(destroyed);
    pthread_cond_destroy(&destroyed->changed);
    pthread_mutex_destroy(&destroyed->lock);
    free(destroyed);
}

void watchdog_add(struct watchdog *watchdog, bool (*look)(void *context), void *context)
{
    assert(watchdog->count < LOOKS_MAX);
    watchdog->looks[watchdog->count++] = (struct look){look, context};
}

void watchdog_wake(struct watchdog *watchdog)
{
    if (watchdog == NULL || atomic_load(&watchdog->awake))
        return;
    take_lock(watchdog);
    atomic_store(&watchdog->awake, true);
    pthread_cond_signal(&watchdog->changed);
    give_lock(watchdog);
}

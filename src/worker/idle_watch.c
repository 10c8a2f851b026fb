/* SPDX-License-Identifier: MIT */
#include "worker/idle_watch.h"

#include "base/clock.h"
#include "base/thread.h"
#include "worker/message.h"

#include <time.h>

enum { SECOND_MS = 1000, MS_NANOSECONDS = 1000000 };

static void take_lock(struct idle_watch *idle) ACQUIRE(lock_of_idle_watch)
{
    pthread_mutex_lock(&idle->lock);
}

static void give_lock(struct idle_watch *idle) RELEASE(lock_of_idle_watch)
{
    pthread_mutex_unlock(&idle->lock);
}

void idle_watch_init(struct idle_watch *idle, unsigned after_ms, void (*end)(void *context),
                     void *context)
{
    *idle = (struct idle_watch){.after_ms = after_ms, .end = end, .context = context};
    pthread_mutex_init(&idle->lock, NULL);
    thread_condition_init(&idle->changed);
}

static void join(struct idle_watch *idle)
{
    if (idle->has_thread)
        pthread_join(idle->thread, NULL);
    idle->has_thread = false;
}

void idle_watch_destroy(struct idle_watch *idle)
{
    take_lock(idle);
    idle->ended = true;
    pthread_cond_signal(&idle->changed);
    give_lock(idle);
    join(idle);
    pthread_cond_destroy(&idle->changed);
    pthread_mutex_destroy(&idle->lock);
}

void idle_watch_hold(struct idle_watch *idle)
{
    take_lock(idle);
    idle->needs++;
    atomic_store(&idle->pressed, false);
    give_lock(idle);
}

void idle_watch_release(struct idle_watch *idle)
{
    take_lock(idle);
    idle->needs--;
    idle->since = clock_ms();
    give_lock(idle);
}

void idle_watch_press(struct idle_watch *idle)
{
    atomic_store(&idle->pressed, true);
    pthread_cond_signal(&idle->changed);
}

/* Waits until that time of clock_ms(), or a signal. Releases the lock meanwhile. */
static void wait_until(struct idle_watch *idle, int64_t deadline) REQUIRES(lock_of_idle_watch)
{
    const struct timespec until = {.tv_sec = deadline / SECOND_MS,
                                   .tv_nsec = deadline % SECOND_MS * MS_NANOSECONDS};

    pthread_cond_timedwait(&idle->changed, &idle->lock, &until);
}

static void *watch(void *context)
{
    struct idle_watch *idle = context;

    take_lock(idle);
    while (!idle->ended) {
        const int64_t now = clock_ms(), deadline = idle->since + idle->after_ms;

        if (idle->needs == 0 && (deadline <= now || atomic_load(&idle->pressed))) {
            idle->end(idle->context);
            break;
        }
        wait_until(idle, idle->needs == 0 ? deadline : now + idle->after_ms);
    }
    idle->watching = false;
    give_lock(idle);
    return NULL;
}

/*
 * There is no thread, and the caller holds the process, so the new thread does not change
 * `watching`.
 */
static void start_thread(struct idle_watch *idle) LOCKS_UNCHECKED
{
    join(idle);
    idle->watching = true;
    idle->has_thread = thread_start(&idle->thread, watch, idle) == 0;
    if (!idle->has_thread)
        idle->watching = false;
}

void idle_watch_start(struct idle_watch *idle)
{
    bool watching;

    take_lock(idle);
    idle->since = clock_ms();
    watching = idle->watching;
    give_lock(idle);
    if (watching)
        return;
    start_thread(idle);
}

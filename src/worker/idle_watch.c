/* SPDX-License-Identifier: MIT */
#include "worker/idle_watch.h"

#include "base/thread.h"
#include "worker/message.h"

#include <time.h>

enum { SECOND_MS = 1000, MS_NANOSECONDS = 1000000 };

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
    pthread_mutex_lock(&idle->lock);
    idle->ended = true;
    pthread_cond_signal(&idle->changed);
    pthread_mutex_unlock(&idle->lock);
    join(idle);
    pthread_cond_destroy(&idle->changed);
    pthread_mutex_destroy(&idle->lock);
}

void idle_watch_hold(struct idle_watch *idle)
{
    pthread_mutex_lock(&idle->lock);
    idle->needs++;
    pthread_mutex_unlock(&idle->lock);
}

void idle_watch_release(struct idle_watch *idle)
{
    pthread_mutex_lock(&idle->lock);
    idle->needs--;
    idle->since = message_clock();
    pthread_mutex_unlock(&idle->lock);
}

/* Of message_clock(). The lock is held, and let go of meanwhile. */
static void wait_until(struct idle_watch *idle, int64_t deadline)
{
    const struct timespec until = {.tv_sec = deadline / SECOND_MS,
                                   .tv_nsec = deadline % SECOND_MS * MS_NANOSECONDS};

    pthread_cond_timedwait(&idle->changed, &idle->lock, &until);
}

static void *watch(void *context)
{
    struct idle_watch *idle = context;

    pthread_mutex_lock(&idle->lock);
    while (!idle->ended) {
        const int64_t now = message_clock(), deadline = idle->since + idle->after_ms;

        if (idle->needs == 0 && deadline <= now) {
            idle->end(idle->context);
            break;
        }
        wait_until(idle, idle->needs == 0 ? deadline : now + idle->after_ms);
    }
    idle->watching = false;
    pthread_mutex_unlock(&idle->lock);
    return NULL;
}

void idle_watch_start(struct idle_watch *idle)
{
    bool watching;

    pthread_mutex_lock(&idle->lock);
    idle->since = message_clock();
    watching = idle->watching;
    pthread_mutex_unlock(&idle->lock);
    if (watching)
        return;
    join(idle);
    idle->watching = true; /* the caller's need keeps the thread from changing it */
    idle->has_thread = thread_start(&idle->thread, watch, idle) == 0;
    if (!idle->has_thread)
        idle->watching = false;
}

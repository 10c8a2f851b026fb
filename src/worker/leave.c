#include "worker/leave.h"

#include "base/thread.h"
#include "worker/channel.h"

#include <time.h>

enum { SECOND_MS = 1000, MS_NANOSECONDS = 1000000 };

void leave_init(struct leave *leave, unsigned after_ms, void (*end)(void *context), void *context)
{
    *leave = (struct leave){.after_ms = after_ms, .end = end, .context = context};
    pthread_mutex_init(&leave->lock, NULL);
    thread_condition_init(&leave->changed);
}

static void join(struct leave *leave)
{
    if (leave->has_thread)
        pthread_join(leave->thread, NULL);
    leave->has_thread = false;
}

void leave_destroy(struct leave *leave)
{
    pthread_mutex_lock(&leave->lock);
    leave->ended = true;
    pthread_cond_signal(&leave->changed);
    pthread_mutex_unlock(&leave->lock);
    join(leave);
    pthread_cond_destroy(&leave->changed);
    pthread_mutex_destroy(&leave->lock);
}

void leave_need(struct leave *leave)
{
    pthread_mutex_lock(&leave->lock);
    leave->needs++;
    pthread_mutex_unlock(&leave->lock);
}

void leave_need_no_more(struct leave *leave)
{
    pthread_mutex_lock(&leave->lock);
    leave->needs--;
    leave->since = channel_now();
    pthread_mutex_unlock(&leave->lock);
}

/* The lock is held, and let go of meanwhile. */
static void wait_for(struct leave *leave, int64_t milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / SECOND_MS;
    until.tv_nsec += milliseconds % SECOND_MS * MS_NANOSECONDS;
    if (until.tv_nsec >= SECOND_MS * MS_NANOSECONDS) {
        until.tv_sec++;
        until.tv_nsec -= SECOND_MS * MS_NANOSECONDS;
    }
    pthread_cond_timedwait(&leave->changed, &leave->lock, &until);
}

static void *watch(void *context)
{
    struct leave *leave = context;

    pthread_mutex_lock(&leave->lock);
    while (!leave->ended) {
        int64_t left = leave->since + leave->after_ms - channel_now();

        if (leave->needs == 0 && left <= 0) {
            leave->end(leave->context);
            break;
        }
        wait_for(leave, leave->needs == 0 ? left : leave->after_ms);
    }
    leave->watching = false;
    pthread_mutex_unlock(&leave->lock);
    return NULL;
}

void leave_watch(struct leave *leave)
{
    bool watching;

    pthread_mutex_lock(&leave->lock);
    leave->since = channel_now();
    watching = leave->watching;
    pthread_mutex_unlock(&leave->lock);
    if (watching)
        return;
    join(leave);
    leave->watching = true; /* the caller's need keeps the thread from changing it */
    leave->has_thread = thread_start(&leave->thread, watch, leave) == 0;
    if (!leave->has_thread)
        leave->watching = false;
}

/*
 * When a process that nobody needs leaves: a thread of its own, which lives no longer than
 * the process, ends it when it was needed last so long ago. Any thread.
 */
#ifndef GPUDUMPFS_WORKER_LEAVE_H
#define GPUDUMPFS_WORKER_LEAVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct leave {
    unsigned after_ms;
    void (*end)(void *context);
    void *context;
    pthread_t thread;
    bool has_thread;      /* to be joined */
    pthread_mutex_t lock; /* of what follows; held while `end` runs */
    pthread_cond_t changed;
    unsigned needs;
    int64_t since; /* milliseconds of channel_now(): the last need ended, or the process began */
    bool watching, ended;
};

/* `end` ends the process if there is one; nobody needs it meanwhile. */
void leave_init(struct leave *leave, unsigned after_ms, void (*end)(void *context), void *context);

/* Nobody needs the process, which is left to the caller. */
void leave_destroy(struct leave *leave);

/* Between these two, which may be nested, the process stays. */
void leave_need(struct leave *leave);
void leave_need_no_more(struct leave *leave);

/* A process begins; the caller needs it. Without a thread it stays. */
void leave_watch(struct leave *leave);

#endif

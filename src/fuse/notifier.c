/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuse/notifier.h"

#include "base/thread.h"
#include "fuse/libfuse.h"

#include <time.h>

enum {
    PAUSE_NANOSECONDS = 5 * 1000 * 1000, /* a dump may grow much more often than readers look */
    SETTLE_PAUSES = 200,                 /* one second altogether */
};

static void take_lock(struct notifier *notifier) ACQUIRE(lock_of_notifier)
{
    pthread_mutex_lock(&notifier->lock);
}

static void give_lock(struct notifier *notifier) RELEASE(lock_of_notifier)
{
    pthread_mutex_unlock(&notifier->lock);
}

/* Called by the dump's thread. */
static void note_growth(void *context)
{
    struct notifier *notifier = context;

    take_lock(notifier);
    notifier->grew = true;
    pthread_cond_signal(&notifier->changed);
    give_lock(notifier);
}

/* Returns false once notifications have ended. */
static bool wait_for_growth(struct notifier *notifier)
{
    bool goes_on;

    take_lock(notifier);
    while (!notifier->grew && !notifier->ended)
        pthread_cond_wait(&notifier->changed, &notifier->lock);
    notifier->grew = false;
    goes_on = !notifier->ended;
    give_lock(notifier);
    return goes_on;
}

static void *run(void *context)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};
    struct notifier *notifier = context;

    while (wait_for_growth(notifier)) {
        for (size_t i = 0; i < notifier->count; i++)
            (void)fuse_lowlevel_notify_inval_inode(notifier->session, notifier->inodes[i], 0, 0);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

int notifier_start(struct notifier *notifier, struct fuse_session *session, struct tree *tree)
{
    int status;

    notifier->session = session;
    notifier->count = tree_growing(tree, notifier->inodes,
                                   sizeof(notifier->inodes) / sizeof(notifier->inodes[0]));
    pthread_mutex_init(&notifier->lock, NULL);
    pthread_cond_init(&notifier->changed, NULL);
    status = thread_start(&notifier->thread, run, notifier);
    notifier->has_thread = status == 0;
    if (status == 0)
        tree_on_growth(tree, note_growth, notifier);
    return status;
}

void notifier_end(struct notifier *notifier)
{
    if (!notifier->has_thread)
        return;
    take_lock(notifier);
    notifier->ended = true;
    pthread_cond_signal(&notifier->changed);
    give_lock(notifier);
}

/* Sleeps by the monotonic clock, which is never set; pthread_timedjoin_np() cannot use it. */
void notifier_settle(struct notifier *notifier)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};

    for (int left = SETTLE_PAUSES; notifier->has_thread && left > 0; left--) {
        notifier->has_thread = pthread_tryjoin_np(notifier->thread, NULL) != 0;
        if (notifier->has_thread)
            (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    }
}

void notifier_join(struct notifier *notifier)
{
    if (notifier->has_thread)
        pthread_join(notifier->thread, NULL);
    notifier->has_thread = false;
}

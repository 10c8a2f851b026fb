/* SPDX-License-Identifier: MIT */
/*
 * Tells the kernel that a followed dump has grown. This takes a thread of its own: the kernel makes
 * the notification wait for reads under way, which other threads answer (follow.md 5). The
 * functions are for the reader thread.
 */
#ifndef GPUDUMPFS_FUSE_NOTIFIER_H
#define GPUDUMPFS_FUSE_NOTIFIER_H

#include "base/locks.h"
#include "tree/tree.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fuse_session;
struct mount_options;

struct notifier {
    const struct mount_options *options;
    struct fuse_session *session;
    uint64_t inodes[TREE_GROWING_MAX];
    size_t count;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* of the guarded fields below */
    pthread_cond_t changed;
    bool grew GUARDED_BY(lock_of_notifier), ended GUARDED_BY(lock_of_notifier);
};

/*
 * Starts the thread. Returns 0 or -errno; without the thread the kernel keeps outdated data of
 * files as long as they stay open.
 */
int notifier_start(struct notifier *notifier, struct fuse_session *session, struct tree *tree);

/* Ends the notifications; does not wait. The thread uses the session until it ends. */
void notifier_end(struct notifier *notifier);

/*
 * Waits until the thread has ended, but only for a second: the kernel may block it until the
 * session is unmounted.
 */
void notifier_settle(struct notifier *notifier);

/* Joins the thread, once the session is unmounted. */
void notifier_join(struct notifier *notifier);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Tells the kernel that a followed dump has grown, from a thread of its own: the kernel
 * waits there for reads under way, which others answer (follow.md 5). Functions are the reader
 * thread's.
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
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool grew GUARDED_BY(lock_of_notifier), ended GUARDED_BY(lock_of_notifier);
};

/* 0 or -errno; without the thread the kernel keeps what it should not for as long as it is open. */
int notifier_start(struct notifier *notifier, struct fuse_session *session, struct tree *tree);

/*
 * Nothing more is told. The thread uses the session until it has settled, which is waited for
 * only so long: the kernel may keep it until the session is unmounted. Then it is joined.
 */
void notifier_end(struct notifier *notifier);
void notifier_settle(struct notifier *notifier);
void notifier_join(struct notifier *notifier);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A request of the kernel's, embedded at the head of what its operation needs to
 * answer it. The operation begins it, asks the tree with `tree`, and releases it;
 * the tree's answer is replied to by `reply`, on any thread, once. Functions are the reader
 * thread's, unless they say otherwise.
 */
#ifndef GPUDUMPFS_FUSE_REQUEST_H
#define GPUDUMPFS_FUSE_REQUEST_H

#include "base/cancel.h"
#include "base/locks.h"
#include "fuse/internal.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct request {
    struct tree_request tree; /* first: the tree hands it back */
    struct mount *mount;
    fuse_req_t fuse;
    void (*reply)(struct request *request, int status);
    void (*clear)(struct request *request); /* frees what was added to it; NULL: nothing */
    pid_t requester;                        /* a thread */
    struct cancel cancel;
    atomic_uint holds; /* the answer's, the operation's, and the reader thread's while it looks */

    /* The reader thread's while it looks. */
    struct request *next_judged;
    bool overdue; /* its reader has had a reply, and asks no more */

    /* The mount's list. */
    struct request *next GUARDED_BY(lock_of_mount), *previous GUARDED_BY(lock_of_mount);
    bool seen GUARDED_BY(lock_of_mount), cancelled GUARDED_BY(lock_of_mount);
    void (*reply_early)(struct request *request) GUARDED_BY(lock_of_mount); /* NULL: never */
    bool of_attributes GUARDED_BY(lock_of_mount); /* no name is looked for */
    int64_t due
        GUARDED_BY(lock_of_mount); /* request_reply_early()'s time for it; 0: not yet told */
    bool replied_early GUARDED_BY(lock_of_mount); /* it is, or was: no further answer is sent */
};

/* `size` bytes, zeroed, with a hold for the answer and one for the caller; NULL: replied already.
 */
void *request_begin(struct mount *mount, fuse_req_t fuse, size_t size,
                    void (*reply)(struct request *request, int status));
void request_release(struct request *request);

/*
 * What replies without the size when that takes long: to a lookup, or, with `of_attributes`, to a
 * question for the attributes. Before the tree is asked.
 */
void request_allow_early_reply(struct request *request, bool of_attributes,
                               void (*reply_early)(struct request *request))
    EXCLUDES(lock_of_mount);

/* The tree's answer, with that status. Any thread. */
void request_answer(struct tree_request *tree_request, int status);

/*
 * Replies to the lookups that have found their name and have waited long enough for its size, and
 * to questions for attributes that may be told before all is known.
 * `now` is in nanoseconds; how many more until the next one is due, -1: none is in sight.
 */
int64_t request_reply_early(struct mount *mount, int64_t now) EXCLUDES(lock_of_mount);

/* How many wait for an answer. */
size_t request_count(struct mount *mount) EXCLUDES(lock_of_mount);

/*
 * Gives up the requests whose requester is being killed, or has had its reply a while ago; to be
 * called now and then. `all`: those, too, that came since the last look.
 */
void request_look(struct mount *mount, bool all) EXCLUDES(lock_of_mount);

#endif

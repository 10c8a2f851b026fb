/* SPDX-License-Identifier: MIT */
/*
 * A request of the kernel, embedded at the beginning of what its operation needs to answer it. Its
 * life:
 *
 *     request_begin()      the operation creates it; it joins the mount's list
 *     tree_submit_...()    the operation submits `tree` to the tree, which may answer at once
 *     request_release()    the operation drops its hold
 *     request_answer()     called by the tree, on any thread: `reply` is called, unless an early
 *                          reply was sent, and the answer's hold is dropped
 *
 * The functions are for the reader thread, unless they say otherwise.
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
    struct tree_request tree; /* first: the tree's answer returns it */
    struct mount *mount;
    fuse_req_t fuse;
    void (*reply)(struct request *request, int status);
    void (*clear)(struct request *request); /* frees what the operation added; may be NULL */
    pid_t requester;                        /* id of a thread */
    struct cancel cancel;
    /*
     * Number of holds: of the answer, of the operation, and of the reader thread while it checks
     * requests. The last one to be dropped frees the request.
     */
    atomic_uint holds;

    /* The following fields are the reader thread's, while it checks requests. */
    struct request *next_judged;
    /* It got an early reply a while ago, so nothing waits for it any more. */
    bool overdue;

    /* Its place in the list of the mount. */
    struct request *next GUARDED_BY(lock_of_mount), *previous GUARDED_BY(lock_of_mount);
    /* `seen`: by a look of request_look(). `cancelled`: it was given up. */
    bool seen GUARDED_BY(lock_of_mount), cancelled GUARDED_BY(lock_of_mount);
    /* Replies without the size; NULL: there is no early reply. */
    void (*reply_early)(struct request *request) GUARDED_BY(lock_of_mount);
    bool of_attributes GUARDED_BY(lock_of_mount); /* it is a GETATTR, not a lookup */
    int64_t due GUARDED_BY(lock_of_mount);        /* time of the early reply; 0: not set yet */
    /* An early reply was sent or is being sent: no other one follows. */
    bool replied_early GUARDED_BY(lock_of_mount);
};

/*
 * Returns `size` zeroed bytes that begin with a request, with one hold for the answer and one for
 * the caller. Returns NULL if there is no memory, after replying so.
 */
void *request_begin(struct mount *mount, fuse_req_t fuse, size_t size,
                    void (*reply)(struct request *request, int status));
/* Drops a hold; the last one frees the request. Any thread. */
void request_release(struct request *request);

/*
 * Sets the function that replies without the size if finding the size takes long: to a lookup or,
 * with `of_attributes`, to a request for the attributes. To be called before the request is
 * submitted to the tree.
 */
void request_allow_early_reply(struct request *request, bool of_attributes,
                               void (*reply_early)(struct request *request))
    EXCLUDES(lock_of_mount);

/* Takes the tree's answer with that status, and replies. Any thread. */
void request_answer(struct tree_request *tree_request, int status);

/*
 * Replies early to lookups that have found their name and have waited long enough for the size, and
 * to requests for attributes that may be answered before everything is known. `now` is in
 * nanoseconds. Returns in how many nanoseconds the next one is due, or -1 if none is.
 */
int64_t request_reply_early(struct mount *mount, int64_t now) EXCLUDES(lock_of_mount);

/* Returns how many requests are not answered yet. */
size_t request_count(struct mount *mount) EXCLUDES(lock_of_mount);

/*
 * Cancels the requests whose requester is being killed, or got an early reply a while ago; to be
 * called now and then. `all`: also those that came since the last look.
 */
void request_look(struct mount *mount, bool all) EXCLUDES(lock_of_mount);

#endif

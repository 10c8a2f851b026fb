/*
 * Private to this folder: what the loop, the operations and the requests share.
 * All runs on the reader thread, unless a function says otherwise.
 */
#ifndef GPUDUMPFS_FUSE_ADAPTER_H
#define GPUDUMPFS_FUSE_ADAPTER_H

#define FUSE_USE_VERSION 35

#include "fuse/mount.h"

#include <fuse_lowlevel.h>
#include <pthread.h>

struct mount {
    struct fuse_session *session;
    struct tree *tree;
    unsigned max_read;
    bool no_opendir; /* the kernel lists directories without opening them */
    void (*ready)(void *context);
    void *ready_context;
    pthread_t reader;
    bool look; /* an asker got a signal: request_look() is due */

    pthread_mutex_t lock;     /* over the rest */
    struct request *requests; /* not answered yet */
};

void adapter_set_operations(struct fuse_lowlevel_ops *operations);

/*
 * A request of the kernel's, embedded at the head of what its operation needs to
 * answer it. The operation begins it, asks the tree with `tree`, and releases it;
 * the tree's answer is replied to by `reply`, on any thread, once.
 */
struct request {
    struct tree_request tree; /* first: the tree hands it back */
    struct mount *mount;
    fuse_req_t fuse;
    void (*reply)(struct request *request, int status);
    void (*clear)(struct request *request); /* frees what was added to it; NULL: nothing */
    pid_t asker;                            /* a thread */
    struct cancel cancel;
    atomic_uint holds; /* the answer's, the operation's, and the reader thread's while it looks */

    /* Under the mount's lock: its list. */
    struct request *next, *previous;
    bool seen, forsaken;
};

/* `size` bytes, zeroed, with a hold for the answer and one for the caller; NULL: replied already.
 */
void *request_begin(struct mount *mount, fuse_req_t fuse, size_t size,
                    void (*reply)(struct request *request, int status));
void request_release(struct request *request);

/* The tree's answer, with that status. Any thread. */
void request_answer(struct tree_request *request, int status);

/* Reads as many windows as it takes. */
void read_begin(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                size_t size);

/* Whether somebody waits for an answer. */
bool request_any(struct mount *mount);

/* Gives up the requests whose asker is being killed; to be called now and then. */
void request_look(struct mount *mount);

#endif

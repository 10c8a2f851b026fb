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

/* Replies with attributes; any thread. */
typedef void (*adapter_reply)(struct mount *mount, fuse_req_t fuse,
                              const struct tree_attributes *attributes);

/* Answered when the tree has the answer, perhaps from one of its threads. */
void request_stat(struct mount *mount, fuse_req_t fuse, uint64_t inode, adapter_reply reply);
void request_read(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                  size_t size);

/* Whether somebody waits for an answer. */
bool request_any(struct mount *mount);

/* Gives up the requests whose asker is being killed; to be called now and then. */
void request_look(struct mount *mount);

#endif

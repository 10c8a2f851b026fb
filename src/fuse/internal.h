/* SPDX-License-Identifier: MIT */
/*
 * What the files of fuse/ share, and no other file sees: the mount, and what its loop, its
 * operations and its folder of dumps need of each other. Everything runs on the reader thread,
 * unless a function says otherwise.
 */
#ifndef GPUDUMPFS_FUSE_INTERNAL_H
#define GPUDUMPFS_FUSE_INTERNAL_H

#include "base/locks.h"
#include "fuse/idle_unmount.h"
#include "fuse/libfuse.h"
#include "fuse/notifier.h"
#include "tree/tree.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

struct mount_options;
struct folder;      /* several dumps in one mount: folder.c */
struct branch;      /* one of them */
struct generations; /* trees that replace each other: generations.c */
struct generation;  /* one of them */

struct mount {
    struct folder *folder; /* of the mount of a folder itself; otherwise NULL */
    /*
     * Of the mount of one dump in a folder, which shares the session of the folder; otherwise NULL.
     */
    struct branch *branch;
    struct generations *generations; /* of a mount whose tree is replaced; otherwise NULL */
    struct generation *generation;   /* of one of its trees; otherwise NULL */
    /*
     * Inode numbers are combined with it by exclusive or, so that those of different branches
     * differ; 0 if there are no branches.
     */
    uint64_t salt;
    atomic_uint modes; /* permissions that its files may have: modes.c */
    const struct mount_options *options;
    struct fuse_session *session;
    int held_device; /* a second descriptor of the device, above those of libfuse; -1: none */
    struct notifier notifier;
    struct idle_unmount idle_unmount;
    struct tree *tree;
    unsigned max_read;
    /*
     * The root is opened to find out whether the mount still works (auto_unmount), so opendir is
     * answered.
     */
    bool must_opendir;
    bool no_opendir; /* the kernel can list directories without opening them */
    void (*ready)(void *context);
    void *ready_context;
    pthread_t reader;
    bool greeted;     /* the session's first request was answered */
    bool parallel;    /* lookups and listings may run in parallel (handshake.c) */
    atomic_bool look; /* of the mount that has the session: a requester got a signal, so
                         request_look() is due */

    pthread_mutex_t lock;                               /* of the guarded fields below */
    struct request *requests GUARDED_BY(lock_of_mount); /* not answered yet */
    size_t request_count GUARDED_BY(lock_of_mount);
};

/*
 * Has libfuse answer the session's first request, and adds to the reply what libfuse leaves out. No
 * other thread may use the session yet.
 */
void handshake(struct mount *mount, const struct fuse_buf *request);

/* Sends the messages of libfuse to the log from here on, in complete lines. */
void libfuse_log_begin(void);

/* Set the operations of the mount of one dump, and of the mount of a folder of dumps. */
void dump_set_operations(struct fuse_lowlevel_ops *operations);
void folder_set_operations(struct fuse_lowlevel_ops *operations);

/*
 * Returns the kernel's number of a tree's inode, and counts one more lookup of it. Returns 0 if
 * there is no memory. Any thread.
 */
uint64_t branch_node(struct branch *branch, uint64_t inode) EXCLUDES(lock_of_folder, lock_of_mount);

/* Takes back that many lookups of a number. Any thread. */
void branch_forget(struct branch *branch, uint64_t node, uint64_t times)
    EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Replies with an entry. If the kernel does not take it, since its requester has left, the kernel
 * will not forget it either, so its lookup is taken back here. Any thread; `branch` is NULL where
 * nodes are the tree's inodes.
 */
void reply_with_entry(struct branch *branch, fuse_req_t fuse, const struct fuse_entry_param *entry)
    EXCLUDES(lock_of_folder, lock_of_mount);

/* The nodes in a listing's reply: the kernel counts their lookups only if it takes the reply. */
struct told_nodes {
    uint64_t *list;
    size_t count, room;
};

/* Adds a node; returns false if there is no memory. */
bool told_nodes_add(struct told_nodes *told, uint64_t node);

/* Removes the node that was added last. */
void told_nodes_drop(struct told_nodes *told);

/* Frees the list. If the reply was not `taken`, takes back the lookups of its nodes. */
void told_nodes_end(struct told_nodes *told, struct folder *folder, bool taken)
    EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Counts a user of a branch's tree, which is a request or an open file. The branch stays open while
 * it has users. Any thread.
 */
void branch_hold(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);

/* Ends that use. The branch may be freed at once. Any thread. */
void branch_release(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Returns the permissions that the files of a tree may have: none that the dump's file lacks, nor
 * any that the mount's umask takes away. The owner is the user that mounts, and has them. The group
 * has them only if others have them, too, or if the mount's group is that of the dump. All are
 * allowed if the dump is neither a file nor a folder. Any thread.
 */
mode_t modes_of_file(const struct mount_options *options, const struct stat *file);

/* Returns the permissions that all files of the dump allow in this way. Any thread. */
mode_t modes_of_dump(const struct mount_options *options, const struct dump *dump);

/*
 * Counts a user of a tree that may go before the mount does; a user is a request or an open file.
 * Any thread.
 */
void mount_hold(struct mount *mount) EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);

/* Ends that use. Any thread. */
void mount_release(struct mount *mount)
    EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);

struct mount_dumps; /* see mount.h */

/* Creates the folder of a mount. Returns 0 or -ENOMEM. */
int folder_create(struct mount *mount, const struct mount_dumps *dumps, struct folder **out);
void folder_destroy(struct folder **folder);

/*
 * Starts the threads that open and close dumps (OPENERS). Returns 0 if at least one runs, otherwise
 * -errno.
 */
int folder_start(struct folder *folder);

/* Ends these threads, and closes all dumps. */
void folder_end(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Returns the number of requests that are not answered yet: those of all branches
 * (request_count()), and those that wait for a dump to be opened.
 */
size_t folder_count(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);
/* Returns the sum of tree_drawing_ahead() over all open dumps that have users. */
size_t folder_ahead(struct folder *folder) EXCLUDES(lock_of_folder);

/* Does what request_reply_early() does, for all branches. */
int64_t folder_reply_early(struct folder *folder, int64_t now)
    EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Does what request_look() does, for all branches and for the requests that wait for a dump to be
 * opened.
 */
void folder_look(struct folder *folder, bool all) EXCLUDES(lock_of_folder, lock_of_mount);

#endif

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
    /* Of one dump in a folder, which shares the folder's session; otherwise NULL. */
    struct branch *branch;
    struct generations *generations; /* of a mount whose tree is replaced; otherwise NULL */
    struct generation *generation;   /* of one of its trees; otherwise NULL */
    /*
     * Combined with inode numbers by exclusive or, so that those of branches differ; otherwise 0.
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
    bool parallel;    /* lookups and listings may run in parallel, which the kernel is told */
    atomic_bool look; /* of the session's mount: a requester got a signal, request_look() is due */

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
 * branch_node() returns the kernel's number of a tree's inode and counts one more lookup, or
 * returns 0 if there is no memory. branch_forget() takes back that many lookups. Any thread.
 */
uint64_t branch_node(struct branch *branch, uint64_t inode) EXCLUDES(lock_of_folder, lock_of_mount);
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

/* Frees the list. If the reply was not `taken`, takes back the lookups of its nodes. */
void told_nodes_end(struct told_nodes *told, struct folder *folder, bool taken)
    EXCLUDES(lock_of_folder, lock_of_mount);

/* Count a user of a branch's tree, a request or an open file, and end that use. Any thread. */
void branch_hold(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);
void branch_release(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Return the permissions that the files of a tree may have: none that the dump's file lacks, nor
 * any that the mount's umask takes away. The owner is the user that mounts, and has them. The group
 * has them only if others have them, too, or if the mount's group is that of the dump. All are
 * allowed if the dump is neither a file nor a folder. Any thread.
 */
mode_t modes_of_file(const struct mount_options *options, const struct stat *file);
mode_t modes_of_dump(const struct mount_options *options, const struct dump *dump);

/*
 * Count a user of a tree that may go before the mount does, a request or an open file, and end that
 * use. Any thread.
 */
void mount_hold(struct mount *mount) EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);
void mount_release(struct mount *mount)
    EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);

struct mount_dumps; /* see mount.h */

/* Creates the folder of a mount. Returns 0 or -ENOMEM. */
int folder_create(struct mount *mount, const struct mount_dumps *dumps, struct folder **out);
void folder_destroy(struct folder **folder);

/*
 * folder_start() starts the threads that open and close dumps (OPENERS); returns 0 if at least one
 * runs, otherwise -errno. folder_end() ends these threads, and closes all dumps.
 */
int folder_start(struct folder *folder);
void folder_end(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * As request_count(), over all branches and what waits for a dump to be opened;
 * folder_reply_early() and folder_look() are as request_reply_early() and request_look().
 */
size_t folder_count(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);
/* As tree_drawing_ahead(), over all open dumps that have users. */
size_t folder_ahead(struct folder *folder) EXCLUDES(lock_of_folder);
int64_t folder_reply_early(struct folder *folder, int64_t now)
    EXCLUDES(lock_of_folder, lock_of_mount);
void folder_look(struct folder *folder, bool all) EXCLUDES(lock_of_folder, lock_of_mount);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the files of fuse/ share, and no other file sees: the mount, and what its loop, its
 * operations and its folder of dumps have of each other. All runs on the reader thread, unless a
 * function says otherwise.
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
struct folder;      /* several dumps below one mount: folder.c */
struct branch;      /* one of them */
struct generations; /* trees that take each other's place: generations.c */
struct generation;  /* one of them */

struct mount {
    struct folder *folder; /* of the mount of a folder itself; else NULL */
    struct branch *branch; /* of one dump in a folder, whose session is the folder's; else NULL */
    struct generations *generations; /* of a mount whose tree is replaced; else NULL */
    struct generation *generation;   /* of one of its trees; else NULL */
    uint64_t salt;                   /* tells the inode numbers of branches apart; else 0 */
    atomic_uint modes;               /* that its files may have: modes.c */
    const struct mount_options *options;
    struct fuse_session *session;
    int held_device; /* the device once more, above libfuse's descriptors; -1: not held */
    struct notifier notifier;
    struct idle_unmount idle_unmount;
    struct tree *tree;
    unsigned max_read;
    bool must_opendir; /* whether we still live is asked by opening the root (auto_unmount) */
    bool no_opendir;   /* the kernel lists directories without opening them */
    void (*ready)(void *context);
    void *ready_context;
    pthread_t reader;
    bool greeted;     /* the session's first request was answered */
    bool parallel;    /* the kernel is told that lookups and listings may come side by side */
    atomic_bool look; /* the session's: a requester got a signal, request_look() is due */

    pthread_mutex_t lock;                               /* over the rest */
    struct request *requests GUARDED_BY(lock_of_mount); /* not answered yet */
    size_t request_count GUARDED_BY(lock_of_mount);
};

/*
 * Has libfuse answer the session's first request, and tells the kernel what libfuse does not. No
 * other thread uses the session yet.
 */
void handshake(struct mount *mount, const struct fuse_buf *request);

/* What libfuse tells goes to the log from here on, whole lines of it. */
void libfuse_log_begin(void);

/* Of the mount of one dump, and of a folder of them. */
void dump_set_operations(struct fuse_lowlevel_ops *operations);
void folder_set_operations(struct fuse_lowlevel_ops *operations);

/*
 * The kernel's number of a tree's inode, which it will forget once more often; and
 * what uses a branch's tree: requests and open files. Any thread.
 */
uint64_t branch_node(struct branch *branch, uint64_t inode) EXCLUDES(lock_of_folder, lock_of_mount);
void branch_forget(struct branch *branch, uint64_t node, uint64_t times)
    EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Replies with an entry. One that the kernel does not take, since its requester has left, it will
 * never forget. Any thread; `branch` is NULL where nodes are the tree's inodes.
 */
void reply_with_entry(struct branch *branch, fuse_req_t fuse, const struct fuse_entry_param *entry)
    EXCLUDES(lock_of_folder, lock_of_mount);

/* The nodes of a listing's reply, which the kernel has only once it has taken the reply. */
struct told_nodes {
    uint64_t *list;
    size_t count, room;
};

/* False: no memory. */
bool told_nodes_add(struct told_nodes *told, uint64_t node);

/* Ends the list; where the reply was not `taken` its nodes are forgotten. */
void told_nodes_end(struct told_nodes *told, struct folder *folder, bool taken)
    EXCLUDES(lock_of_folder, lock_of_mount);

void branch_hold(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);
void branch_release(struct branch *branch) EXCLUDES(lock_of_folder, lock_of_mount);

/*
 * Modes that a tree's files may have: none that the dump's file has not, nor what the mount's umask
 * takes away. The owner's are there, for the mounter; the group's only where others have them,
 * too, or where it is the dump's own. Of what is neither a file nor a folder all. Any thread.
 */
mode_t modes_of_file(const struct mount_options *options, const struct stat *file);
mode_t modes_of_dump(const struct mount_options *options, const struct dump *dump);

/* What uses a tree that may go before the mount does: requests and open files. Any thread. */
void mount_hold(struct mount *mount) EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);
void mount_release(struct mount *mount)
    EXCLUDES(lock_of_folder, lock_of_mount, lock_of_generations);

struct mount_dumps; /* mount.h */

int folder_create(struct mount *mount, const struct mount_dumps *dumps, struct folder **out);
void folder_destroy(struct folder **folder);

/*
 * Starts the threads that open and close dumps (OPENERS). 0 if at least one runs, or -errno.
 * folder_end() closes all dumps.
 */
int folder_start(struct folder *folder);
void folder_end(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);

/* As request_count(), request_reply_early() and request_look(), over all branches. */
size_t folder_count(struct folder *folder) EXCLUDES(lock_of_folder, lock_of_mount);
/* As tree_drawing_ahead(), over all dumps that are open. */
size_t folder_ahead(struct folder *folder) EXCLUDES(lock_of_folder);
int64_t folder_reply_early(struct folder *folder, int64_t now)
    EXCLUDES(lock_of_folder, lock_of_mount);
void folder_look(struct folder *folder, bool all) EXCLUDES(lock_of_folder, lock_of_mount);

#endif

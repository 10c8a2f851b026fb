/* SPDX-License-Identifier: MIT */
/*
 * Private to this folder: what the loop, the operations and the requests share.
 * All runs on the reader thread, unless a function says otherwise.
 */
#ifndef GPUDUMPFS_FUSE_ADAPTER_H
#define GPUDUMPFS_FUSE_ADAPTER_H

#define FUSE_USE_VERSION 35

#include "base/locks.h"
#include "tree/tree.h"

#include <fuse_lowlevel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

struct mount_options;
struct mount_params;

/*
 * Tells the kernel that a followed dump has grown, from a thread of its own: the kernel
 * waits there for reads under way, which others answer (follow.md 5).
 */
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

/* Unmounts when nothing was asked for so long (idle_unmount.c). */
#define IDLE_UNMOUNT_SECOND INT64_C(1000000000)
struct idle_unmount {
    int64_t after; /* nanoseconds; 0: never */
    int (*unmount)(void *context);
    void *context;
    int64_t since; /* something was asked for last, or an attempt failed */
    pthread_t thread;
    bool has_thread;
    bool told;        /* the thread's: that it failed */
    atomic_bool busy; /* the thread tries */
};

void idle_unmount_init(struct idle_unmount *idle_unmount, const struct mount_params *params);

/* Something was asked for. */
void idle_unmount_stay(struct idle_unmount *idle_unmount, int64_t now);

/* Nanoseconds until idle_unmount_try() does something; -1: it never will. */
int64_t idle_unmount_left(const struct idle_unmount *idle_unmount, int64_t now);
void idle_unmount_try(struct idle_unmount *idle_unmount, int64_t now);

/* When the mount has gone. */
void idle_unmount_join(struct idle_unmount *idle_unmount);

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

void adapter_set_operations(struct fuse_lowlevel_ops *operations);
void folder_set_operations(struct fuse_lowlevel_ops *operations);

/* Requests about one tree; inode numbers are the tree's. Any thread, but for serve_read(). */
void serve_init(void *mount, struct fuse_conn_info *connection);
void serve_lookup(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, const char *name);
void serve_getattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode);
void serve_readlink(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode);
void serve_readdirplus(struct mount *mount, fuse_req_t fuse, fuse_ino_t directory, size_t room,
                       off_t offset);
void serve_open(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode,
                struct fuse_file_info *info);
void serve_read(struct mount *mount, fuse_req_t fuse, size_t size, off_t offset,
                struct fuse_file_info *info);
void serve_release(struct mount *mount, fuse_req_t fuse, struct fuse_file_info *info);
void serve_getxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, const char *name,
                    size_t room);
void serve_listxattr(struct mount *mount, fuse_req_t fuse, fuse_ino_t inode, size_t room);

/*
 * Replies where no tree is needed, and returns whether it did: to every request where attributes
 * are switched off, and to one for a name that is none of ours. NULL: it is for no name.
 */
bool xattr_refuse(fuse_req_t fuse, const struct mount_options *options, const char *name);

/* Replies with a value or a list, or its size where there is no room: at all, or enough. */
void xattr_reply(fuse_req_t fuse, const char *bytes, size_t size, size_t room);

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

/*
 * Trees that take each other's place. But for `next` and `unused` the reader thread's, or anyone's
 * before it serves and after that.
 */
struct generation {
    struct mount mount;
    struct generations *all;
    struct generation *older;
    uint64_t users GUARDED_BY(lock_of_generations); /* requests and open files */
};

struct generations {
    struct generation *newest; /* is served; those behind it have users */
    pthread_mutex_t lock;
    struct generation *next GUARDED_BY(lock_of_generations);   /* is to be the newest; or NULL */
    struct generation *unused GUARDED_BY(lock_of_generations); /* nothing will use them */
};

/* 0 or -ENOMEM. */
int generations_create(struct generations **out);
void generations_destroy(struct generations **generations);

/* Takes what mount_replace() gave, and lets go of what nothing uses. Between two messages. */
void generations_turn(struct generations *generations) EXCLUDES(lock_of_generations);

/* What requests are about; what those about an open file of that tree are about. */
struct mount *generations_newest(struct generations *generations);
struct mount *generations_of(struct generations *generations, const struct tree *tree);

/* As folder_count() and those behind it. */
size_t generations_count(struct generations *generations) EXCLUDES(lock_of_mount);
int64_t generations_reply_early(struct generations *generations, int64_t now)
    EXCLUDES(lock_of_mount);
void generations_look(struct generations *generations, bool all) EXCLUDES(lock_of_mount);

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
int64_t folder_reply_early(struct folder *folder, int64_t now)
    EXCLUDES(lock_of_folder, lock_of_mount);
void folder_look(struct folder *folder, bool all) EXCLUDES(lock_of_folder, lock_of_mount);

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
    pid_t requester;                        /* a thread */
    struct cancel cancel;
    atomic_uint holds; /* the answer's, the operation's, and the reader thread's while it looks */

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
void request_answer(struct tree_request *request, int status);

/* Reads as many windows as it takes. */
void read_begin(struct mount *mount, fuse_req_t fuse, struct tree_file *file, uint64_t offset,
                size_t size);

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

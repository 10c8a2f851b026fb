/* SPDX-License-Identifier: MIT */
/*
 * Private to the mount of a folder: its dumps (branches), the inode numbers that the
 * kernel knows (nodes), and requests that wait for a dump to be opened.
 */
#ifndef GPUDUMPFS_FUSE_FOLDER_H
#define GPUDUMPFS_FUSE_FOLDER_H

#include "base/locks.h"
#include "fuse/internal.h"
#include "fuse/mount.h"

#include <sys/stat.h>
#include <time.h>

/* Numbers of the files beside the dumps; others are behind them. */
enum { README_NODE = 2, DUMPS_NODE, FIRST_NODE };

enum branch_state { BRANCH_CLOSED, BRANCH_OPENING, BRANCH_OPEN, BRANCH_FAILED };

/* Threads that open dumps: one that takes long to open leaves others to the rest. */
enum { OPENERS = 3 };

struct branch {
    struct mount mount; /* its tree is there while the branch is open */
    struct folder *folder;
    struct branch *next;
    struct branch *next_in_bucket; /* of names */
    char *name;
    struct stat file;  /* which it is of: another one by that name is another branch */
    atomic_bool stale; /* the file is another one by now: opened no more */
    uint64_t nodes GUARDED_BY(lock_of_folder);
    enum branch_state state GUARDED_BY(lock_of_folder);
    void *dump GUARDED_BY(lock_of_folder);
    /* While it is being opened: what waits for that, in its order, … */
    struct pending *first GUARDED_BY(lock_of_folder), **last GUARDED_BY(lock_of_folder);
    struct branch *next_to_open GUARDED_BY(lock_of_folder);
    struct cancel cancel;                      /* … and raised when nothing does any more */
    struct text message;                       /* why it could not be opened: error.txt */
    unsigned users GUARDED_BY(lock_of_folder); /* requests and open files */
    int64_t used GUARDED_BY(lock_of_folder);   /* in seconds, the last time */
};

struct node {
    struct branch *branch; /* NULL: free */
    uint64_t inode, count; /* so often looked up and not yet forgotten */
    uint64_t next;         /* in its bucket, or free; 0: none */
};

/* What is to be done for a request about a branch; `mount` is NULL if it cannot be opened. */
struct pending {
    void (*go)(const struct pending *pending, struct mount *mount);
    fuse_req_t fuse;
    struct branch *branch;
    pid_t requester; /* a thread */
    uint64_t inode;
    char name[RULE_NAME_MAX + 1];
    size_t size;
    off_t offset;
    struct fuse_file_info info;
    struct pending *next;
};

struct folder {
    struct mount *mount;
    struct mount_dumps dumps;
    struct timespec time;
    pthread_t threads[OPENERS];
    unsigned thread_count;
    struct folder_file *files; /* the reader thread's: those beside the dumps that are open */
    struct cancel cancel;      /* of all that is being opened */
    pthread_mutex_t lock;      /* of what follows, and of branches but for their trees' requests */
    pthread_cond_t wanted;
    struct branch *branches; /* the reader thread alone adds them and takes them away */
    struct branch **names;   /* buckets of them by name */
    size_t name_buckets, branch_count, sweep_at;
    unsigned open GUARDED_BY(lock_of_folder);    /* or being opened */
    unsigned waiting GUARDED_BY(lock_of_folder); /* requests for a dump to be opened */
    unsigned users GUARDED_BY(lock_of_folder);   /* of all branches */
    struct branch *to_open GUARDED_BY(lock_of_folder), **last_to_open GUARDED_BY(lock_of_folder);
    bool ended GUARDED_BY(lock_of_folder);
    struct node *nodes GUARDED_BY(lock_of_folder);
    uint64_t node_count GUARDED_BY(lock_of_folder), node_room GUARDED_BY(lock_of_folder);
    uint64_t free_nodes GUARDED_BY(lock_of_folder);
    uint64_t *buckets GUARDED_BY(lock_of_folder), bucket_count GUARDED_BY(lock_of_folder);
};

static inline void folder_lock(struct folder *folder) ACQUIRE(lock_of_folder)
{
    pthread_mutex_lock(&folder->lock);
}

static inline void folder_unlock(struct folder *folder) RELEASE(lock_of_folder)
{
    pthread_mutex_unlock(&folder->lock);
}

/* As branch_hold(), with the lock. */
static inline void branch_hold_locked(struct branch *branch) REQUIRES(lock_of_folder)
{
    branch->users++;
    branch->folder->users++;
}

/*
 * files.c: README.txt and dumps.tsv, which open no dump. On the reader thread. A node that is
 * theirs, 0 for a name that is not, or is a dump's; its attributes; its bytes as they are now,
 * which an open file keeps. The kernel tells of no release once the mount has gone.
 */
struct folder_file {
    struct text text;
    struct folder_file *next;
};

bool files_is_node(uint64_t node);
uint64_t files_find(struct folder *folder, const char *name);
const char *files_name(uint64_t node);
int files_fill(struct folder *folder, uint64_t node, struct fuse_entry_param *out);
int files_open(struct folder *folder, uint64_t node, struct folder_file **out);
void files_close(struct folder *folder, struct folder_file **file);

/*
 * The same for the folder itself: the names of its dumps, each with its NUL. An open directory
 * keeps them, so that a listing in parts tells of each once, whatever comes and goes meanwhile;
 * they are read anew at its beginning. 0 or -ENOMEM.
 */
int files_open_names(struct folder *folder, struct folder_file **out);
int files_read_names(struct folder *folder, struct folder_file *names);

/* nodes.c */
int nodes_create(struct folder *folder);
void nodes_destroy(struct folder *folder);
uint64_t nodes_hash(uint64_t value);
void nodes_forget(struct folder *folder, uint64_t number, uint64_t times) EXCLUDES(lock_of_folder);

/* The branch and inode of a node; false: there is none. */
bool nodes_find(const struct folder *folder, uint64_t number, struct branch **branch,
                uint64_t *inode) REQUIRES(lock_of_folder);

/*
 * The dump of that name, as its file is now: one that was written anew is another one.
 * NULL: there is none, or no memory. On the reader thread, until it returns to its loop: a branch
 * that no node and no user has goes with the making of another.
 */
struct branch *branch_by_name(struct folder *folder, const char *name) EXCLUDES(lock_of_folder);

/* The same of what is known already; BRANCH_CLOSED: nothing. */
enum branch_state branch_state_by_name(struct folder *folder, const char *name)
    EXCLUDES(lock_of_folder);

/* Answers at once, or once the dump is open; takes the request over, which holds the branch. */
void branch_proceed(struct pending *pending) EXCLUDES(lock_of_folder);

#endif

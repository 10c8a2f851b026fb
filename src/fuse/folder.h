/* SPDX-License-Identifier: MIT */
/*
 * Private to the mount of a folder: its dumps (branches), the inode numbers that the kernel knows
 * (nodes), and the requests that wait for a dump to be opened.
 */
#ifndef GPUDUMPFS_FUSE_FOLDER_H
#define GPUDUMPFS_FUSE_FOLDER_H

#include "base/locks.h"
#include "fuse/internal.h"
#include "fuse/mount.h"

#include <sys/stat.h>
#include <time.h>

/* Numbers of the files beside the dumps; those of other nodes come after them. */
enum { README_NODE = 2, DUMPS_NODE, FIRST_NODE };

enum branch_state { BRANCH_CLOSED, BRANCH_OPENING, BRANCH_OPEN, BRANCH_FAILED };

/* Threads that open dumps, so that a dump that takes long to open does not delay the others. */
enum { OPENERS = 3 };

struct branch {
    struct mount mount; /* it has a tree while the branch is open */
    struct folder *folder;
    struct branch *next;
    struct branch *next_in_bucket; /* of folder.names */
    char *name;
    struct stat file;  /* status of its file, which identifies the branch: another file of that name
                          has another branch */
    atomic_bool stale; /* the file was replaced or changed: never opened again */
    uint64_t nodes GUARDED_BY(lock_of_folder); /* number of its nodes */
    enum branch_state state GUARDED_BY(lock_of_folder);
    void *dump GUARDED_BY(lock_of_folder);
    /* While the dump is being opened: the requests that wait for it, oldest first. */
    struct pending *first GUARDED_BY(lock_of_folder), **last GUARDED_BY(lock_of_folder);
    struct branch *next_to_open GUARDED_BY(lock_of_folder);
    struct cancel cancel; /* raised when no request waits for the opening any more */
    struct text message;  /* why the dump could not be opened: error.txt */
    unsigned users GUARDED_BY(lock_of_folder); /* requests and open files */
    int64_t used GUARDED_BY(lock_of_folder);   /* time of the last use, in seconds */
};

struct node {
    struct branch *branch; /* NULL: the node is free */
    uint64_t inode, count; /* lookups that the kernel has not forgotten yet */
    uint64_t next;         /* next node of the bucket, or next free node; 0: none */
};

/* A request that waits for the dump of a branch. */
struct pending {
    /* Carries the request out. `mount` is NULL if the dump cannot be opened. */
    void (*go)(const struct pending *pending, struct mount *mount);
    fuse_req_t fuse;
    struct branch *branch;
    pid_t requester; /* id of a thread */
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
    /* Open files beside the dumps, and open directories. For the reader thread. */
    struct folder_file *files;
    struct cancel cancel; /* cancels all openings */
    /*
     * Lock of the guarded fields, and of those of the branches. It does not guard requests to the
     * trees of the branches.
     */
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct branch *branches; /* only the reader thread adds and removes them */
    struct branch **names;   /* hash table of the branches by name */
    size_t name_buckets, branch_count, sweep_at;
    unsigned open GUARDED_BY(lock_of_folder);    /* number of dumps that are open or being opened */
    unsigned waiting GUARDED_BY(lock_of_folder); /* requests that wait for a dump to be opened */
    unsigned users GUARDED_BY(lock_of_folder);   /* sum of the users of all branches */
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

/* Does the same as branch_hold(), with the lock held. */
static inline void branch_hold_locked(struct branch *branch) REQUIRES(lock_of_folder)
{
    branch->users++;
    branch->folder->users++;
}

/*
 * files.c: README.txt and dumps.tsv, which open no dump. For the reader thread. An open file has
 * its bytes as they were when it was opened. Files still open when the mount ends are freed by
 * folder_destroy(), since the kernel sends no release then.
 */
struct folder_file {
    struct text text;
    struct folder_file *next;
};

/* Returns whether the node is that of one of these files. */
bool files_is_node(uint64_t node);

/* Returns the node of a name, or 0 if the name is not one of these files, or is that of a dump. */
uint64_t files_find(struct folder *folder, const char *name);

/* Returns the name of a node of these files. */
const char *files_name(uint64_t node);

/* Stores the attributes of a file, which is made for its size. Returns 0 or -ENOMEM. */
int files_fill(struct folder *folder, uint64_t node, struct fuse_entry_param *out);

/* Makes the bytes of a file as they are at the moment. Returns 0 or -ENOMEM. */
int files_open(struct folder *folder, uint64_t node, struct folder_file **out);

/* Frees an open file or directory, and sets the pointer to NULL. *file may be NULL. */
void files_close(struct folder *folder, struct folder_file **file);

/* Opens the directory of the folder itself: *out gets no names yet. Returns 0 or -ENOMEM. */
int files_open_names(struct folder *folder, struct folder_file **out);

/*
 * Reads the names of the folder's dumps into an open directory, each with its NUL. It keeps them,
 * so that a listing in several parts has each name once, even if dumps come and go meanwhile; they
 * are read again when the listing starts from the beginning. Returns 0 or -ENOMEM.
 */
int files_read_names(struct folder *folder, struct folder_file *names);

/*
 * nodes.c: the numbers by which the kernel knows inodes of branches. A node is created by
 * branch_node(), and lives until the kernel has forgotten all its lookups. Creates the empty
 * tables. Returns 0 or -ENOMEM.
 */
int nodes_create(struct folder *folder);
void nodes_destroy(struct folder *folder);

/* Mixes the bits of a value, for hash tables. A pure function. */
uint64_t nodes_hash(uint64_t value);

/*
 * Takes back that many lookups of a node; without lookups it is freed. Ignores a number that no
 * node has.
 */
void nodes_forget(struct folder *folder, uint64_t number, uint64_t times) EXCLUDES(lock_of_folder);

/* Finds the branch and inode of a node; returns false if there is no such node. */
bool nodes_find(const struct folder *folder, uint64_t number, struct branch **branch,
                uint64_t *inode) REQUIRES(lock_of_folder);

/*
 * Finds or creates the branch of the dump of that name, for the file that has the name at the
 * moment: a file that was replaced or written again is another branch. Returns 0; -ENOENT if there
 * is no such dump; or -ENOMEM. *out is NULL then. For the reader thread. The branch may be freed
 * when a later call creates another one, unless it has a node or a user by then.
 */
int branch_by_name(struct folder *folder, const char *name, struct branch **out)
    EXCLUDES(lock_of_folder);

/* Returns the state of a branch that exists already; BRANCH_CLOSED if there is none. */
enum branch_state branch_state_by_name(struct folder *folder, const char *name)
    EXCLUDES(lock_of_folder);

/*
 * Carries the request out, at once or when the dump is open. Takes over the request, which holds
 * the branch, and frees it.
 */
void branch_proceed(struct pending *pending) EXCLUDES(lock_of_folder);

#endif

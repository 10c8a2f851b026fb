/* SPDX-License-Identifier: MIT */
/*
 * Two dumps and their comparison, for one mount of all three. A dump whose container takes long to
 * expand is opened by a thread behind the mount. From pair_start() on the mount's threads ask for
 * the trees, and end them.
 */
#ifndef GPUDUMPFS_CLI_PAIR_H
#define GPUDUMPFS_CLI_PAIR_H

#include "base/cancellable_mutex.h"
#include "cli/program.h"
#include "fuse/mount.h"

#include <pthread.h>
#include <sys/stat.h>

/* One of the two. */
struct pair_side {
    struct pair *pair;
    struct program *program;
    const char *path; /* as it was given */
    struct stat file;
    pthread_t thread;
    bool has_thread;
    struct cancellable_mutex turn; /* the thread's until `status` is known */
    int status;                    /* 0: it has its tree */
};

struct pair {
    struct pair_side sides[2];
    struct program second; /* its options are the first one's */
    struct stat folder;    /* of the directory that shows both: what their files allow */
    struct problems *problems;
    unsigned threads;
    struct cancel cancel; /* of the threads that open */
    pthread_t server;     /* of the mount */
    struct tree *comparison;
};

/*
 * Opens nothing. `first`, which is borrowed, has its options, of whose cache each tree gets a part.
 * 0 or -ENOMEM.
 */
int pair_create(struct program *first, const char *const paths[2], struct pair **out);

/*
 * Opens both, as program_open() with that limit in time. Of two formats: PROGRAM_USAGE, which is
 * told.
 */
enum program_status pair_open(struct pair *pair, unsigned max_wait_ms);

/*
 * After the fork: makes the trees, with their threads, of what is open, and starts the threads that
 * open the rest. When one of those cannot, which is told, it ends the mount: the calling thread,
 * which is to serve that, gets SIGTERM.
 */
enum program_status pair_start(struct pair *pair, unsigned threads);

/* Ends what is still there, the comparison's tree first. Whether both dumps could be opened. */
bool pair_end(struct pair *pair);

/* Before program_close() of the first. */
void pair_destroy(struct pair **pair);

/* For mount_create_folder(). */
void pair_describe(struct pair *pair, struct mount_dumps *out);

#endif

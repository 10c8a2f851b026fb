/* SPDX-License-Identifier: MIT */
/*
 * Two dumps and their comparison, for one mount of all three. A dump whose container takes long to
 * expand is opened by a thread after it is mounted. From pair_start() on, the mount's threads
 * request the trees, and end them.
 */
#ifndef GPUDUMPFS_CLI_PAIR_H
#define GPUDUMPFS_CLI_PAIR_H

#include "base/cancellable_mutex.h"
#include "cli/program.h"
#include "fuse/mount.h"

#include <pthread.h>
#include <sys/stat.h>

/* One of the two dumps. */
struct pair_side {
    struct pair *pair;
    struct program *program;
    const char *path; /* as given */
    struct stat file;
    pthread_t thread;
    bool has_thread;
    struct cancellable_mutex turn; /* held by the side's thread until `status` is known */
    int status;                    /* 0: the side has its tree */
};

struct pair {
    struct pair_side sides[2];
    struct program second; /* has the options of the first one */
    /* Status of the directory that shows both; it allows what both files allow. */
    struct stat folder;
    struct problems *problems;
    unsigned threads;
    struct cancel cancel; /* for the threads that open dumps */
    pthread_t server;     /* thread that serves the mount */
    struct tree *comparison;
};

/*
 * Creates a pair; opens nothing. `first` is borrowed, and already has its options; each of the
 * three trees gets a part of its cache. Returns 0 or -ENOMEM.
 */
int pair_create(struct program *first, const char *const paths[2], struct pair **out);

/*
 * Opens both dumps as program_open() does, with that time limit. Returns PROGRAM_USAGE, which is
 * logged, if they have different formats.
 */
enum program_status pair_open(struct pair *pair, unsigned max_wait_ms);

/*
 * Call it after the fork. Makes the trees, with their threads, of dumps that are open, and starts
 * threads that open the rest. If one of those fails, which is logged, it ends the mount by sending
 * SIGTERM to the calling thread, which must be the one that will serve the mount.
 */
enum program_status pair_start(struct pair *pair, unsigned threads);

/* Ends all trees, that of the comparison first. Returns whether both dumps could be opened. */
bool pair_end(struct pair *pair);

/* Call it before program_close() of the first program. */
void pair_destroy(struct pair **pair);

/* Fills in the parameters of mount_create_folder(). */
void pair_describe(struct pair *pair, struct mount_dumps *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Limits how much memory the process and its workers may hold (-o max-resident), for all dumps
 * together. The kernel counts resident pages that belong to no file; except for large blocks,
 * nothing is counted when it is allocated. Code that builds large things checks now and then
 * whether the limit is exceeded. If so, memory that is kept for later is given back first; then
 * work that still needs more is ended. Any thread, except where stated.
 */
#ifndef GPUDUMPFS_BASE_MEMORY_LIMIT_H
#define GPUDUMPFS_BASE_MEMORY_LIMIT_H

#include "base/locks.h"

#include <stdbool.h>
#include <stdint.h>

/* Holders give memory back when less than this many bytes are left below the limit. */
#define MEMORY_LIMIT_SLACK (UINT64_C(48) << 20)

/*
 * Opens /proc/self/statm, from which the memory held is read. Must be called before the process is
 * confined and after it has forked. If it fails, there is no limit. Returns the descriptor, which
 * stays open, or -1. One thread.
 */
int memory_limit_open(void);

/*
 * What a dump allows, in bytes: `shared` is for all dumps together, `own` is added for this dump.
 */
struct memory_share {
    uint64_t shared, own; /* `shared` 0: nothing is limited while this dump is there */
};

/* The limit is the largest `shared` of all dumps present, plus the sum of all their `own`. */
void memory_limit_add(const struct memory_share *share) EXCLUDES(lock_of_memory_limit);
void memory_limit_remove(const struct memory_share *share) EXCLUDES(lock_of_memory_limit);

/* Returns the limit in bytes; 0 means no limit. Never waits. */
uint64_t memory_limit(void);

/* Returns the bytes that are held now by the process and its workers; 0 if not known. */
uint64_t memory_limit_held(void);

/* A holder has memory that it can give back, or represents another process that holds memory. */
struct memory_holder {
    /*
     * Frees `bytes`, or as much as it can, now or soon. May take only the cache's lock, and locks
     * that may be taken under that. May be NULL.
     */
    void (*relieve)(void *context, uint64_t bytes);
    void *context;
    const uint64_t *told; /* bytes held, as the other process reports them; NULL: there is none */
    uint64_t told_max;    /* a larger number in *told, which is untrusted, counts as this */
    struct memory_holder *next;
};

/* Adds a holder, which must exist until it has left. */
void memory_limit_join(struct memory_holder *holder) EXCLUDES(lock_of_memory_limit);

/* Removes a holder. It is not used any more after this returns. */
void memory_limit_leave(struct memory_holder *holder) EXCLUDES(lock_of_memory_limit);

/* Sets `told` and `told_max` of a holder that has joined. */
void memory_limit_watch(struct memory_holder *holder, const uint64_t *told, uint64_t max)
    EXCLUDES(lock_of_memory_limit);

/* Adds `change` to the number of bytes that holders could free at once. */
void memory_limit_spare(int64_t change);

/*
 * Makes holders free memory if the limit is near, and returns by how many bytes the limit is
 * exceeded nevertheless. The caller may hold only locks under which the cache's lock may be taken.
 */
uint64_t memory_limit_look(void) EXCLUDES(lock_of_memory_limit, lock_of_cache);

/* Returns whether the limit was exceeded at the last memory_limit_look(). Never waits. */
bool memory_limit_is_passed(void);

/*
 * Returns whether a block of `size` bytes fits into the limit, not counting memory that can be
 * freed.
 */
bool memory_limit_admits(uint64_t size);

/*
 * Returns the number of bytes up to which a worker that holds `held` bytes may grow, chosen so that
 * its growth is noticed before the whole limit is exceeded. Memory that can be freed is not
 * counted. At least a quarter of the limit; 0 means no limit.
 */
uint64_t memory_limit_of_worker(uint64_t held);

/*
 * Reads the resident bytes that belong to no file from a descriptor of /proc/PID/statm. Returns 0
 * if they are not known.
 */
uint64_t memory_limit_read(int file);

#endif

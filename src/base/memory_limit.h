/* SPDX-License-Identifier: MIT */
/*
 * How much memory the process and its workers may hold (-o max-resident), for all dumps
 * together. The kernel counts it, as pages that are no file's: but for large blocks nothing is
 * counted where it is allocated. What makes much of a dump looks now and then whether the limit is
 * passed: what is kept for later is given back first, then what still grows is ended. Any thread,
 * but where said.
 */
#ifndef GPUDUMPFS_BASE_MEMORY_LIMIT_H
#define GPUDUMPFS_BASE_MEMORY_LIMIT_H

#include "base/locks.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes below the limit from which on what is kept is given back. */
#define MEMORY_LIMIT_SLACK (UINT64_C(48) << 20)

/*
 * Opens what tells how much is held: before the process is confined, and after it has forked.
 * Without it, or where the kernel does not tell, there is no limit. Its descriptor, which stays
 * open, or -1. One thread.
 */
int memory_limit_open(void);

/* What a dump allows, in bytes: `shared` with all others, and `own` beside that. */
struct memory_share {
    uint64_t shared, own; /* `shared` 0: while there is such a dump, nothing is limited */
};

/* The limit is the largest `shared` of the dumps that there are, and the sum of all `own`. */
void memory_limit_add(const struct memory_share *share) EXCLUDES(lock_of_memory_limit);
void memory_limit_remove(const struct memory_share *share) EXCLUDES(lock_of_memory_limit);

/* Bytes; 0: no limit. Never waits. */
uint64_t memory_limit(void);

/* Bytes that are held now; 0: not known. */
uint64_t memory_limit_held(void);

/* Holds memory that it can do without for now, or has another process hold some. */
struct memory_holder {
    /*
     * Gives back `bytes`, or what there is, now or in a moment. It may take no lock but the
     * cache's, and those that may be taken under that. NULL: none.
     */
    void (*relieve)(void *context, uint64_t bytes);
    void *context;
    const uint64_t *told; /* bytes, as another process tells them; NULL: none … */
    uint64_t told_max;    /* … which is believed so far */
    struct memory_holder *next;
};

void memory_limit_join(struct memory_holder *holder) EXCLUDES(lock_of_memory_limit);

/* Nothing of it is looked at any more. */
void memory_limit_leave(struct memory_holder *holder) EXCLUDES(lock_of_memory_limit);

/* Sets `told` and its bound, of one that has joined. */
void memory_limit_watch(struct memory_holder *holder, const uint64_t *told, uint64_t max)
    EXCLUDES(lock_of_memory_limit);

/* What holders could give back at once has become so many bytes more. */
void memory_limit_spare(int64_t change);

/*
 * Has what is near the limit given back, and returns by how many bytes it is passed
 * nevertheless. No lock is held but those under which the cache's may be taken.
 */
uint64_t memory_limit_look(void) EXCLUDES(lock_of_memory_limit, lock_of_cache);

/* Whether the limit was passed at the latest look. Never waits. */
bool memory_limit_is_passed(void);

/* Whether a block of so many bytes fits into the limit, what can be given back set aside. */
bool memory_limit_admits(uint64_t size);

/*
 * How much a worker that holds `held` bytes may come to hold, so that it is noticed before all is
 * too much; what can be given back is set aside. At least a quarter of the limit; 0: any.
 */
uint64_t memory_limit_of_worker(uint64_t held);

/* Of a file such as /proc/self/statm: bytes in memory that are no file's; 0: not known. */
uint64_t memory_limit_read(int file);

#endif

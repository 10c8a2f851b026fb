/* SPDX-License-Identifier: MIT */
/*
 * Memory that goes back to the system when it is freed, which the cache's budget
 * relies on: blocks of MEMORY_LARGE bytes and more are mapped one by one, and a
 * few of the latest freed ones are kept, since pictures of one size follow each
 * other thousands of times a second. Callable from any thread.
 */
#ifndef GPUDUMPFS_BASE_MEMORY_H
#define GPUDUMPFS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MEMORY_LARGE = 128 * 1024,          /* below this malloc() serves better */
    MEMORY_KEPT = 8 * 1024 * 1024,      /* of freed blocks at most, for the next allocation */
    MEMORY_ADMITTED = 16 * 1024 * 1024, /* blocks from here on are to fit into the limit */
};

/*
 * Makes malloc() map blocks of MEMORY_LARGE and more singly too, for good (left
 * to itself it raises that bound with the first large block freed, and keeps
 * what is freed later), and keep at most MEMORY_KEPT of smaller ones at the end of its heap: texts
 * come in pieces below that, and a heap that shrinks with each file takes as long as writing them.
 * Called by cache_create(); again does no harm.
 */
void memory_setup(void);

/*
 * Has all threads take blocks below MEMORY_LARGE from one heap, for good: where each has its own,
 * what one makes for another to free is new memory for each of them. For a program of few threads,
 * before any is started.
 */
void memory_share_heap(void);

/* `size` rounded up to whole pages; 0 when it does not fit a size_t. */
size_t memory_round(size_t size);

/*
 * A block of `size` bytes (> 0), page-aligned, uninitialised; NULL when there is none, or the
 * process would hold more than it may (base/memory_limit.h).
 */
void *memory_take(size_t size);

/* The same, which need have no memory until it is written, or populated. */
void *memory_take_empty(size_t size);

/* How many blocks the calling thread was refused since they did not fit into that limit. */
unsigned memory_refusals(void);

/* Gives back a block from memory_take() of the same size. */
void memory_give(void *block, size_t size);

/* Frees the kept blocks, and what malloc() keeps; returns how many bytes the blocks were. */
size_t memory_trim(void);

/*
 * Address space of `size` bytes (> 0), zero, that takes memory page by page as it
 * is written: for arrays that grow and may not move. NULL when there is none.
 */
void *memory_reserve(size_t size);

/* Gives back address space from memory_reserve() of the same size; NULL is fine. */
void memory_unreserve(void *space, size_t size);

/*
 * The same, of which memory is taken in large pages where the system has them for programs that
 * ask: a page of 2 MiB is had in a quarter of the time that its 512 small ones take.
 */
struct memory_region {
    uint8_t *bytes; /* at the beginning of a large page; NULL: there is none */
    uint8_t *space; /* all that is reserved, and its size */
    size_t reserved;
};

/* False: there is no such space; also where blocks are checked one by one. */
bool memory_region_reserve(struct memory_region *region, size_t size);

/* Gives it back; one of all zero is fine. */
void memory_region_release(struct memory_region *region);

/* Has memory for a part of such space or block that will all be written, in one go. */
void memory_populate(void *part, size_t size);

/* The same of a part of a mapped file that is about to be read; a file that was cut is none. */
void memory_populate_read(const void *part, size_t size);

#endif

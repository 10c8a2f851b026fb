/* SPDX-License-Identifier: MIT */
/*
 * Allocates memory that returns to the system when it is freed, which the cache's budget relies on.
 * Blocks of MEMORY_LARGE bytes and more are mapped one by one. A few recently freed ones are kept,
 * since pictures of one size follow each other thousands of times a second. Callable from any
 * thread.
 */
#ifndef GPUDUMPFS_BASE_MEMORY_H
#define GPUDUMPFS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MEMORY_LARGE = 128 * 1024,          /* malloc() is better below this size */
    MEMORY_KEPT = 8 * 1024 * 1024,      /* maximum of freed blocks kept for the next allocation */
    MEMORY_ADMITTED = 16 * 1024 * 1024, /* blocks of this size or more must fit into the limit */
};

/*
 * Configures malloc() for good. Blocks of MEMORY_LARGE bytes and more are mapped one by one, too:
 * by default, malloc() raises that threshold when the first large block is freed, and then keeps
 * what is freed later. At most MEMORY_KEPT bytes of smaller blocks are kept at the end of the heap:
 * texts are built in pieces below the threshold, and shrinking the heap after each file takes as
 * long as writing the texts. Called by cache_create(); calling it again is harmless.
 */
void memory_setup(void);

/*
 * Makes all threads allocate blocks below MEMORY_LARGE from one heap, for good. If each thread has
 * its own heap, what one allocates and another frees is new memory for each of them. For a program
 * of few threads, to be called before any is started.
 */
void memory_share_heap(void);

/* Returns `size` rounded up to a multiple of the page size; 0 if that does not fit a size_t. */
size_t memory_round(size_t size);

/*
 * Allocates a block of `size` bytes (> 0), page-aligned and uninitialised. Returns NULL if there is
 * no memory, or if the process would hold more than it may (base/memory_limit.h).
 */
void *memory_take(size_t size);

/* The same, but a new block takes no memory until it is written or populated. */
void *memory_take_empty(size_t size);

/* Returns how many blocks the memory limit has refused to the calling thread. */
unsigned memory_refusals(void);

/* Frees a block from memory_take() or memory_take_empty() of the same size. */
void memory_give(void *block, size_t size);

/* Frees the kept blocks, and what malloc() keeps. Returns the bytes of the kept blocks. */
size_t memory_trim(void);

/*
 * Reserves `size` bytes (> 0) of zeroed address space, which takes memory page by page as it is
 * written: for arrays that grow and must not move. Returns NULL if there is none.
 */
void *memory_reserve(size_t size);

/* Frees address space from memory_reserve() of the same size. `space` may be NULL. */
void memory_unreserve(void *space, size_t size);

/*
 * Reserved address space that uses large pages where the system offers them by madvise(): one page
 * of 2 MiB takes a quarter of the time of its 512 small pages.
 */
struct memory_region {
    uint8_t *bytes; /* beginning of a large page; NULL if nothing is reserved */
    uint8_t *space; /* everything that is reserved, and its size */
    size_t reserved;
};

/*
 * Reserves a region. Returns false if there is no address space, or in a build with
 * AddressSanitizer.
 */
bool memory_region_reserve(struct memory_region *region, size_t size);

/* Frees a region, which may be all zero. */
void memory_region_release(struct memory_region *region);

/* Populates part of a block or of reserved space at once. For memory that will all be written. */
void memory_populate(void *part, size_t size);

/*
 * Populates part of a mapped file that is about to be read. Does no harm if the file was truncated.
 */
void memory_populate_read(const void *part, size_t size);

#endif

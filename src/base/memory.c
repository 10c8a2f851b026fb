/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/locks.h"
#include "base/memory_limit.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* With AddressSanitizer all blocks come from malloc(), so that overruns are detected. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define MEMORY_CHECKED 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_CHECKED 1
#endif
#ifndef MEMORY_CHECKED
#define MEMORY_CHECKED 0
#endif

struct kept_block {
    void *block;
    size_t size; /* a multiple of the page size */
};

enum {
    KEPT_BLOCKS = 32,
    LARGE_PAGE = 2 << 20,
    HEAP_STEP = 1 << 20, /* bytes that a heap grows by at once; untouched pages take no memory */
};

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept_block kept[KEPT_BLOCKS] GUARDED_BY(lock_of_memory); /* oldest first */
static size_t kept_count GUARDED_BY(lock_of_memory), kept_bytes GUARDED_BY(lock_of_memory);

static _Thread_local unsigned refusals;

static void take_lock(void) ACQUIRE(lock_of_memory)
{
    pthread_mutex_lock(&kept_lock);
}

static void give_lock(void) RELEASE(lock_of_memory)
{
    pthread_mutex_unlock(&kept_lock);
}

void memory_setup(void)
{
#ifdef M_MMAP_THRESHOLD /* musl has no such setting, and returns large blocks at once */
    mallopt(M_MMAP_THRESHOLD, MEMORY_LARGE);
    mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
    mallopt(M_TOP_PAD, HEAP_STEP);
#endif
}

void memory_share_heap(void)
{
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

size_t memory_round(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return size > SIZE_MAX - page ? 0 : (size + page - 1) / page * page;
}

static struct kept_block kept_remove(size_t index) REQUIRES(lock_of_memory)
{
    struct kept_block removed = kept[index];

    kept_count--;
    kept_bytes -= removed.size;
    memmove(&kept[index], &kept[index + 1], (kept_count - index) * sizeof(kept[0]));
    return removed;
}

static void *kept_find(size_t size)
{
    void *block = NULL;

    take_lock();
    for (size_t i = kept_count; i-- > 0 && block == NULL;)
        if (kept[i].size == size)
            block = kept_remove(i).block;
    give_lock();
    return block;
}

unsigned memory_refusals(void)
{
    return refusals;
}

static void *take(size_t size, int flags)
{
    size_t rounded = memory_round(size);
    void *block;

    if (rounded == 0)
        return NULL;
    if (MEMORY_CHECKED)
        return malloc(size);
    block = kept_find(rounded);
    if (block != NULL)
        return block;
    if (rounded >= MEMORY_ADMITTED && !memory_limit_admits(rounded)) {
        refusals++;
        return NULL;
    }
    block = mmap(NULL, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void *memory_take(size_t size)
{
    return take(size, MAP_POPULATE); /* all will be written: populating takes half the time */
}

void *memory_take_empty(size_t size)
{
    return take(size, 0);
}

/*
 * Keeps a block, in place of older ones if necessary. Stores the older blocks in `out`, for the
 * caller to unmap, and returns their number.
 */
static size_t kept_add(void *block, size_t size, struct kept_block out[KEPT_BLOCKS])
{
    size_t count = 0;

    take_lock();
    while (kept_count == KEPT_BLOCKS || kept_bytes > MEMORY_KEPT - size)
        out[count++] = kept_remove(0);
    kept[kept_count++] = (struct kept_block){block, size};
    kept_bytes += size;
    give_lock();
    return count;
}

void memory_give(void *block, size_t size)
{
    struct kept_block out[KEPT_BLOCKS];
    size_t rounded = memory_round(size), count;

    if (MEMORY_CHECKED) {
        free(block);
        return;
    }
    if (rounded > MEMORY_KEPT / 2) {
        munmap(block, rounded);
        return;
    }
    count = kept_add(block, rounded, out);
    for (size_t i = 0; i < count; i++)
        munmap(out[i].block, out[i].size);
}

size_t memory_trim(void)
{
    struct kept_block out[KEPT_BLOCKS];
    size_t count, bytes;

    take_lock();
    count = kept_count;
    bytes = kept_bytes;
    memcpy(out, kept, count * sizeof(out[0]));
    kept_count = 0;
    kept_bytes = 0;
    give_lock();
    for (size_t i = 0; i < count; i++)
        munmap(out[i].block, out[i].size);
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
    return bytes;
}

void *memory_reserve(size_t size)
{
    void *space = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return space == MAP_FAILED ? NULL : space;
}

bool memory_region_reserve(struct memory_region *region, size_t size)
{
    size_t rest = size % LARGE_PAGE;

    *region = (struct memory_region){.bytes = NULL};
    if (MEMORY_CHECKED || size > SIZE_MAX - 2 * (size_t)LARGE_PAGE)
        return false;
    if (rest >= LARGE_PAGE / 4) /* a large page for the rest, if small pages would take longer */
        size += LARGE_PAGE - rest;
    region->reserved = memory_round(size) + LARGE_PAGE;
    region->space = memory_reserve(region->reserved);
    if (region->space == NULL)
        return false;
    region->bytes =
        region->space + (LARGE_PAGE - (uintptr_t)region->space % LARGE_PAGE) % LARGE_PAGE;
#ifdef MADV_HUGEPAGE
    madvise(region->bytes, memory_round(size), MADV_HUGEPAGE);
#endif
    return true;
}

void memory_region_release(struct memory_region *region)
{
    memory_unreserve(region->space, region->reserved);
    *region = (struct memory_region){.bytes = NULL};
}

#ifdef MADV_POPULATE_WRITE /* since Linux 5.14; without it, pages are populated one by one */
static void populate(uintptr_t part, size_t size, int advice)
{
    const uintptr_t before = part % (uintptr_t)sysconf(_SC_PAGESIZE);

    madvise((void *)(part - before), size + before, advice);
}

void memory_populate(void *part, size_t size)
{
    populate((uintptr_t)part, size, MADV_POPULATE_WRITE);
}

void memory_populate_read(const void *part, size_t size)
{
    populate((uintptr_t)part, size, MADV_POPULATE_READ);
}
#else
void memory_populate(void *part, size_t size)
{
    (void)part, (void)size;
}

void memory_populate_read(const void *part, size_t size)
{
    (void)part, (void)size;
}
#endif

void memory_unreserve(void *space, size_t size)
{
    if (space != NULL)
        munmap(space, size);
}

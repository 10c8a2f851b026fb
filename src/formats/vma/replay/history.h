/* SPDX-License-Identifier: MIT */
/*
 * What became of every allocation and pool, gathered by the one pass over a
 * recording, for the tables that need to know the end (allocations.tsv, leaks.txt,
 * pools/). Filled by one thread; read by any once the pass is over.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_HISTORY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_HISTORY_H

#include "formats/vma/replay/allocator.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VMA_NEVER = UINT32_MAX, /* a packet that did not come */
    VMA_NO_POOL = UINT32_MAX,
};

/* One named allocation. */
struct vma_lifetime {
    uint64_t pointer;
    uint64_t offset;             /* of its first place in a block */
    uint32_t created, destroyed; /* packets; VMA_NEVER */
    uint32_t pool;               /* ordinal; VMA_NO_POOL */
    uint32_t block;              /* id */
    uint32_t more;               /* in the table of rarer things, 0: nothing */
    uint8_t type;
    uint8_t place; /* enum vma_place_kind: the first; VMA_PLACE_ORPHAN: its pool was destroyed */
    bool rounded;  /* its size was rounded up for corruption detection */
};

/* What happens to few allocations. */
struct vma_lifetime_rare {
    uint32_t moved;      /* times */
    uint32_t lost_frame; /* of the mount; VMA_NEVER */
    uint32_t maps;       /* successful calls */
    uint32_t renamed;    /* the packet that set the last user data; VMA_NEVER */
};

/* One vmaCreatePool line. */
struct vma_pool_lifetime {
    uint32_t created, destroyed;    /* packets; VMA_NEVER */
    uint32_t id;                    /* VMA_NEVER: its creation failed */
    uint32_t first_name, last_name; /* in `names`; 0: none */
    uint32_t allocations;
};

/* A vmaSetPoolName line, in a list for each pool. */
struct vma_pool_naming {
    uint32_t packet;
    uint32_t next; /* 0: the last */
};

/* A call that fails in the simulation. */
struct vma_failed_call {
    uint32_t packet;
    uint8_t reason; /* enum vma_failure */
    bool succeeded; /* when it was recorded */
};

struct vma_history {
    struct vma_observer observer; /* first: the allocator knows it by this */
    struct vma_lifetime *lifetimes;
    struct vma_lifetime_rare *more; /* item 0 is unused */
    struct vma_pool_lifetime *pools;
    struct vma_pool_naming *names; /* item 0 is unused */
    struct vma_failed_call *failures;
    uint32_t lifetime_count, lifetime_room;
    uint32_t more_count, more_room;
    uint32_t pool_count, pool_room;
    uint32_t name_count, name_room;
    uint32_t failure_count, failure_room;
    uint32_t frame; /* the current one */
    int status;     /* 0, or -ENOMEM: then nothing more is kept */
};

void vma_history_init(struct vma_history *history);
void vma_history_clear(struct vma_history *history);

/* A named allocation of a call that requested `size` begins; its number is the next one. */
void vma_history_begin(struct vma_history *history, const struct vma_allocator *allocator,
                       uint32_t allocation_index, uint64_t size);
void vma_history_end(struct vma_history *history, uint32_t number, uint32_t packet);
void vma_history_orphan(struct vma_history *history, uint32_t number);
void vma_history_map(struct vma_history *history, uint32_t number);
void vma_history_rename(struct vma_history *history, uint32_t number, uint32_t packet);

/* A vmaCreatePool line; id VMA_NEVER when it failed. Its ordinal is the next one. */
void vma_history_pool(struct vma_history *history, uint32_t packet, uint32_t id);
void vma_history_pool_end(struct vma_history *history, uint32_t ordinal, uint32_t packet);
void vma_history_pool_name(struct vma_history *history, uint32_t ordinal, uint32_t packet);

/* An allocating call, or vmaCreatePool, that fails; `succeeded`: as it was recorded it did not. */
void vma_history_failure(struct vma_history *history, uint32_t packet, enum vma_failure reason,
                         bool succeeded);

static inline const struct vma_lifetime_rare *vma_history_more(const struct vma_history *history,
                                                               const struct vma_lifetime *lifetime)
{
    return &history->more[lifetime->more];
}

size_t vma_history_bytes(const struct vma_history *history);

#endif

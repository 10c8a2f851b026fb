/* SPDX-License-Identifier: MIT */
/*
 * What became of every allocation and pool, for the tables that must know the end (allocations.tsv,
 * leaks.txt, pools/). The one pass over a recording gathers it. Filled in by one thread; any thread
 * may read it when the pass is over.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_HISTORY_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_HISTORY_H

#include "formats/vma/replay/allocator.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    VMA_NEVER = UINT32_MAX, /* in place of a packet: it did not happen */
    VMA_NO_POOL = UINT32_MAX,
};

/* A named allocation. */
struct vma_lifetime {
    uint64_t pointer;
    uint64_t offset;             /* of its first place in a block */
    uint32_t created, destroyed; /* packets; VMA_NEVER if it was not destroyed */
    uint32_t pool;               /* ordinal; VMA_NO_POOL if none */
    uint32_t block;              /* id */
    uint32_t more;               /* index in the table of rare events; 0: none */
    uint8_t type;
    uint8_t place; /* the first enum vma_place_kind; VMA_PLACE_ORPHAN if its pool was destroyed */
    bool rounded;  /* its size was rounded up for corruption detection */
};

/* Events that happen to few allocations. */
struct vma_lifetime_rare {
    uint32_t moved;      /* number of moves */
    uint32_t lost_frame; /* frame of the mount; VMA_NEVER if it was not lost */
    uint32_t maps;       /* number of successful vmaMapMemory calls */
    uint32_t renamed;    /* packet that set the last user data; VMA_NEVER if none did */
};

/* A vmaCreatePool line. */
struct vma_pool_lifetime {
    uint32_t created, destroyed;    /* packets; VMA_NEVER if it was not destroyed */
    uint32_t id;                    /* VMA_NEVER if its creation failed */
    uint32_t first_name, last_name; /* in `names`; 0 if none */
    uint32_t allocations;
};

/* A vmaSetPoolName line. Each pool has a list of them. */
struct vma_pool_naming {
    uint32_t packet;
    uint32_t next; /* 0 for the last */
};

/* A call that fails in the simulation. */
struct vma_failed_call {
    uint32_t packet;
    uint8_t reason; /* enum vma_failure */
    bool succeeded; /* in the recording */
};

struct vma_history {
    struct vma_observer observer; /* must be first: the allocator gets a pointer to it */
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
    uint32_t frame; /* current frame */
    int status;     /* 0, or -ENOMEM once memory was short; the replay fails then */
};

void vma_history_init(struct vma_history *history);
void vma_history_clear(struct vma_history *history);

/*
 * Records a named allocation of a call that requested `size` bytes. The allocation gets the next
 * number.
 */
void vma_history_begin(struct vma_history *history, const struct vma_allocator *allocator,
                       uint32_t allocation_index, uint64_t size);

/* Records that an allocation was freed, by its number. */
void vma_history_end(struct vma_history *history, uint32_t number, uint32_t packet);

/* Records that an allocation's pool was destroyed before the allocation. */
void vma_history_orphan(struct vma_history *history, uint32_t number);

/* Records a vmaMapMemory call that succeeded. */
void vma_history_map(struct vma_history *history, uint32_t number);

/* Records that a packet has set an allocation's user data. */
void vma_history_rename(struct vma_history *history, uint32_t number, uint32_t packet);

/* Records a vmaCreatePool line, which gets the next ordinal. `id` is VMA_NEVER if it failed. */
void vma_history_pool(struct vma_history *history, uint32_t packet, uint32_t id);

/* Records that a pool was destroyed, by its ordinal. */
void vma_history_pool_end(struct vma_history *history, uint32_t ordinal, uint32_t packet);

/* Records a vmaSetPoolName line. */
void vma_history_pool_name(struct vma_history *history, uint32_t ordinal, uint32_t packet);

/*
 * Records an allocating call or vmaCreatePool that fails. `succeeded`: it succeeded in the
 * recording.
 */
void vma_history_failure(struct vma_history *history, uint32_t packet, enum vma_failure reason,
                         bool succeeded);

static inline const struct vma_lifetime_rare *vma_history_more(const struct vma_history *history,
                                                               const struct vma_lifetime *lifetime)
{
    return &history->more[lifetime->more];
}

size_t vma_history_bytes(const struct vma_history *history);

#endif

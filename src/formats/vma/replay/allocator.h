/* SPDX-License-Identifier: MIT */
/*
 * The simulated allocator (vma.md 3): what VMA 2.3.0 would hold after the calls so far. It is a
 * state machine of integers: the same calls give the same state, and a copy of a state continues
 * exactly like its original. This header declares the state. The operations are in one file for
 * each concern:
 *
 *     allocator_state.c       making and copying a state
 *     range.c                 ranges of a block, their order and their index by size
 *     placement.c             where an allocation goes in a block: default, linear, buddy
 *     vector.c                blocks of a memory type or pool, and pools
 *     allocate.c              one call: memory type, block or dedicated memory
 *     lost_allocations.c      allocations that are lost
 *     defragment.c            moving allocations
 *     imported.c              states that are read, not simulated (imported.h)
 *     tally.c                 sums and text lengths, updated with each change
 *
 * Not shared among threads; a copy may be used by another thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_H

#include "formats/vma/decode/decode.h"
#include "formats/vma/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Items of one size in one growing array, identified by their index. An allocator's state consists
 * of a few slabs, and copying it takes a few memcpy() calls. Index 0 is never used.
 */
enum { VMA_NONE = 0 };

struct vma_slab {
    uint8_t *items;
    uint32_t item_size; /* at least 4 */
    uint32_t count;     /* items ever taken, including item 0 */
    uint32_t room;
    uint32_t vacant; /* first of the list of items that were given back */
    uint32_t used;   /* items in use */
};

void vma_slab_init(struct vma_slab *slab, size_t item_size);
void vma_slab_clear(struct vma_slab *slab);

/* Ensures that `more` items can be taken, moving the items if necessary. Returns 0 or -ENOMEM. */
int vma_slab_reserve(struct vma_slab *slab, uint32_t more);

/* Takes a zeroed item. Room for it must have been reserved. */
uint32_t vma_slab_take(struct vma_slab *slab);
void vma_slab_give(struct vma_slab *slab, uint32_t index);

/* Copies a slab, with room for its items only. Overwrites *out. Returns 0 or -ENOMEM. */
int vma_slab_copy(const struct vma_slab *slab, struct vma_slab *out);

static inline void *vma_slab_at(const struct vma_slab *slab, uint32_t index)
{
    return slab->items + (size_t)index * slab->item_size;
}

static inline size_t vma_slab_bytes(const struct vma_slab *slab)
{
    return (size_t)slab->count * slab->item_size;
}

/* Flags of allocations that the rules use (vma.md 2.5). */
enum {
    VMA_FLAG_DEDICATED = 0x1,
    VMA_FLAG_NEVER_ALLOCATE = 0x2,
    VMA_FLAG_MAPPED = 0x4,
    VMA_FLAG_CAN_BECOME_LOST = 0x8,
    VMA_FLAG_CAN_MAKE_OTHER_LOST = 0x10,
    VMA_FLAG_STRING = 0x20,
    VMA_FLAG_UPPER_ADDRESS = 0x40,
    VMA_FLAG_WITHIN_BUDGET = 0x100,
    VMA_FLAG_BEST_FIT = 0x10000,
    VMA_FLAG_WORST_FIT = 0x20000,
    VMA_FLAG_FIRST_FIT = 0x40000,
    VMA_FLAG_STRATEGIES = 0x70000,
};

enum {
    VMA_POOL_IGNORE_GRANULARITY = 0x2,
    VMA_POOL_LINEAR = 0x4,
    VMA_POOL_BUDDY = 0x8,
};

/* What a range holds, in the order in which conflicts are checked (vma.md 3.5). */
enum vma_label {
    VMA_FREE,
    VMA_UNKNOWN,
    VMA_BUFFER,
    VMA_IMAGE_UNKNOWN,
    VMA_IMAGE_LINEAR,
    VMA_IMAGE_OPTIMAL,
    VMA_LABELS,
};

/* Why a call fails; if it makes several attempts, why the last one does (vma.md 3.14). */
enum vma_failure {
    VMA_FAILURE_NONE,
    VMA_FAILURE_REQUEST,    /* contradictory flags, size 0, or a size that does not fit 64 bits */
    VMA_FAILURE_TYPE,       /* no memory type meets the request */
    VMA_FAILURE_BLOCK_SIZE, /* larger than a block of the preferred size */
    VMA_FAILURE_NEVER,      /* no room, and the request forbids new blocks (NEVER_ALLOCATE) */
    VMA_FAILURE_POOL,       /* no room, and the pool has its maximum of blocks */
    VMA_FAILURE_BUDGET,     /* over the heap's budget */
    VMA_FAILURE_HEAP,       /* the heap is full */
    VMA_FAILURE_COUNT,      /* maxMemoryAllocationCount */
    VMA_FAILURE_LIMIT,      /* a limit of the simulation (vma.md 5) */
    VMA_FAILURES,
};

enum vma_algorithm {
    VMA_ALGORITHM_DEFAULT,
    VMA_ALGORITHM_LINEAR,
    VMA_ALGORITHM_BUDDY,
    VMA_ALGORITHM_RECORDED, /* as the pool's flags say; only in settings */
};

/* Caps against hostile recordings (vma.md 5). */
enum {
    VMA_BLOCKS_A_VECTOR = 1 << 16,
    VMA_BLOCKS = 1 << 20,
    VMA_STEPS_A_CALL = 1 << 22, /* of searching and moving; a call that exceeds them fails */
    VMA_STEPS_LATER = 1 << 9,   /* the same for each call after VMA_STEPS_ALL are exhausted */
};
#define VMA_STEPS_ALL (UINT64_C(1) << 27)

/* Steps of sorting blocks, for all frees together. After these, each free has VMA_STEPS_LATER. */
#define VMA_SORTING_STEPS_ALL (UINT64_C(1) << 28)

/* A part of a block that is free or used by one allocation. */
struct vma_range {
    uint64_t offset, size;
    uint32_t previous, next; /* neighbours in the block, by offset */
    uint32_t allocation;     /* VMA_NONE if free */
    uint32_t block;
    /*
     * In default blocks: the children in the index of free ranges, smaller and larger. In buddy
     * blocks: the previous and next range in a level's free list.
     */
    uint32_t child[2];
    /* The parent in that index. In buddy blocks: the level, or one of the two values below. */
    uint32_t up;
};

/* Instead of a level: free bytes that are in no free list (placement.c). */

enum { VMA_BUDDY_REST = 62, VMA_BUDDY_TAIL = 63 };

enum vma_place_kind {
    VMA_PLACE_NULL,      /* its call failed here, but not in the recording */
    VMA_PLACE_BLOCK,     /* in a range of a block */
    VMA_PLACE_DEDICATED, /* in a device allocation of its own */
    VMA_PLACE_LOST,      /* lost, or created lost: in no memory */
    VMA_PLACE_ORPHAN,    /* its pool was destroyed */
};

struct vma_allocation {
    uint64_t size, alignment;
    uint64_t pointer;           /* its pointer in the recording */
    uint64_t user;              /* user data: a pointer, or the offset of a string in the file */
    uint32_t user_length;       /* of the string */
    uint32_t user_field_length; /* length of the string in a table's cell */
    uint32_t user_json_length;  /* length of the string in JSON */
    uint32_t packet;            /* packet that created it */
    uint32_t frame;             /* frame of the mount that has that packet */
    uint32_t number;            /* in the order of creation, from 0 */
    uint32_t range;             /* valid if VMA_PLACE_BLOCK */
    uint32_t vector;            /* valid if VMA_PLACE_BLOCK */
    uint32_t previous, next;    /* list of its type, if VMA_PLACE_DEDICATED */
    uint32_t created, last_use; /* frame indexes */
    uint32_t flags, usage;
    uint32_t resource_usage; /* of the buffer or image; 0 for neither */
    uint32_t maps;
    /* Lengths of its members in JSON, and of its row in live.tsv, both without its place. */
    uint32_t json_length, row_length;
    uint8_t place; /* enum vma_place_kind */
    uint8_t label; /* enum vma_label */
    uint8_t type;  /* memory type */
    /* enum vma_function_id of the call that created it; VMA_FUNCTIONS if unknown */
    uint8_t function;
    bool named;     /* the pointer refers to it */
    bool string;    /* user data is a string */
    bool estimated; /* size and alignment are estimated by rule R1 */
};

enum vma_linear_mode { VMA_LINEAR_NONE, VMA_LINEAR_RING, VMA_LINEAR_STACK };

/* The index of free ranges by size consists of parts, one for each power of two (range.c). */
enum { VMA_TREAPS = 32 };

struct vma_block {
    uint64_t free; /* size minus the bytes of its allocations */
    uint64_t size;
    uint32_t previous, next; /* in its vector */
    uint32_t vector;
    uint32_t id;
    uint32_t first_range, last_range;
    uint32_t allocations, free_ranges;
    uint32_t json_length; /* its part of the vector's json_length */
    uint64_t rows_length; /* of its printed ranges */
    union {
        struct {             /* default algorithm: the index of free ranges by size */
            uint32_t treaps; /* set of the parts that have any range */
            uint32_t roots[VMA_TREAPS];
        };
        struct { /* linear: the ends of both lists; the ranges between them are in order */
            uint32_t first_head, first_tail, second_head, second_tail;
            enum vma_linear_mode mode;
        };
        struct {             /* buddy algorithm */
            uint32_t levels; /* item in the slab of free lists */
            uint32_t level_count;
            uint64_t usable;
        };
    };
};

enum { VMA_BUDDY_LEVELS = 30, VMA_BUDDY_MIN_NODE = 32 };

struct vma_buddy_levels {
    uint32_t first[VMA_BUDDY_LEVELS];
};

/* The blocks of a memory type or pool. */
struct vma_vector {
    uint64_t preferred; /* preferred size of blocks */
    uint64_t min_count, max_count;
    uint64_t granularity;
    uint64_t json_length; /* of its printed blocks */
    uint32_t type, heap;
    uint32_t frames_in_use;
    uint32_t first_block, last_block;
    uint32_t count, empty; /* number of blocks, and of those without allocations */
    uint32_t next_id;
    uint32_t pool;   /* VMA_NONE for the default vector of a type */
    uint32_t serial; /* distinguishes it from an earlier vector with the same index */
    enum vma_algorithm algorithm;
    uint8_t place_length; /* of the columns type, heap and pool of live.tsv */
    bool explicit_size;
};

struct vma_pool {
    uint64_t pointer;
    uint64_t name;        /* offset in the file */
    uint64_t json_length; /* its part of pools_json_length of the allocator */
    /* the part of json_length that does not depend on the blocks; 0 if not measured yet */
    uint32_t json_frame;
    uint32_t name_length;
    uint32_t vector;         /* VMA_NONE if its creation failed here, but not in the recording */
    uint32_t id;             /* counts successful creations */
    uint32_t ordinal;        /* counts all vmaCreatePool lines */
    uint32_t packet;         /* packet that created it */
    uint32_t previous, next; /* in the order of creation */
    uint8_t slot;            /* in the memory map; VMA_NO_SLOT if none */
    bool named;              /* the pointer refers to it */
    bool in_use;             /* set when it gets its name; false if the item was given back */
};

enum { VMA_NO_SLOT = 255 };

/* An open defragmentation (vma.md 3.9). */
struct vma_context {
    uint64_t pointer;
    uint32_t packet;
    uint32_t first_member; /* list of the vectors whose empty blocks are freed when it ends */
    bool named;            /* the pointer refers to it */
    bool in_use;           /* set when it gets its name; false if the item was given back */
};

struct vma_context_member {
    uint32_t vector, serial;
    uint32_t next;
};

enum { VMA_DIGITS = 21 }; /* index range for the number of decimal digits, 1 to 20 */

/*
 * Sums over a memory type. Sizes are also counted by their number of digits, so that the printed
 * lengths of the smallest and greatest sizes are known at any time. There are separate counts for
 * "Min" and "Max", since the library leaves some blocks out of each (vma.md 3.11).
 */
struct vma_tally {
    uint64_t blocks, dedicated;
    uint64_t allocations, unused_ranges;
    uint64_t block_bytes, used_bytes; /* block bytes include dedicated memory */
    uint32_t min_used[VMA_DIGITS], max_used[VMA_DIGITS];
    uint32_t min_unused[VMA_DIGITS], max_unused[VMA_DIGITS];
};

struct vma_type_state {
    struct vma_tally tally;
    uint64_t dedicated_json_length;
    uint64_t device_allocations;           /* currently allocated */
    uint64_t ever_allocations, ever_bytes; /* all device allocations that ever succeeded */
    uint32_t first_dedicated, last_dedicated;
    uint32_t vector; /* the default vector */
};

struct vma_heap_state {
    uint64_t block_bytes, allocation_bytes;
    uint64_t device_allocations;
    uint64_t told_budget, told_usage; /* for a state that is read, not simulated */
};

struct vma_allocator;

/*
 * Is notified of what happens to allocations on the way; for the history of a complete recording.
 */
struct vma_observer {
    void (*moved)(struct vma_observer *observer, const struct vma_allocation *allocation);
    void (*lost)(struct vma_observer *observer, const struct vma_allocation *allocation);
};

struct vma_allocator {
    /* Constant after creation. */
    const struct vma_device *device;
    const struct vma_macros *macros;
    const uint8_t *data; /* the file, for the lengths of user data */
    uint64_t granularity;
    uint64_t max_bytes; /* maximum size of the state; calls that would need more fail */
    bool budget;        /* memory budgets as of 2.3; false: none, as in 2.1 and 2.2 */
    /* the state is read, not simulated (imported.h): the device refuses nothing */
    bool told;
    enum vma_algorithm pool_algorithm; /* of all pools, or VMA_ALGORITHM_RECORDED */

    struct vma_slab ranges, allocations, blocks, vectors, pools, levels, contexts, members;
    struct vma_type_state types[VMA_TYPES];
    struct vma_heap_state heaps[VMA_HEAPS];
    uint32_t first_pool, last_pool;
    uint32_t next_pool_id;
    uint32_t null_pools; /* pools without a vector */
    uint32_t vector_serial;
    uint32_t frame_index; /* current */

    /* Numbers of allocations, by what has become of them. */
    uint64_t live, lost, null, orphans;
    uint64_t mapped;          /* live allocations that are mapped */
    uint64_t estimated_bytes; /* of live allocations */
    uint64_t rows_length;     /* of live.tsv without its header */
    uint64_t pools_json_length;
    uint64_t device_allocations;

    uint32_t touched;              /* set of the memory types whose sums have changed */
    uint64_t steps;                /* used by the current call */
    uint64_t all_steps;            /* used by all calls */
    uint64_t sorting_steps;        /* blocks passed in sorting, by all calls */
    enum vma_failure failure;      /* of the current call */
    bool exhausted;                /* the current call has run out of steps */
    bool too_large;                /* the current call would have needed too much state */
    struct vma_observer *observer; /* NULL if there is none */
};

static inline struct vma_range *vma_range(const struct vma_allocator *allocator, uint32_t index)
{
    return (struct vma_range *)(void *)allocator->ranges.items + index;
}

static inline struct vma_allocation *vma_allocation(const struct vma_allocator *allocator,
                                                    uint32_t index)
{
    return (struct vma_allocation *)(void *)allocator->allocations.items + index;
}

static inline struct vma_block *vma_block(const struct vma_allocator *allocator, uint32_t index)
{
    return (struct vma_block *)(void *)allocator->blocks.items + index;
}

static inline struct vma_vector *vma_vector(const struct vma_allocator *allocator, uint32_t index)
{
    return (struct vma_vector *)(void *)allocator->vectors.items + index;
}

static inline struct vma_pool *vma_pool(const struct vma_allocator *allocator, uint32_t index)
{
    return (struct vma_pool *)(void *)allocator->pools.items + index;
}

static inline struct vma_context *vma_context(const struct vma_allocator *allocator, uint32_t index)
{
    return (struct vma_context *)(void *)allocator->contexts.items + index;
}

/* What all allocators of one recording have in common. */
struct vma_allocator_params {
    const struct vma_device *device; /* must outlive the allocator */
    const struct vma_macros *macros; /* must outlive the allocator */
    const uint8_t *data;
    uint64_t max_bytes;
    bool budget;
    bool told;
    enum vma_algorithm pool_algorithm; /* of all pools, or VMA_ALGORITHM_RECORDED */
};

/* Makes an allocator without allocations. Returns 0 or -ENOMEM. */
int vma_allocator_init(struct vma_allocator *allocator, const struct vma_allocator_params *params);
void vma_allocator_clear(struct vma_allocator *allocator);

/*
 * Copies an allocator, without spare room and without the observer. Overwrites *out. Returns 0 or
 * -ENOMEM.
 */
int vma_allocator_copy(const struct vma_allocator *allocator, struct vma_allocator *out);

/* Returns the size of the state in bytes, which is what a copy takes. */
size_t vma_allocator_bytes(const struct vma_allocator *allocator);

/*
 * Ensures that `more` items of one of the allocator's slabs can be taken. Returns 0 or -ENOMEM.
 * Returns -ENOSPC if the state would exceed max_bytes, and sets too_large.
 */
int vma_grow(struct vma_allocator *allocator, struct vma_slab *slab, uint32_t more);

/* Begins a call: resets the steps and flags of the last call. */
void vma_allocator_begin_call(struct vma_allocator *allocator);

/* Counts a step of searching. Returns false if the call has exhausted its share. */
static inline bool vma_step(struct vma_allocator *allocator)
{
    uint64_t max = allocator->all_steps < VMA_STEPS_ALL ? VMA_STEPS_A_CALL : VMA_STEPS_LATER;

    if (++allocator->steps <= max)
        return true;
    allocator->exhausted = true;
    return false;
}

/* What one call requests (vma.md 3.2). */
struct vma_request {
    uint64_t size, alignment;
    uint32_t type_bits; /* from the requirements */
    bool requires_dedicated, prefers_dedicated;
    enum vma_label label;
    uint32_t flags, usage, required, preferred, memory_type_bits;
    uint32_t pool; /* VMA_NONE for the default vectors */
    uint32_t resource_usage;
};

/*
 * Makes `count` allocations and stores their indexes in `out`: all of them, or none. Returns 0,
 * -ENOSPC if the call fails as the library's would, or -ENOMEM if memory is short.
 */
int vma_allocate(struct vma_allocator *allocator, const struct vma_request *request, uint32_t count,
                 uint32_t *out);

/*
 * Makes an allocation without memory: created lost, or null because its call failed here. Returns
 * 0, -ENOSPC or -ENOMEM.
 */
int vma_allocate_nowhere(struct vma_allocator *allocator, enum vma_place_kind place, uint32_t *out);

/* Ends an allocation of any place. */
void vma_free(struct vma_allocator *allocator, uint32_t allocation_index);

/* Sets the frame of last use. */
void vma_touch(struct vma_allocator *allocator, uint32_t allocation_index);

struct vma_pool_request {
    uint32_t ordinal; /* counts all vmaCreatePool lines */
    uint32_t type, flags, frames_in_use;
    uint64_t block_size, min_count, max_count;
};

/* Creates a pool. Returns 0, -ENOSPC if the creation fails, or -ENOMEM. */
int vma_pool_create(struct vma_allocator *allocator, const struct vma_pool_request *request,
                    uint32_t *out);
void vma_pool_destroy(struct vma_allocator *allocator, uint32_t pool_index);

/* Names a pool: `length` bytes at the offset `name` in the file. */
void vma_pool_name(struct vma_allocator *allocator, uint32_t pool_index, uint64_t name,
                   uint32_t length);

/* Makes all eligible allocations of a pool lost (vma.md 3.8). */
void vma_pool_make_lost(struct vma_allocator *allocator, uint32_t pool);

/* Returns whether an allocation can be made lost now. */
bool vma_can_become_lost(const struct vma_allocator *allocator,
                         const struct vma_allocation *allocation, uint32_t frames_in_use);

struct vma_defragmentation {
    const uint32_t *allocations, *pools; /* without unknown and null entries */
    uint32_t allocation_count, pool_count;
    uint64_t cpu_bytes, gpu_bytes;
    uint32_t cpu_allocations, gpu_allocations;
    bool has_command_buffer;
};

/*
 * Moves allocations (vma.md 3.9). Sets *context to a context for vma_defragment_end(), which has
 * something to do only if the GPU moved something. Returns 0, -ENOMEM, or -ENOSPC if there is no
 * room for a context.
 */
int vma_defragment(struct vma_allocator *allocator, const struct vma_defragmentation *what,
                   uint32_t *context);
void vma_defragment_end(struct vma_allocator *allocator, uint32_t context_index);

/* Returns the size of the largest free range of all blocks. */
uint64_t vma_largest_free(const struct vma_allocator *allocator);

/* Returns the free bytes of all blocks that are not in the block's largest free range. */
uint64_t vma_fragmented(const struct vma_allocator *allocator);

/* Returns a heap's budget in bytes. */
uint64_t vma_budget(const struct vma_allocator *allocator, uint32_t heap);

/* Returns how many bytes of a heap's budget are free; UINT64_MAX without budgets. */
uint64_t vma_budget_free(const struct vma_allocator *allocator, uint32_t heap);

#endif

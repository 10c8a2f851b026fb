/* SPDX-License-Identifier: MIT */
/*
 * The simulated allocator (vma.md 3): what VMA 2.3.0 would hold after the calls
 * so far. A state machine of integers: the same calls give the same state, and a
 * copy of a state goes on like its original. This header has the state; what is
 * done to it stands in one file for each concern:
 *
 *     allocator_state.c       making and copying a state
 *     range.c                 ranges of a block, their order and their index by size
 *     placement.c            where an allocation goes in a block: default, linear, buddy
 *     vector.c                blocks of a memory type or pool, and pools
 *     allocate.c              one call: memory type, block or dedicated memory
 *     lost_allocations.c      allocations that are lost
 *     defragment.c            moving allocations
 *     imported.c              states that are told, in imported.h
 *     tally.c                 sums and text lengths, kept as things change
 *
 * Not shared among threads; a copy may go to another one.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_ALLOCATOR_H

#include "formats/vma/decode/decode.h"
#include "formats/vma/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Items of one size in one growing array, named by their index: an allocator's
 * state is a handful of slabs, and a copy of it a handful of memcpy(). Index 0
 * is never taken.
 */
enum { VMA_NONE = 0 };

struct vma_slab {
    uint8_t *items;
    uint32_t item_size; /* at least 4 */
    uint32_t count;     /* items ever taken, and item 0 */
    uint32_t room;
    uint32_t vacant; /* first of the list of items given back */
    uint32_t used;   /* items in use */
};

void vma_slab_init(struct vma_slab *slab, size_t item_size);
void vma_slab_clear(struct vma_slab *slab);

/* Makes sure that `more` items can be taken. 0 or -ENOMEM. Moves the items. */
int vma_slab_reserve(struct vma_slab *slab, uint32_t more);

/* A zeroed item, room for which was reserved. */
uint32_t vma_slab_take(struct vma_slab *slab);
void vma_slab_give(struct vma_slab *slab, uint32_t index);

/* A copy with room for its items only; *out is overwritten. 0 or -ENOMEM. */
int vma_slab_copy(const struct vma_slab *slab, struct vma_slab *out);

static inline void *vma_slab_at(const struct vma_slab *slab, uint32_t index)
{
    return slab->items + (size_t)index * slab->item_size;
}

static inline size_t vma_slab_bytes(const struct vma_slab *slab)
{
    return (size_t)slab->count * slab->item_size;
}

/* Flags of allocations that rules look at (vma.md 2.5). */
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

/* Why a call fails; of several attempts the last one's (vma.md 3.14). */
enum vma_failure {
    VMA_FAILURE_NONE,
    VMA_FAILURE_REQUEST,    /* flags that contradict each other, size 0, or no 64 bits */
    VMA_FAILURE_TYPE,       /* no memory type is what it asks for */
    VMA_FAILURE_BLOCK_SIZE, /* it does not fit a block of the preferred size */
    VMA_FAILURE_NEVER,      /* no room, and it may make none (NEVER_ALLOCATE) */
    VMA_FAILURE_POOL,       /* no room, and the pool may have no more blocks */
    VMA_FAILURE_BUDGET,     /* beyond the heap's budget */
    VMA_FAILURE_HEAP,       /* the heap has no room */
    VMA_FAILURE_COUNT,      /* maxMemoryAllocationCount */
    VMA_FAILURE_LIMIT,      /* a limit of the simulation (vma.md 5) */
    VMA_FAILURES,
};

enum vma_algorithm {
    VMA_ALGORITHM_DEFAULT,
    VMA_ALGORITHM_LINEAR,
    VMA_ALGORITHM_BUDDY,
    VMA_ALGORITHM_RECORDED, /* as a pool's flags say; of settings alone */
};

/* Caps against hostile recordings (vma.md 5). */
enum {
    VMA_BLOCKS_A_VECTOR = 1 << 16,
    VMA_BLOCKS = 1 << 20,
    VMA_STEPS_A_CALL = 1 << 22, /* of searching and moving; then the call fails */
    VMA_STEPS_LATER = 1 << 9,   /* the same once VMA_STEPS_ALL are used up */
};
#define VMA_STEPS_ALL         (UINT64_C(1) << 27)
#define VMA_SORTING_STEPS_ALL (UINT64_C(1) << 28) /* of all frees; then VMA_STEPS_LATER each */

/* A part of a block: used by one allocation, or free. */
struct vma_range {
    uint64_t offset, size;
    uint32_t previous, next; /* in the block, by offset */
    uint32_t allocation;     /* VMA_NONE: free */
    uint32_t block;
    /* Default blocks: smaller and greater ones in the index of free ranges by size. Buddy
     * blocks: the previous and next one in a level's free list. */
    uint32_t child[2];
    uint32_t up; /* parent in that index; buddy: level, or one of the two below */
};

enum { VMA_BUDDY_REST = 62, VMA_BUDDY_TAIL = 63 };

enum vma_place_kind {
    VMA_PLACE_NULL,      /* its call failed here, not in the recording */
    VMA_PLACE_BLOCK,     /* a range of a block */
    VMA_PLACE_DEDICATED, /* a device allocation of its own */
    VMA_PLACE_LOST,      /* nowhere any more, or created lost */
    VMA_PLACE_ORPHAN,    /* its pool was destroyed */
};

struct vma_allocation {
    uint64_t size, alignment;
    uint64_t pointer;           /* its name in the recording */
    uint64_t user;              /* user data: a pointer, or the offset of a string in the file */
    uint32_t user_length;       /* of the string */
    uint32_t user_field_length; /* the same, as a table's cell */
    uint32_t user_json_length;  /* and as JSON does */
    uint32_t packet;            /* that created it */
    uint32_t frame;             /* of the mount, that packet's */
    uint32_t number;            /* by creation, from 0 */
    uint32_t range;             /* VMA_PLACE_BLOCK */
    uint32_t vector;            /* VMA_PLACE_BLOCK */
    uint32_t previous, next;    /* VMA_PLACE_DEDICATED: its type's list */
    uint32_t created, last_use; /* frame indexes */
    uint32_t flags, usage;
    uint32_t resource_usage; /* of the buffer or image; 0: neither */
    uint32_t maps;
    uint32_t json_length, row_length; /* of its printed members, without what a place adds */
    uint8_t place;                    /* enum vma_place_kind */
    uint8_t label;                    /* enum vma_label */
    uint8_t type;                     /* memory type */
    uint8_t function; /* enum vma_function_id of its call; VMA_FUNCTIONS: not known */
    bool named;       /* the pointer means it */
    bool string;      /* user data is a string */
    bool estimated;   /* size and alignment by rule R1 */
};

enum vma_linear_mode { VMA_LINEAR_NONE, VMA_LINEAR_RING, VMA_LINEAR_STACK };

/* Parts of the index of free ranges by size: one for each power of two (range.c). */
enum { VMA_TREAPS = 32 };

struct vma_block {
    uint64_t free; /* size - bytes of its allocations */
    uint64_t size;
    uint32_t previous, next; /* in its vector */
    uint32_t vector;
    uint32_t id;
    uint32_t first_range, last_range;
    uint32_t allocations, free_ranges;
    uint32_t json_length; /* as it stands in the vector's sum */
    uint64_t rows_length; /* of its ranges, printed */
    union {
        struct {             /* default: the index of free ranges by size */
            uint32_t treaps; /* those that hold something, one bit each */
            uint32_t roots[VMA_TREAPS];
        };
        struct { /* linear: ends of the two lists; ranges between them are in order */
            uint32_t first_head, first_tail, second_head, second_tail;
            enum vma_linear_mode mode;
        };
        struct {             /* buddy */
            uint32_t levels; /* in the slab of free lists */
            uint32_t level_count;
            uint64_t usable;
        };
    };
};

enum { VMA_BUDDY_LEVELS = 30, VMA_BUDDY_MIN_NODE = 32 };

struct vma_buddy_levels {
    uint32_t first[VMA_BUDDY_LEVELS];
};

/* The blocks of a memory type, or of a pool. */
struct vma_vector {
    uint64_t preferred; /* block size */
    uint64_t min_count, max_count;
    uint64_t granularity;
    uint64_t json_length; /* of its blocks, printed */
    uint32_t type, heap;
    uint32_t frames_in_use;
    uint32_t first_block, last_block;
    uint32_t count, empty; /* blocks, and those that hold nothing */
    uint32_t next_id;
    uint32_t pool;   /* VMA_NONE: a type's default vector */
    uint32_t serial; /* differs from that of an earlier one of the same index */
    enum vma_algorithm algorithm;
    uint8_t place_length; /* of the columns type, heap and pool of live.tsv */
    bool explicit_size;
};

struct vma_pool {
    uint64_t pointer;
    uint64_t name;        /* offset in the file */
    uint64_t json_length; /* as it stands in the allocator's sum */
    uint32_t json_frame;  /* of it: what does not depend on the blocks; 0: not yet measured */
    uint32_t name_length;
    uint32_t vector;         /* VMA_NONE: its creation failed here, not in the recording */
    uint32_t id;             /* over the successful creations */
    uint32_t ordinal;        /* over all vmaCreatePool lines */
    uint32_t packet;         /* that created it */
    uint32_t previous, next; /* in order of creation */
    uint8_t slot;            /* of the memory map; VMA_NO_SLOT */
    bool named;              /* the pointer means it */
    bool in_use;             /* false: given back */
};

enum { VMA_NO_SLOT = 255 };

/* An open defragmentation (vma.md 3.9). */
struct vma_context {
    uint64_t pointer;
    uint32_t packet;
    uint32_t first_member; /* of the vectors whose empty blocks are freed at its end */
    bool named;            /* the pointer means it */
    bool in_use;           /* false: given back */
};

struct vma_context_member {
    uint32_t vector, serial;
    uint32_t next;
};

enum { VMA_DIGITS = 21 }; /* decimal digits of a number, 1 to 20 */

/*
 * Sums over a memory type. Sizes are also counted by their number of digits, so
 * that the lengths of smallest and greatest ones are known at any time: apart for
 * "Min" and "Max", since the library leaves some blocks out of each (vma.md 3.11).
 */
struct vma_tally {
    uint64_t blocks, dedicated;
    uint64_t allocations, unused_ranges;
    uint64_t block_bytes, used_bytes; /* block bytes include dedicated ones */
    uint32_t min_used[VMA_DIGITS], max_used[VMA_DIGITS];
    uint32_t min_unused[VMA_DIGITS], max_unused[VMA_DIGITS];
};

struct vma_type_state {
    struct vma_tally tally;
    uint64_t dedicated_json_length;
    uint64_t device_allocations;           /* in force */
    uint64_t ever_allocations, ever_bytes; /* device allocations that succeeded */
    uint32_t first_dedicated, last_dedicated;
    uint32_t vector; /* the default one */
};

struct vma_heap_state {
    uint64_t block_bytes, allocation_bytes;
    uint64_t device_allocations;
    uint64_t told_budget, told_usage; /* of a state that is told */
};

struct vma_allocator;

/* Told of what happens to allocations on the way; for the history of a whole recording. */
struct vma_observer {
    void (*moved)(struct vma_observer *observer, const struct vma_allocation *allocation);
    void (*lost)(struct vma_observer *observer, const struct vma_allocation *allocation);
};

struct vma_allocator {
    /* Fixed at creation. */
    const struct vma_device *device;
    const struct vma_macros *macros;
    const uint8_t *data; /* the file, for the lengths of user data */
    uint64_t granularity;
    uint64_t max_bytes; /* of state; calls that would need more fail */
    bool budget;        /* memory budgets as of 2.3; false: as in 2.1 and 2.2 */
    bool told;          /* it is not simulated (imported.h): the device refuses nothing */
    enum vma_algorithm pool_algorithm; /* of all pools, or VMA_ALGORITHM_RECORDED */

    struct vma_slab ranges, allocations, blocks, vectors, pools, levels, contexts, members;
    struct vma_type_state types[VMA_TYPES];
    struct vma_heap_state heaps[VMA_HEAPS];
    uint32_t first_pool, last_pool;
    uint32_t next_pool_id;
    uint32_t null_pools; /* without a vector */
    uint32_t vector_serial;
    uint32_t frame_index; /* current */

    /* Allocations by what has become of them. */
    uint64_t live, lost, null, orphans;
    uint64_t mapped;          /* live ones with a map count */
    uint64_t estimated_bytes; /* of live ones */
    uint64_t rows_length;     /* of live.tsv without its header */
    uint64_t pools_json_length;
    uint64_t device_allocations;

    uint32_t touched;              /* memory types whose sums have changed, one bit each */
    uint64_t steps;                /* used by the current call */
    uint64_t all_steps;            /* used by all calls */
    uint64_t sorting_steps;        /* blocks passed in sorting, by all calls */
    enum vma_failure failure;      /* of the current call */
    bool exhausted;                /* the current call ran out of steps */
    bool too_large;                /* the current call would have needed too much state */
    struct vma_observer *observer; /* NULL: none */
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

/* What every allocator of one recording has in common. */
struct vma_allocator_params {
    const struct vma_device *device; /* outlives the allocator */
    const struct vma_macros *macros; /* likewise */
    const uint8_t *data;
    uint64_t max_bytes;
    bool budget;
    bool told;
    enum vma_algorithm pool_algorithm; /* of all pools, or VMA_ALGORITHM_RECORDED */
};

int vma_allocator_init(struct vma_allocator *allocator, const struct vma_allocator_params *params);
void vma_allocator_clear(struct vma_allocator *allocator);

/* A copy without spare room and without observer. *out is overwritten. 0 or -ENOMEM. */
int vma_allocator_copy(const struct vma_allocator *allocator, struct vma_allocator *out);

/* Bytes of the state, as a copy takes. */
size_t vma_allocator_bytes(const struct vma_allocator *allocator);

/* Room for more items of one of its slabs. 0, -ENOMEM; -ENOSPC beyond the cap: too_large is set. */
int vma_grow(struct vma_allocator *allocator, struct vma_slab *slab, uint32_t more);

/* A call begins: steps and marks of the last one are forgotten. */
void vma_allocator_begin_call(struct vma_allocator *allocator);

/* Counts steps of searching; false when the call has used up its share. */
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
    uint32_t type_bits; /* of the requirements */
    bool requires_dedicated, prefers_dedicated;
    enum vma_label label;
    uint32_t flags, usage, required, preferred, memory_type_bits;
    uint32_t pool; /* VMA_NONE: default vectors */
    uint32_t resource_usage;
};

/*
 * Makes `count` allocations; their indexes go to `out`. 0; -ENOSPC when the call
 * fails, as the library's would; -ENOMEM when there is no memory to go on.
 */
int vma_allocate(struct vma_allocator *allocator, const struct vma_request *request, uint32_t count,
                 uint32_t *out);

/* An allocation that is nowhere: created lost, or null because its call failed here. */
int vma_allocate_nowhere(struct vma_allocator *allocator, enum vma_place_kind place, uint32_t *out);

/* Ends an allocation, wherever it lies. */
void vma_free(struct vma_allocator *allocator, uint32_t allocation_index);

/* Sets the frame of last use; also done by vma_free(). */
void vma_touch(struct vma_allocator *allocator, uint32_t allocation_index);

struct vma_pool_request {
    uint32_t ordinal; /* over all vmaCreatePool lines */
    uint32_t type, flags, frames_in_use;
    uint64_t block_size, min_count, max_count;
};

/* 0, -ENOSPC when the creation fails, -ENOMEM. */
int vma_pool_create(struct vma_allocator *allocator, const struct vma_pool_request *request,
                    uint32_t *out);
void vma_pool_destroy(struct vma_allocator *allocator, uint32_t pool_index);

/* Its name: bytes of the file, at an offset. */
void vma_pool_name(struct vma_allocator *allocator, uint32_t pool_index, uint64_t name,
                   uint32_t length);

/* All eligible allocations of a pool are lost (vma.md 3.8). */
void vma_pool_make_lost(struct vma_allocator *allocator, uint32_t pool);

/* Whether an allocation can be made lost now. */
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
 * Moves allocations (vma.md 3.9). *context is for vma_defragment_end(), which has
 * something to do only if the GPU was to move. 0, -ENOMEM; -ENOSPC: there is no room for it.
 */
int vma_defragment(struct vma_allocator *allocator, const struct vma_defragmentation *what,
                   uint32_t *context);
void vma_defragment_end(struct vma_allocator *allocator, uint32_t context_index);

/* The largest free range, by the blocks' indexes. */
uint64_t vma_largest_free(const struct vma_allocator *allocator);

/* Free bytes of blocks outside of each one's largest free range. */
uint64_t vma_fragmented(const struct vma_allocator *allocator);

/* The heap's budget and how much of it is used; UINT64_MAX and 0 without budgets. */
uint64_t vma_budget(const struct vma_allocator *allocator, uint32_t heap);
uint64_t vma_budget_free(const struct vma_allocator *allocator, uint32_t heap);

#endif

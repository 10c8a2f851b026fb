/*
 * Places of a dump: all that a walk over the command stream needs to go on from
 * there, kept small. Of sixteen checkpoints that follow each other the first is kept
 * whole and the others as the words in which they differ from it. Appended by
 * one thread; read by any, up to psx_parser_states_count().
 */
#ifndef GPUDUMPFS_PSX_INDEX_PARSER_STATE_H
#define GPUDUMPFS_PSX_INDEX_PARSER_STATE_H

#include "formats/psx/gpu/gpu.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Between two steps of a walk. Plain data. */
struct psx_parser_state {
    uint64_t packet; /* that it stands in, or before */
    uint64_t offset; /* of that packet's header */
    uint64_t frame;  /* PSX_INITIAL before the first */
    uint32_t word;   /* words of the packet that are behind it */
    /* Of this frame, so far: lines of commands.txt begun; draws and uploads carried out. */
    uint32_t lines, draws, uploads;
    uint64_t command_packet; /* where the GP0 command in progress began */
    uint64_t read_packet;    /* where the open read's C0 began */
    uint32_t command_word, read_word;
    struct psx_state state;
};

static inline bool psx_parser_state_is_before(const struct psx_parser_state *at, uint64_t packet,
                                              uint32_t word)
{
    return at->packet < packet || (at->packet == packet && at->word < word);
}

struct psx_parser_states {
    uint32_t *words;   /* address space for the largest number; used as it fills */
    uint32_t *offsets; /* of each checkpoint, in words */
    uint64_t most;
    uint64_t used; /* of words */
    atomic_uint_fast64_t count;
};

/* Room for `most` checkpoints. 0 or -ENOMEM. */
int psx_parser_states_init(struct psx_parser_states *checkpoints, uint64_t most);
void psx_parser_states_clear(struct psx_parser_states *checkpoints);

/* -ENOSPC when there is no room left. */
int psx_parser_states_add(struct psx_parser_states *checkpoints,
                          const struct psx_parser_state *checkpoint);

static inline uint64_t psx_parser_states_count(const struct psx_parser_states *checkpoints)
{
    return atomic_load_explicit(&checkpoints->count, memory_order_acquire);
}

/* number < psx_parser_states_count() */
void psx_parser_states_get(const struct psx_parser_states *checkpoints, uint64_t number,
                           struct psx_parser_state *out);

/* The number of the last checkpoint not after that word; 0 if all are. */
uint64_t psx_parser_states_find(const struct psx_parser_states *checkpoints, uint64_t packet,
                                uint32_t word);

#endif

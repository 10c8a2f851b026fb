/* SPDX-License-Identifier: MIT */
/*
 * A walk over the dump's command stream from any known checkpoint, one step at a
 * time: a GP0 event, a GP1 word, or a packet that holds neither. All that reads
 * the stream without drawing goes through it: the index, commands.txt, the
 * packet tables. One thread per walk; the index is only read.
 */
#ifndef GPUDUMPFS_PSX_INDEX_WALK_H
#define GPUDUMPFS_PSX_INDEX_WALK_H

#include "formats/psx/index/index.h"

enum psx_step_kind {
    PSX_STEP_GP0,    /* `event`; its type may be GP0_EVENT_NONE: words that complete nothing yet */
    PSX_STEP_GP1,    /* `gp1` */
    PSX_STEP_PACKET, /* a whole packet, neither gp0 nor gp1, or without words */
};

struct psx_step {
    enum psx_step_kind kind;
    uint64_t number;          /* of the packet */
    struct psx_packet packet; /* that it stands in */
    uint32_t word;            /* its first word within the payload */
    uint32_t words;           /* how many it takes */
    struct psx_gp0_event event;
    uint32_t gp1;
};

struct psx_walk {
    const struct psx_index *index;
    struct psx_parser_state at; /* behind the last step */
};

/* From power-on, before the first packet. */
void psx_walk_start(struct psx_walk *walk, const struct psx_index *index);

/* From a checkpoint that the index keeps. */
void psx_walk_resume(struct psx_walk *walk, const struct psx_index *index,
                     const struct psx_parser_state *checkpoint);

/*
 * The next step; false at the end of the dump. at.state is then still that before
 * the step (its parser aside), so that what is drawn can be told from it, until
 * psx_walk_apply() carries the step out.
 */
bool psx_walk_next(struct psx_walk *walk, struct psx_step *step);
void psx_walk_apply(struct psx_walk *walk, const struct psx_step *step);

/* Sees a step before it is applied: 0, or -errno, which ends the walk. */
typedef int (*psx_walk_visit)(void *context, const struct psx_walk *walk,
                              const struct psx_step *step);

/*
 * Shows the steps from the walk's position on and before that word; the walk ends there. 0, -EINTR,
 * or what `visit` returned.
 */
int psx_walk_each(struct psx_walk *walk, uint64_t packet, uint32_t word, psx_walk_visit visit,
                  void *context, const struct cancel *cancel);

/* Likewise from a checkpoint of the index, by its number, to the next one, which is there. */
int psx_walk_checkpoint(const struct psx_index *index, uint64_t checkpoint, psx_walk_visit visit,
                        void *context, const struct cancel *cancel);

/* Follows the stream to that word. 0 or -EINTR. */
int psx_walk_to(struct psx_walk *walk, uint64_t packet, uint32_t word, const struct cancel *cancel);

/* For loops over steps: looks at `cancel` now and then, since a step takes nanoseconds. */
static inline bool psx_walk_cancelled(unsigned *steps, const struct cancel *cancel)
{
    return ++*steps % 4096 == 0 && cancel_requested(cancel);
}

/* Whether a packet's word count stands in its payload: 03 and 04. */
static inline bool psx_step_reads(const struct psx_step *step)
{
    return step->kind == PSX_STEP_PACKET &&
           (step->packet.type == PSX_PACKET_DISCARD || step->packet.type == PSX_PACKET_READBACK);
}

/* Whether it is a copy, all of whose words stand there. */
static inline bool psx_step_is_whole_copy(const struct psx_step *step)
{
    return step->kind == PSX_STEP_GP0 && step->event.type == GP0_EVENT_COMMAND &&
           psx_gp0_table[step->event.op].kind == GP0_COPY && step->words == step->event.count;
}

/* How many words a packet 03 or 04 takes. */
uint32_t psx_step_read_words(const struct psx_step *step);

/* Whether this GP1 word drops the command in progress. */
static inline bool psx_gp1_aborts(uint32_t word)
{
    return (word >> 24 & 0x3F) <= 1;
}

/* Whether the data of an upload may go elsewhere, or nowhere, from this GP1 word on. */
static inline bool psx_gp1_turns_data(uint32_t word)
{
    return psx_gp1_aborts(word) || (word >> 24 & 0x3F) == 0x09;
}

/* Kinds that draws.tsv lists: polygons, lines, rectangles, fills, copies. */
bool psx_kind_draws(enum psx_gp0_kind kind);

#endif

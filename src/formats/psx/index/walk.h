/* SPDX-License-Identifier: MIT */
/*
 * A walk over the dump's command stream from any known checkpoint, one step at a time: a GP0 event,
 * a GP1 word, or a packet that contains neither. All code that reads the stream without drawing
 * uses it: the index, commands.txt, the packet tables. One thread per walk; the index is only read.
 */
#ifndef GPUDUMPFS_PSX_INDEX_WALK_H
#define GPUDUMPFS_PSX_INDEX_WALK_H

#include "formats/psx/index/index.h"

enum psx_step_kind {
    PSX_STEP_GP0,    /* `event` is set; GP0_EVENT_NONE if the words complete nothing yet */
    PSX_STEP_GP1,    /* `gp1` is set */
    PSX_STEP_PACKET, /* a complete packet, neither gp0 nor gp1, or without words */
};

struct psx_step {
    enum psx_step_kind kind;
    uint64_t number;          /* number of the packet */
    struct psx_packet packet; /* the packet that contains the step */
    uint32_t word;            /* index of its first word in the payload */
    uint32_t words;           /* number of its words */
    struct psx_gp0_event event;
    uint32_t gp1;
};

struct psx_walk {
    const struct psx_index *index;
    struct psx_parser_state at; /* the state after the last step */
};

/* Starts at power-on, before the first packet. */
void psx_walk_start(struct psx_walk *walk, const struct psx_index *index);

/* Starts at a checkpoint that the index keeps. */
void psx_walk_resume(struct psx_walk *walk, const struct psx_index *index,
                     const struct psx_parser_state *checkpoint);

/*
 * Reads the next step; returns false at the end of the dump. Until psx_walk_apply() carries the
 * step out, at.state (except its parser) is still the state before the step, from which the caller
 * can tell what the step draws.
 */
bool psx_walk_next(struct psx_walk *walk, struct psx_step *step);

/* Carries out the step that psx_walk_next() read: at.state becomes the state after it. */
void psx_walk_apply(struct psx_walk *walk, const struct psx_step *step);

/* Sees a step before it is applied. Returns 0, or -errno, which ends the walk. */
typedef int (*psx_walk_visit)(void *context, const struct psx_walk *walk,
                              const struct psx_step *step);

/*
 * Shows `visit` the steps from the walk's position up to that word, where the walk ends. Returns 0,
 * -EINTR, or the error that `visit` returned.
 */
int psx_walk_each(struct psx_walk *walk, uint64_t packet, uint32_t word, psx_walk_visit visit,
                  void *context, const struct cancel *cancel);

/* The same from checkpoint number `checkpoint` of the index to the next one, which must exist. */
int psx_walk_checkpoint(const struct psx_index *index, uint64_t checkpoint, psx_walk_visit visit,
                        void *context, const struct cancel *cancel);

/* Follows the stream to that word. Returns 0 or -EINTR. */
int psx_walk_to(struct psx_walk *walk, uint64_t packet, uint32_t word, const struct cancel *cancel);

/* For loops over steps: checks `cancel` every 4096 steps, since a step takes nanoseconds. */
static inline bool psx_walk_cancelled(unsigned *steps, const struct cancel *cancel)
{
    return ++*steps % 4096 == 0 && cancel_requested(cancel);
}

/* Returns whether the step is a packet 03 or 04, whose payload says how many words are read. */
static inline bool psx_step_reads(const struct psx_step *step)
{
    return step->kind == PSX_STEP_PACKET &&
           (step->packet.type == PSX_PACKET_DISCARD || step->packet.type == PSX_PACKET_READBACK);
}

/* Returns whether the step is a copy and has all of its words. */
static inline bool psx_step_is_whole_copy(const struct psx_step *step)
{
    return step->kind == PSX_STEP_GP0 && step->event.type == GP0_EVENT_COMMAND &&
           psx_gp0_table[step->event.op].kind == GP0_COPY && step->words == step->event.count;
}

/* Returns how many words a packet 03 or 04 requests. */
uint32_t psx_step_read_words(const struct psx_step *step);

/* Returns whether this GP1 word drops the command in progress. */
static inline bool psx_gp1_aborts(uint32_t word)
{
    return (word >> 24 & 0x3F) <= 1;
}

/* Returns whether an upload's data after this GP1 word may go to another place, or nowhere. */
static inline bool psx_gp1_turns_data(uint32_t word)
{
    return psx_gp1_aborts(word) || (word >> 24 & 0x3F) == 0x09;
}

/*
 * Returns whether draws.tsv lists commands of that kind: polygons, lines, rectangles, fills,
 * copies.
 */
bool psx_kind_draws(enum psx_gp0_kind kind);

#endif

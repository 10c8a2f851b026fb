/*
 * From a position in the dump to video memory: the one place that decides from
 * where a replay starts. Machines are kept after their use, so that who reads on
 * finds the last state; VRAM that the cache holds serves as a start too. Any
 * thread; a machine belongs to one at a time.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_H
#define GPUDUMPFS_PSX_REPLAY_H

#include "formats/psx/draw.h"
#include "formats/psx/gpu.h"
#include "formats/psx/psx.h"

/* A GPU and how far it has come. */
struct psx_machine {
    struct psx_gpu *gpu;
    uint64_t packet; /* all before it are carried out */
    uint64_t offset; /* of that packet */
    uint64_t frame;  /* the first that starts at that packet or later */
    struct psx_machine *next;
};

/* What a replay is to give. */
struct psx_want {
    uint64_t packet;     /* the state before this packet … */
    uint64_t upto;       /* … or before any other up to this one, which have the same VRAM */
    struct psx_box area; /* the pixels that are needed, with wraps; others may hold anything */
};

int psx_replay_create(const struct psx_dump *dump, struct psx_replay **out);
void psx_replay_destroy(struct psx_replay **replay);

/* A machine in that state, for psx_replay_give(). 0, -ENOMEM, or -EINTR. */
int psx_replay_take(struct psx_dump *dump, const struct psx_want *want, const struct cancel *cancel,
                    struct psx_machine **out);

/* Keeps the machine for the next who wants it. Its GPU stands where `packet` says. */
void psx_replay_give(struct psx_dump *dump, struct psx_machine **machine);

/* Carries out one packet. 0, -ENOENT at the end, -EINTR: the machine is of no more use. */
int psx_machine_step(struct psx_machine *machine, const struct psx_index *index,
                     const struct cancel *cancel);

/* The same machine, while it stands at a frame's end, as a start for others: its palette. */
void psx_replay_offer(struct psx_dump *dump, const struct psx_machine *machine, uint64_t frame);

/* The end of a frame, of which all of VRAM is wanted. Needs the frame's counts. */
void psx_want_frame(const struct psx_index *index, uint64_t frame, struct psx_want *out);

#endif

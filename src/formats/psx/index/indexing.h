/* SPDX-License-Identifier: MIT */
/*
 * How an index is made (index.h): its packet pass, and the steps of its command pass, which
 * follow bytes as they come when the dump grows. Opened and closed by one thread.
 */
#ifndef GPUDUMPFS_PSX_INDEX_INDEXING_H
#define GPUDUMPFS_PSX_INDEX_INDEXING_H

#include "formats/psx/container.h"
#include "formats/psx/gpu/registers.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/walk.h"
#include "formats/psx/options.h"
#include "source/edited.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which field of 480i is displayed between two VSyncs: no packet says it, so it
 * follows from the VSyncs' times, or from toggling, as -o field= says (psx-dump.md
 * 3.5). Index and replay have it from here, so that they cannot disagree. Pure functions.
 */

/* CPU cycles between two VSync packets, modulo 2^32 if one has one word; 0: unknown. */
uint64_t psx_field_interval(const struct psx_packet *from, const struct psx_packet *to);

bool psx_field_is_interlaced(const struct psx_display *display);

/*
 * The field from the start of the trace up to VSync 0. `interval`: from VSync 0
 * to VSync 1, 0 when it is not known.
 */
uint8_t psx_field_first(enum psx_field_option rule, const struct psx_display *display,
                        uint64_t interval);

/*
 * The field from a VSync, at which `field` and `display` hold, up to the next
 * one. `interval`: from the next VSync to the one after it, 0 when not known.
 */
uint8_t psx_field_next(enum psx_field_option rule, const struct psx_display *display, uint8_t field,
                       uint64_t interval);

/*
 * Makes the packet pass over the dump, which has one of the two known magics. 0, -ENOMEM, or
 * -EINTR. Everything wrong with it becomes a problem. The source's bytes outlive the index.
 */
int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index);
void psx_index_close(struct psx_index *index);

/*
 * The same, but of a long dump without a kept index the packet pass is only begun; the rest is the
 * first part of the index task (psx_index_is_early()). Source and options outlive the index.
 */
int psx_index_open_later(const struct source *source, const struct options *options,
                         struct problems *problems, const struct cancel *cancel,
                         struct psx_index *index);

/* Bytes of a dump from which on that is so. Tests set less, before they open any. */
extern uint64_t psx_index_early_from;

/*
 * Keeps the index for the next opening of the dump, once, if that is wanted and it is complete.
 * The source and options are those of its opening. No other thread works on the command pass.
 */
void psx_index_keep(struct psx_index *index, const struct source *source,
                    const struct options *options);

/*
 * The same of a dump that edits have made of another one, with the same options: what that one's
 * index knows of the bytes that both have is taken over. It does not grow, and outlives the index.
 */
struct psx_index_edits {
    struct psx_index *origin;
    const struct source_edit *edits; /* as source_open_edited() has them */
    size_t count;
};

int psx_index_open_edited(const struct source *source, const struct options *options,
                          struct problems *problems, const struct cancel *cancel,
                          const struct psx_index_edits *edits, struct psx_index *index);

/*
 * The packet pass: headers, VSyncs, GP1 words, strings. Fills its part of an index whose data,
 * size, magic and defects are set.
 */
int psx_packet_index_make(struct psx_index *index, const struct psx_packet_index_limits *limits,
                          const struct cancel *cancel);

/*
 * The same in steps, of so many packets each; *ended tells that the index has its part. Until then
 * others may read of it what index.h says. 0 or -ENOMEM, after which there are no more steps.
 */
int psx_packet_index_begin(struct psx_index *index, const struct psx_packet_index_limits *limits,
                           struct psx_packet_index **out);
int psx_packet_index_step(struct psx_packet_index *packet_index, uint64_t packets, bool *ended);
void psx_packet_index_end(struct psx_packet_index **packet_index);

/*
 * The same of a dump that grows, whose arrays are made for all that the limits allow.
 * What it finds is not yet counted in the index: psx_packet_index_publish() does that.
 */
int psx_packet_index_create(struct psx_index *index, const struct psx_packet_index_limits *limits,
                            struct psx_packet_index **out);
void psx_packet_index_destroy(struct psx_packet_index **packet_index);

/*
 * Goes on over the whole packets of the first `size` bytes; with `all`, to the end,
 * as psx_packet_index_make() does. 0, -ENOMEM, -EINTR.
 */
int psx_packet_index_advance(struct psx_packet_index *packet_index, uint64_t size, bool all,
                             const struct cancel *cancel);

/* Whether a limit was reached: the dump is taken to end there. */
bool psx_packet_index_is_limited(const struct psx_packet_index *packet_index);

/* So many frames have ended, or all begun with `all`; index->frames has that many and one more. */
uint64_t psx_packet_index_frames(const struct psx_packet_index *packet_index);

/* Counts the first `frames` in the index, and what comes with them; all if `all`. */
void psx_packet_index_publish(struct psx_packet_index *packet_index, uint64_t frames, bool all);

/*
 * The command pass: follows the command stream and draws nothing. It can stop after any step
 * and go on later; one thread at a time. `max_checkpoints`: how many the index's memory
 * allows; the distance between them follows.
 */
int psx_command_index_create(struct psx_index *index, uint64_t max_checkpoints,
                             struct psx_command_index **out);
void psx_command_index_destroy(struct psx_command_index **command_index);

/* Whether there is address space for one now, of a dump that grows: 0 or -ENOMEM. */
int psx_command_index_try(struct psx_index *index, uint64_t max_checkpoints);

/*
 * Goes on for a few milliseconds at most, and not beyond what is indexed of a dump
 * that grows. 0, with *ended set when all is done, or -ENOMEM. What is known afterwards is told by
 * the two functions below.
 */
int psx_command_index_advance(struct psx_command_index *command_index, bool *ended);

uint64_t psx_command_index_packets(
    const struct psx_command_index *command_index); /* checkpoints reach this packet */
uint64_t psx_command_index_frames(
    const struct psx_command_index *command_index); /* counts of these frames are final */

/* Nothing that is told of these frames will change: no command that began in them goes on. */
uint64_t psx_command_index_whole_frames(const struct psx_command_index *command_index);

#endif

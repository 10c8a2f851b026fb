/* SPDX-License-Identifier: MIT */
/*
 * How an index is made (index.h): its packet pass, and the steps of its command pass. In a growing
 * dump both follow the bytes as they come. One thread opens and closes the index.
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
 * Which field of 480i is displayed between two VSyncs. The packets of a console do not carry it, so
 * it follows from the times of the VSyncs, or toggles, as -o field= selects (psx-dump.md 3.5).
 * Index and replay both use these functions, so that they cannot disagree. Pure functions.
 */

/*
 * Returns the CPU cycles between two VSync packets, modulo 2^32 if one of them has a time of one
 * word; 0 if unknown.
 */
uint64_t psx_field_interval(const struct psx_packet *from, const struct psx_packet *to);

/* Returns whether the display is interlaced, so that fields differ. */
bool psx_field_is_interlaced(const struct psx_display *display);

/*
 * Returns the field from the start of the trace up to VSync 0. `interval` is the time from VSync 0
 * to VSync 1 in cycles; 0 if unknown.
 */
uint8_t psx_field_first(enum psx_field_option rule, const struct psx_display *display,
                        uint64_t interval);

/*
 * Returns the field from a VSync, at which `field` and `display` hold, up to the next VSync.
 * `interval` is the time from the next VSync to the one after it in cycles; 0 if unknown.
 */
uint8_t psx_field_next(enum psx_field_option rule, const struct psx_display *display, uint8_t field,
                       uint64_t interval);

/*
 * Opens the index of a dump that has one of the two known magics, and makes the packet pass.
 * Returns 0, -ENOMEM or -EINTR. Defects of the dump become problems. The source's bytes must
 * outlive the index. After a failure there is nothing to close.
 */
int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index);
void psx_index_close(struct psx_index *index);

/*
 * The same, but only begins the packet pass of a long dump without a kept index. The rest of the
 * packet pass is then the first part of the index task (psx_index_is_early()). Source and options
 * must outlive the index.
 */
int psx_index_open_later(const struct source *source, const struct options *options,
                         struct problems *problems, const struct cancel *cancel,
                         struct psx_index *index);

/*
 * Length in bytes from which a dump counts as long here. Tests set a smaller value before they open
 * a dump.
 */
extern uint64_t psx_index_early_from;

/*
 * Keeps the index for the next opening of the dump, if that is requested and the index is complete.
 * Only the first call has an effect. `source` and `options` are those of the opening. No other
 * thread may be working on the command pass.
 */
void psx_index_keep(struct psx_index *index, const struct source *source,
                    const struct options *options);

/* How a dump was made of another one, its origin. */
struct psx_index_edits {
    struct psx_index *origin;        /* does not grow, and must outlive the new index */
    const struct source_edit *edits; /* as for source_open_edited() */
    size_t count;
};

/*
 * Opens the index of a dump that edits have made of another dump, with the same options. Takes over
 * what the origin's index knows of the bytes that both dumps have. Waits for the origin's packet
 * pass. Returns what psx_index_open() returns, or the error of the origin's pass.
 */
int psx_index_open_edited(const struct source *source, const struct options *options,
                          struct problems *problems, const struct cancel *cancel,
                          const struct psx_index_edits *edits, struct psx_index *index);

/*
 * Makes the packet pass over headers, VSyncs, GP1 words and strings. Fills its part of an index
 * whose data, size, magic and defects are set. Returns 0, -ENOMEM or -EINTR.
 */
int psx_packet_index_make(struct psx_index *index, const struct psx_packet_index_limits *limits,
                          const struct cancel *cancel);

/*
 * Begins the same pass, to be made in steps. Until it has ended, other threads may read of the
 * index only what index.h lists. Returns 0 or -ENOMEM.
 */
int psx_packet_index_begin(struct psx_index *index, const struct psx_packet_index_limits *limits,
                           struct psx_packet_index **out);

/*
 * Makes a step of at most `packets` packets. Sets *ended when the index has all of its part.
 * Returns 0, or -ENOMEM, after which no step may follow.
 */
int psx_packet_index_step(struct psx_packet_index *packet_index, uint64_t packets, bool *ended);

/* Frees the pass, which may be NULL, and sets it to NULL. */
void psx_packet_index_end(struct psx_packet_index **packet_index);

/*
 * The same for a growing dump. Reserves arrays for all that the limits allow. What the pass finds
 * does not count in the index until psx_packet_index_publish() is called. Returns 0 or -ENOMEM.
 * *out must be NULL before, and must be destroyed even if this fails.
 */
int psx_packet_index_create(struct psx_index *index, const struct psx_packet_index_limits *limits,
                            struct psx_packet_index **out);
void psx_packet_index_destroy(struct psx_packet_index **packet_index);

/*
 * Goes on over the packets that are complete in the first `size` bytes; with `all`, to the end, as
 * psx_packet_index_make() does. Returns 0, -ENOMEM or -EINTR.
 */
int psx_packet_index_advance(struct psx_packet_index *packet_index, uint64_t size, bool all,
                             const struct cancel *cancel);

/* Returns whether a limit was reached; the dump counts as ending there. */
bool psx_packet_index_is_limited(const struct psx_packet_index *packet_index);

/*
 * Returns how many frames have ended; with `all`, how many have begun. index->frames has one
 * element more.
 */
uint64_t psx_packet_index_frames(const struct psx_packet_index *packet_index);

/*
 * Makes the index count the first `frames` frames and what belongs to them; everything if `all` is
 * set.
 */
void psx_packet_index_publish(struct psx_packet_index *packet_index, uint64_t frames, bool all);

/*
 * The command pass follows the command stream and draws nothing. It can stop after any step and go
 * on later; one thread at a time. `max_checkpoints` is the number of checkpoints within frames that
 * the index's memory allows; the distance between them follows from it. Returns 0 or -ENOMEM.
 */
int psx_command_index_create(struct psx_index *index, uint64_t max_checkpoints,
                             struct psx_command_index **out);
void psx_command_index_destroy(struct psx_command_index **command_index);

/*
 * Returns 0 if there is address space for the command pass of a growing dump at present, otherwise
 * -ENOMEM.
 */
int psx_command_index_try(struct psx_index *index, uint64_t max_checkpoints);

/*
 * Goes on for a few milliseconds at most, and in a growing dump not beyond what is indexed. Returns
 * 0, with *ended set when everything is done, or -ENOMEM. The functions below return what is known
 * afterwards.
 */
int psx_command_index_advance(struct psx_command_index *command_index, bool *ended);

/* Returns the number of packets that the pass has followed. */
uint64_t psx_command_index_packets(const struct psx_command_index *command_index);

/* Returns the number of frames whose counts are final. */
uint64_t psx_command_index_frames(const struct psx_command_index *command_index);

/*
 * Returns the number of frames of which nothing will change any more, since no command that began
 * in them is still in progress.
 */
uint64_t psx_command_index_whole_frames(const struct psx_command_index *command_index);

#endif

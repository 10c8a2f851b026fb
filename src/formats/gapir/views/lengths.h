/* SPDX-License-Identifier: MIT */
/*
 * The lengths of texts that consist of the same stretches: what was formatted for one text need not
 * be formatted again for the size of the other. Any thread.
 *
 * disassembly.txt consists of the packets' texts; a stretch ends at the end of a packet and at the
 * marks within it (decode/scan.h). calls.txt consists of the frames' commands; a stretch ends at
 * the end of a frame and at the end of a piece (GAPIR_CALL_MARK).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H
#define GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H

#include "formats/gapir/decode/scan.h"
#include "formats/gapir/index.h"

#include <stdatomic.h>
#include <stdbool.h>

/*
 * Each stretch has a place, in the order of the text; not every place has a stretch. If all bytes
 * are zero, no length is known.
 */
struct gapir_lengths {
    atomic_uint *stretches;     /* [place]: length in bytes; 0 if not formatted yet */
    uint64_t count;             /* number of stretches */
    atomic_uint_fast64_t known; /* number of stretches whose length is known */
    atomic_uint_fast64_t bytes; /* sum of the known lengths */
};

/* Prepares for the stretches of disassembly.txt. Returns 0 or -ENOMEM. */
int gapir_lengths_init_packets(struct gapir_lengths *lengths, const struct gapir_scan *scan);

/* Prepares for the stretches of calls.txt. Returns 0 or -ENOMEM. */
int gapir_lengths_init_calls(struct gapir_lengths *lengths, const struct gapir_index *index);

void gapir_lengths_clear(struct gapir_lengths *lengths);

/* Returns the first mark after a pc, or mark_count if there is none. */
uint32_t gapir_lengths_mark_behind(const struct gapir_scan *scan, uint32_t pc);

/* Returns the place in disassembly.txt of the stretch that has a packet's instruction at `pc`. */
size_t gapir_lengths_packet_place(const struct gapir_scan *scan, uint32_t packet, uint32_t pc);

/* Returns the place in calls.txt of the stretch with call number `call`, which is in `frame`. */
size_t gapir_lengths_call_place(uint64_t frame, uint64_t call);

/* Notes the length of a stretch, which must not be 0. Noting it again changes nothing. */
void gapir_lengths_note(struct gapir_lengths *lengths, size_t place, unsigned bytes);

/*
 * Sums up the lengths of the stretches at the places from `first` to `last`. Returns false if one
 * of these lengths is not known, or a place has no stretch.
 */
bool gapir_lengths_between(const struct gapir_lengths *lengths, size_t first, size_t last,
                           uint64_t *bytes);

/* Sums up the lengths of all stretches. Returns false if not all of them are known. */
bool gapir_lengths_of_all(const struct gapir_lengths *lengths, uint64_t *bytes);

#endif

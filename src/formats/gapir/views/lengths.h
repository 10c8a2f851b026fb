/* SPDX-License-Identifier: MIT */
/*
 * How long texts are that consist of the same stretches: what was formatted for one of them is not
 * formatted again for the size of the other. Any thread.
 *
 * disassembly.txt consists of packets' texts; a stretch of these ends at the packet's end, and at
 * the marks within it (decode/scan.h). calls.txt consists of frames' commands; a stretch ends with
 * the frame, and where a piece does (GAPIR_CALL_MARK).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H
#define GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H

#include "formats/gapir/decode/scan.h"
#include "formats/gapir/index.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Stretches have places in their order; there are places without one. Zeroed: none is known. */
struct gapir_lengths {
    atomic_uint *stretches;     /* bytes, by place; 0: not formatted yet */
    uint64_t count;             /* of stretches, … */
    atomic_uint_fast64_t known; /* … and of those that are known, … */
    atomic_uint_fast64_t bytes; /* … which have so many */
};

/* Of packets' texts, or of calls. 0, -ENOMEM. */
int gapir_lengths_init_packets(struct gapir_lengths *lengths, const struct gapir_scan *scan);
int gapir_lengths_init_calls(struct gapir_lengths *lengths, const struct gapir_index *index);
void gapir_lengths_clear(struct gapir_lengths *lengths);

/* The first mark behind a pc; mark_count when there is none. */
uint32_t gapir_lengths_mark_behind(const struct gapir_scan *scan, uint32_t pc);

/* The place of the stretch in which a packet's instruction, or a frame's call, is. */
size_t gapir_lengths_packet_place(const struct gapir_scan *scan, uint32_t packet, uint32_t pc);
size_t gapir_lengths_call_place(uint64_t frame, uint64_t call);

/* A stretch is so long, which is not 0. */
void gapir_lengths_note(struct gapir_lengths *lengths, size_t place, unsigned bytes);

/* The stretches from one place to another, both included, and all; false: not all are known. */
bool gapir_lengths_between(const struct gapir_lengths *lengths, size_t first, size_t last,
                           uint64_t *bytes);
bool gapir_lengths_of_all(const struct gapir_lengths *lengths, uint64_t *bytes);

#endif

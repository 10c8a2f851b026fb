/* SPDX-License-Identifier: MIT */
/*
 * How long packets' texts are, and disassembly.txt, which consists of them: what was formatted for
 * one of them is not formatted again for the other's size. A packet's text consists of stretches
 * that end at its end and at the marks within it (decode/scan.h). Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H
#define GPUDUMPFS_GAPIR_VIEWS_LENGTHS_H

#include "formats/gapir/decode/scan.h"

#include <stdatomic.h>
#include <stdbool.h>

struct gapir_lengths {
    const struct gapir_scan *scan; /* borrowed */
    atomic_uint *stretches;        /* bytes; 0: not formatted yet */
    uint64_t count;                /* of stretches, … */
    atomic_uint_fast64_t known;    /* … and of those that are known, … */
    atomic_uint_fast64_t bytes;    /* … which have so many */
};

/* 0, -ENOMEM. */
int gapir_lengths_init(struct gapir_lengths *lengths, const struct gapir_scan *scan);
void gapir_lengths_clear(struct gapir_lengths *lengths);

/* The first mark behind a pc; mark_count when there is none. */
uint32_t gapir_lengths_mark_behind(const struct gapir_scan *scan, uint32_t pc);

/* The stretch of that packet that begins there is so long. */
void gapir_lengths_note(struct gapir_lengths *lengths, uint32_t packet, uint32_t pc,
                        unsigned bytes);

/* The packet's whole text, and that of all; false: it is not known. */
bool gapir_lengths_of(const struct gapir_lengths *lengths, uint32_t packet, uint64_t *bytes);
bool gapir_lengths_of_all(const struct gapir_lengths *lengths, uint64_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Finds out which frame of one dump corresponds to which frame of another, by what the frames
 * contain, and which frames only one dump has. Pure functions on keys, which take a few dozen bytes
 * a frame.
 */
#ifndef GPUDUMPFS_COMPARE_ALIGN_H
#define GPUDUMPFS_COMPARE_ALIGN_H

#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIGN_SKETCH = 8 };

#define ALIGN_NONE UINT64_MAX

/* The key of a frame. Equal numbers mean equal contents, except for collisions of 64-bit hashes. */
struct align_key {
    uint64_t commands;
    uint64_t picture; /* 0 if it has none */
    /*
     * For each of several hash functions, the smallest hash of the lines of its commands (MinHash):
     * the part of these numbers that two frames have in common estimates the part of their lines
     * that is in both.
     */
    uint32_t sketch[ALIGN_SKETCH];
};

struct align_pair {
    uint64_t a, b; /* frame numbers; ALIGN_NONE: only the other dump has the frame */
};

/* Initializes a key to zero, with the sketch of a text without lines. */
void align_key_init(struct align_key *key);

/*
 * Adds a line, given by its hash, to the commands and to the sketch, which finds frames that are
 * alike.
 */
void align_key_add_line(struct align_key *key, uint64_t hash);

/* Returns whether two frames have equal commands, by their keys. */
bool align_same_commands(const struct align_key *a, const struct align_key *b);

/* Returns whether two frames have equal pictures, or none, by their keys. */
bool align_same_picture(const struct align_key *a, const struct align_key *b);

/*
 * Pairs all frames of both dumps, in order, and stores an array that the caller frees with free().
 * Frames with equal commands and pictures are paired first; between these, frames with equal
 * commands; then frames with equal pictures; then those with the most lines in common. Where very
 * many frames differ, they are paired in their order. Returns 0, -ENOMEM or -EINTR.
 */
int align_frames(const struct align_key *a, size_t a_count, const struct align_key *b,
                 size_t b_count, const struct cancel *cancel, struct align_pair **out,
                 size_t *count);

#endif

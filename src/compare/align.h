/* SPDX-License-Identifier: MIT */
/*
 * Which frame of one dump is which of another, by what they hold: frames that only one of them has
 * are found. Pure functions over keys of a few dozen bytes a frame.
 */
#ifndef GPUDUMPFS_COMPARE_ALIGN_H
#define GPUDUMPFS_COMPARE_ALIGN_H

#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ALIGN_SKETCH = 8 };

#define ALIGN_NONE UINT64_MAX

/* Of a frame. Equal numbers stand for equal contents, but for a collision of 64 bits. */
struct align_key {
    uint64_t commands;
    uint64_t picture; /* 0: it has none */
    /* Of the lines of its commands, each with a hash of its own, the smallest one. */
    uint32_t sketch[ALIGN_SKETCH];
};

struct align_pair {
    uint64_t a, b; /* frames; ALIGN_NONE: the other dump alone has it */
};

/* Zeroed, but for a sketch of no lines. */
void align_key_init(struct align_key *key);

/* Adds a line by its hash, for frames that are alike. */
void align_key_add_line(struct align_key *key, uint64_t hash);

bool align_same_commands(const struct align_key *a, const struct align_key *b);
bool align_same_picture(const struct align_key *a, const struct align_key *b);

/*
 * All frames of both in order, for free(): those of equal commands and pictures side by side,
 * between them those of equal commands, then those of equal pictures, then those with the most
 * lines in common. Where very many frames differ, they go side by side in their order. 0,
 * -ENOMEM or -EINTR.
 */
int align_frames(const struct align_key *a, size_t a_count, const struct align_key *b,
                 size_t b_count, const struct cancel *cancel, struct align_pair **out,
                 size_t *count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the pictures of a complete dump have in common: head, margins, pictures of frames. One
 * thread.
 */
#ifndef GPUDUMPFS_TREE_OVERVIEW_BOARD_H
#define GPUDUMPFS_TREE_OVERVIEW_BOARD_H

#include "image/board.h"
#include "tree/picture_batch.h"

enum {
    OVERVIEW_MARGIN = 32,
    OVERVIEW_HEAD = 88, /* from the top to below the head */
    OVERVIEW_GAP = 12,
    OVERVIEW_SMALL = 2, /* scale of letters */
    OVERVIEW_LARGE = 3,
};

/* Writes the dump's name, and below it `what` the board shows. */
void overview_write_head(struct board *board, const struct dump *dump, const char *what);

/* Pictures of frames that a batch (tree/picture_batch.h) places on a board, one after another. */
struct overview_cells {
    struct board *board;
    struct dump *dump;
    const struct cancel *cancel;  /* that of the batch */
    struct overview_state *state; /* notes which places, below 64, are left off */
    unsigned count;               /* places of frames */
    unsigned made;                /* pictures placed so far */
};

/*
 * Puts a frame's picture into a box, or the words that there is none or that it is left off.
 * Returns 0, -EINTR, -ENOMEM, or -EIO if the picture could not be made just now.
 */
int overview_place_frame(struct overview_cells *cells, unsigned place, uint64_t frame,
                         const uint32_t box[4]);

/* Reports once, in problems.txt, that something is left off. */
void overview_tell(struct tree *tree, struct overview_state *state, const char *what);

/* Computes the length of a stored PNG with these sides, as `size` of struct rule. */
int overview_size(const struct dump *dump, uint32_t width, uint32_t height, uint64_t *size);

/* Appends how much a board shows: `shown` of `count` frames. */
void overview_add_count(struct text *text, unsigned shown, uint64_t count);

/* Appends how many pictures were left off, if any. */
void overview_add_left_off(struct text *text, const struct overview_state *state);

#endif

/* SPDX-License-Identifier: MIT */
/* What the pictures of a whole dump have alike: head, margins, pictures of frames. One thread. */
#ifndef GPUDUMPFS_TREE_OVERVIEW_BOARD_H
#define GPUDUMPFS_TREE_OVERVIEW_BOARD_H

#include "image/board.h"
#include "tree/picture_batch.h"

enum {
    OVERVIEW_MARGIN = 32,
    OVERVIEW_HEAD = 88, /* from the top to what is below the head */
    OVERVIEW_GAP = 12,
    OVERVIEW_SMALL = 2, /* of letters */
    OVERVIEW_LARGE = 3,
};

/* The dump's name, and below it what the board shows. */
void overview_write_head(struct board *board, const struct dump *dump, const char *what);

/* Pictures of frames on a board, of a batch (tree/picture_batch.h), one after another. */
struct overview_cells {
    struct board *board;
    struct dump *dump;
    const struct cancel *cancel;  /* the batch's */
    struct overview_state *state; /* places, below 64, that it leaves off */
    unsigned count;               /* of frames that are placed */
    unsigned made;                /* pictures that there are */
};

/*
 * Puts a frame's picture into a box, or says that there is none, or that it is left off. 0,
 * -EINTR, -ENOMEM; -EIO: it could not be made just now.
 */
int overview_place_frame(struct overview_cells *cells, unsigned place, uint64_t frame,
                         const uint32_t box[4]);

/* Tells once, in problems.txt, that something is left off. */
void overview_tell(struct tree *tree, struct overview_state *state, const char *what);

/* The length of a stored PNG of these sides, as struct rule's `size`. */
int overview_size(const struct dump *dump, uint32_t width, uint32_t height, uint64_t *size);

/* What a board shows of `count` frames, of which `shown` are there, but for those left off. */
void overview_add_count(struct text *text, unsigned shown, uint64_t count);
void overview_add_left_off(struct text *text, const struct overview_state *state);

#endif

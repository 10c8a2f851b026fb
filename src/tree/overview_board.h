/* SPDX-License-Identifier: MIT */
/* What the pictures of a whole dump have alike: head, margins, pictures of frames. One thread. */
#ifndef GPUDUMPFS_TREE_OVERVIEW_BOARD_H
#define GPUDUMPFS_TREE_OVERVIEW_BOARD_H

#include "image/board.h"
#include "tree/dump.h"

enum {
    OVERVIEW_MARGIN = 32,
    OVERVIEW_HEAD = 88, /* from the top to what is below the head */
    OVERVIEW_GAP = 12,
    OVERVIEW_SMALL = 2, /* of letters */
    OVERVIEW_LARGE = 3,
};

/* The dump's name, and below it what the board shows. */
void overview_write_head(struct board *board, const struct dump *dump, const char *what);

/*
 * Puts a frame's picture into a box, or says that there is none. 0, -EINTR, -ENOMEM. `made` counts
 * those that there are. Making each is within a limit of its own.
 */
int overview_place_frame(struct board *board, struct dump *dump, uint64_t frame,
                         const uint32_t box[4], const struct cancel *cancel, unsigned *made);

/* The length of a stored PNG of these sides, as struct rule's `size`. */
int overview_size(const struct dump *dump, uint32_t width, uint32_t height, uint64_t *size);

/* What a board shows of `count` frames, of which `shown` are there. */
void overview_add_count(struct text *text, unsigned shown, uint64_t count);

#endif

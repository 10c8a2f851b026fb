/* SPDX-License-Identifier: MIT */
/*
 * Boards: pictures of several sizes beside each other, with captions and charts in few colours
 * between them. One thread at a time.
 */
#ifndef GPUDUMPFS_IMAGE_BOARD_H
#define GPUDUMPFS_IMAGE_BOARD_H

#include "image/canvas.h"

enum { BOARD_TILES_MAX = 64 };

/* Colours of the canvas. */
enum board_colour {
    BOARD_GROUND,
    BOARD_PANEL, /* behind pictures and charts */
    BOARD_LINE,
    BOARD_FAINT,
    BOARD_TEXT,
    BOARD_STRONG,
    BOARD_SERIES, /* and the seven behind it: pairs of a bright and a dim one */
    BOARD_COLOURS = BOARD_SERIES + 8
};

struct board {
    struct canvas canvas;
    struct board_tile {
        uint32_t x, y, width, height;
        uint8_t *rgb;
    } tiles[BOARD_TILES_MAX];
    unsigned tile_count;
};

/* As canvas_init(); to be cleared in any case. */
int board_init(struct board *board, uint32_t width, uint32_t height);
void board_clear(struct board *board);

/* Words in letters `scale` times as large as the font's. Returns the width drawn. */
uint32_t board_write(struct board *board, int64_t x, int64_t y, int64_t room, unsigned scale,
                     const char *words, size_t length, enum board_colour colour);

/* The same, ending at x. */
void board_write_left_of(struct board *board, int64_t x, int64_t y, unsigned scale,
                         const char *words, size_t length, enum board_colour colour);

/*
 * Puts a picture of PICTURE_RGB into the middle of a box, shrunk if it is larger. 0, -ENOMEM;
 * -EINVAL: there are too many, or the box is not on the board.
 */
int board_place(struct board *board, const struct picture_pixels *picture, uint32_t x, uint32_t y,
                uint32_t width, uint32_t height);

/* A PNG of the header's shape, which is the board's, and PICTURE_RGB. As picture_write(). */
int board_encode(const struct board *board, const struct picture_header *header,
                 enum picture_encoding encoding, const struct cancel *cancel, struct blob **out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Boards: pictures of several sizes next to each other, with captions and charts in a few colours
 * between them. One thread at a time.
 */
#ifndef GPUDUMPFS_IMAGE_BOARD_H
#define GPUDUMPFS_IMAGE_BOARD_H

#include "image/canvas.h"

enum { BOARD_TILES_MAX = 64 };

/* Colours of the canvas. */
enum board_colour {
    BOARD_GROUND,
    BOARD_PANEL, /* background of pictures and charts */
    BOARD_LINE,
    BOARD_FAINT,
    BOARD_TEXT,
    BOARD_STRONG,
    BOARD_SERIES, /* this and the next seven are pairs of a bright and a dim colour */
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

/* Initialises a board. Returns as canvas_init(); call board_clear() even if this fails. */
int board_init(struct board *board, uint32_t width, uint32_t height);
void board_clear(struct board *board);

/*
 * Draws text in letters `scale` times as large as the font's, as far as it fits into `room` pixels.
 * Returns the width drawn.
 */
uint32_t board_write(struct board *board, int64_t x, int64_t y, int64_t room, unsigned scale,
                     const char *words, size_t length, enum board_colour colour);

/* The same, but the text ends at x. */
void board_write_left_of(struct board *board, int64_t x, int64_t y, unsigned scale,
                         const char *words, size_t length, enum board_colour colour);

/*
 * Places a picture, which must be PICTURE_RGB, in the middle of a box, and shrinks it if it is
 * larger. Returns 0, -ENOMEM, or -EINVAL if there are too many pictures or the box is not inside
 * the board.
 */
int board_place(struct board *board, const struct picture_pixels *picture, uint32_t x, uint32_t y,
                uint32_t width, uint32_t height);

/*
 * Encodes the board as a PNG. The header must have the board's size and PICTURE_RGB. Returns as
 * picture_write().
 */
int board_encode(const struct board *board, const struct picture_header *header,
                 enum picture_encoding encoding, const struct cancel *cancel, struct blob **out);

#endif

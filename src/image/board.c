/* SPDX-License-Identifier: MIT */
#include "image/board.h"

#include "image/shrink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RGB = 3 };

static const uint8_t colours[BOARD_COLOURS][RGB] = {
    [BOARD_GROUND] = {22, 24, 29},        [BOARD_PANEL] = {31, 34, 41},
    [BOARD_LINE] = {52, 57, 68},          [BOARD_FAINT] = {126, 134, 150},
    [BOARD_TEXT] = {196, 202, 214},       [BOARD_STRONG] = {240, 243, 248},
    [BOARD_SERIES] = {94, 176, 255},      [BOARD_SERIES + 1] = {41, 78, 117},
    [BOARD_SERIES + 2] = {255, 178, 84},  [BOARD_SERIES + 3] = {112, 80, 42},
    [BOARD_SERIES + 4] = {126, 211, 133}, [BOARD_SERIES + 5] = {54, 92, 58},
    [BOARD_SERIES + 6] = {226, 132, 214}, [BOARD_SERIES + 7] = {99, 58, 94},
};

int board_init(struct board *board, uint32_t width, uint32_t height)
{
    *board = (struct board){0};
    return canvas_init(&board->canvas, width, height, BOARD_GROUND);
}

void board_clear(struct board *board)
{
    for (unsigned i = 0; i < board->tile_count; i++)
        free(board->tiles[i].rgb);
    canvas_clear(&board->canvas);
    board->tile_count = 0;
}

uint32_t board_write(struct board *board, int64_t x, int64_t y, int64_t room, unsigned scale,
                     const char *words, size_t length, enum board_colour colour)
{
    uint32_t small = room > 0 ? (uint32_t)(room / scale) : 0, drawn;
    struct canvas letters;

    if (small == 0 || canvas_init(&letters, small, FONT_HEIGHT, BOARD_GROUND) != 0)
        return 0;
    drawn = font_draw(&letters, 0, 0, small, words, length, BOARD_STRONG);
    for (uint32_t v = 0; v < FONT_HEIGHT; v++)
        for (uint32_t u = 0; u < drawn; u++)
            if (letters.pixels[(size_t)v * small + u] == BOARD_STRONG)
                canvas_fill(&board->canvas, x + (int64_t)u * scale, y + (int64_t)v * scale, scale,
                            scale, (uint8_t)colour);
    canvas_clear(&letters);
    return drawn * scale;
}

void board_write_left_of(struct board *board, int64_t x, int64_t y, unsigned scale,
                         const char *words, size_t length, enum board_colour colour)
{
    int64_t width = (int64_t)font_width(font_cells(words, length)) * scale;

    board_write(board, x - width, y, width, scale, words, length, colour);
}

int board_place(struct board *board, const struct picture_pixels *picture, uint32_t x, uint32_t y,
                uint32_t width, uint32_t height)
{
    struct board_tile *tile = &board->tiles[board->tile_count];
    uint32_t w, h;

    if (board->tile_count == BOARD_TILES_MAX || width == 0 || height == 0 ||
        (uint64_t)x + width > board->canvas.width || (uint64_t)y + height > board->canvas.height)
        return -EINVAL;
    shrink_fit(picture->width, picture->height, width, height, &w, &h);
    *tile = (struct board_tile){x + (width - w) / 2, y + (height - h) / 2, w, h,
                                malloc(RGB * (size_t)w * h)};
    if (tile->rgb == NULL)
        return -ENOMEM;
    for (uint32_t row = 0; row < h; row++)
        shrink_row(picture, w, h, row, tile->rgb + RGB * (size_t)row * w);
    board->tile_count++;
    return 0;
}

static void paint(const void *context, uint32_t y, uint8_t *row)
{
    const struct board *board = context;
    const uint8_t *pixels = board->canvas.pixels + (size_t)y * board->canvas.width;

    for (uint32_t x = 0; x < board->canvas.width; x++)
        memcpy(row + RGB * (size_t)x, colours[pixels[x]], RGB);
    for (unsigned i = 0; i < board->tile_count; i++) {
        const struct board_tile *tile = &board->tiles[i];

        if (y >= tile->y && y - tile->y < tile->height)
            memcpy(row + RGB * (size_t)tile->x,
                   tile->rgb + RGB * (size_t)(y - tile->y) * tile->width,
                   RGB * (size_t)tile->width);
    }
}

int board_encode(const struct board *board, const struct picture_header *header,
                 enum picture_encoding encoding, const struct cancel *cancel, struct blob **out)
{
    return picture_write(header, encoding, paint, board, cancel, out);
}

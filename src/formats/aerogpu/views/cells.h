/*
 * Cells of tables, and how many pieces their rows make. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_CELLS_H
#define GPUDUMPFS_AEROGPU_VIEWS_CELLS_H

#include "base/text.h"

enum { PIECE_ROWS = 1024 }; /* of one piece of a table */

static inline uint64_t aerogpu_pieces(uint64_t rows, uint64_t of_piece)
{
    return rows / of_piece + (rows % of_piece != 0);
}

/* A tab, then the number; `-` for AEROGPU_NONE in the first. */
void aerogpu_cell_or_none(struct text *text, uint32_t value);
void aerogpu_cell_hex(struct text *text, uint64_t value, unsigned digits);

/* "R8G8B8A8Unorm", or the number in hexadecimal. */
void aerogpu_format_write(struct text *text, uint32_t format);

#endif

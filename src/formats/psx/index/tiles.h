/* SPDX-License-Identifier: MIT */
/*
 * Sets of VRAM tiles. What a part of the command stream writes, overwrites and reads, and what a
 * picture needs, is recorded in tiles of 64 x 16 halfwords. 64 divides texture pages and the widths
 * of the usual screens, 16 divides buffers of 240 and 256 lines (psx-dump.md 3.7). If memory has
 * 1024 lines, tiles are twice as high, so that their number is the same. A set also contains the
 * latches beside VRAM, which commands fill from VRAM: the palette, the open read's data, the texel
 * cache. Pure functions.
 */
#ifndef GPUDUMPFS_PSX_INDEX_TILES_H
#define GPUDUMPFS_PSX_INDEX_TILES_H

#include "formats/psx/gpu/draw.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    PSX_TILE_WIDTH = 64,
    PSX_TILE_COLUMNS = PSX_VRAM_WIDTH / PSX_TILE_WIDTH,
    PSX_TILE_ROWS = 32,
    PSX_TILES = PSX_TILE_COLUMNS * PSX_TILE_ROWS,
};

enum {
    PSX_LATCH_PALETTE = 1, /* psx-gpu.md 6 */
    PSX_LATCH_READ = 2,    /* psx-dump.md 3.6 */
    PSX_LATCH_TEXELS = 4,  /* the texel cache, psx-gpu.md 6; never in summaries */
};

struct psx_tiles {
    uint16_t row[PSX_TILE_ROWS]; /* bit x of row[y]: tile (x, y) */
    uint16_t latches;            /* PSX_LATCH_… */
};

/* A rectangle of tiles, which wraps at both edges. It is empty if it has 0 columns or rows. */
struct psx_tile_box {
    uint8_t x, y, columns, rows;
};

/* Returns the lines of a tile, for a memory of `memory` lines. */
static inline unsigned psx_tile_height(uint32_t memory)
{
    return memory / PSX_TILE_ROWS;
}

/* Returns the binary logarithm of psx_tile_height(). */
static inline unsigned psx_tile_shift(uint32_t memory)
{
    return 4 + (memory > PSX_VRAM_HEIGHT);
}

/* Returns all tiles that a box of pixels touches. The box's corner is in VRAM; the box wraps. */
static inline struct psx_tile_box psx_tile_box_around(const struct psx_box *box,
                                                      struct psx_vram_lines lines)
{
    const unsigned shift = psx_tile_shift(lines.memory);
    struct psx_box placed;

    if (lines.addressed != lines.memory) {
        placed = *box;
        psx_box_place(&placed, lines, true);
        box = &placed;
    }
    if (box->width <= 0 || box->height <= 0)
        return (struct psx_tile_box){0};

    int x1 = (box->x + box->width + PSX_TILE_WIDTH - 1) / PSX_TILE_WIDTH;
    int y1 = (box->y + box->height + (1 << shift) - 1) >> shift;
    int x = box->x / PSX_TILE_WIDTH, y = box->y >> shift;
    int columns = x1 - x, rows = y1 - y;

    return (struct psx_tile_box){
        .x = (uint8_t)x,
        .y = (uint8_t)(y % PSX_TILE_ROWS),
        .columns = (uint8_t)(columns < PSX_TILE_COLUMNS ? columns : PSX_TILE_COLUMNS),
        .rows = (uint8_t)(rows < PSX_TILE_ROWS ? rows : PSX_TILE_ROWS),
    };
}

/* Returns only the tiles that the box covers completely. */
static inline struct psx_tile_box psx_tile_box_inside(const struct psx_box *box,
                                                      struct psx_vram_lines lines)
{
    const unsigned shift = psx_tile_shift(lines.memory);
    struct psx_box placed;

    if (lines.addressed != lines.memory) {
        placed = *box;
        psx_box_place(&placed, lines, false);
        box = &placed;
    }

    int x = (box->x + PSX_TILE_WIDTH - 1) / PSX_TILE_WIDTH;
    int y = (box->y + (1 << shift) - 1) >> shift;
    int columns = (box->x + box->width) / PSX_TILE_WIDTH - x;
    int rows = ((box->y + box->height) >> shift) - y;

    if (box->width >= PSX_VRAM_WIDTH)
        columns = PSX_TILE_COLUMNS;
    if (box->height >= lines.memory)
        rows = PSX_TILE_ROWS;
    if (columns <= 0 || rows <= 0)
        return (struct psx_tile_box){0};
    return (struct psx_tile_box){
        .x = (uint8_t)(x % PSX_TILE_COLUMNS),
        .y = (uint8_t)(y % PSX_TILE_ROWS),
        .columns = (uint8_t)columns,
        .rows = (uint8_t)rows,
    };
}

/* Returns the bits that a box has in each of its rows. */
static inline uint16_t psx_tile_box_bits(const struct psx_tile_box *box)
{
    uint32_t bits = ((UINT32_C(1) << box->columns) - 1) << box->x;

    return (uint16_t)(bits | bits >> PSX_TILE_COLUMNS);
}

static inline bool psx_tile_box_is_empty(const struct psx_tile_box *box)
{
    return box->columns == 0 || box->rows == 0;
}

static inline void psx_tiles_add_box(struct psx_tiles *tiles, const struct psx_tile_box *box)
{
    uint16_t bits = psx_tile_box_bits(box);

    for (unsigned i = 0; i < box->rows; i++)
        tiles->row[(box->y + i) % PSX_TILE_ROWS] |= bits;
}

static inline void psx_tiles_remove_box(struct psx_tiles *tiles, const struct psx_tile_box *box)
{
    uint16_t bits = psx_tile_box_bits(box);

    for (unsigned i = 0; i < box->rows; i++)
        tiles->row[(box->y + i) % PSX_TILE_ROWS] &= (uint16_t)~bits;
}

/* Adds the tiles of the box that are not in `but`. */
static inline void psx_tiles_add_box_but(struct psx_tiles *tiles, const struct psx_tile_box *box,
                                         const struct psx_tiles *but)
{
    uint16_t bits = psx_tile_box_bits(box);

    for (unsigned i = 0; i < box->rows; i++) {
        unsigned y = (box->y + i) % PSX_TILE_ROWS;

        tiles->row[y] |= (uint16_t)(bits & ~but->row[y]);
    }
}

static inline bool psx_tiles_meet_box(const struct psx_tiles *tiles, const struct psx_tile_box *box)
{
    uint16_t bits = psx_tile_box_bits(box), met = 0;

    for (unsigned i = 0; i < box->rows; i++)
        met |= tiles->row[(box->y + i) % PSX_TILE_ROWS] & bits;
    return met != 0;
}

static inline void psx_tiles_add(struct psx_tiles *tiles, const struct psx_tiles *other)
{
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        tiles->row[y] |= other->row[y];
    tiles->latches |= other->latches;
}

static inline void psx_tiles_remove(struct psx_tiles *tiles, const struct psx_tiles *other)
{
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        tiles->row[y] &= (uint16_t)~other->row[y];
    tiles->latches &= (uint16_t)~other->latches;
}

/* Removes all that is not in `other` too. */
static inline void psx_tiles_keep(struct psx_tiles *tiles, const struct psx_tiles *other)
{
    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        tiles->row[y] &= other->row[y];
    tiles->latches &= other->latches;
}

static inline bool psx_tiles_meet(const struct psx_tiles *tiles, const struct psx_tiles *other)
{
    uint16_t met = tiles->latches & other->latches;

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        met |= tiles->row[y] & other->row[y];
    return met != 0;
}

static inline bool psx_tiles_are_empty(const struct psx_tiles *tiles)
{
    uint16_t any = tiles->latches;

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        any |= tiles->row[y];
    return any == 0;
}

/* Returns whether all of `inner` is in `outer`. */
static inline bool psx_tiles_hold(const struct psx_tiles *outer, const struct psx_tiles *inner)
{
    uint16_t missing = inner->latches & (uint16_t)~outer->latches;

    for (unsigned y = 0; y < PSX_TILE_ROWS; y++)
        missing |= inner->row[y] & (uint16_t)~outer->row[y];
    return missing == 0;
}

static inline bool psx_tiles_have(const struct psx_tiles *tiles, unsigned x, unsigned y)
{
    return tiles->row[y] >> x & 1;
}

/* Makes the set contain all of VRAM, and all latches. */
static inline void psx_tiles_fill(struct psx_tiles *tiles)
{
    memset(tiles->row, 0xFF, sizeof(tiles->row));
    tiles->latches = PSX_LATCH_PALETTE | PSX_LATCH_READ | PSX_LATCH_TEXELS;
}

#endif

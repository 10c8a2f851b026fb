/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/pixel_cover.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEIGHT = PSX_VRAM_HEIGHT / PSX_TILE_ROWS, /* lines in a tile */
    PIXELS = PSX_TILE_WIDTH * HEIGHT,
    PARTS_MAX = 4, /* a box that wraps at both edges has four */
};

_Static_assert(PSX_TILE_WIDTH == 64, "a line of a tile is a word of bits");

struct psx_pixel_cover {
    /*
     * For each tile the number of its covered pixels: those that are not needed, although the tile
     * is in the set of needed tiles.
     */
    uint16_t covered[PSX_TILE_ROWS][PSX_TILE_COLUMNS];
    /* By tile and line, a bit for each covered pixel. Not valid while the tile's `covered` is 0. */
    uint64_t lines[PSX_TILE_ROWS][PSX_TILE_COLUMNS][HEIGHT];
};

/* From `x` and `y` up to, but without, `right` and `bottom`. */
struct part {
    unsigned x, y, right, bottom;
};

/* A part's share of a tile: the lines that it covers, and the bits in each of them. */
struct share {
    unsigned top, bottom;
    uint64_t bits;
};

struct psx_pixel_cover *psx_pixel_cover_create(void)
{
    struct psx_pixel_cover *cover = malloc(sizeof(*cover));

    if (cover != NULL)
        memset(cover->covered, 0, sizeof(cover->covered));
    return cover;
}

void psx_pixel_cover_destroy(struct psx_pixel_cover **cover)
{
    free(*cover);
    *cover = NULL;
}

/*
 * Splits a span of a cyclic axis into the piece up to the end of the axis, and the piece from 0 on.
 * Returns the number of pieces.
 */
static unsigned split(int from, int size, unsigned axis, unsigned out[2][2])
{
    unsigned begin = (unsigned)from % axis;
    unsigned length = size < (int)axis ? (unsigned)size : axis, end = begin + length;

    out[0][0] = begin;
    out[0][1] = end < axis ? end : axis;
    out[1][0] = 0;
    out[1][1] = end < axis ? 0 : end - axis;
    return out[1][1] > 0 ? 2 : 1;
}

static unsigned parts_of(const struct psx_box *box, struct part parts[PARTS_MAX])
{
    unsigned x[2][2], y[2][2], columns, rows, count = 0;

    if (box->width <= 0 || box->height <= 0)
        return 0;
    columns = split(box->x, box->width, PSX_VRAM_WIDTH, x);
    rows = split(box->y, box->height, PSX_VRAM_HEIGHT, y);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++)
            parts[count++] = (struct part){x[j][0], y[i][0], x[j][1], y[i][1]};
    return count;
}

static struct share share_of(const struct part *part, unsigned column, unsigned row)
{
    unsigned left = column * PSX_TILE_WIDTH, right = left + PSX_TILE_WIDTH;
    unsigned top = row * HEIGHT, bottom = top + HEIGHT;
    struct share share = {.bits = UINT64_MAX};

    if (part->x > left)
        share.bits <<= part->x - left;
    if (part->right < right)
        share.bits &= UINT64_MAX >> (right - part->right);
    share.top = (part->y > top ? part->y : top) - top;
    share.bottom = (part->bottom < bottom ? part->bottom : bottom) - top;
    return share;
}

/* Called for a part's share of each tile. Returns true to end the visit. */
typedef bool visit(struct psx_pixel_cover *cover, struct psx_tiles *needed, unsigned column,
                   unsigned row, const struct share *share);

static inline bool visit_tiles(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                               const struct psx_box *box, visit *each)
{
    struct part parts[PARTS_MAX];
    unsigned count = parts_of(box, parts);

    for (const struct part *part = parts; count-- > 0; part++)
        for (unsigned y = part->y / HEIGHT; y * HEIGHT < part->bottom; y++)
            for (unsigned x = part->x / PSX_TILE_WIDTH; x * PSX_TILE_WIDTH < part->right; x++) {
                struct share share = share_of(part, x, y);

                if (each(cover, needed, x, y, &share))
                    return true;
            }
    return false;
}

static bool meets(struct psx_pixel_cover *cover, struct psx_tiles *needed, unsigned x, unsigned y,
                  const struct share *share)
{
    if (!psx_tiles_have(needed, x, y))
        return false;
    if (cover->covered[y][x] == 0)
        return true;
    for (unsigned line = share->top; line < share->bottom; line++)
        if (share->bits & ~cover->lines[y][x][line])
            return true;
    return false;
}

bool psx_pixel_cover_meets(const struct psx_pixel_cover *cover, const struct psx_tiles *needed,
                           const struct psx_box *box)
{
    /* meets() changes neither */
    return visit_tiles((struct psx_pixel_cover *)(uintptr_t)cover,
                       (struct psx_tiles *)(uintptr_t)needed, box, meets);
}

static bool add(struct psx_pixel_cover *cover, struct psx_tiles *needed, unsigned x, unsigned y,
                const struct share *share)
{
    uint64_t *lines = cover->lines[y][x];
    unsigned fresh = 0;

    if (!psx_tiles_have(needed, x, y))
        return false;
    if (cover->covered[y][x] == 0)
        memset(lines, 0, sizeof(cover->lines[y][x]));
    for (unsigned line = share->top; line < share->bottom; line++) {
        fresh += (unsigned)__builtin_popcountll(share->bits & ~lines[line]);
        lines[line] |= share->bits;
    }
    cover->covered[y][x] += (uint16_t)fresh;
    if (cover->covered[y][x] == PIXELS)
        needed->row[y] &= (uint16_t) ~(1u << x);
    return false;
}

void psx_pixel_cover_add(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                         const struct psx_box *box)
{
    visit_tiles(cover, needed, box, add);
}

static bool need(struct psx_pixel_cover *cover, struct psx_tiles *needed, unsigned x, unsigned y,
                 const struct share *share)
{
    uint64_t *lines = cover->lines[y][x];
    unsigned fresh = 0;

    if (!psx_tiles_have(needed, x, y)) {
        memset(lines, 0xFF, sizeof(cover->lines[y][x]));
        cover->covered[y][x] = PIXELS;
        needed->row[y] |= (uint16_t)(1u << x);
    }
    if (cover->covered[y][x] == 0)
        return false;
    for (unsigned line = share->top; line < share->bottom; line++) {
        fresh += (unsigned)__builtin_popcountll(share->bits & lines[line]);
        lines[line] &= ~share->bits;
    }
    cover->covered[y][x] -= (uint16_t)fresh;
    return false;
}

void psx_pixel_cover_need(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                          const struct psx_box *box)
{
    visit_tiles(cover, needed, box, need);
}

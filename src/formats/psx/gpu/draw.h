/* SPDX-License-Identifier: MIT */
/*
 * A drawing command with all its fields taken apart, and the area of VRAM that
 * it can touch. Text, index and replay use the same one. Facts: psx-gpu.md 2, 3.
 */
#ifndef GPUDUMPFS_PSX_GPU_DRAW_H
#define GPUDUMPFS_PSX_GPU_DRAW_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/registers.h"

enum { PSX_SPLIT_COLUMNS = 16 };

enum psx_depth { PSX_DEPTH_4, PSX_DEPTH_8, PSX_DEPTH_15, PSX_DEPTH_NONE };

/* Of a texture page, as E1 and a polygon's attribute hold it alike: 2 and 3 are 15 bit. */
static inline enum psx_depth psx_depth_of(uint32_t page)
{
    uint32_t depth = page >> 7 & 3;

    return depth < PSX_DEPTH_15 ? (enum psx_depth)depth : PSX_DEPTH_15;
}

/* Likewise the page's number: bits 0 to 4, and 11 where that counts (psx_registers_page_bits()). */
static inline uint32_t psx_page_of(uint32_t page)
{
    return (page & 0x1F) | (page >> 6 & 0x20);
}

struct psx_vertex {
    int16_t x, y; /* as sent: signed 11 bits, before the offset */
    uint8_t u, v;
    uint32_t colour; /* 24 bits: R 0-7, G 8-15, B 16-23 */
};

struct psx_draw {
    enum psx_gp0_kind kind;
    uint8_t op;
    uint8_t vertex_count; /* 3 or 4, 2, 1; 0 for fill and copy */
    bool textured, gouraud, semi;
    bool raw;            /* textured only: texels unmodulated */
    bool dither;         /* E1.9, for the kinds that it applies to (psx-gpu.md 8) */
    bool flip_x, flip_y; /* textured rectangles */
    bool split;          /* a fill's even columns go PSX_SPLIT_COLUMNS further (psx-gpu.md 19) */
    uint8_t blend;       /* 0-3, E1 or the polygon's page */
    uint8_t depth;       /* enum psx_depth; NONE when untextured */
    uint8_t page;        /* 0-63: X = 64 * (page & 15), Y = 256 * (page >> 4) */
    uint16_t clut;       /* the 16-bit id as sent */
    struct psx_vertex vertex[4];
    uint32_t width, height;  /* rectangle, fill, copy, upload, read: after the masking rules */
    uint32_t x, y;           /* fill, copy (destination), upload, read: in VRAM */
    uint32_t from_x, from_y; /* copy: source */
};

/*
 * Takes a complete drawing command (or a polyline's first segment), copy,
 * upload or read apart; of other commands only kind and op are set. A textured
 * polygon's page counts as taken over; `registers` are those before the command.
 */
void psx_draw_decode(const struct psx_gp0_event *event, const struct psx_registers *registers,
                     struct psx_draw *out);

/* A polyline's next segment: vertex 0 becomes the old vertex 1. */
void psx_draw_next_segment(const struct psx_gp0_event *event, struct psx_draw *draw);

/* A rectangle's upper left pixel: the offset added, signed 11 bits again (psx-gpu.md 3). */
void psx_draw_origin(const struct psx_draw *draw, const struct psx_registers *registers, int *x,
                     int *y);

enum psx_cull {
    PSX_CULL_NO,
    PSX_CULL_SIZE,  /* dropped: too large, all parts of it */
    PSX_CULL_CLIP,  /* outside the drawing area, or that is empty */
    PSX_CULL_EMPTY, /* no pixel: size 0 or area zero */
};

/*
 * Rectangle of the lines that are addressed (psx_registers_lines()); x + width may exceed
 * 1024 where a transfer or a fill wraps, and y + height their number where these or the
 * drawing area do. Width and height 0: nothing.
 */
struct psx_box {
    int x, y, width, height;
};

/*
 * Widens `box` to hold `other` too; what would be higher than the lines that are addressed
 * becomes all of them.
 */
void psx_box_add(struct psx_box *box, const struct psx_box *other, uint32_t addressed);

/*
 * Where as many lines are not addressed as memory has: what of memory a box touches at
 * most (`around`), or is sure to hold.
 */
void psx_box_place(struct psx_box *box, struct psx_vram_lines lines, bool around);

/* Where primitives may draw at all: the lines of VRAM that the drawing area is. */
void psx_draw_area(const struct psx_registers *registers, struct psx_box *out);

/*
 * Moves a coordinate span of a polygon or a line to where its pixels meet the
 * clip test (psx-gpu.md 3): what lies below -1024 comes back from above. All of
 * a triangle or segment that passes the size test moves together, since what
 * the wrap would part is out of any drawing area.
 */
static inline int psx_wrap_shift(int lowest)
{
    return lowest < -1024 ? 2048 : 0;
}

/* The size test of polygons and lines, between two vertices. */
static inline bool psx_span_too_large(int dx, int dy)
{
    return dx >= 1024 || dx <= -1024 || dy >= 512 || dy <= -512;
}

/*
 * The rectangle of VRAM touched at most, after offset, clipping and culling. A polyline:
 * its segment.
 */
enum psx_cull psx_draw_box(const struct psx_draw *draw, const struct psx_registers *registers,
                           struct psx_box *out);

#endif

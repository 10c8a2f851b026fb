/* SPDX-License-Identifier: MIT */
/*
 * A drawing command with all its fields decoded, and the area of VRAM that it may touch. Text,
 * index and replay all use this. Facts: psx-gpu.md 2, 3.
 */
#ifndef GPUDUMPFS_PSX_GPU_DRAW_H
#define GPUDUMPFS_PSX_GPU_DRAW_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/registers.h"

enum { PSX_SPLIT_COLUMNS = 16 };

enum psx_depth { PSX_DEPTH_4, PSX_DEPTH_8, PSX_DEPTH_15, PSX_DEPTH_NONE };

/*
 * Returns the depth of a texture page, whose bits are the same in E1 and in a polygon's attribute:
 * 2 and 3 are 15 bits.
 */
static inline enum psx_depth psx_depth_of(uint32_t page)
{
    uint32_t depth = page >> 7 & 3;

    return depth < PSX_DEPTH_15 ? (enum psx_depth)depth : PSX_DEPTH_15;
}

/*
 * Returns the number, 0 to 63, of the texture page with these bits: bits 0 to 4 of them, and bit
 * 11. Where bit 11 does not count, the caller has cleared it (psx_registers_page_bits()).
 */
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
    uint8_t vertex_count; /* 3 or 4; line 2, rectangle 1; 0 for fill and copy */
    bool textured, gouraud, semi;
    bool raw;            /* textured only: texels are not modulated */
    bool dither;         /* E1.9, for the kinds that can be dithered (psx-gpu.md 8) */
    bool flip_x, flip_y; /* textured rectangles */
    bool split;    /* a fill's even columns are PSX_SPLIT_COLUMNS further right (psx-gpu.md 19) */
    uint8_t blend; /* 0-3, from E1 or the polygon's page */
    uint8_t depth; /* enum psx_depth; NONE when untextured */
    uint8_t page;  /* 0-63: X = 64 * (page & 15), Y = 256 * (page >> 4) */
    uint16_t clut; /* the 16-bit id as sent */
    struct psx_vertex vertex[4];
    uint32_t width, height;  /* rectangle, fill, copy, upload, read: after the masking rules */
    uint32_t x, y;           /* fill, copy (destination), upload, read: in VRAM */
    uint32_t from_x, from_y; /* the source of a copy */
};

/*
 * Decodes a complete drawing command (of a polyline, the first segment), copy, upload or read. Of
 * other commands only kind and op are set. `registers` are those before the command; a textured
 * polygon has the page of its own attribute.
 */
void psx_draw_decode(const struct psx_gp0_event *event, const struct psx_registers *registers,
                     struct psx_draw *out);

/* Decodes a polyline's next segment: vertex 0 becomes the old vertex 1. */
void psx_draw_next_segment(const struct psx_gp0_event *event, struct psx_draw *draw);

/*
 * Returns a rectangle's upper left pixel: its vertex plus the offset, as signed 11 bits again
 * (psx-gpu.md 3).
 */
void psx_draw_origin(const struct psx_draw *draw, const struct psx_registers *registers, int *x,
                     int *y);

enum psx_cull {
    PSX_CULL_NO,
    PSX_CULL_SIZE,  /* dropped as too large, all parts of it */
    PSX_CULL_CLIP,  /* outside the drawing area, or the area is empty */
    PSX_CULL_EMPTY, /* no pixel: size 0 or area zero */
};

/*
 * A rectangle in the lines that are addressed (psx_registers_lines()). x + width may exceed 1024
 * where a transfer or a fill wraps; y + height may exceed the number of lines where one of these or
 * the drawing area does. Width and height are 0 if it contains nothing.
 */
struct psx_box {
    int x, y, width, height;
};

/*
 * Extends `box` to contain `other` too. If the result would be higher than the lines that are
 * addressed, it becomes all of them.
 */
void psx_box_add(struct psx_box *box, const struct psx_box *other, uint32_t addressed);

/*
 * For a number of addressed lines that differs from memory's: replaces the box by what it touches
 * of memory. With `around` that is all that it may touch, otherwise only what it is certain to
 * touch.
 */
void psx_box_place(struct psx_box *box, struct psx_vram_lines lines, bool around);

/* Computes where primitives may draw: the lines of VRAM that the drawing area stands for. */
void psx_draw_area(const struct psx_registers *registers, struct psx_box *out);

/*
 * Returns what to add to the coordinates of a polygon or a line, so that its pixels are where the
 * clip test sees them (psx-gpu.md 3): what begins below -1024 wraps. `lowest` is the smallest
 * coordinate. All of a triangle or segment that passes the size test moves together, since what the
 * wrap would separate is outside any drawing area.
 */
static inline int psx_wrap_shift(int lowest)
{
    return lowest < -1024 ? 2048 : 0;
}

/*
 * Returns whether two vertices of a polygon or a line are so far apart that it fails the size test.
 */
static inline bool psx_span_too_large(int dx, int dy)
{
    return dx >= 1024 || dx <= -1024 || dy >= 512 || dy <= -512;
}

/*
 * Computes the rectangle of VRAM that is touched at most, after offset, clipping and culling; of a
 * polyline, by its segment. Returns PSX_CULL_NO, or why nothing is touched.
 */
enum psx_cull psx_draw_box(const struct psx_draw *draw, const struct psx_registers *registers,
                           struct psx_box *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The two buffers of a program, so that commands of two dumps can be compared: which of them is
 * drawn and which is displayed is not to show. Programs draw into one part of video memory while
 * another is displayed, and swap them; where a dump begins is a matter of chance. So in a frame
 * that ends with the second buffer on display places in one buffer are told as those in the other.
 * The second is the lower one, or that further right. Pure functions but for what the index holds;
 * any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_BUFFERS_H
#define GPUDUMPFS_PSX_VIEWS_BUFFERS_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/index.h"

/* Coordinates of video memory; the ends are not in it. */
struct psx_range {
    int x0, y0, x1, y1;
};

struct psx_buffers {
    bool swapped;               /* places are to be told as those of the other buffer */
    struct psx_range part[2];   /* of video memory that belongs to a buffer, both as large … */
    struct psx_range screen[2]; /* … and what of it is displayed */
};

/* From the displays of this frame and of those near by; without a second one nothing is swapped. */
void psx_buffers_find(const struct psx_index *index, uint64_t frame, struct psx_buffers *out);

/* The same of two displays: `other` may be anywhere. */
void psx_buffers_of(const struct psx_display *display, const struct psx_display *other,
                    struct psx_buffers *out);

/*
 * Of a GP0 command that is complete its places, and the drawing area and offset that it meets.
 * `polyline`: the box of all of it, if it is one.
 */
void psx_buffers_gp0(const struct psx_buffers *buffers, struct psx_gp0_event *event,
                     struct psx_registers *registers, struct psx_box *polyline);

/* Of a GP1 word: GP1(05). */
uint32_t psx_buffers_gp1(const struct psx_buffers *buffers, uint32_t word);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The two buffers of a program, for comparing the commands of two dumps. Programs draw into one
 * part of video memory while another part is displayed, and then swap the two; which one a dump
 * begins with is a matter of chance, and must not show in the comparison. So in a frame that ends
 * with the second buffer on display, places in one buffer are reported as those in the other. The
 * second buffer is the lower one, or the one farther right. Pure functions of their arguments and
 * the index; any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_BUFFERS_H
#define GPUDUMPFS_PSX_VIEWS_BUFFERS_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/index.h"

/* A rectangle in video memory; x1 and y1 are exclusive. */
struct psx_range {
    int x0, y0, x1, y1;
};

struct psx_buffers {
    bool swapped;               /* places are reported as those of the other buffer */
    struct psx_range part[2];   /* what belongs to each buffer; both have the same size */
    struct psx_range screen[2]; /* the part of each buffer that is displayed */
};

/*
 * Finds the buffers from the displays of this frame and of the frames near it. If there is no
 * second buffer, nothing is swapped.
 */
void psx_buffers_find(const struct psx_index *index, uint64_t frame, struct psx_buffers *out);

/* Finds the buffers from two displays. `other` may be anywhere. */
void psx_buffers_of(const struct psx_display *display, const struct psx_display *other,
                    struct psx_buffers *out);

/*
 * Maps the places in a complete GP0 command, and the drawing area and offset that it is carried out
 * with. `polyline` is the box of a complete polyline, if the command is one.
 */
void psx_buffers_gp0(const struct psx_buffers *buffers, struct psx_gp0_event *event,
                     struct psx_registers *registers, struct psx_box *polyline);

/* Maps the place in a GP1 word, which only GP1(05) has. Returns the mapped word. */
uint32_t psx_buffers_gp1(const struct psx_buffers *buffers, uint32_t word);

#endif

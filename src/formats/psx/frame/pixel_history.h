/* SPDX-License-Identifier: MIT */
/*
 * The history of a pixel of VRAM: for each command of a frame that covers the pixel, what it did to
 * the pixel or why it did nothing. The frame is carried out from its start, and everything that
 * meets the pixel is examined on the way (psx.md 9). Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_PIXEL_HISTORY_H
#define GPUDUMPFS_PSX_FRAME_PIXEL_HISTORY_H

#include "formats/psx/frame/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum psx_pixel_outcome {
    PSX_PIXEL_WRITTEN,
    PSX_PIXEL_MASKED,      /* the mask test protected it */
    PSX_PIXEL_TRANSPARENT, /* the texel is 0000h */
    PSX_PIXEL_CLIPPED,     /* from here on as in enum psx_coverage_miss */
    PSX_PIXEL_FIELD,
    PSX_PIXEL_CULLED,
};

/* A halfword of VRAM that the pixel was computed from. */
struct psx_pixel_source {
    bool is_there;
    uint16_t x, y;
    uint16_t word;
};

/*
 * What a command did to a pixel that it covers. A command that draws the pixel several times has an
 * event for each time.
 */
struct psx_pixel_event {
    uint64_t packet; /* the packet in which the command begins */
    uint32_t word;   /* index in that packet of the command's first word */
    int32_t writer;  /* as in struct psx_write_log */
    uint32_t pixel;  /* index in VRAM */
    uint16_t before, after;
    uint8_t op;
    uint8_t outcome; /* enum psx_pixel_outcome */
    int8_t blend;    /* blend mode, or -1 if not blended */
    bool has_uv;
    uint8_t u, v; /* after the texture window */
    /*
     * The halfword with the texel, as the GPU reads it. For a copy or upload, the pixel that is
     * moved.
     */
    struct psx_pixel_source texel;
    bool has_texel_place;          /* false for an upload */
    struct psx_pixel_source entry; /* the entry of the palette, as latched */
};

/*
 * Takes the events one after the other, in order. A result other than 0 ends the history and is
 * returned by it.
 */
typedef int psx_pixel_visit(void *context, const struct psx_pixel_event *event);

/* The pixels that one history is about. The caller owns the arrays. */
struct psx_pixels {
    const uint32_t *pixel; /* indices in VRAM, ascending */
    unsigned count;
    uint16_t *start; /* filled in: the value of each pixel at the frame's start */
};

/*
 * Visits all events of a frame, whose counts must be known. Returns 0, -ENOMEM, -EINTR, -EIO, or
 * what `visit` returned.
 */
int psx_pixel_history(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct psx_pixels *pixels, psx_pixel_visit *visit, void *context);

/*
 * Determines whether any command of the frame reaches one of the pixels: writes it, or would unless
 * the mask test or a texel prevents that. Draws nothing. The frame's counts must be known. Returns
 * 0, -ENOMEM or -EINTR.
 */
int psx_pixels_are_reached(const struct psx_index *index, uint64_t frame,
                           const struct psx_pixels *pixels, const struct cancel *cancel, bool *out);

#endif

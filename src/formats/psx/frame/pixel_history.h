/* SPDX-License-Identifier: MIT */
/*
 * The history of a pixel of VRAM: what each command of a frame that covers it did to it, or why
 * it did nothing. The frame is carried out from its start, and all that meets the pixel is
 * looked at on the way (psx.md 9). Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_PIXEL_HISTORY_H
#define GPUDUMPFS_PSX_FRAME_PIXEL_HISTORY_H

#include "formats/psx/frame/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum psx_pixel_outcome {
    PSX_PIXEL_WRITTEN,
    PSX_PIXEL_MASKED,      /* the mask test left it alone */
    PSX_PIXEL_TRANSPARENT, /* the texel is 0000h */
    PSX_PIXEL_CLIPPED,     /* the rest as enum psx_coverage_miss has it */
    PSX_PIXEL_FIELD,
    PSX_PIXEL_CULLED,
};

/* A halfword of VRAM that a pixel was made of. */
struct psx_pixel_source {
    bool is_there;
    uint16_t x, y;
    uint16_t word;
};

/* A command that covers the pixel; of one that draws it several times, each time. */
struct psx_pixel_event {
    uint64_t packet; /* where the command begins, and the word of it */
    uint32_t word;
    int32_t writer; /* as struct psx_write_log has it */
    uint32_t pixel; /* of VRAM */
    uint16_t before, after;
    uint8_t op;
    uint8_t outcome; /* enum psx_pixel_outcome */
    int8_t blend;    /* mode; -1: not blended */
    bool has_uv;
    uint8_t u, v; /* behind the texture window */
    /* What the texel lies in, as the GPU reads it; of a copy and an upload, the pixel that is
     * moved. */
    struct psx_pixel_source texel;
    bool has_texel_place;          /* an upload's has none */
    struct psx_pixel_source entry; /* of the palette, as it is latched */
};

/* Takes an event, in their order; what is not 0 ends the history and is its status. */
typedef int psx_pixel_visit(void *context, const struct psx_pixel_event *event);

/* What is looked at in one go; the caller's arrays. */
struct psx_pixels {
    const uint32_t *pixel; /* of VRAM, in its order */
    unsigned count;
    uint16_t *start; /* what each holds where the frame starts; found out */
};

/* All events of a frame, whose counts are known. 0, -ENOMEM, -EINTR, -EIO, or what `visit` said. */
int psx_pixel_history(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct psx_pixels *pixels, psx_pixel_visit *visit, void *context);

/*
 * Whether any command of the frame reaches one of the pixels: writes it, or asks the mask test or a
 * texel whether to. Nothing is drawn. The frame's counts are known. 0, -ENOMEM, -EINTR.
 */
int psx_pixels_are_reached(const struct psx_index *index, uint64_t frame,
                           const struct psx_pixels *pixels, const struct cancel *cancel, bool *out);

#endif

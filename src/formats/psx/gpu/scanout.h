/* SPDX-License-Identifier: MIT */
/*
 * Scan-out: the picture that the display registers show of VRAM (psx-gpu.md 12,
 * psx-dump.md 3.4). Pure functions.
 */
#ifndef GPUDUMPFS_PSX_GPU_SCANOUT_H
#define GPUDUMPFS_PSX_GPU_SCANOUT_H

#include "formats/psx/gpu/registers.h"
#include "formats/psx/index/tiles.h"

#include <stdbool.h>
#include <stdint.h>

/* The picture that the display registers select (psx-gpu.md 12, psx-dump.md 3.4). */
struct psx_screen {
    uint32_t width, height; /* of the picture: 1 x 1 when `empty` */
    uint32_t x, y;          /* of its first pixel in VRAM, in halfwords and lines */
    uint32_t lines; /* lines of VRAM that are addressed; after them the picture wraps to line 0 */
    bool off, empty;
    bool depth24, interlaced, woven; /* woven: 480i, with the rows of both fields */
    bool pal;
};

/* Determines the picture from the display registers. */
void psx_display_screen(const struct psx_display *display, struct psx_screen *out);

/* Returns the number of halfwords that the picture shows in each row. */
uint32_t psx_scanout_columns(const struct psx_screen *screen);

/*
 * Copies the halfwords that the picture shows to `out`, row by row, psx_scanout_columns() in each
 * row. VRAM has `lines` lines. Not for a display that is off.
 */
void psx_scanout_copy(const struct psx_screen *screen, const uint16_t *vram, uint32_t lines,
                      uint16_t *out);

/*
 * Converts one row of what psx_scanout_copy() copies to RGB bytes, screen->width * 3 of them. Not
 * for a display that is off.
 */
void psx_scanout_show(const struct psx_screen *screen, const uint16_t *halfwords, uint8_t *rgb);

/*
 * Makes one row of the picture, as RGB bytes, screen->width * 3; black while the display is off or
 * empty.
 */
void psx_scanout_row(const struct psx_screen *screen, const uint16_t *vram, uint32_t lines,
                     uint32_t row, uint8_t *rgb);

/* Compute the part of VRAM that the picture shows, with wraps; nothing while the display is off. */
void psx_scanout_box(const struct psx_screen *screen, struct psx_box *out);
void psx_scanout_tiles(const struct psx_screen *screen, uint32_t lines, struct psx_tiles *out);

/* Converts halfwords to RGB bytes, (v << 3) | (v >> 2). */
void psx_scanout_expand(const uint16_t *pixels, uint32_t count, uint8_t *rgb);

#endif

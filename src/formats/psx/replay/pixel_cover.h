/* SPDX-License-Identifier: MIT */
/*
 * Which pixels of needed tiles a slice does not need on its way back, since what it has taken
 * overwrites them before anything reads them (slice.h). An op that writes such pixels alone is left
 * out, and a tile of which none is left is needed no more. Textures and palettes that come into the
 * same places again and again, and reads of a few pixels of a tile, leave little to be taken so. Of
 * memory with 512 lines. Owned by one slice's thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_PIXEL_COVER_H
#define GPUDUMPFS_PSX_REPLAY_PIXEL_COVER_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/tiles.h"

#include <stdbool.h>

struct psx_pixel_cover;

/* NULL: there is no memory. All pixels are needed of the tiles that are. */
struct psx_pixel_cover *psx_pixel_cover_create(void);
void psx_pixel_cover_destroy(struct psx_pixel_cover **cover);

/* In all of them boxes lie in VRAM with their corner, and wrap at both edges. */

/* Whether any pixel of the box is needed. */
bool psx_pixel_cover_meets(const struct psx_pixel_cover *cover, const struct psx_tiles *needed,
                           const struct psx_box *box);

/* What was taken overwrites the box. */
void psx_pixel_cover_add(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                         const struct psx_box *box);

/* What was taken reads the box. */
void psx_pixel_cover_need(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                          const struct psx_box *box);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which pixels of needed tiles a slice (slice.h) no longer needs on its way back, since ops that it
 * has taken overwrite them before anything reads them. An op that writes only pixels that are not
 * needed is left out, and a tile without needed pixels is removed from the needed tiles. So a slice
 * takes little where textures and palettes are uploaded to the same places again and again, and
 * where only a few pixels of a tile are read. Only for memory with 512 lines. Owned by one slice's
 * thread.
 */
#ifndef GPUDUMPFS_PSX_REPLAY_PIXEL_COVER_H
#define GPUDUMPFS_PSX_REPLAY_PIXEL_COVER_H

#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/tiles.h"

#include <stdbool.h>

struct psx_pixel_cover;

/*
 * Creates a cover for which all pixels of the needed tiles are needed. Returns NULL if there is no
 * memory.
 */
struct psx_pixel_cover *psx_pixel_cover_create(void);
void psx_pixel_cover_destroy(struct psx_pixel_cover **cover);

/* For all functions below: a box has its corner in VRAM, and wraps at both edges. */

/* Returns whether any pixel of the box is needed. */
bool psx_pixel_cover_meets(const struct psx_pixel_cover *cover, const struct psx_tiles *needed,
                           const struct psx_box *box);

/*
 * Notes that an op which the slice takes overwrites the box. Removes tiles from `needed` of which
 * no pixel is needed any more.
 */
void psx_pixel_cover_add(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                         const struct psx_box *box);

/* Notes that an op which the slice takes reads the box, and adds its tiles to `needed`. */
void psx_pixel_cover_need(struct psx_pixel_cover *cover, struct psx_tiles *needed,
                          const struct psx_box *box);

#endif

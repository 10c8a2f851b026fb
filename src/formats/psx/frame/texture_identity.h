/*
 * What video memory holds, as far as the stream tells without drawing: in cells of
 * 16 pixels of a row (a palette of 16 is one) the uploaded, filled or copied
 * pixels, and a stamp of what was drawn into them since they were last written as
 * a whole. A texture's identity is a number made of the cells it lies in: it is
 * equal where page, palette, depth and contents are, and differs, but for a
 * collision of 64-bit numbers, where the contents may. Textures that are drawn
 * have as many identities as drawings. One thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_TEXTURE_IDENTITY_H
#define GPUDUMPFS_PSX_FRAME_TEXTURE_IDENTITY_H

#include "formats/psx/index/walk.h"

enum {
    VERSION_CELL = 16, /* pixels */
    VERSION_COLUMNS = PSX_VRAM_WIDTH / VERSION_CELL,
    VERSION_BLOCK_LINES = 16, /* of what tells that cells changed at all: 4 x 16 of them */
    VERSION_BLOCK_COLUMNS = 16,
};

/*
 * The palette is that which stands latched (psx-gpu.md 6), not what has become of it
 * since.
 */
struct texture_identity {
    uint16_t vram[PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT];
    uint64_t drawn[VERSION_COLUMNS * PSX_VRAM_HEIGHT]; /* 0: all of the cell's pixels are known */
    uint64_t changes[VERSION_BLOCK_COLUMNS * PSX_VRAM_HEIGHT / VERSION_BLOCK_LINES];
    uint64_t stamp;      /* of the last drawing */
    uint64_t palette[2]; /* made of the latched one's first 16 colours, and of all 256 */
    uint64_t work;       /* cells written and looked at, ever */
};

/* Follows what a step latches, and then the step, which is not yet applied. */
void psx_texture_identity_latch(struct texture_identity *identities, const struct psx_walk *walk,
                                const struct psx_step *step);
void psx_texture_identity_step(struct texture_identity *identities, const struct psx_walk *walk,
                               const struct psx_step *step);

/* Equal while nothing writes the cells of a texture (frame_textures.h) or latches a palette. */
uint64_t psx_texture_identity_changes(const struct texture_identity *identities, uint32_t key);

/* The palette of that texture is latched. */
uint64_t psx_texture_identity_get(struct texture_identity *identities, uint32_t key);

#endif

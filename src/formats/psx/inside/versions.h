/*
 * What video memory holds, as far as the stream tells without drawing: in cells of
 * 16 pixels of a row (a palette of 16 is one) the uploaded, filled or copied
 * pixels, and a stamp of what was drawn into them since they were last written as
 * a whole. A texture's identity is a number made of the cells it lies in: it is
 * equal where page, palette, depth and contents are, and differs, but for a
 * collision of 64-bit numbers, where the contents may. Textures that are drawn
 * have as many identities as drawings. One thread.
 */
#ifndef GPUDUMPFS_PSX_INSIDE_VERSIONS_H
#define GPUDUMPFS_PSX_INSIDE_VERSIONS_H

#include "formats/psx/walk.h"

enum {
    VERSION_CELL = 16, /* pixels */
    VERSION_COLUMNS = PSX_VRAM_WIDTH / VERSION_CELL,
    VERSION_BLOCK_LINES = 16, /* of what tells that cells changed at all: 4 x 16 of them */
    VERSION_BLOCK_COLUMNS = 16,
};

struct versions {
    uint16_t vram[PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT];
    uint64_t drawn[VERSION_COLUMNS * PSX_VRAM_HEIGHT]; /* 0: all of the cell's pixels are known */
    uint64_t changes[VERSION_BLOCK_COLUMNS * PSX_VRAM_HEIGHT / VERSION_BLOCK_LINES];
    uint64_t stamp; /* of the last drawing */
};

/* Follows a step that is not yet applied. */
void versions_step(struct versions *versions, const struct psx_walk *walk,
                   const struct psx_step *step);

/* Grows whenever the cells of a texture (survey.h) are written. */
uint64_t versions_changes(const struct versions *versions, uint32_t key);

uint64_t versions_identity(const struct versions *versions, uint32_t key);

#endif

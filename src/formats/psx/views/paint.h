/*
 * Pictures row by row, in the encoding that the mount's options ask for. Pure
 * functions; any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_PAINT_H
#define GPUDUMPFS_PSX_VIEWS_PAINT_H

#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"

/* 0, -ENOMEM, -EINVAL, -EIO, -EINTR. */
int psx_paint(const struct psx_dump *dump, const struct picture_header *header, picture_paint *row,
              const void *context, const struct cancel *cancel, struct blob **out);

/* An area of VRAM, around its edges; width 0: one black pixel. */
struct paint_area {
    const uint16_t *vram;
    uint32_t lines;
    struct psx_box box;
};
void psx_paint_area_row(const void *area, uint32_t y, uint8_t *rgb);

/* Half as bright. */
void psx_paint_dim(uint8_t *rgb, uint32_t pixels);

#endif

#include "formats/psx/views/paint.h"

#include "formats/psx/gpu/scanout.h"

#include <string.h>

int psx_paint(const struct psx_dump *dump, const struct picture_header *header, picture_paint *row,
              const void *context, const struct cancel *cancel, struct blob **out)
{
    return picture_write(header, dump->base.options->png, row, context, cancel, out);
}

void psx_paint_area_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct paint_area *area = context;
    uint32_t x = (uint32_t)area->box.x & (PSX_VRAM_WIDTH - 1);
    uint32_t width = (uint32_t)area->box.width;
    uint32_t first = width < PSX_VRAM_WIDTH - x ? width : PSX_VRAM_WIDTH - x;
    uint32_t line = ((uint32_t)area->box.y + y) & (area->lines - 1);
    const uint16_t *row = area->vram + (size_t)line * PSX_VRAM_WIDTH;

    if (width == 0) {
        memset(rgb, 0, 3);
        return;
    }
    psx_scanout_expand(row + x, first, rgb);
    psx_scanout_expand(row, width - first, rgb + 3 * (size_t)first);
}

void psx_paint_dim(uint8_t *rgb, uint32_t pixels)
{
    for (size_t i = 0; i < 3 * (size_t)pixels; i++)
        rgb[i] /= 2;
}

#include "formats/psx/scanout.h"

#include <string.h>

static inline uint8_t expand_channel(unsigned v5)
{
    return (uint8_t)(v5 << 3 | v5 >> 2);
}

void psx_scanout_expand(const uint16_t *pixels, uint32_t count, uint8_t *rgb)
{
    for (uint32_t i = 0; i < count; i++, rgb += 3) {
        rgb[0] = expand_channel(pixels[i] & 31);
        rgb[1] = expand_channel(pixels[i] >> 5 & 31);
        rgb[2] = expand_channel(pixels[i] >> 10 & 31);
    }
}

/* 24 bit: a row is 2048 bytes, low halves first, and wraps. */
static void copy_bytes(const uint16_t *row, uint32_t x, uint32_t count, uint8_t *rgb)
{
    uint32_t from = 2 * x;

    for (uint32_t i = 0; i < count; i++, from++)
        rgb[i] = (uint8_t)(row[from / 2 & (PSX_VRAM_WIDTH - 1)] >> 8 * (from & 1));
}

void psx_scanout_row(const struct psx_screen *screen, const uint16_t *vram, uint32_t lines,
                     uint32_t row, uint8_t *rgb)
{
    const uint16_t *from = vram + ((screen->y + row) & (lines - 1)) * PSX_VRAM_WIDTH;

    if (screen->off || screen->empty) {
        memset(rgb, 0, (size_t)screen->width * 3);
    } else if (screen->depth24) {
        copy_bytes(from, screen->x, screen->width * 3, rgb);
    } else {
        uint32_t first = PSX_VRAM_WIDTH - screen->x;

        if (first > screen->width)
            first = screen->width;
        psx_scanout_expand(from + screen->x, first, rgb);
        psx_scanout_expand(from, screen->width - first, rgb + 3 * (size_t)first);
    }
}

void psx_scanout_box(const struct psx_screen *screen, struct psx_box *out)
{
    uint32_t columns = screen->depth24 ? (screen->width * 3 + 1) / 2 : screen->width;

    *out = (struct psx_box){(int)screen->x, (int)screen->y, (int)columns, (int)screen->height};
    if (screen->off || screen->empty)
        out->width = out->height = 0;
}

void psx_scanout_tiles(const struct psx_screen *screen, struct psx_tiles *out)
{
    struct psx_tile_box tiles;
    struct psx_box box;

    psx_scanout_box(screen, &box);
    tiles = psx_tile_box_around(&box);
    memset(out, 0, sizeof(*out));
    psx_tiles_add_box(out, &tiles);
}

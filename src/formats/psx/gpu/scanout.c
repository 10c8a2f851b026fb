/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/scanout.h"

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"

#include <string.h>

static uint32_t display_width(const struct psx_display *display)
{
    static const uint8_t dividers[4] = {10, 8, 5, 4};
    uint32_t x1 = display->x & 0xFFF;
    uint32_t x2 = display->x >> 12 & 0xFFF;

    if (x2 <= x1)
        return 0;

    uint32_t divider = display->mode & PSX_MODE_368 ? 7 : dividers[display->mode & 3];
    uint32_t pixels = (x2 - x1) / divider;

    return pixels == 1 ? 4 : (pixels + 2) & ~3u;
}

static uint32_t display_lines(const struct psx_display *display, bool woven)
{
    uint32_t y1 = display->y & 0x3FF;
    uint32_t y2 = display->y >> 10 & 0x3FF;

    return y2 <= y1 ? 0 : (y2 - y1) << woven;
}

void psx_display_screen(const struct psx_display *display, struct psx_screen *out)
{
    uint32_t mode = display->mode;

    out->interlaced = mode & PSX_MODE_INTERLACED;
    out->woven = out->interlaced && (mode & PSX_MODE_480);
    out->pal = mode & PSX_MODE_PAL;
    out->depth24 = mode & PSX_MODE_24;
    out->off = display->off;
    out->x = display->start & 0x3FF;
    out->lines = psx_display_lines(display);
    out->y = display->start >> 10 & (out->lines - 1);
    out->width = display_width(display);
    out->height = display_lines(display, out->woven);
    out->empty = out->width == 0 || out->height == 0;
    if (out->empty)
        out->width = out->height = 1;
}

/* 4095 cycles of the display at 4 a pixel, rounded to four pixels, of 24 bits each. */
enum { COLUMNS_MAX = 1024 * 3 / 2 };

void psx_scanout_expand(const uint16_t *pixels, uint32_t count, uint8_t *rgb)
{
    psx_raster_ops_get(0)->runs->expand(pixels, count, rgb);
}

uint32_t psx_scanout_columns(const struct psx_screen *screen)
{
    return screen->depth24 ? (screen->width * 3 + 1) / 2 : screen->width;
}

/*
 * Returns where a row begins in VRAM. *before_edge: how many halfwords come before the right edge.
 */
static const uint16_t *find_row(const struct psx_screen *screen, const uint16_t *vram,
                                uint32_t lines, uint32_t row, uint32_t *before_edge)
{
    static const uint16_t nothing[PSX_VRAM_WIDTH];
    uint32_t line = (screen->y + row) & (screen->lines - 1);

    *before_edge = PSX_VRAM_WIDTH - screen->x;
    return (line < lines ? vram + (size_t)line * PSX_VRAM_WIDTH : nothing) + screen->x;
}

/* Copies a row that may go around the right edge, more than once if it is wide. */
static void copy_row(const uint16_t *from, uint32_t before_edge, uint32_t count, uint16_t *out)
{
    while (count > 0) {
        uint32_t run = before_edge < count ? before_edge : count;

        memcpy(out, from, run * sizeof(*out));
        from += run;
        out += run;
        count -= run;
        if (run == before_edge)
            from -= PSX_VRAM_WIDTH;
        before_edge = PSX_VRAM_WIDTH;
    }
}

void psx_scanout_copy(const struct psx_screen *screen, const uint16_t *vram, uint32_t lines,
                      uint16_t *out)
{
    uint32_t columns = psx_scanout_columns(screen), before_edge;

    for (uint32_t row = 0; row < screen->height; row++, out += columns) {
        const uint16_t *from = find_row(screen, vram, lines, row, &before_edge);

        copy_row(from, before_edge, columns, out);
    }
}

void psx_scanout_show(const struct psx_screen *screen, const uint16_t *halfwords, uint8_t *rgb)
{
    uint32_t bytes = 3 * screen->width;

    if (!screen->depth24) {
        psx_scanout_expand(halfwords, screen->width, rgb);
        return;
    }
    psx_halfwords_store(rgb, halfwords, bytes / 2);
    if (bytes % 2 != 0)
        rgb[bytes - 1] = (uint8_t)halfwords[bytes / 2];
}

void psx_scanout_row(const struct psx_screen *screen, const uint16_t *vram, uint32_t lines,
                     uint32_t row, uint8_t *rgb)
{
    uint32_t columns = psx_scanout_columns(screen), before_edge;
    uint16_t room[COLUMNS_MAX];
    const uint16_t *from;

    if (screen->off || screen->empty) {
        memset(rgb, 0, (size_t)screen->width * 3);
        return;
    }
    from = find_row(screen, vram, lines, row, &before_edge);
    if (columns > before_edge) {
        copy_row(from, before_edge, columns, room);
        from = room;
    }
    psx_scanout_show(screen, from, rgb);
}

void psx_scanout_box(const struct psx_screen *screen, struct psx_box *out)
{
    *out = (struct psx_box){(int)screen->x, (int)screen->y, (int)psx_scanout_columns(screen),
                            (int)screen->height};
    if (screen->off || screen->empty)
        out->width = out->height = 0;
}

void psx_scanout_tiles(const struct psx_screen *screen, uint32_t lines, struct psx_tiles *out)
{
    struct psx_tile_box tiles;
    struct psx_box box;

    psx_scanout_box(screen, &box);
    tiles = psx_tile_box_around(&box,
                                (struct psx_vram_lines){(uint16_t)screen->lines, (uint16_t)lines});
    memset(out, 0, sizeof(*out));
    psx_tiles_add_box(out, &tiles);
}

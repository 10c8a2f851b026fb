/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/gpu.h"

#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/raster.h"

#include <string.h>

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns a line of VRAM; NULL if memory has no such line. */
static uint16_t *row_of(const struct psx_gpu *gpu, uint32_t y)
{
    y &= psx_display_lines(&gpu->state.registers.display) - 1;
    return y < gpu->lines ? gpu->vram + y * PSX_VRAM_WIDTH : NULL;
}

static const uint16_t *row_to_read(const struct psx_gpu *gpu, uint32_t y)
{
    static const uint16_t nothing[PSX_VRAM_WIDTH];
    const uint16_t *row = row_of(gpu, y);

    return row != NULL ? row : nothing;
}

void psx_transfer_read_row(const struct psx_gpu *gpu, uint32_t y, uint32_t x, uint32_t count,
                           uint16_t *to)
{
    const uint16_t *row = row_to_read(gpu, y);

    x &= PSX_VRAM_WIDTH - 1;

    uint32_t first = smaller(count, PSX_VRAM_WIDTH - x);

    memcpy(to, row + x, first * sizeof(*to));
    memcpy(to + first, row, (count - first) * sizeof(*to));
}

/* What E6 does to pixels that are moved: force bit 15, keep marked pixels. */
struct mask {
    uint16_t set;
    bool check;
};

static struct mask mask_of(const struct psx_gpu *gpu)
{
    uint32_t e6 = gpu->state.registers.e[6];

    return (struct mask){e6 & 1 ? PIXEL_MASK : 0, e6 & 2};
}

/* `from`: halfwords in this machine's order, at any address. */
static void write_run(const struct psx_gpu *gpu, uint16_t *to, const void *from, uint32_t count,
                      struct mask mask)
{
    if (gpu->observer != NULL)
        psx_observe_run(gpu, to, count, mask.check, false);
    if (!mask.set && !mask.check)
        memcpy(to, from, count * sizeof(*to));
    else
        gpu->ops->runs->move(to, from, count, mask.set, mask.check ? PIXEL_MASK : 0);
}

static void write_row(const struct psx_gpu *gpu, uint32_t y, uint32_t x, uint32_t count,
                      const void *from, struct mask mask)
{
    uint16_t *row = row_of(gpu, y);

    x &= PSX_VRAM_WIDTH - 1;

    uint32_t first = smaller(count, PSX_VRAM_WIDTH - x);

    if (row == NULL)
        return;
    write_run(gpu, row + x, from, first, mask);
    if (first < count)
        write_run(gpu, row, (const uint8_t *)from + first * sizeof(*row), count - first, mask);
}

static void fill_run(const struct psx_gpu *gpu, uint16_t *to, uint32_t count, uint16_t pixel)
{
    if (gpu->observer != NULL)
        psx_observe_run(gpu, to, count, false, false);
    gpu->ops->runs->fill(to, count, pixel);
}

static void fill_split(const struct psx_gpu *gpu, uint16_t *row, const struct psx_draw *fill,
                       uint16_t pixel)
{
    for (uint32_t i = 0; i < fill->width; i++) {
        uint32_t x = fill->x + i + (i % 2 == 0 ? PSX_SPLIT_COLUMNS : 0);

        fill_run(gpu, row + (x & (PSX_VRAM_WIDTH - 1)), 1, pixel);
    }
}

static void fill_row(const struct psx_gpu *gpu, uint16_t *row, const struct psx_draw *fill,
                     uint16_t pixel)
{
    uint32_t first = smaller(fill->width, PSX_VRAM_WIDTH - fill->x);

    if (fill->split) {
        fill_split(gpu, row, fill, pixel);
        return;
    }
    fill_run(gpu, row + fill->x, first, pixel);
    if (first < fill->width)
        fill_run(gpu, row, fill->width - first, pixel);
}

void psx_transfer_fill(struct psx_gpu *gpu, const struct psx_draw *fill)
{
    uint16_t pixel = pixel_of_colour(fill->vertex[0].colour);
    int parity = psx_raster_skipped_parity(gpu);

    for (uint32_t i = 0; i < fill->height; i++) {
        uint32_t y = fill->y + i;
        uint16_t *row = row_of(gpu, y);

        if ((int)(y & 1) == parity || row == NULL)
            continue;
        fill_row(gpu, row, fill, pixel);
        gpu->pixels += fill->width;
    }
}

/* Returns whether a copy writes what it reads in the same row, where columns go around the edge. */
static bool overlaps(const struct psx_gpu *gpu, const struct psx_draw *copy)
{
    uint32_t ahead = (copy->x - copy->from_x) & (PSX_VRAM_WIDTH - 1);

    return row_of(gpu, copy->from_y) == row_of(gpu, copy->y) &&
           (ahead < copy->width || PSX_VRAM_WIDTH - ahead < copy->width);
}

/*
 * Copies a row whose parts overlap, or go around the edge: all of it is read before it is written.
 */
static void copy_aside(struct psx_gpu *gpu, const struct psx_draw *copy, uint32_t row,
                       struct mask mask)
{
    uint16_t pixels[PSX_VRAM_WIDTH];

    psx_transfer_read_row(gpu, copy->from_y + row, copy->from_x, copy->width, pixels);
    write_row(gpu, copy->y + row, copy->x, copy->width, pixels, mask);
}

void psx_transfer_copy(struct psx_gpu *gpu, const struct psx_draw *copy)
{
    struct mask mask = mask_of(gpu);
    uint32_t from_x = copy->from_x & (PSX_VRAM_WIDTH - 1);
    bool aside = from_x + copy->width > PSX_VRAM_WIDTH || overlaps(gpu, copy);

    for (uint32_t i = 0; i < copy->height; i++) {
        if (aside)
            copy_aside(gpu, copy, i, mask);
        else
            write_row(gpu, copy->y + i, copy->x, copy->width,
                      row_to_read(gpu, copy->from_y + i) + from_x, mask);
    }
}

/* Returns halfwords of the dump in this machine's order: where they are, or converted in `room`. */
static const void *load_pixels(uint16_t *room, const uint8_t *from, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)room, (void)count;
    return from;
#else
    psx_halfwords_load(room, from, count);
    return room;
#endif
}

void psx_transfer_upload(struct psx_gpu *gpu, const uint8_t *words, uint32_t count)
{
    const struct psx_transfer *upload = &gpu->state.upload;
    /* Without the unused half of the last word, if the number of halfwords is odd. */
    uint32_t left = smaller(2 * count, upload->total - upload->done);
    uint32_t row = upload->done / upload->width;
    uint32_t column = upload->done % upload->width;
    struct mask mask = psx_state_ignores_mask(&gpu->state) ? (struct mask){0} : mask_of(gpu);
    uint16_t room[PSX_VRAM_WIDTH];

    while (left > 0) {
        uint32_t run = smaller(left, upload->width - column);

        write_row(gpu, upload->y + row, upload->x + column, run, load_pixels(room, words, run),
                  mask);
        words += 2 * run;
        left -= run;
        column = 0;
        row++;
    }
}

void psx_transfer_latch_read(struct psx_gpu *gpu)
{
    const struct psx_transfer *read = &gpu->state.read;
    uint16_t *to = gpu->read_data;

    for (uint32_t i = 0; i < read->height; i++, to += read->width)
        psx_transfer_read_row(gpu, read->y + i, read->x, read->width, to);
    if (read->width * read->height % 2 != 0)
        *to = 0;
}

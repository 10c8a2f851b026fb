#include "formats/psx/transfer.h"

#include "core/bytes.h"
#include "formats/psx/observer.h"
#include "formats/psx/pixel.h"
#include "formats/psx/raster.h"

#include <string.h>

enum { COPY_BLOCK = 128 }; /* pixels that a copy reads before it writes them */

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint16_t *row_of(const struct psx_gpu *gpu, uint32_t y)
{
    return gpu->vram + (y & (PSX_VRAM_HEIGHT - 1)) * PSX_VRAM_WIDTH;
}

/* Reads `count` pixels of a row from column x on, around the right edge. */
static void read_row(const uint16_t *row, uint32_t x, uint32_t count, uint16_t *to)
{
    x &= PSX_VRAM_WIDTH - 1;

    uint32_t first = smaller(count, PSX_VRAM_WIDTH - x);

    memcpy(to, row + x, first * sizeof(*to));
    memcpy(to + first, row, (count - first) * sizeof(*to));
}

/* What E6 makes of pixels that are moved: bit 15 forced, marked ones kept. */
struct mask {
    uint16_t set;
    bool check;
};

static struct mask mask_of(const struct psx_gpu *gpu)
{
    uint32_t e6 = gpu->state.registers.e[6];

    return (struct mask){e6 & 1 ? PIXEL_MASK : 0, e6 & 2};
}

static void write_run(const struct psx_gpu *gpu, uint16_t *to, const uint16_t *from, uint32_t count,
                      struct mask mask)
{
    if (gpu->observer != NULL)
        psx_observe_run(gpu, to, count, mask.check, false);
    if (!mask.set && !mask.check) {
        memcpy(to, from, count * sizeof(*to));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!mask.check || !(to[i] & PIXEL_MASK))
            to[i] = from[i] | mask.set;
}

static void write_row(const struct psx_gpu *gpu, uint32_t y, uint32_t x, uint32_t count,
                      const uint16_t *from, struct mask mask)
{
    uint16_t *row = row_of(gpu, y);

    x &= PSX_VRAM_WIDTH - 1;

    uint32_t first = smaller(count, PSX_VRAM_WIDTH - x);

    write_run(gpu, row + x, from, first, mask);
    write_run(gpu, row, from + first, count - first, mask);
}

static void fill_run(const struct psx_gpu *gpu, uint16_t *to, uint32_t count, uint16_t pixel)
{
    if (gpu->observer != NULL)
        psx_observe_run(gpu, to, count, false, false);
    for (uint32_t i = 0; i < count; i++)
        to[i] = pixel;
}

void transfer_fill(struct psx_gpu *gpu, const struct psx_draw *fill)
{
    uint16_t pixel = pixel_of_colour(fill->vertex[0].colour);
    uint32_t first = smaller(fill->width, PSX_VRAM_WIDTH - fill->x);
    int parity = raster_skipped_parity(gpu);

    for (uint32_t i = 0; i < fill->height; i++) {
        uint32_t y = (fill->y + i) & (PSX_VRAM_HEIGHT - 1);

        if ((int)(y & 1) == parity)
            continue;
        fill_run(gpu, row_of(gpu, y) + fill->x, first, pixel);
        fill_run(gpu, row_of(gpu, y), fill->width - first, pixel);
        gpu->pixels += fill->width;
    }
}

void transfer_copy(struct psx_gpu *gpu, const struct psx_draw *copy)
{
    struct mask mask = mask_of(gpu);
    uint16_t block[COPY_BLOCK];

    for (uint32_t i = 0; i < copy->height; i++) {
        const uint16_t *from = row_of(gpu, copy->from_y + i);

        for (uint32_t x = 0; x < copy->width; x += COPY_BLOCK) {
            uint32_t count = smaller(copy->width - x, COPY_BLOCK);

            read_row(from, copy->from_x + x, count, block);
            write_row(gpu, copy->y + i, copy->x + x, count, block, mask);
        }
    }
}

/* Halfwords as they lie in the dump, into the machine's order. */
static void load_pixels(uint16_t *to, const uint8_t *from, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, count * sizeof(*to));
#else
    for (uint32_t i = 0; i < count; i++)
        to[i] = bytes_le16(from + 2 * i);
#endif
}

void transfer_upload(struct psx_gpu *gpu, const uint8_t *words, uint32_t count)
{
    const struct psx_transfer *upload = &gpu->state.upload;
    uint32_t left = smaller(2 * count, upload->total - upload->done); /* not an odd one's half */
    uint32_t row = upload->done / upload->width;
    uint32_t column = upload->done % upload->width;
    struct mask mask = psx_state_ignores_mask(&gpu->state) ? (struct mask){0} : mask_of(gpu);
    uint16_t pixels[PSX_VRAM_WIDTH];

    while (left > 0) {
        uint32_t run = smaller(left, upload->width - column);

        load_pixels(pixels, words, run);
        write_row(gpu, upload->y + row, upload->x + column, run, pixels, mask);
        words += 2 * run;
        left -= run;
        column = 0;
        row++;
    }
}

void transfer_latch_read(struct psx_gpu *gpu)
{
    const struct psx_transfer *read = &gpu->state.read;
    uint16_t *to = gpu->read_data;

    for (uint32_t i = 0; i < read->height; i++, to += read->width)
        read_row(row_of(gpu, read->y + i), read->x, read->width, to);
    if (read->width * read->height % 2 != 0)
        *to = 0;
}

void transfer_latch_clut(struct psx_gpu *gpu)
{
    const struct psx_clut_key *key = &gpu->state.clut;

    read_row(row_of(gpu, key->id >> 6), (key->id & 0x3Fu) * 16, key->entries, gpu->clut);
}

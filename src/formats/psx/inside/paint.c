#include "formats/psx/inside/paint.h"

#include "formats/psx/scanout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int paint_stored(const struct picture_header *header, paint_row *row, const void *context,
                        struct blob **out)
{
    struct picture_writer writer;
    uint8_t *scratch = malloc((size_t)header->width * header->colour);
    int status = scratch == NULL ? -ENOMEM : picture_begin(header, &writer);

    for (uint32_t y = 0; status == 0 && y < header->height; y++) {
        uint8_t *pixels = picture_row(&writer, y, scratch);

        row(context, y, pixels);
        picture_put_row(&writer, y, pixels);
    }
    if (status == 0)
        status = picture_finish(&writer, out);
    free(scratch);
    return status;
}

static int paint_small(const struct picture_header *header, paint_row *row, const void *context,
                       struct blob **out)
{
    size_t stride = (size_t)header->width * header->colour;
    uint8_t *pixels = calloc(header->height, stride);
    int status = pixels == NULL ? -ENOMEM : 0;

    for (uint32_t y = 0; status == 0 && y < header->height; y++)
        row(context, y, pixels + y * stride);
    if (status == 0)
        status = picture_encode(header, pixels, stride, PICTURE_SMALL, out);
    free(pixels);
    return status;
}

int paint(const struct psx_dump *dump, const struct picture_header *header, paint_row *row,
          const void *context, struct blob **out)
{
    return dump->base.options->png == PICTURE_SMALL ? paint_small(header, row, context, out)
                                                    : paint_stored(header, row, context, out);
}

void paint_area_row(const void *context, uint32_t y, uint8_t *rgb)
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

void paint_dim(uint8_t *rgb, uint32_t pixels)
{
    for (size_t i = 0; i < 3 * (size_t)pixels; i++)
        rgb[i] /= 2;
}

/* SPDX-License-Identifier: MIT */
/*
 * Texels of block formats and of AeroGPU's formats: four bytes choose the format and the shape, and
 * the rest are the texels. Lines that are decoded separately must be equal to those of the complete
 * picture.
 */
#include "config.h"

#include "formats/aerogpu/decode/layout.h"
#include "image/pixel_format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4, SIDE_MAX = 24, BYTES_MAX = 1 << 13 };

static const uint8_t extents[][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                     {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                     {10, 8}, {10, 10}, {12, 10}, {12, 12}};

static const struct pixel_format blocks[] = {
    PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BC1),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BC2),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BC3),
    PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGB, PIXEL_BC4),
    PIXEL_BLOCK(8, PIXEL_SNORM, PICTURE_RGB, PIXEL_BC4),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGB, PIXEL_BC5),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_LATC2),
    PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGB, PIXEL_ETC2),
    PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGBA, PIXEL_ETC2_A1),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_ETC2_EAC),
    PIXEL_BLOCK(8, PIXEL_UNORM, PICTURE_RGB, PIXEL_EAC1),
    PIXEL_BLOCK(16, PIXEL_SNORM, PICTURE_RGB, PIXEL_EAC2),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGB, PIXEL_BC6H),
    PIXEL_BLOCK(16, PIXEL_SNORM, PICTURE_RGB, PIXEL_BC6H),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_BC7),
    PIXEL_BLOCK(16, PIXEL_UNORM, PICTURE_RGBA, PIXEL_ASTC),
    PIXEL_BLOCK(16, PIXEL_SRGB, PICTURE_RGBA, PIXEL_ASTC),
};
enum { BLOCKS = sizeof(blocks) / sizeof(blocks[0]) };

/* Chooses one of the block formats, or one of AeroGPU's formats, which have separate pixels. */
static bool choose(const uint8_t *head, struct pixel_format *out)
{
    const struct pixel_format *found;

    if (head[0] < BLOCKS) {
        *out = blocks[head[0]];
        if (out->block == PIXEL_ASTC) {
            out->width = extents[head[1] % (sizeof(extents) / 2)][0];
            out->height = extents[head[1] % (sizeof(extents) / 2)][1];
        }
        return true;
    }
    found = aerogpu_pixel_format(head[0] - BLOCKS);
    if (found != NULL)
        *out = *found;
    return found != NULL;
}

/*
 * Decodes into buffers of exactly the necessary size, so that a sanitizer detects an access to the
 * first byte after them.
 */
static void decode(const struct pixel_format *format, const uint8_t *head, const uint8_t *texels,
                   size_t size)
{
    uint32_t width = head[2] % SIDE_MAX + 1, height = head[3] % SIDE_MAX + 1;
    uint32_t columns = format->block ? (width + format->width - 1) / format->width : width;
    uint32_t rows = format->block ? (height + format->height - 1) / format->height : height;
    uint32_t first = head[1] % height;
    size_t pitch = (size_t)format->bytes * columns, line = (size_t)width * format->look;
    uint8_t *from = calloc(rows, pitch), *whole = malloc(line * height);
    uint8_t *part = malloc(line * (height - first));

    if (from != NULL && whole != NULL && part != NULL) {
        memcpy(from, texels, size < pitch * rows ? size : pitch * rows);
        pixel_format_lines(format, from, pitch, width, 0, height, whole);
        pixel_format_lines(format, from, pitch, width, first, height - first, part);
        if (memcmp(whole + first * line, part, (height - first) * line) != 0)
            abort();
    }
    free(from);
    free(whole);
    free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pixel_format format;

    if (size >= HEAD && size <= BYTES_MAX && choose(data, &format))
        decode(&format, data, data + HEAD, size - HEAD);
    return 0;
}

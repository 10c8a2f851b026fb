/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/pixels.h"

#include "image/gl_format.h"

/* Block formats: S3TC, RGTC, LATC, ETC1, ETC2 and EAC, BPTC. */
#define BLOCK(format, size, number, look, kind)                                                    \
    {                                                                                              \
        format, PIXEL_BLOCK(size, PIXEL_##number, PICTURE_##look, PIXEL_##kind)                    \
    }

static const struct block_format {
    uint32_t format;
    struct pixel_format pixel;
} block_formats[] = {
    BLOCK(0x83F0, 8, UNORM, RGB, BC1),        BLOCK(0x83F1, 8, UNORM, RGBA, BC1),
    BLOCK(0x83F2, 16, UNORM, RGBA, BC2),      BLOCK(0x83F3, 16, UNORM, RGBA, BC3),
    BLOCK(0x8C4C, 8, UNORM, RGB, BC1),        BLOCK(0x8C4D, 8, UNORM, RGBA, BC1),
    BLOCK(0x8C4E, 16, UNORM, RGBA, BC2),      BLOCK(0x8C4F, 16, UNORM, RGBA, BC3),
    BLOCK(0x8DBB, 8, UNORM, GREY, BC4),       BLOCK(0x8DBC, 8, SNORM, GREY, BC4),
    BLOCK(0x8DBD, 16, UNORM, RGB, BC5),       BLOCK(0x8DBE, 16, SNORM, RGB, BC5),
    BLOCK(0x8C70, 8, UNORM, GREY, BC4),       BLOCK(0x8C71, 8, SNORM, GREY, BC4),
    BLOCK(0x8C72, 16, UNORM, RGBA, LATC2),    BLOCK(0x8C73, 16, SNORM, RGBA, LATC2),
    BLOCK(0x8D64, 8, UNORM, RGB, ETC2),       BLOCK(0x9270, 8, UNORM, GREY, EAC1),
    BLOCK(0x9271, 8, SNORM, GREY, EAC1),      BLOCK(0x9272, 16, UNORM, RGB, EAC2),
    BLOCK(0x9273, 16, SNORM, RGB, EAC2),      BLOCK(0x9274, 8, UNORM, RGB, ETC2),
    BLOCK(0x9275, 8, UNORM, RGB, ETC2),       BLOCK(0x9276, 8, UNORM, RGBA, ETC2_A1),
    BLOCK(0x9277, 8, UNORM, RGBA, ETC2_A1),   BLOCK(0x9278, 16, UNORM, RGBA, ETC2_EAC),
    BLOCK(0x9279, 16, UNORM, RGBA, ETC2_EAC), BLOCK(0x8E8C, 16, UNORM, RGBA, BC7),
    BLOCK(0x8E8D, 16, UNORM, RGBA, BC7),      BLOCK(0x8E8E, 16, SNORM, RGB, BC6H),
    BLOCK(0x8E8F, 16, UNORM, RGB, BC6H),
};

/* ASTC formats are numbered by their block sizes, first in RGBA, then in sRGB. */
enum { ASTC_RGBA = 0x93B0, ASTC_SRGB = 0x93D0, ASTC_SIZES = 14 };

static const uint8_t astc_sizes[ASTC_SIZES][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                                  {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                                  {10, 8}, {10, 10}, {12, 10}, {12, 12}};

static bool describe_blocks(uint32_t format, struct pixel_format *out)
{
    bool srgb = format >= ASTC_SRGB;
    uint32_t size = format - (srgb ? ASTC_SRGB : ASTC_RGBA);

    for (size_t n = 0; n < sizeof(block_formats) / sizeof(block_formats[0]); n++)
        if (block_formats[n].format == format) {
            *out = block_formats[n].pixel;
            return true;
        }
    if (size >= ASTC_SIZES)
        return false;
    *out = (struct pixel_format){.bytes = 16,
                                 .number = srgb ? PIXEL_SRGB : PIXEL_UNORM,
                                 .look = PICTURE_RGBA,
                                 .block = PIXEL_ASTC,
                                 .width = astc_sizes[size][0],
                                 .height = astc_sizes[size][1]};
    return true;
}

static bool describe(const struct apitrace_image *image, struct gl_format *out)
{
    *out = (struct gl_format){.unit = 1};
    return image->type == 0 ? describe_blocks(image->format, &out->pixel)
                            : gl_format_find(image->format, image->type, out);
}

enum picture_colour apitrace_image_colour(const struct apitrace_image *image)
{
    struct gl_format description;

    return describe(image, &description) ? description.pixel.look : 0;
}

/* Distances between rows, of pixels or blocks, and between slices, and the offset of the first. */
struct strides {
    uint64_t row, slice, first;
};

static struct strides strides_of(const struct apitrace_image *image,
                                 const struct pixel_format *format)
{
    const struct apitrace_unpack *unpack = &image->unpack;
    uint64_t alignment = unpack->alignment > 0 ? unpack->alignment : 1;
    uint64_t rows = unpack->image_height > 0 ? unpack->image_height : image->height;
    uint64_t pixels = unpack->row_length > 0 ? unpack->row_length : image->width;
    struct strides strides;

    if (format->block != PIXEL_NO_BLOCK) {
        rows = ((uint64_t)image->height + format->height - 1) / format->height;
        strides.row = ((uint64_t)image->width + format->width - 1) / format->width * format->bytes;
        strides.slice = strides.row * rows;
        strides.first = 0;
        return strides;
    }
    strides.row = (pixels * format->bytes + alignment - 1) / alignment * alignment;
    strides.slice = strides.row * rows;
    strides.first = unpack->skip_images * strides.slice + unpack->skip_rows * strides.row +
                    unpack->skip_pixels * format->bytes;
    return strides;
}

bool apitrace_image_bytes(const struct apitrace_image *image, uint64_t *bytes)
{
    struct gl_format description;
    struct strides strides;

    *bytes = 0;
    if (!describe(image, &description))
        return true;
    strides = strides_of(image, &description.pixel);
    if (image->type == 0) {
        *bytes = strides.slice * image->depth;
        return true;
    }
    if (strides.slice > UINT32_MAX || strides.first > UINT32_MAX)
        return false;
    *bytes = strides.first + (image->depth - 1) * strides.slice +
             (image->height - 1) * strides.row + image->width * (uint64_t)description.pixel.bytes;
    return true;
}

/* Decodes a row of byte-swapped numbers, pixel by pixel. */
static void decode_swapped(const struct gl_format *description, const uint8_t *at, uint32_t width,
                           uint8_t *out)
{
    const struct pixel_format *pixel = &description->pixel;
    uint8_t turned[16];

    for (uint32_t x = 0; x < width; x++, at += pixel->bytes, out += pixel->look) {
        for (unsigned n = 0; n < pixel->bytes; n++)
            turned[n] = at[n ^ (description->unit - 1)];
        pixel_format_lines(pixel, turned, 0, 1, 0, 1, out);
    }
}

void apitrace_image_row(const struct apitrace_image *image, const uint8_t *data, uint32_t row,
                        uint8_t *out)
{
    struct gl_format description;
    struct strides strides;
    uint32_t slice = row / image->height, y = row % image->height;

    if (!describe(image, &description))
        return;
    strides = strides_of(image, &description.pixel);
    data += strides.first + slice * strides.slice;
    if (image->unpack.swap && description.unit > 1)
        decode_swapped(&description, data + y * strides.row, image->width, out);
    else
        pixel_format_lines(&description.pixel, data, strides.row, image->width, y, 1, out);
}

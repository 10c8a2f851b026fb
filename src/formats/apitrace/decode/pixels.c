/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/pixels.h"

#include <string.h>

/* What the components of a format are, in the order of memory. */
static const struct layout {
    uint32_t format;
    char components[5]; /* R, G, B, A, L (grey) or X (left out) */
    bool integer;       /* not normalised */
} layouts[] = {
    {0x1901, "L", true},     /* STENCIL_INDEX */
    {0x1902, "L", false},    /* DEPTH_COMPONENT */
    {0x1903, "L", false},    /* RED */
    {0x1904, "L", false},    /* GREEN */
    {0x1905, "L", false},    /* BLUE */
    {0x1906, "L", false},    /* ALPHA */
    {0x1907, "RGB", false},  /* RGB */
    {0x1908, "RGBA", false}, /* RGBA */
    {0x1909, "L", false},    /* LUMINANCE */
    {0x190A, "LA", false},   /* LUMINANCE_ALPHA */
    {0x8000, "ABGR", false}, /* ABGR_EXT */
    {0x8049, "L", false},    /* INTENSITY */
    {0x80E0, "BGR", false},  /* BGR */
    {0x80E1, "BGRA", false}, /* BGRA */
    {0x8227, "RG", false},   /* RG */
    {0x8228, "RG", true},    /* RG_INTEGER */
    {0x84F9, "LX", false},   /* DEPTH_STENCIL */
    {0x8D94, "L", true},     /* RED_INTEGER */
    {0x8D98, "RGB", true},   /* RGB_INTEGER */
    {0x8D99, "RGBA", true},  /* RGBA_INTEGER */
    {0x8D9A, "BGR", true},   /* BGR_INTEGER */
    {0x8D9B, "BGRA", true},  /* BGRA_INTEGER */
};

/* A component of its own, or all of a pixel in one word. */
static const struct storage {
    uint32_t type;
    enum pixel_number number;
    uint8_t bytes;   /* of a component, or of a packed word */
    uint8_t bits[4]; /* of a packed word's components */
    bool reversed;   /* the first component has the lowest bits */
} storages[] = {
    {0x1400, PIXEL_SNORM, 1, {0}, false},
    {0x1401, PIXEL_UNORM, 1, {0}, false},
    {0x1402, PIXEL_SNORM, 2, {0}, false},
    {0x1403, PIXEL_UNORM, 2, {0}, false},
    {0x1404, PIXEL_SNORM, 4, {0}, false},
    {0x1405, PIXEL_UNORM, 4, {0}, false},
    {0x1406, PIXEL_FLOATING, 4, {0}, false},
    {0x140B, PIXEL_FLOATING, 2, {0}, false},
    {0x8D61, PIXEL_FLOATING, 2, {0}, false}, /* of OES */
    {0x8032, PIXEL_UNORM, 1, {3, 3, 2, 0}, false},
    {0x8362, PIXEL_UNORM, 1, {3, 3, 2, 0}, true},
    {0x8033, PIXEL_UNORM, 2, {4, 4, 4, 4}, false},
    {0x8365, PIXEL_UNORM, 2, {4, 4, 4, 4}, true},
    {0x8034, PIXEL_UNORM, 2, {5, 5, 5, 1}, false},
    {0x8366, PIXEL_UNORM, 2, {5, 5, 5, 1}, true},
    {0x8363, PIXEL_UNORM, 2, {5, 6, 5, 0}, false},
    {0x8364, PIXEL_UNORM, 2, {5, 6, 5, 0}, true},
    {0x8035, PIXEL_UNORM, 4, {8, 8, 8, 8}, false},
    {0x8367, PIXEL_UNORM, 4, {8, 8, 8, 8}, true},
    {0x8036, PIXEL_UNORM, 4, {10, 10, 10, 2}, false},
    {0x8368, PIXEL_UNORM, 4, {10, 10, 10, 2}, true},
    {0x84FA, PIXEL_UNORM, 4, {24, 8, 0, 0}, false},
    {0x8C3B, PIXEL_FLOATING, 4, {11, 11, 10, 0}, true},
    {0x8C3E, PIXEL_SHARED, 4, {9, 9, 9, 0}, true},
};

/* Formats of blocks: S3TC, RGTC, LATC, ETC1, ETC2 and EAC, BPTC. */
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

/* ASTC's formats follow each other by their sizes, in RGBA and in sRGB. */
enum { ASTC_RGBA = 0x93B0, ASTC_SRGB = 0x93D0, ASTC_SIZES = 14 };

static const uint8_t astc_sizes[ASTC_SIZES][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                                  {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                                  {10, 8}, {10, 10}, {12, 10}, {12, 12}};

/* A format as the decoder knows it, and the bytes of what the program may have swapped. */
struct description {
    struct pixel_format pixel;
    unsigned unit;
};

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

static const struct layout *layout_of(uint32_t format)
{
    for (size_t n = 0; n < sizeof(layouts) / sizeof(layouts[0]); n++)
        if (layouts[n].format == format)
            return &layouts[n];
    return NULL;
}

static const struct storage *storage_of(uint32_t type)
{
    for (size_t n = 0; n < sizeof(storages) / sizeof(storages[0]); n++)
        if (storages[n].type == type)
            return &storages[n];
    return NULL;
}

/* Whether the word has as many components as the format. */
static bool fits(const struct layout *layout, const struct storage *storage)
{
    return storage->bits[0] == 0 ||
           strlen(layout->components) == strnlen((const char *)storage->bits, 4);
}

static void set_channel(struct pixel_format *format, char component, struct pixel_channel channel)
{
    switch (component) {
    case 'R':
        format->red = channel;
        break;
    case 'G':
        format->green = channel;
        break;
    case 'B':
        format->blue = channel;
        break;
    case 'A':
        format->alpha = channel;
        break;
    case 'L':
        format->red = format->green = format->blue = channel;
        break;
    default:
        break;
    }
}

static void set_channels(const struct layout *layout, const struct storage *storage,
                         struct pixel_format *out)
{
    unsigned count = (unsigned)strlen(layout->components), packed = storage->bits[0], shift = 0;

    out->bytes = (uint8_t)(packed ? storage->bytes : storage->bytes * count);
    for (unsigned n = 0; n < count; n++) {
        unsigned bits = packed ? storage->bits[n] : 8U * storage->bytes;
        bool from_above = packed && !storage->reversed;
        unsigned first = from_above ? 8U * out->bytes - shift - bits : shift;

        set_channel(out, layout->components[n],
                    (struct pixel_channel){(uint8_t)first, (uint8_t)bits});
        shift += bits;
    }
}

static bool describe(const struct apitrace_image *image, struct description *out)
{
    const struct layout *layout = layout_of(image->format);
    const struct storage *storage = storage_of(image->type);
    struct pixel_format *pixel = &out->pixel;

    *out = (struct description){.unit = 1};
    if (image->type == 0)
        return describe_blocks(image->format, pixel);
    if (layout == NULL || storage == NULL || !fits(layout, storage))
        return false;
    out->unit = storage->bytes;
    pixel->number = storage->number;
    if (layout->integer && storage->number == PIXEL_UNORM)
        pixel->number = PIXEL_UINT;
    else if (layout->integer && storage->number == PIXEL_SNORM)
        pixel->number = PIXEL_SINT;
    pixel->look = strchr(layout->components, 'A') != NULL ? PICTURE_RGBA : PICTURE_RGB;
    if (layout->components[0] == 'L' && pixel->look == PICTURE_RGB)
        pixel->look = PICTURE_GREY;
    set_channels(layout, storage, pixel);
    return true;
}

enum picture_colour apitrace_image_colour(const struct apitrace_image *image)
{
    struct description description;

    return describe(image, &description) ? description.pixel.look : 0;
}

/* Where rows, of pixels or of blocks, and slices stand. */
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
    struct description description;
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

/* A row of numbers whose bytes are turned round, pixel by pixel. */
static void decode_swapped(const struct description *description, const uint8_t *at, uint32_t width,
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
    struct description description;
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

/* SPDX-License-Identifier: MIT */
#include "image/gl_format.h"

#include <string.h>

enum { WORD = 4 };

/* The components of a format, in the order of memory. */
static const struct layout {
    uint32_t format;
    char components[5]; /* R, G, B, A, L (grey) or X (ignored) */
    bool integer;       /* not normalised */
} layouts[] = {
    {0x1901, "L", true},     /* STENCIL_INDEX */
    {0x1902, "L", false},    /* DEPTH_COMPONENT */
    {0x1903, "R", false},    /* RED */
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
    {0x8D94, "R", true},     /* RED_INTEGER */
    {0x8D98, "RGB", true},   /* RGB_INTEGER */
    {0x8D99, "RGBA", true},  /* RGBA_INTEGER */
    {0x8D9A, "BGR", true},   /* BGR_INTEGER */
    {0x8D9B, "BGRA", true},  /* BGRA_INTEGER */
};

/* Components that are separate, or packed into one word. */
static const struct storage {
    uint32_t type;
    enum pixel_number number;
    uint8_t bytes;   /* of a component or a packed word */
    uint8_t bits[4]; /* bits of each component in a packed word */
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
    {0x8D61, PIXEL_FLOATING, 2, {0}, false}, /* from an OES extension */
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
    {0x8DAD, PIXEL_FLOATING, 8, {32, 32, 0, 0}, true}, /* 32-bit float depth; the rest is ignored */
};

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

/* Returns whether a packed word has the same number of components as the format. */
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

static enum pixel_number number_of(const struct layout *layout, const struct storage *storage)
{
    if (layout->integer && storage->number == PIXEL_UNORM)
        return PIXEL_UINT;
    return layout->integer && storage->number == PIXEL_SNORM ? PIXEL_SINT : storage->number;
}

static enum picture_colour look_of(const char *components)
{
    if (strchr(components, 'A') != NULL)
        return PICTURE_RGBA;
    return components[0] == 'L' || components[1] == '\0' ? PICTURE_GREY : PICTURE_RGB;
}

bool gl_format_find(uint32_t format, uint32_t type, struct gl_format *out)
{
    const struct layout *layout = layout_of(format);
    const struct storage *storage = storage_of(type);

    if (layout == NULL || storage == NULL || !fits(layout, storage))
        return false;
    *out = (struct gl_format){.unit = storage->bytes < WORD ? storage->bytes : WORD};
    out->pixel.number = number_of(layout, storage);
    out->pixel.look = look_of(layout->components);
    set_channels(layout, storage, &out->pixel);
    return true;
}

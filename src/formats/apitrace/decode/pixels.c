#include "formats/apitrace/decode/pixels.h"

#include "base/bytes.h"

#include <math.h>

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
    {0x8000, "RGBA", false}, /* ABGR_EXT: turned round below */
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

enum { FORMAT_ABGR = 0x8000 };

/* A component of its own, or all of a pixel in one word. */
enum kind { UNSIGNED, SIGNED, HALF, FLOAT, PACKED, FLOAT_11, SHARED_EXPONENT };

static const struct storage {
    uint32_t type;
    enum kind kind;
    uint8_t bytes;   /* of a component, or of a packed word */
    uint8_t bits[4]; /* of a packed word's components */
    bool reversed;   /* the first component has the lowest bits */
} storages[] = {
    {0x1400, SIGNED, 1, {0}, false},
    {0x1401, UNSIGNED, 1, {0}, false},
    {0x1402, SIGNED, 2, {0}, false},
    {0x1403, UNSIGNED, 2, {0}, false},
    {0x1404, SIGNED, 4, {0}, false},
    {0x1405, UNSIGNED, 4, {0}, false},
    {0x1406, FLOAT, 4, {0}, false},
    {0x140B, HALF, 2, {0}, false},
    {0x8D61, HALF, 2, {0}, false}, /* of OES */
    {0x8032, PACKED, 1, {3, 3, 2, 0}, false},
    {0x8362, PACKED, 1, {3, 3, 2, 0}, true},
    {0x8033, PACKED, 2, {4, 4, 4, 4}, false},
    {0x8365, PACKED, 2, {4, 4, 4, 4}, true},
    {0x8034, PACKED, 2, {5, 5, 5, 1}, false},
    {0x8366, PACKED, 2, {5, 5, 5, 1}, true},
    {0x8363, PACKED, 2, {5, 6, 5, 0}, false},
    {0x8364, PACKED, 2, {5, 6, 5, 0}, true},
    {0x8035, PACKED, 4, {8, 8, 8, 8}, false},
    {0x8367, PACKED, 4, {8, 8, 8, 8}, true},
    {0x8036, PACKED, 4, {10, 10, 10, 2}, false},
    {0x8368, PACKED, 4, {10, 10, 10, 2}, true},
    {0x84FA, PACKED, 4, {24, 8, 0, 0}, false},
    {0x8C3B, FLOAT_11, 4, {0}, false},
    {0x8C3E, SHARED_EXPONENT, 4, {0}, false},
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

static bool is_packed(const struct storage *storage)
{
    return storage->kind >= PACKED;
}

/* Whether the word has as many components as the format. */
static bool fits(const struct layout *layout, const struct storage *storage)
{
    size_t components = strlen(layout->components), packed = 0;

    if (!is_packed(storage))
        return true;
    if (storage->kind != PACKED)
        return components == 3;
    while (packed < 4 && storage->bits[packed] != 0)
        packed++;
    return components == packed;
}

enum picture_colour apitrace_image_colour(const struct apitrace_image *image)
{
    const struct layout *layout = layout_of(image->format);
    const struct storage *storage = storage_of(image->type);

    if (image->type == 0)
        return apitrace_block_colour(image->format);
    if (layout == NULL || storage == NULL || !fits(layout, storage))
        return 0;
    if (layout->components[0] == 'L' && layout->components[1] != 'A')
        return PICTURE_GREY;
    return strchr(layout->components, 'A') != NULL ? PICTURE_RGBA : PICTURE_RGB;
}

/* Where rows and slices stand. */
struct strides {
    uint64_t pixel, row, slice, first;
};

static struct strides strides_of(const struct apitrace_image *image)
{
    const struct apitrace_unpack *unpack = &image->unpack;
    const struct storage *storage = storage_of(image->type);
    uint64_t alignment = unpack->alignment > 0 ? unpack->alignment : 1;
    uint64_t rows = unpack->image_height > 0 ? unpack->image_height : image->height;
    uint64_t pixels = unpack->row_length > 0 ? unpack->row_length : image->width;
    struct strides strides = {.pixel = is_packed(storage)
                                           ? storage->bytes
                                           : storage->bytes *
                                                 strlen(layout_of(image->format)->components)};

    strides.row = (pixels * strides.pixel + alignment - 1) / alignment * alignment;
    strides.slice = strides.row * rows;
    strides.first = unpack->skip_images * strides.slice + unpack->skip_rows * strides.row +
                    unpack->skip_pixels * strides.pixel;
    return strides;
}

bool apitrace_image_bytes(const struct apitrace_image *image, uint64_t *bytes)
{
    if (image->type == 0) {
        uint32_t width, height;

        apitrace_block_size(image->format, &width, &height);
        *bytes = ((uint64_t)image->width + width - 1) / width *
                 (((uint64_t)image->height + height - 1) / height) * image->depth *
                 apitrace_block_bytes(image->format);
        return true;
    }
    struct strides strides = strides_of(image);
    if (strides.slice > UINT32_MAX || strides.first > UINT32_MAX)
        return false;
    *bytes = strides.first + (image->depth - 1) * strides.slice +
             (image->height - 1) * strides.row + image->width * strides.pixel;
    return true;
}

/* Components, from 0 to 1. */

static double half(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double value = bits & 0x3FF;

    if (exponent == 31)
        value = value != 0 ? 0 : HUGE_VAL;
    else
        value = exponent == 0 ? ldexp(value, -24) : ldexp(value + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* A float without a sign: five bits of exponent, and `bits` of mantissa. */
static double small_float(uint32_t value, unsigned bits)
{
    return half((value >> bits & 31) << 10 | (value & ((1U << bits) - 1)) << (10 - bits));
}

static uint32_t load(const uint8_t *at, unsigned bytes, bool swap)
{
    uint32_t value = bytes == 1 ? at[0] : bytes == 2 ? bytes_le16(at) : bytes_le32(at);

    if (swap && bytes == 2)
        value = __builtin_bswap16((uint16_t)value);
    else if (swap && bytes == 4)
        value = __builtin_bswap32(value);
    return value;
}

static double component(const struct storage *storage, const uint8_t *at, bool integer, bool swap)
{
    uint32_t bits = load(at, storage->bytes, swap);
    double max = ldexp(1, 8 * storage->bytes) - 1;
    float real;

    switch (storage->kind) {
    case HALF:
        return half(bits);
    case FLOAT:
        memcpy(&real, &bits, sizeof(real));
        return (double)real;
    case SIGNED:
        if (bits > max / 2)
            return 0;
        return integer ? bits / 255.0 : bits / floor(max / 2);
    default:
        return integer ? bits / 255.0 : bits / max;
    }
}

static void unpack_word(const struct storage *storage, uint32_t word, bool integer, double out[4])
{
    unsigned shift = storage->reversed ? 0 : 8U * storage->bytes;

    for (unsigned n = 0; n < 4 && storage->bits[n] != 0; n++) {
        unsigned bits = storage->bits[n];
        uint32_t max = (uint32_t)((UINT64_C(1) << bits) - 1);

        shift -= storage->reversed ? 0 : bits;
        out[n] = (double)(word >> shift & max) / (integer ? 255.0 : (double)max);
        shift += storage->reversed ? bits : 0;
    }
}

static void read_pixel(const struct apitrace_image *image, const struct layout *layout,
                       const struct storage *storage, const uint8_t *at, double out[4])
{
    uint32_t word;

    if (!is_packed(storage)) {
        for (unsigned n = 0; layout->components[n] != '\0'; n++)
            out[n] = component(storage, at + (size_t)n * storage->bytes, layout->integer,
                               image->unpack.swap);
        return;
    }
    word = load(at, storage->bytes, image->unpack.swap);
    if (storage->kind == PACKED) {
        unpack_word(storage, word, layout->integer, out);
    } else if (storage->kind == FLOAT_11) {
        out[0] = small_float(word & 0x7FF, 6);
        out[1] = small_float(word >> 11 & 0x7FF, 6);
        out[2] = small_float(word >> 22, 5);
    } else {
        for (unsigned n = 0; n < 3; n++)
            out[n] = ldexp(word >> 9 * n & 0x1FF, (int)(word >> 27) - 24);
    }
}

static uint8_t to_byte(double value)
{
    return (uint8_t)(value >= 1 ? 255 : value > 0 ? value * 255 + 0.5 : 0);
}

/* Into the picture's own order. */
static void put_pixel(const struct layout *layout, enum picture_colour colour, const double in[4],
                      uint8_t *out)
{
    bool turned = layout->format == FORMAT_ABGR;

    memset(out, 0, colour);
    for (unsigned n = 0; layout->components[n] != '\0'; n++) {
        uint8_t value = to_byte(in[turned ? 3 - n : n]);

        switch (layout->components[n]) {
        case 'R':
            out[0] = value;
            break;
        case 'G':
            out[1] = value;
            break;
        case 'B':
            out[2] = value;
            break;
        case 'A':
            out[3] = value;
            break;
        case 'L':
            memset(out, value, colour == PICTURE_GREY ? 1 : 3);
            break;
        default:
            break;
        }
    }
}

void apitrace_image_row(const struct apitrace_image *image, const uint8_t *data, uint32_t row,
                        uint8_t *out)
{
    const struct layout *layout = layout_of(image->format);
    const struct storage *storage = storage_of(image->type);
    enum picture_colour colour = apitrace_image_colour(image);
    struct strides strides;
    const uint8_t *at;

    if (image->type == 0) {
        apitrace_block_row(image, data, row, out);
        return;
    }
    strides = strides_of(image);
    at = data + strides.first + row / image->height * strides.slice +
         row % image->height * strides.row;
    for (uint32_t x = 0; x < image->width; x++, at += strides.pixel, out += colour) {
        double pixel[4] = {0};

        read_pixel(image, layout, storage, at, pixel);
        put_pixel(layout, colour, pixel, out);
    }
}

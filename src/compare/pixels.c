/* SPDX-License-Identifier: MIT */
#include "compare/pixels.h"

#include "compare/contents.h"

#include "base/memory.h"
#include "base/string.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNLIKE_MAX = 128 << 20 }; /* most bytes for the difference of two pictures of unlike sizes */

static int decode(const struct text *bytes, struct pixels *out)
{
    struct picture_pixels pixels;
    int status = picture_decode(bytes->bytes, bytes->length, PICTURE_RGB, &pixels);

    *out = (struct pixels){pixels.width, pixels.height, pixels.bytes};
    return status;
}

int pixels_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct pixels *out)
{
    struct text bytes = TEXT_INIT;
    int status = contents_read(tree, inode, cancel, &bytes);

    *out = (struct pixels){0};
    if (status == 0)
        status = decode(&bytes, out);
    text_clear(&bytes);
    return status;
}

int pixels_load(const char *path, struct pixels *out)
{
    FILE *file = fopen(path, "rb");
    struct text bytes = TEXT_INIT;
    char piece[1 << 14];
    size_t size;
    int status = file == NULL ? -errno : 0;

    *out = (struct pixels){0};
    while (status == 0 && (size = fread(piece, 1, sizeof(piece), file)) > 0)
        text_add_bytes(&bytes, piece, size);
    if (status == 0)
        status = ferror(file) != 0 ? -EIO : text_status(&bytes);
    if (status == 0)
        status = decode(&bytes, out);
    if (file != NULL)
        fclose(file);
    text_clear(&bytes);
    return status;
}

const uint8_t *pixels_at(const struct pixels *pixels, uint32_t x, uint32_t y)
{
    if (x >= pixels->width || y >= pixels->height)
        return NULL;
    return pixels->rgb + 3 * ((size_t)y * pixels->width + x);
}

static uint8_t distance(const uint8_t *a, const uint8_t *b)
{
    uint8_t max = a == NULL || b == NULL ? UINT8_MAX : 0;

    for (unsigned i = 0; max < UINT8_MAX && i < 3; i++) {
        uint8_t one = a[i] > b[i] ? (uint8_t)(a[i] - b[i]) : (uint8_t)(b[i] - a[i]);

        max = one > max ? one : max;
    }
    return max;
}

void pixels_compare(const struct pixels *a, const struct pixels *b, struct pixels_difference *out)
{
    uint32_t width = a->width > b->width ? a->width : b->width;
    uint32_t height = a->height > b->height ? a->height : b->height;

    *out = (struct pixels_difference){0};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *first = pixels_at(a, x, y), *second = pixels_at(b, x, y);

            if (first != NULL && second != NULL && memcmp(first, second, 3) == 0)
                continue;
            if (distance(first, second) > out->max)
                out->max = distance(first, second);
            if (out->count++ > 0)
                continue;
            out->x = x;
            out->y = y;
        }
}

void pixels_colour(const struct pixels *pixels, uint32_t x, uint32_t y, char out[PIXELS_COLOUR])
{
    const uint8_t *rgb = pixels_at(pixels, x, y);

    if (rgb != NULL)
        snprintf(out, PIXELS_COLOUR, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    else
        snprintf(out, PIXELS_COLOUR, "none");
}

static bool take_coordinate(const char **at, uint32_t *out)
{
    uint64_t number;

    if (!string_take_number(at, 10, &number) || number > UINT32_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

bool pixels_parse(const char *text, uint32_t *x, uint32_t *y, uint8_t rgb[3])
{
    unsigned long colour;

    if (!take_coordinate(&text, x) || *text++ != ',' || !take_coordinate(&text, y) ||
        *text++ != '=' || *text++ != '#' || strlen(text) != 6 ||
        strspn(text, "0123456789abcdefABCDEF") != 6)
        return false;
    colour = strtoul(text, NULL, 16);
    for (unsigned i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(colour >> (16 - 8 * i));
    return true;
}

static void mark(const uint8_t *a, const uint8_t *b, uint8_t *rgb)
{
    static const uint8_t marked[3] = {255, 0, 255};
    bool equal = a != NULL && b != NULL && memcmp(a, b, 3) == 0;

    for (unsigned i = 0; i < 3; i++)
        rgb[i] = equal ? a[i] / 2 : marked[i];
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static size_t bytes_of(const struct pixels *pixels)
{
    return 3 * (size_t)pixels->width * pixels->height;
}

int pixels_draw_difference(const struct pixels *a, const struct pixels *b,
                           enum picture_encoding encoding, const struct cancel *cancel,
                           struct blob **out)
{
    struct picture_header header = {.width = larger(a->width, b->width),
                                    .height = larger(a->height, b->height),
                                    .colour = PICTURE_RGB};
    size_t stride = 3 * (size_t)header.width, size = stride * header.height;
    uint8_t *rgb;
    int status = 0;

    if (size > UNLIKE_MAX && size > bytes_of(a) && size > bytes_of(b))
        return -EFBIG;
    rgb = memory_take(size);
    if (rgb == NULL)
        return -ENOMEM;
    for (uint32_t y = 0; status == 0 && y < header.height; y++) {
        for (uint32_t x = 0; x < header.width; x++)
            mark(pixels_at(a, x, y), pixels_at(b, x, y), rgb + y * stride + 3 * (size_t)x);
        status = cancel_requested(cancel) ? -EINTR : 0;
    }
    if (status == 0)
        status = picture_encode(&header, rgb, stride, encoding, out);
    memory_give(rgb, size);
    return status;
}

void pixels_clear(struct pixels *pixels)
{
    if (pixels->rgb != NULL)
        memory_give(pixels->rgb, 3 * (size_t)pixels->width * pixels->height);
    *pixels = (struct pixels){0};
}

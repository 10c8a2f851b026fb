/* SPDX-License-Identifier: MIT */
#include "image/shrink.h"

static uint32_t scaled(uint32_t side, uint32_t numerator, uint32_t denominator)
{
    uint64_t length = ((uint64_t)side * numerator + denominator / 2) / denominator;

    return length > 0 ? (uint32_t)length : 1;
}

void shrink_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height,
                uint32_t *out_width, uint32_t *out_height)
{
    bool wide = (uint64_t)width * box_height > (uint64_t)height * box_width;
    uint32_t side = wide ? width : height, box = wide ? box_width : box_height;

    box = box < side ? box : side;
    *out_width = scaled(width, box, side);
    *out_height = scaled(height, box, side);
}

/* Finds which of `length` pixels pixel n of `count` covers: at least one. */
static void part_of(uint32_t length, uint32_t count, uint32_t n, uint32_t *from, uint32_t *to)
{
    *from = (uint32_t)((uint64_t)n * length / count);
    *to = (uint32_t)((uint64_t)(n + 1) * length / count);
    *to += *to == *from;
}

/* Sums each channel in 32 bits, which a row of PICTURE_MAX pixels cannot overflow. */
static void add_pixels(const uint8_t *rgb, uint32_t count, uint64_t sums[3])
{
    uint32_t red = 0, green = 0, blue = 0;

    for (const uint8_t *end = rgb + 3 * (size_t)count; rgb < end; rgb += 3) {
        red += rgb[0];
        green += rgb[1];
        blue += rgb[2];
    }
    sums[0] += red;
    sums[1] += green;
    sums[2] += blue;
}

void shrink_row(const struct picture_pixels *from, uint32_t width, uint32_t height, uint32_t y,
                uint8_t *rgb)
{
    uint32_t left, right, top, bottom;

    part_of(from->height, height, y, &top, &bottom);
    for (uint32_t x = 0; x < width; x++) {
        uint64_t sums[3] = {0}, count;

        part_of(from->width, width, x, &left, &right);
        count = (uint64_t)(right - left) * (bottom - top);
        for (uint32_t v = top; v < bottom; v++)
            add_pixels(from->bytes + 3 * ((size_t)v * from->width + left), right - left, sums);
        for (unsigned i = 0; i < 3; i++)
            rgb[3 * (size_t)x + i] = (uint8_t)((sums[i] + count / 2) / count);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on 5:5:5 pixels: bit 15 mask, B 14-10, G 9-5, R 4-0 (psx-gpu.md 1,
 * 8, 9). Pure functions for the inner loops.
 */
#ifndef GPUDUMPFS_PSX_GPU_PIXEL_H
#define GPUDUMPFS_PSX_GPU_PIXEL_H

#include "base/bytes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PIXEL_MASK = 0x8000 };

static inline uint16_t pixel_pack(unsigned r5, unsigned g5, unsigned b5)
{
    return (uint16_t)(r5 | g5 << 5 | b5 << 10);
}

/* Returns the pixel of a command's 24-bit colour (R 0-7, G 8-15, B 16-23). */
static inline uint16_t pixel_of_colour(uint32_t colour)
{
    return pixel_pack(colour >> 3 & 31, colour >> 11 & 31, colour >> 19 & 31);
}

/*
 * Converts a pixel to bytes as it is shown: R, G, B, each (v << 3) | (v >> 2) of its five bits v.
 */
static inline void pixel_to_rgb(uint16_t pixel, uint8_t rgb[3])
{
    for (unsigned i = 0; i < 3; i++, pixel >>= 5)
        rgb[i] = (uint8_t)((pixel & 31) << 3 | (pixel & 31) >> 2);
}

/*
 * psx_pixel_clamp[PIXEL_CLAMP_BIAS + v] is v >> 3, limited to 0..31, for a channel v on the 8-bit
 * scale that was modulated (at most 31 * 255 >> 4) and dithered (-4 to 3).
 */
enum { PIXEL_CLAMP_BIAS = 4, PIXEL_CLAMP_SIZE = PIXEL_CLAMP_BIAS + (31 * 255 >> 4) + 4 };
extern const uint8_t psx_pixel_clamp[PIXEL_CLAMP_SIZE];

/* The dither matrix, by y & 3 and x & 3 of the pixel in VRAM. */
extern const int8_t psx_pixel_dither[4][4];

/*
 * Blends the three channels of a pixel at the same time. Bit 15 must be clear on both sides, and is
 * clear in the result.
 */
static inline uint32_t pixel_average(uint32_t back, uint32_t front)
{
    return (back + front - ((back ^ front) & 0x0421)) >> 1;
}

/* Returns all five bits of each channel whose average, as above, is 16 or more. */
static inline uint32_t pixel_upper_half(uint32_t average)
{
    uint32_t top = average & 0x4210;

    return (top << 1) - (top >> 4);
}

/* A channel overflows exactly where the average is 16 or more. */
static inline uint32_t pixel_add(uint32_t back, uint32_t front)
{
    uint32_t average = pixel_average(back, front);
    uint32_t wrapped = back + front - ((average & 0x4210) << 1);

    return wrapped | pixel_upper_half(average);
}

/* back > front exactly where the average of back and 31 - front is 16 or more. */
static inline uint32_t pixel_subtract(uint32_t back, uint32_t front)
{
    uint32_t larger = pixel_upper_half(pixel_average(back, front ^ 0x7FFF));

    return (back & larger) - (front & larger);
}

static inline uint32_t pixel_add_quarter(uint32_t back, uint32_t front)
{
    return pixel_add(back, front >> 2 & 0x1CE7);
}

/* Blends in mode 0 to 3, which is a constant where speed matters. */
static inline uint32_t pixel_blend(uint32_t back, uint32_t front, unsigned mode)
{
    switch (mode) {
    case 0:
        return pixel_average(back, front);
    case 1:
        return pixel_add(back, front);
    case 2:
        return pixel_subtract(back, front);
    default:
        return pixel_add_quarter(back, front);
    }
}

/* Convert VRAM's halfwords to and from little-endian bytes, on any machine. */
static inline void psx_halfwords_store(uint8_t *bytes, const uint16_t *halfwords, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(bytes, halfwords, 2 * count);
#else
    for (size_t i = 0; i < count; i++) {
        bytes[2 * i] = (uint8_t)halfwords[i];
        bytes[2 * i + 1] = (uint8_t)(halfwords[i] >> 8);
    }
#endif
}

static inline void psx_halfwords_load(uint16_t *halfwords, const uint8_t *bytes, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(halfwords, bytes, 2 * count);
#else
    for (size_t i = 0; i < count; i++)
        halfwords[i] = bytes_le16(bytes + 2 * i);
#endif
}

/*
 * Runs of pixels that are moved without drawing: filled, copied under the mask settings of E6,
 * shown as RGB. The plain C functions are the reference for the vector functions. Which of them are
 * used is decided with the shaders (raster.h).
 */
struct psx_runs {
    void (*fill)(uint16_t *to, uint32_t count, uint16_t pixel);
    /*
     * Copies pixels with the bits of `set` added, except to places where `to` has a bit of `check`.
     * Both are 0 or 8000h. `from` points to halfwords in this machine's order, at any address, that
     * do not overlap `to`.
     */
    void (*move)(uint16_t *to, const void *from, uint32_t count, uint16_t set, uint16_t check);
    /* Converts halfwords to RGB bytes, (v << 3) | (v >> 2) of each channel. */
    void (*expand)(const uint16_t *pixels, uint32_t count, uint8_t *rgb);
};

extern const struct psx_runs psx_runs_c;     /* plain C */
extern const struct psx_runs psx_runs_lanes; /* 16-byte vectors, on little-endian machines */
extern const struct psx_runs psx_runs_avx2;  /* with HAVE_AVX2, on processors that have it */

#endif

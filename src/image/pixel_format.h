/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats as data: where each channel lies within a pixel and what its number means, or
 * which block format it is; and the one decoder that makes bytes of pictures of them. Each dump
 * format maps its own names of formats to such descriptors. Block formats are as the Khronos
 * Data Format Specification has them; every block is decoded. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_PIXEL_FORMAT_H
#define GPUDUMPFS_IMAGE_PIXEL_FORMAT_H

#include "image/picture.h"

#include <stdbool.h>
#include <stdint.h>

/* Samples of 8 bits are rounded from double, those of 16 bits from float; below 0 all is 0. */
enum pixel_number {
    PIXEL_UNORM,    /* a fraction of the largest value */
    PIXEL_SRGB,     /* likewise; stays encoded, since pictures are sRGB */
    PIXEL_WIDENED,  /* likewise, in words of 16 bits and shown as RGBA, by repeating upper bits */
    PIXEL_SNORM,    /* likewise, with a sign */
    PIXEL_FLOATING, /* IEEE of 16 or 32 bits; of 10 or 11 bits unsigned; no number is 0 */
    PIXEL_SHARED,   /* 9 bits, with one exponent in bits 27 to 31 */
    PIXEL_UINT,     /* shown as it is, as far as 255 */
    PIXEL_SINT,
};

/* Blocks of 4x4 pixels, of ASTC up to 12x12. */
enum pixel_block {
    PIXEL_NO_BLOCK,
    PIXEL_BC1, /* S3TC: DXT1, with the transparent colour */
    PIXEL_BC2,
    PIXEL_BC3,
    PIXEL_BC4, /* RGTC and LATC: with PIXEL_SNORM, signed */
    PIXEL_BC5,
    PIXEL_LATC2,
    PIXEL_ETC2, /* and ETC1 */
    PIXEL_ETC2_A1,
    PIXEL_ETC2_EAC,
    PIXEL_EAC1, /* with PIXEL_SNORM, signed */
    PIXEL_EAC2,
    PIXEL_BC6H, /* BPTC; with PIXEL_SNORM, signed */
    PIXEL_BC7,
    PIXEL_ASTC, /* of the LDR profile; with PIXEL_SRGB, of sRGB */
};

/* The bits of one channel within a pixel, counted from bit 0 of its first byte. */
struct pixel_channel {
    uint8_t shift, bits; /* bits 0: there is none, which is 0, or for alpha 1 */
};

struct pixel_format {
    uint8_t bytes; /* of a pixel, or of a block */
    enum pixel_number number;
    enum picture_colour look;                     /* of a picture that shows it */
    struct pixel_channel red, green, blue, alpha; /* grey and depth: red alone */
    enum pixel_block block;
    uint8_t width, height; /* of a block */
};

/* Initializers of channels: the first bit and how many, or so many each, in order of memory. */
#define PIXEL_BITS(r, red_bits, g, green_bits, b, blue_bits, a, alpha_bits)                        \
    .red = {r, red_bits}, .green = {g, green_bits}, .blue = {b, blue_bits}, .alpha = {a, alpha_bits}
#define PIXEL_GREY(n) PIXEL_BITS(0, n, 0, 0, 0, 0, 0, 0)
#define PIXEL_RG(n)   PIXEL_BITS(0, n, n, n, 0, 0, 0, 0)
#define PIXEL_RGB(n)  PIXEL_BITS(0, n, n, n, 2 * (n), n, 0, 0)
#define PIXEL_BGR(n)  PIXEL_BITS(2 * (n), n, n, n, 0, n, 0, 0)
#define PIXEL_RGBA(n) PIXEL_BITS(0, n, n, n, 2 * (n), n, 3 * (n), n)
#define PIXEL_BGRA(n) PIXEL_BITS(2 * (n), n, n, n, 0, n, 3 * (n), n)

/* Initializers of formats without and with blocks. */
#define PIXEL_FORMAT(size, kind, shown, ...)                                                       \
    {                                                                                              \
        .bytes = size, .number = kind, .look = shown, __VA_ARGS__                                  \
    }
#define PIXEL_BLOCK(size, kind, shown, block_kind)                                                 \
    PIXEL_FORMAT(size, kind, shown, .block = block_kind, .width = 4, .height = 4)

/*
 * Lines `first` to first + lines - 1 as a picture has them: width * look bytes each, tight, of 16
 * bits high byte first. In `from` rows of pixels, or of blocks, stand `pitch` bytes apart, from
 * line 0 on. Pixels of blocks beyond the edges are dropped.
 */
void pixel_format_lines(const struct pixel_format *format, const uint8_t *from, size_t pitch,
                        uint32_t width, uint32_t first, uint32_t lines, uint8_t *out);

/* Blocks of the larger families; rows of RGBA8, but of BC6H half floats of red, green, blue. */
enum { ASTC_MAX_TEXELS = 144 };

void astc_decode(const uint8_t block[16], unsigned width, unsigned height, bool srgb, uint8_t *to);
void bptc_decode(const uint8_t block[16], uint8_t to[64]);
void bptc_decode_halves(const uint8_t block[16], bool is_signed, uint16_t to[48]);

/* One pixel of ETC2's and EAC's blocks: red, green, blue; alpha where `alpha`, else 255. */
void etc_decode_colour(const uint8_t block[8], unsigned x, unsigned y, bool alpha, uint8_t out[4]);
/* One channel of 8 bits, or of 11 bits shown with 8. */
uint8_t etc_decode_8(const uint8_t block[8], unsigned x, unsigned y);
uint8_t etc_decode_11(const uint8_t block[8], unsigned x, unsigned y, bool is_signed);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats as data: where each channel is within a pixel and what its number means, or which
 * block format it is. One decoder turns all of them into bytes of pictures. Each dump format maps
 * its own names of formats to these descriptors. Block formats are those of the Khronos Data Format
 * Specification; every block is decoded. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_PIXEL_FORMAT_H
#define GPUDUMPFS_IMAGE_PIXEL_FORMAT_H

#include "image/picture.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What a channel's number means. Samples of 8 bits are rounded from double, those of 16 bits from
 * float. Negative numbers are shown as 0.
 */
enum pixel_number {
    PIXEL_UNORM,    /* a fraction of the largest value */
    PIXEL_SRGB,     /* as PIXEL_UNORM; stays encoded, since pictures are sRGB */
    PIXEL_WIDENED,  /* as PIXEL_UNORM, in 16-bit words; shown as RGBA by repeating the upper bits */
    PIXEL_SNORM,    /* as PIXEL_UNORM, signed */
    PIXEL_FLOATING, /* IEEE, 16 or 32 bits; unsigned with 10 or 11 bits; NaN is 0 */
    PIXEL_SHARED,   /* 9 bits, with a shared exponent in bits 27 to 31 */
    PIXEL_UINT,     /* shown unscaled, up to 255 */
    PIXEL_SINT,
};

/* Blocks of 4x4 pixels; those of ASTC have up to 12x12. */
enum pixel_block {
    PIXEL_NO_BLOCK,
    PIXEL_BC1, /* S3TC: DXT1, with the transparent colour */
    PIXEL_BC2,
    PIXEL_BC3,
    PIXEL_BC4, /* RGTC and LATC; signed with PIXEL_SNORM */
    PIXEL_BC5,
    PIXEL_LATC2,
    PIXEL_ETC2, /* and ETC1 */
    PIXEL_ETC2_A1,
    PIXEL_ETC2_EAC,
    PIXEL_EAC1, /* signed with PIXEL_SNORM */
    PIXEL_EAC2,
    PIXEL_BC6H, /* BPTC; signed with PIXEL_SNORM */
    PIXEL_BC7,
    PIXEL_ASTC, /* LDR profile; sRGB with PIXEL_SRGB */
};

/* The bits of one channel within a pixel, counted from bit 0 of the pixel's first byte. */
struct pixel_channel {
    uint8_t shift, bits; /* bits 0: a missing channel, which is 0, or 1 for alpha */
};

struct pixel_format {
    uint8_t bytes; /* of a pixel or a block */
    enum pixel_number number;
    enum picture_colour look;                     /* of a picture that shows the format */
    struct pixel_channel red, green, blue, alpha; /* grey and depth are in red only */
    enum pixel_block block;
    uint8_t width, height; /* of a block */
};

/*
 * Initialisers of the channels of a pixel: PIXEL_BITS() takes the first bit and the number of bits
 * of each channel; the others give each channel n bits, in the order of memory.
 */
#define PIXEL_BITS(r, red_bits, g, green_bits, b, blue_bits, a, alpha_bits)                        \
    .red = {r, red_bits}, .green = {g, green_bits}, .blue = {b, blue_bits}, .alpha = {a, alpha_bits}
#define PIXEL_GREY(n) PIXEL_BITS(0, n, 0, 0, 0, 0, 0, 0)
#define PIXEL_RG(n)   PIXEL_BITS(0, n, n, n, 0, 0, 0, 0)
#define PIXEL_RGB(n)  PIXEL_BITS(0, n, n, n, 2 * (n), n, 0, 0)
#define PIXEL_BGR(n)  PIXEL_BITS(2 * (n), n, n, n, 0, n, 0, 0)
#define PIXEL_RGBA(n) PIXEL_BITS(0, n, n, n, 2 * (n), n, 3 * (n), n)
#define PIXEL_BGRA(n) PIXEL_BITS(2 * (n), n, n, n, 0, n, 3 * (n), n)

/* Initialisers of formats without and with blocks. */
#define PIXEL_FORMAT(size, kind, shown, ...)                                                       \
    {                                                                                              \
        .bytes = size, .number = kind, .look = shown, __VA_ARGS__                                  \
    }
#define PIXEL_BLOCK(size, kind, shown, block_kind)                                                 \
    PIXEL_FORMAT(size, kind, shown, .block = block_kind, .width = 4, .height = 4)

/*
 * Decodes lines `first` to first + lines - 1 to `out`: width * look bytes each, without gaps, with
 * the high byte first if samples have 16 bits. `from` has all rows of pixels, or of blocks, from
 * line 0 on, `pitch` bytes apart. Pixels of blocks beyond the right and lower edges are dropped.
 */
void pixel_format_lines(const struct pixel_format *format, const uint8_t *from, size_t pitch,
                        uint32_t width, uint32_t first, uint32_t lines, uint8_t *out);

/* Maximum number of texels in a block of ASTC: 12 by 12. */
enum { ASTC_MAX_TEXELS = 144 };

/* Decodes a block of ASTC of this size to rows of RGBA8. */
void astc_decode(const uint8_t block[16], unsigned width, unsigned height, bool srgb, uint8_t *to);

/* Decodes a block of BC7 to rows of RGBA8. */
void bptc_decode(const uint8_t block[16], uint8_t to[64]);

/* Decodes a block of BC6H to rows of half floats: red, green and blue. */
void bptc_decode_halves(const uint8_t block[16], bool is_signed, uint16_t to[48]);

/*
 * Decodes one pixel of an ETC1 or ETC2 block to red, green, blue and alpha. With `alpha` the block
 * has punch-through alpha; otherwise alpha is 255.
 */
void etc_decode_colour(const uint8_t block[8], unsigned x, unsigned y, bool alpha, uint8_t out[4]);
/* Decodes one pixel of an EAC block with a channel of 8 bits. */
uint8_t etc_decode_8(const uint8_t block[8], unsigned x, unsigned y);

/* Decodes one pixel of an EAC block with a channel of 11 bits, shown with 8 bits. */
uint8_t etc_decode_11(const uint8_t block[8], unsigned x, unsigned y, bool is_signed);

#endif

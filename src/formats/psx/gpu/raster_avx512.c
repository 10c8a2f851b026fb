/* SPDX-License-Identifier: MIT */
/*
 * The shaders of raster_gather.inc for AVX-512, whose instructions can be used on vectors of 32
 * bytes too: masks have registers of their own, and palettes are looked up in registers. The rows
 * of games are too short for vectors of 64 bytes.
 */
#include "formats/psx/gpu/raster_texel.h"

#define LANES          16
#define MASK_REGISTERS 1
#include "formats/psx/gpu/raster_lanes.inc"

enum { PALETTE_PARTS = 256 / 32 };

struct palette {
    __m256i of_16;
    __m512i of_256[PALETTE_PARTS];
};

INLINE void palette_begin(const uint16_t *clut, int depth, struct palette *palette)
{
    if (depth == PSX_DEPTH_4) {
        palette->of_16 = _mm256_loadu_si256((const __m256i *)clut);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < PALETTE_PARTS; i++)
        palette->of_256[i] = _mm512_loadu_si512(clut + i * 32);
}

/*
 * Returns entries of a palette of 256: one from each quarter, among which bits 6 and 7 of the index
 * select.
 */
INLINE __m256i look_up_256(const __m512i part[PALETTE_PARTS], __m256i index)
{
    const __m512i wide = _mm512_castsi256_si512(index);
    const __mmask16 odd = _mm256_test_epi16_mask(index, _mm256_set1_epi16(64));
    const __mmask16 upper = _mm256_test_epi16_mask(index, _mm256_set1_epi16(128));
    __m256i quarter[4];

    UNROLL
    for (unsigned i = 0; i < 4; i++)
        quarter[i] =
            _mm512_castsi512_si256(_mm512_permutex2var_epi16(part[2 * i], wide, part[2 * i + 1]));
    return _mm256_mask_blend_epi16(upper, _mm256_mask_blend_epi16(odd, quarter[0], quarter[1]),
                                   _mm256_mask_blend_epi16(odd, quarter[2], quarter[3]));
}

INLINE lanes palette_at(const struct palette *palette, int depth, lanes words, lanes u)
{
    if (depth == PSX_DEPTH_4) {
        __m256i shifted = _mm256_srlv_epi16((__m256i)words, (__m256i)(u << 2 & 12));

        return (lanes)_mm256_permutexvar_epi16(shifted, palette->of_16);
    }
    return (lanes)look_up_256(palette->of_256,
                              _mm256_srlv_epi16((__m256i)words, (__m256i)(u << 3 & 8)));
}

#include "formats/psx/gpu/raster_gather.inc"

const struct psx_raster_ops psx_raster_ops_avx512 = {"avx512", &psx_runs_avx2, SHADE_TABLE};

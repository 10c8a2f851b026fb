/* SPDX-License-Identifier: MIT */
/* The shaders of raster_gather.inc for AVX2. */
#include "formats/psx/gpu/raster_texel.h"

#define LANES 16
#define SLACK 3
#include "formats/psx/gpu/raster_lanes.inc"

struct palette {
    const uint16_t *entries;
    __m256i low, high; /* bytes of a palette of 16, in both halves, to be looked up by shuffles */
};

INLINE void palette_begin(const uint16_t *clut, int depth, struct palette *palette)
{
    palette->entries = clut;
    if (depth != PSX_DEPTH_4)
        return;

    __m256i entries = _mm256_loadu_si256((const __m256i *)clut);
    __m256i low = _mm256_and_si256(entries, _mm256_set1_epi16(0xFF));
    __m256i high = _mm256_srli_epi16(entries, 8);

    palette->low = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, low), 0x88);
    palette->high = _mm256_permute4x64_epi64(_mm256_packus_epi16(high, high), 0x88);
}

INLINE lanes look_up_16(const struct palette *palette, __m256i index)
{
    __m256i low = _mm256_shuffle_epi8(palette->low, index);
    __m256i high = _mm256_slli_epi16(_mm256_shuffle_epi8(palette->high, index), 8);

    return (lanes)_mm256_blendv_epi8(high, low, _mm256_set1_epi16(0xFF));
}

/* Returns the four halfwords at indexes of 16 bits. */
INLINE __m128i look_up_4(const uint16_t *entries, uint64_t index)
{
    __m128i loaded = _mm_cvtsi32_si128(entries[index & 0xFFFF]);

    loaded = _mm_insert_epi16(loaded, entries[index >> 16 & 0xFFFF], 1);
    loaded = _mm_insert_epi16(loaded, entries[index >> 32 & 0xFFFF], 2);
    return _mm_insert_epi16(loaded, entries[index >> 48], 3);
}

INLINE __m128i look_up_8(const uint16_t *entries, __m128i index)
{
    return _mm_unpacklo_epi64(look_up_4(entries, (uint64_t)_mm_cvtsi128_si64(index)),
                              look_up_4(entries, (uint64_t)_mm_extract_epi64(index, 1)));
}

INLINE lanes palette_at(const struct palette *palette, int depth, lanes words, lanes u)
{
    lanes index =
        lanes_select((lanes)((u & 1) == 0), words, words >> (depth == PSX_DEPTH_4 ? 4 : 8));

    if (depth == PSX_DEPTH_4) {
        index = lanes_select((lanes)((u & 2) == 0), index, index >> 8) & 15;
        return look_up_16(palette, (__m256i)index);
    }
    index &= 255;
    __m128i lower = look_up_8(palette->entries, _mm256_castsi256_si128((__m256i)index));
    __m128i upper = look_up_8(palette->entries, _mm256_extracti128_si256((__m256i)index, 1));

    return (lanes)_mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1);
}

#include "formats/psx/gpu/raster_gather.inc"

/* Runs in 32-byte registers, each half of which shuffles its own bytes. */

/* Stores eight pixels of 32 bits as 24 bytes, and eight bytes that the next store overwrites. */
static inline void store_packed(uint8_t *rgb, __m256i pixels)
{
    const __m256i bytes = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    const __m256i words = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);

    pixels = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(pixels, bytes), words);
    _mm256_storeu_si256((__m256i *)(void *)rgb, pixels);
}

static inline void expand_block(const uint16_t *pixels, uint8_t *rgb)
{
    /* Quarters in the order 0 2 1 3, since each half is widened by itself. */
    lanes all = (lanes)_mm256_permute4x64_epi64((__m256i)load(pixels), 0xD8);
    lanes red_green = (all << 3 & 0x00F8) | (all << 6 & 0xF800);
    lanes blue = all >> 7 & 0x00F8;

    red_green |= red_green >> 5 & 0x0707;
    blue |= blue >> 5;
    store_packed(rgb, _mm256_unpacklo_epi16((__m256i)red_green, (__m256i)blue));
    store_packed(rgb + 24, _mm256_unpackhi_epi16((__m256i)red_green, (__m256i)blue));
}

const struct psx_runs psx_runs_avx2 = {fill, move, expand};

const struct psx_raster_ops psx_raster_ops_avx2 = {"avx2", &psx_runs_avx2, SHADE_TABLE};

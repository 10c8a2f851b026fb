/* Runs in 32-byte registers, whose halves shuffle their bytes. */
#define LANES 16
#define SLACK 3
#include "formats/psx/gpu/runs_lanes.inc"

#include <immintrin.h>

/* Eight pixels of 32 bits as 24 bytes, and eight that the next ones overwrite. */
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
    /* Quarters 0 2 1 3, since each half is widened by itself. */
    lanes all = (lanes)_mm256_permute4x64_epi64((__m256i)load(pixels), 0xD8);
    lanes red_green = (all << 3 & 0x00F8) | (all << 6 & 0xF800);
    lanes blue = all >> 7 & 0x00F8;

    red_green |= red_green >> 5 & 0x0707;
    blue |= blue >> 5;
    store_packed(rgb, _mm256_unpacklo_epi16((__m256i)red_green, (__m256i)blue));
    store_packed(rgb + 24, _mm256_unpackhi_epi16((__m256i)red_green, (__m256i)blue));
}

const struct psx_runs psx_runs_avx2 = {fill, move, expand};

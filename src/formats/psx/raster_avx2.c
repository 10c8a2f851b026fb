/*
 * The vector shaders for AVX2: 32-byte registers, texels gathered. Built with
 * the compiler's flags for AVX2, and called only where the processor has it.
 */
#include "formats/psx/raster_texel.h"

#define LANES 16
#include "formats/psx/raster_lanes.inc"

#include <immintrin.h>

struct texels {
    struct slope u_slope, v_slope;
    struct ramp u, v;
    const uint16_t *page, *clut;
    __m256i x, and_u, and_v;
    __m256i clut_low, clut_high; /* bytes of a palette of 16, in both halves */
};

/* A palette of 16 as two tables of bytes, for a shuffle to look up. */
static inline void split_clut(const uint16_t *clut, struct texels *texels)
{
    __m256i entries = _mm256_loadu_si256((const __m256i *)clut);
    __m256i low = _mm256_and_si256(entries, _mm256_set1_epi16(0xFF));
    __m256i high = _mm256_srli_epi16(entries, 8);

    texels->clut_low = _mm256_permute4x64_epi64(_mm256_packus_epi16(low, low), 0x88);
    texels->clut_high = _mm256_permute4x64_epi64(_mm256_packus_epi16(high, high), 0x88);
}

INLINE void texels_begin(const struct raster_job *job, int depth, struct texels *texels)
{
    struct texture texture = texture_of(job, depth);

    texels->u_slope = slope_of(&job->u);
    texels->v_slope = slope_of(&job->v);
    texels->page = texture.page;
    texels->clut = texture.clut;
    texels->x = _mm256_set1_epi32((int)texture.x);
    texels->and_u = _mm256_set1_epi32((int)texture.and_u);
    texels->and_v = _mm256_set1_epi32((int)texture.and_v);
    if (depth == PSX_DEPTH_4)
        split_clut(job->clut, texels);
}

INLINE void texels_row(struct texels *texels, int x, int y)
{
    texels->u = ramp_at(&texels->u_slope, x, y);
    texels->v = ramp_at(&texels->v_slope, x, y);
}

/* Eight halfwords of the page, each in the lower half of 32 bits, garbage above it. */
INLINE __m256i gather_page(const struct texels *texels, int depth, __m256i u, __m256i v)
{
    const int to_column = depth == PSX_DEPTH_4 ? 18 : depth == PSX_DEPTH_8 ? 17 : 16;
    __m256i row = _mm256_and_si256(_mm256_srli_epi32(v, 6), texels->and_v);
    __m256i column = _mm256_and_si256(_mm256_srli_epi32(u, to_column), texels->and_u);

    column = _mm256_add_epi32(column, texels->x);
    if (depth != PSX_DEPTH_4)
        column = _mm256_and_si256(column, _mm256_set1_epi32(1023));
    return _mm256_i32gather_epi32((const int *)(const void *)texels->page,
                                  _mm256_add_epi32(row, column), 2);
}

/* The palette's index within a halfword, of 4 bits or 8. */
INLINE __m256i pick_index(int depth, __m256i halfwords, __m256i u)
{
    __m256i shift = depth == PSX_DEPTH_4
                        ? _mm256_and_si256(_mm256_srli_epi32(u, 14), _mm256_set1_epi32(12))
                        : _mm256_and_si256(_mm256_srli_epi32(u, 13), _mm256_set1_epi32(8));

    return _mm256_and_si256(_mm256_srlv_epi32(halfwords, shift),
                            _mm256_set1_epi32(depth == PSX_DEPTH_4 ? 15 : 255));
}

INLINE __m256i gather_clut(const struct texels *texels, __m256i index)
{
    return _mm256_i32gather_epi32((const int *)(const void *)texels->clut, index, 2);
}

/* Even and odd pixels, each in the lower half of 32 bits, together. */
INLINE __m256i join(__m256i even, __m256i odd)
{
    return _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
}

INLINE __m256i shuffle_clut(const struct texels *texels, __m256i index)
{
    __m256i low = _mm256_shuffle_epi8(texels->clut_low, index);
    __m256i high = _mm256_slli_epi16(_mm256_shuffle_epi8(texels->clut_high, index), 8);

    return _mm256_blendv_epi8(high, low, _mm256_set1_epi16(0xFF));
}

INLINE lanes texels_next(struct texels *texels, int depth)
{
    __m256i u_even = (__m256i)texels->u.even, u_odd = (__m256i)texels->u.odd;
    __m256i even = gather_page(texels, depth, u_even, (__m256i)texels->v.even);
    __m256i odd = gather_page(texels, depth, u_odd, (__m256i)texels->v.odd);
    __m256i next;

    ramp_step(&texels->u, &texels->u_slope);
    ramp_step(&texels->v, &texels->v_slope);
    if (depth != PSX_DEPTH_15) {
        even = pick_index(depth, even, u_even);
        odd = pick_index(depth, odd, u_odd);
    }
    if (depth == PSX_DEPTH_8) {
        even = gather_clut(texels, even);
        odd = gather_clut(texels, odd);
    }
    next = join(even, odd);
    return (lanes)(depth == PSX_DEPTH_4 ? shuffle_clut(texels, next) : next);
}

#include "formats/psx/raster_rows.inc"
#include "formats/psx/raster_table.inc"

const struct raster_ops raster_ops_avx2 = {"avx2", SHADE_TABLE};

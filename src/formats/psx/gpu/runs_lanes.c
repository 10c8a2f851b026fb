/*
 * Runs in 16-byte registers, which every machine of today has: SSE2, NEON. Not all
 * of them shuffle bytes: pixels of 24 bits are joined by shifts.
 */
#define LANES 8
#define SLACK 1
#include "formats/psx/gpu/runs_lanes.inc"

typedef uint32_t wide_lanes __attribute__((vector_size(2 * LANES)));
typedef uint64_t pairs __attribute__((vector_size(2 * LANES)));

/* Six bytes, and two that the next ones overwrite. */
static inline void store_pair(uint8_t *rgb, uint64_t pair)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    pair = __builtin_bswap64(pair);
#endif
    memcpy(rgb, &pair, sizeof(pair));
}

/* `low` below `high`, 24 bits of each half. */
static inline pairs join(pairs low, pairs high)
{
    return low | high << 24;
}

static inline void expand_block(const uint16_t *pixels, uint8_t *rgb)
{
    lanes all = load(pixels);
    lanes red_green = (all << 3 & 0x00F8) | (all << 6 & 0xF800);
    lanes blue = all >> 7 & 0x00F8;

    red_green |= red_green >> 5 & 0x0707;
    blue |= blue >> 5;

    wide_lanes even = ((wide_lanes)red_green & 0xFFFF) | (wide_lanes)blue << 16;
    wide_lanes odd = (wide_lanes)red_green >> 16 | ((wide_lanes)blue & 0xFFFF0000);
    pairs first = join((pairs)even & UINT32_MAX, (pairs)odd & UINT32_MAX);
    pairs second = join((pairs)even >> 32, (pairs)odd >> 32);

    store_pair(rgb, first[0]);
    store_pair(rgb + 6, second[0]);
    store_pair(rgb + 12, first[1]);
    store_pair(rgb + 18, second[1]);
}

const struct psx_runs psx_runs_lanes = {fill, move, expand};

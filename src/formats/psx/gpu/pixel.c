#include "formats/psx/gpu/pixel.h"

/* The eight values of a channel that come out as `level`. */
#define LEVEL(level)                                                                               \
    [PIXEL_CLAMP_BIAS + 8 * (level)... PIXEL_CLAMP_BIAS + 8 * (level) + 7] = (level)
#define LEVELS(level) LEVEL(level), LEVEL((level) + 1), LEVEL((level) + 2), LEVEL((level) + 3)

const uint8_t psx_pixel_clamp[PIXEL_CLAMP_SIZE] = {
    [0 ... PIXEL_CLAMP_BIAS - 1] = 0,
    LEVELS(0),
    LEVELS(4),
    LEVELS(8),
    LEVELS(12),
    LEVELS(16),
    LEVELS(20),
    LEVELS(24),
    LEVELS(28),
    [PIXEL_CLAMP_BIAS + 8 * 32 ... PIXEL_CLAMP_SIZE - 1] = 31,
};

const int8_t psx_pixel_dither[4][4] = {
    {-4, 0, -3, 1},
    {2, -2, 3, -1},
    {-3, 1, -4, 0},
    {3, -1, 2, -2},
};

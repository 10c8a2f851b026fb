#include "formats/psx/gpu/runs.h"

#include "formats/psx/gpu/pixel.h"

#include <string.h>

static void fill(uint16_t *to, uint32_t count, uint16_t pixel)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = pixel;
}

static void move(uint16_t *to, const void *from, uint32_t count, uint16_t set, uint16_t check)
{
    const uint8_t *next = from;

    for (uint32_t i = 0; i < count; i++, next += sizeof(*to)) {
        uint16_t pixel;

        memcpy(&pixel, next, sizeof(pixel));
        if (!(to[i] & check))
            to[i] = pixel | set;
    }
}

static void expand(const uint16_t *pixels, uint32_t count, uint8_t *rgb)
{
    for (uint32_t i = 0; i < count; i++)
        pixel_to_rgb(pixels[i], rgb + 3 * (size_t)i);
}

const struct psx_runs psx_runs_c = {fill, move, expand};

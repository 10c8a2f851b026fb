/* SPDX-License-Identifier: MIT */
#include "image/fingerprint.h"

#include "base/bytes.h"
#include "image/shrink.h"

enum { COLUMNS = 9, ROWS = 8 };

static void add_u32(struct sha256 *hash, uint32_t value)
{
    uint8_t bytes[4];

    bytes_put_le32(bytes, value);
    sha256_add(hash, bytes, sizeof(bytes));
}

void fingerprint_sha256(const struct picture_pixels *pixels, uint8_t digest[SHA256_SIZE])
{
    struct sha256 hash;

    sha256_init(&hash);
    add_u32(&hash, pixels->width);
    add_u32(&hash, pixels->height);
    sha256_add(&hash, pixels->bytes, 3 * (size_t)pixels->width * pixels->height);
    sha256_finish(&hash, digest);
}

/* Returns the luminance in thousandths. */
static unsigned luminance(const uint8_t *rgb)
{
    return 299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2];
}

uint64_t fingerprint_dhash(const struct picture_pixels *pixels)
{
    uint8_t row[3 * COLUMNS];
    uint64_t hash = 0;

    for (unsigned y = 0; y < ROWS; y++) {
        shrink_row(pixels, COLUMNS, ROWS, y, row);
        for (unsigned x = 0; x + 1 < COLUMNS; x++)
            hash =
                hash << 1 | (luminance(row + 3 * (size_t)x) < luminance(row + 3 * (size_t)x + 3));
    }
    return hash;
}

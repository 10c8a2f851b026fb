/* SPDX-License-Identifier: MIT */
#include "image/draw_ids.h"

#include "base/bytes.h"

#include <string.h>

enum { DARKEST = 48 }; /* minimum of each channel of an id's colour */

void draw_ids_store(struct draw_id id, uint8_t *bytes)
{
    bytes_put_le32(bytes, id.frame);
    bytes_put_le32(bytes + 4, id.writer);
}

struct draw_id draw_ids_load(const uint8_t *bytes)
{
    return (struct draw_id){bytes_le32(bytes), bytes_le32(bytes + 4)};
}

bool draw_ids_is_none(const uint8_t *bytes)
{
    return bytes_le32(bytes) == draw_id_none.frame;
}

void draw_ids_clear(uint8_t *bytes, uint64_t pixels)
{
    memset(bytes, 0xFF, (size_t)pixels * DRAW_IDS_BYTES);
}

/*
 * Mixes a number such that all its bits affect each bit from 40 on. Neighbouring numbers get very
 * different results.
 */
static uint64_t mix(uint64_t number)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 divided by the golden ratio */

    number = (number + 1) * golden;
    number = (number ^ number >> 31) * golden;
    return number ^ number >> 29;
}

/* Gives an id the same colour wherever it occurs, and never black. */
static void paint_id(const uint8_t *bytes, uint8_t *rgb)
{
    struct draw_id id = draw_ids_load(bytes);
    uint64_t mixed = mix((uint64_t)id.frame << 32 | id.writer) >> 40;

    for (unsigned i = 0; i < 3; i++, mixed >>= 8)
        rgb[i] = draw_ids_is_none(bytes)
                     ? 0
                     : (uint8_t)(DARKEST + (mixed & 0xFF) * (255 - DARKEST) / 255);
}

struct painting {
    const struct blob *ids;
    uint32_t width;
};

static void paint_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct painting *painting = context;
    const uint8_t *bytes = painting->ids->data + (size_t)y * painting->width * DRAW_IDS_BYTES;

    for (uint32_t x = 0; x < painting->width; x++)
        paint_id(bytes + (size_t)x * DRAW_IDS_BYTES, rgb + 3 * (size_t)x);
}

int draw_ids_write(const struct picture_header *header, enum picture_encoding encoding,
                   const struct blob *ids, const struct cancel *cancel, struct blob **out)
{
    struct painting painting = {ids, header->width};

    return picture_write(header, encoding, paint_row, &painting, cancel, out);
}

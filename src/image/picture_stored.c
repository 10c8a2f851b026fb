/* SPDX-License-Identifier: MIT */
/*
 * Decodes what picture_begin() lays out: chunks of PNG (W3C PNG, 5), one of which is the image
 * data, in stored deflate blocks (RFC 1950; RFC 1951, 3.2.4), whose rows have no filters.
 */
#include "image/picture_stored.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "image/picture_parts.h"

#include <errno.h>
#include <libdeflate.h>
#include <string.h>

enum {
    LENGTH_BYTES = 4,
    TYPE_BYTES = 4,
    RGB = PICTURE_RGB,
    RGBA = PICTURE_RGBA,
    TRUECOLOUR = 2, /* colour types of IHDR */
    TRUECOLOUR_ALPHA = 6,
    OPAQUE = 255,
};

struct chunk {
    const uint8_t *type, *data;
    uint32_t length;
};

struct stored {
    const uint8_t *at, *end;
    uint32_t width, height;
    enum picture_colour colour;
};

/* Reads the next chunk. Returns false if it is truncated, or its checksum is wrong. */
static bool next_chunk(struct stored *stored, struct chunk *out)
{
    size_t left = (size_t)(stored->end - stored->at);

    if (left < PICTURE_CHUNK_BYTES)
        return false;
    out->length = bytes_be32(stored->at);
    if (out->length > left - PICTURE_CHUNK_BYTES)
        return false;
    out->type = stored->at + LENGTH_BYTES;
    out->data = out->type + TYPE_BYTES;
    stored->at = out->data + out->length + LENGTH_BYTES;
    return picture_crc32(out->type, TYPE_BYTES + (size_t)out->length) ==
           bytes_be32(out->data + out->length);
}

static bool is_of(const struct chunk *chunk, const char *type)
{
    return memcmp(chunk->type, type, TYPE_BYTES) == 0;
}

static bool read_shape(struct stored *stored)
{
    static const uint8_t signature[PICTURE_SIGNATURE_BYTES] = {137, 80, 78, 71, 13, 10, 26, 10};
    struct chunk chunk;
    const uint8_t *data;

    if (stored->end - stored->at < PICTURE_SIGNATURE_BYTES ||
        memcmp(stored->at, signature, sizeof(signature)) != 0)
        return false;
    stored->at += sizeof(signature);
    if (!next_chunk(stored, &chunk) || !is_of(&chunk, "IHDR") || chunk.length != PICTURE_IHDR_BYTES)
        return false;
    data = chunk.data;
    stored->width = bytes_be32(data);
    stored->height = bytes_be32(data + 4);
    stored->colour = data[9] == TRUECOLOUR ? PICTURE_RGB : PICTURE_RGBA;
    return stored->width >= 1 && stored->width <= PICTURE_MAX && stored->height >= 1 &&
           stored->height <= PICTURE_MAX && data[8] == 8 &&
           (data[9] == TRUECOLOUR || data[9] == TRUECOLOUR_ALPHA) &&
           (data[10] | data[11] | data[12]) == 0;
}

/*
 * Finds the image data. Only texts and significant bits may come before it, and only the end after
 * it.
 */
static bool read_chunks(struct stored *stored, struct chunk *image)
{
    struct chunk end;

    do {
        if (!next_chunk(stored, image))
            return false;
    } while (is_of(image, "sBIT") || is_of(image, "tEXt"));
    return is_of(image, "IDAT") && next_chunk(stored, &end) && is_of(&end, "IEND") &&
           end.length == 0;
}

static size_t row_bytes(const struct stored *stored)
{
    return 1 + (size_t)stored->width * stored->colour; /* with its filter byte */
}

static size_t block_count(size_t raw)
{
    return (raw + PICTURE_BLOCK_MAX - 1) / PICTURE_BLOCK_MAX;
}

/* Checks that the image data is `raw` bytes in blocks of maximum length, and its checksum. */
static bool check_blocks(const struct chunk *image, size_t raw)
{
    const uint8_t *p = image->data;
    uint32_t adler = 1;

    if (image->length !=
            PICTURE_ZLIB_HEAD + raw + block_count(raw) * PICTURE_BLOCK_HEAD + PICTURE_ZLIB_TAIL ||
        p[0] != 0x78 || p[1] != 0x01)
        return false;
    p += PICTURE_ZLIB_HEAD;
    for (size_t left = raw; left > 0;) {
        size_t length = left < PICTURE_BLOCK_MAX ? left : PICTURE_BLOCK_MAX;

        left -= length;
        if (p[0] != (left == 0) || (p[1] | (size_t)p[2] << 8) != length ||
            (uint8_t)(p[1] ^ p[3]) != UINT8_MAX || (uint8_t)(p[2] ^ p[4]) != UINT8_MAX)
            return false;
        adler = libdeflate_adler32(adler, p + PICTURE_BLOCK_HEAD, length);
        p += PICTURE_BLOCK_HEAD + length;
    }
    return adler == bytes_be32(p);
}

/* Copies `size` bytes of the rows, which include their filter bytes, from `offset` on. */
static void copy_raw(const struct chunk *image, size_t offset, size_t size, uint8_t *to)
{
    const uint8_t *blocks = image->data + PICTURE_ZLIB_HEAD;

    while (size > 0) {
        size_t left = PICTURE_BLOCK_MAX - offset % PICTURE_BLOCK_MAX;
        size_t piece = left < size ? left : size;

        memcpy(to, blocks + offset + block_count(offset + 1) * PICTURE_BLOCK_HEAD, piece);
        offset += piece;
        to += piece;
        size -= piece;
    }
}

/* Converts RGBA to RGB. Returns false if a pixel is not opaque. */
static bool drop_alpha(const uint8_t *rgba, uint32_t width, uint8_t *rgb)
{
    uint8_t all = OPAQUE;

    for (uint32_t x = 0; x < width; x++, rgba += RGBA, rgb += RGB) {
        rgb[0] = rgba[0];
        rgb[1] = rgba[1];
        rgb[2] = rgba[2];
        all &= rgba[3];
    }
    return all == OPAQUE;
}

static void add_alpha(const uint8_t *rgb, uint32_t width, uint8_t *rgba)
{
    for (uint32_t x = 0; x < width; x++, rgb += RGB, rgba += RGBA) {
        rgba[0] = rgb[0];
        rgba[1] = rgb[1];
        rgba[2] = rgb[2];
        rgba[3] = OPAQUE;
    }
}

/*
 * Copies a row, by way of `scratch` if the file and the picture have different colours. Returns
 * false if the row has a filter, or a pixel would have to be blended.
 */
static bool copy_row(const struct stored *stored, const struct chunk *image, uint32_t y,
                     const struct picture_pixels *out, uint8_t *scratch)
{
    uint8_t *to = out->bytes + (size_t)y * out->width * out->colour, filter;
    size_t offset = y * row_bytes(stored);
    bool same = stored->colour == out->colour;

    copy_raw(image, offset, 1, &filter);
    copy_raw(image, offset + 1, row_bytes(stored) - 1, same ? to : scratch);
    if (filter != 0)
        return false;
    if (!same && out->colour == PICTURE_RGB)
        return drop_alpha(scratch, out->width, to);
    if (!same)
        add_alpha(scratch, out->width, to);
    return true;
}

static int copy_rows(const struct stored *stored, const struct chunk *image,
                     struct picture_pixels *out)
{
    uint8_t *scratch = memory_take(row_bytes(stored));
    bool good = true;

    if (scratch == NULL)
        return -ENOMEM;
    for (uint32_t y = 0; y < stored->height && good; y++)
        good = copy_row(stored, image, y, out, scratch);
    memory_give(scratch, row_bytes(stored));
    return good ? 0 : -ENOTSUP;
}

int picture_decode_stored(const uint8_t *png, size_t size, enum picture_colour colour,
                          struct picture_pixels *out)
{
    struct stored stored = {.at = png, .end = png + size};
    struct chunk image;
    int status;

    if (!read_shape(&stored) || !read_chunks(&stored, &image) ||
        !check_blocks(&image, row_bytes(&stored) * stored.height))
        return -ENOTSUP;
    *out = (struct picture_pixels){.width = stored.width,
                                   .height = stored.height,
                                   .colour = colour,
                                   .bytes =
                                       memory_take((size_t)colour * stored.width * stored.height)};
    if (out->bytes == NULL)
        return -ENOMEM;
    status = copy_rows(&stored, &image, out);
    if (status < 0)
        picture_pixels_clear(out);
    return status;
}

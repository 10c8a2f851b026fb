/* SPDX-License-Identifier: MIT */
/*
 * Pictures as PNG files whose length is known before a pixel is: the image data
 * stands in stored deflate blocks laid out by us and written through libpng's
 * chunk writer, so that picture_size() is arithmetic (fuse.md, "Sizes decide
 * everything"). With PICTURE_SMALL the same picture is compressed by libpng,
 * and its size is known only afterwards. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_PICTURE_H
#define GPUDUMPFS_IMAGE_PICTURE_H

#include "base/blob.h"
#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes a pixel. Samples of 16 bits stand high byte first, as PNG has them. */
enum picture_colour {
    PICTURE_GREY = 1,
    PICTURE_GREY16 = 2,
    PICTURE_RGB = 3,
    PICTURE_RGBA = 4,
    PICTURE_RGBA16 = 8
};

/* Colours, red, green and blue, for pictures whose bytes are indexes; 1 to 256 of them. */
struct picture_palette {
    const uint8_t (*colours)[3];
    size_t count;
};

enum picture_encoding { PICTURE_STORED, PICTURE_SMALL };

/* One tEXt chunk: keyword 1 to 79 bytes of Latin-1, text of ASCII. */
struct picture_text {
    const char *keyword;
    const char *text;
};

/* All that the file's length depends on. */
struct picture_header {
    uint32_t width, height; /* 1 to PICTURE_MAX */
    enum picture_colour colour;
    uint8_t significant_bits; /* sBIT of each 8-bit colour channel; 0 or 8: no sBIT chunk */
    const struct picture_text *texts;
    size_t text_count;
    /* With PICTURE_GREY: its bytes are indexes of these colours. NULL: they are grey. */
    const struct picture_palette *palette;
};

enum { PICTURE_MAX = 16384 };

/* Length in bytes of the stored PNG; 0 when no such PNG can be: see PICTURE_MAX, and 2 GiB. */
uint64_t picture_size(const struct picture_header *header);

/*
 * Encodes pixels (rows from the top, `stride` bytes apart, no filter bytes) as a
 * PNG. -EINVAL for a size out of range, -ENOMEM.
 */
int picture_encode(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                   enum picture_encoding encoding, struct blob **out);

/* Writes the pixels of row y, width * colour bytes, all of them. */
typedef void picture_paint(const void *context, uint32_t y, uint8_t *pixels);

/*
 * A picture that is painted row by row, from the top, into its final place where
 * the encoding allows it. As picture_encode(); also -EINTR.
 */
int picture_write(const struct picture_header *header, enum picture_encoding encoding,
                  picture_paint *paint, const void *context, const struct cancel *cancel,
                  struct blob **out);

/*
 * For renderers at memory speed: a stored PNG whose rows are still to be filled,
 * each of them once, in any order, by several threads if they like:
 *
 *     picture_begin(&header, &writer);
 *     for each y: row = picture_row(&writer, y, scratch);
 *                 ... write width * colour bytes to row ...
 *                 picture_put_row(&writer, y, row);
 *     picture_finish(&writer, &blob);
 */
struct picture_writer {
    struct blob *blob;
    size_t image_offset; /* of the first stored block within the blob */
    size_t row_bytes;    /* 1 + width * colour */
    uint32_t height;
};

/* -EINVAL for a size out of range, -ENOMEM; then there is nothing to abandon. */
int picture_begin(const struct picture_header *header, struct picture_writer *writer);

/*
 * Where the pixels of row y may be written, width * colour bytes: their final place,
 * or `scratch` (as large, the caller's own) when a block of the file ends within them.
 */
uint8_t *picture_row(const struct picture_writer *writer, uint32_t y, uint8_t *scratch);

/* Ends a row: copies the pixels, unless they are in their place already. */
void picture_put_row(struct picture_writer *writer, uint32_t y, const uint8_t *pixels);

/* Sets the check sums and hands the blob over. Always 0. */
int picture_finish(struct picture_writer *writer, struct blob **out);

/* Frees a picture that was begun and is not finished; harmless after picture_finish(). */
void picture_abandon(struct picture_writer *writer);

/* What a PNG's header says. 0, or -EIO: it is none. */
struct picture_shape {
    uint32_t width, height;
    bool is_16bit; /* a channel */
};
int picture_look(const void *png, size_t size, struct picture_shape *out);

/* Rows of width * colour bytes, from the top: of memory_take(), for picture_pixels_clear(). */
struct picture_pixels {
    uint32_t width, height;
    enum picture_colour colour;
    uint8_t *bytes;
};

/*
 * The pixels of a PNG of any kind, as PICTURE_RGB over black where it is transparent, or as
 * PICTURE_RGBA. 0, -EIO: it is none, or broken; -ENOMEM.
 */
int picture_decode(const void *png, size_t size, enum picture_colour colour,
                   struct picture_pixels *out);
void picture_pixels_clear(struct picture_pixels *pixels);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Pictures as PNG files whose length is known before any pixel is: the image data is in stored
 * deflate blocks that we lay out and write with libpng's chunk writer, so that picture_size() is
 * plain arithmetic (fuse.md, "Sizes decide everything"). With PICTURE_SMALL libpng compresses the
 * same picture, and its size is only known afterwards. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_IMAGE_PICTURE_H
#define GPUDUMPFS_IMAGE_PICTURE_H

#include "base/blob.h"
#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value is the bytes per pixel. Samples of 16 bits have the high byte first, as in PNG. */
enum picture_colour {
    PICTURE_GREY = 1,
    PICTURE_GREY16 = 2,
    PICTURE_RGB = 3,
    PICTURE_RGBA = 4,
    PICTURE_RGBA16 = 8
};

/* Red, green and blue of each colour, for pictures of indexes; 1 to 256 colours. */
struct picture_palette {
    const uint8_t (*colours)[3];
    size_t count;
};

enum picture_encoding { PICTURE_STORED, PICTURE_SMALL };

/* A tEXt chunk: keyword of 1 to 79 bytes of Latin-1, text of ASCII. */
struct picture_text {
    const char *keyword;
    const char *text;
};

/* Everything that determines the file's length. */
struct picture_header {
    uint32_t width, height; /* 1 to PICTURE_MAX */
    enum picture_colour colour;
    uint8_t significant_bits; /* sBIT of each 8-bit colour channel; 0 or 8: no sBIT chunk */
    const struct picture_text *texts;
    size_t text_count;
    /* With PICTURE_GREY: the colours that bytes are indexes of. NULL if bytes are grey values. */
    const struct picture_palette *palette;
};

enum { PICTURE_MAX = 16384 };

/*
 * Returns the length in bytes of the stored PNG; 0 if there can be no such PNG because of
 * PICTURE_MAX, or because its image data would exceed 2 GiB.
 */
uint64_t picture_size(const struct picture_header *header);

/*
 * Encodes pixels as a PNG. Rows are from the top, `stride` bytes apart, without filter bytes.
 * Returns 0, -EINVAL for a size out of range, or -ENOMEM.
 */
int picture_encode(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                   enum picture_encoding encoding, struct blob **out);

/* Writes all pixels of row y, width * colour bytes. */
typedef void picture_paint(const void *context, uint32_t y, uint8_t *pixels);

/*
 * Encodes a picture that is painted row by row, from the top, directly into the file where the
 * encoding allows it. Returns as picture_encode(); also -EINTR.
 */
int picture_write(const struct picture_header *header, enum picture_encoding encoding,
                  picture_paint *paint, const void *context, const struct cancel *cancel,
                  struct blob **out);

/*
 * For renderers at the speed of memory: a stored PNG whose rows are filled later, each of them
 * once, in any order, and possibly by several threads:
 *
 *     picture_begin(&header, &writer);
 *     for each y: row = picture_row(&writer, y, scratch);
 *                 ... write width * colour bytes to row ...
 *                 picture_put_row(&writer, y, row);
 *     picture_finish(&writer, &blob);
 */
struct picture_writer {
    struct blob *blob;
    size_t image_offset; /* offset of the first stored block in the blob */
    size_t row_bytes;    /* 1 + width * colour */
    uint32_t height;
};

/*
 * Begins a picture. Returns 0, -EINVAL for a size out of range, or -ENOMEM; after a failure there
 * is nothing to abandon.
 */
int picture_begin(const struct picture_header *header, struct picture_writer *writer);

/*
 * Returns where to write the pixels of row y, width * colour bytes: their final place, or the
 * caller's `scratch`, which must be as large, if a block of the file ends within the row.
 */
uint8_t *picture_row(const struct picture_writer *writer, uint32_t y, uint8_t *scratch);

/* Ends a row: copies the pixels, unless they are in their final place already. */
void picture_put_row(struct picture_writer *writer, uint32_t y, const uint8_t *pixels);

/* Fills in the checksums and hands the blob over. Returns 0. */
int picture_finish(struct picture_writer *writer, struct blob **out);

/* Frees a picture that was begun but not finished; harmless after picture_finish(). */
void picture_abandon(struct picture_writer *writer);

/* What a PNG's header says. */
struct picture_shape {
    uint32_t width, height;
    bool is_16bit; /* per channel */
};

/* Reads the header of a PNG. Returns 0, or -EIO if it is not a PNG. */
int picture_look(const void *png, size_t size, struct picture_shape *out);

/*
 * A decoded picture: rows of width * colour bytes, from the top. The bytes are from memory_take();
 * free them with picture_pixels_clear().
 */
struct picture_pixels {
    uint32_t width, height;
    enum picture_colour colour;
    uint8_t *bytes;
};

/*
 * Decodes a PNG of any kind, as PICTURE_RGB, blended over black where it is transparent, or as
 * PICTURE_RGBA. Returns 0, -EIO if it is not a PNG or is damaged, or -ENOMEM.
 */
int picture_decode(const void *png, size_t size, enum picture_colour colour,
                   struct picture_pixels *out);
void picture_pixels_clear(struct picture_pixels *pixels);

#endif

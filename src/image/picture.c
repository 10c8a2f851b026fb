/* SPDX-License-Identifier: MIT */
/*
 * A stored picture is a single blob from the beginning. libpng writes the chunks before and after
 * the image data to their final places, and the renderer writes the rows between them. Both
 * encodings begin with the same chunks.
 */
#include "config.h"

#include "image/picture.h"

#include "base/bytes.h"
#include "base/text.h"
#include "image/picture_parts.h"

#include <errno.h>
#include <libdeflate.h>
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHUNK = INT32_MAX };

static bool is_16bit(const struct picture_header *header)
{
    return header->colour == PICTURE_GREY16 || header->colour == PICTURE_RGBA16;
}

static bool has_palette(const struct picture_header *header)
{
    return header->palette != NULL && header->colour == PICTURE_GREY;
}

static bool has_significant_bits(const struct picture_header *header)
{
    return header->significant_bits > 0 && header->significant_bits < 8 && !is_16bit(header) &&
           !has_palette(header);
}

static uint64_t text_size(const struct picture_text *text)
{
    return strlen(text->keyword) + 1 + strlen(text->text);
}

/* Returns the size of all chunks before the image data. */
static uint64_t head_size(const struct picture_header *header)
{
    uint64_t size = PICTURE_SIGNATURE_BYTES + PICTURE_CHUNK_BYTES + PICTURE_IHDR_BYTES;

    if (has_significant_bits(header))
        size += PICTURE_CHUNK_BYTES + header->colour;
    if (has_palette(header))
        size += PICTURE_CHUNK_BYTES + header->palette->count * sizeof(header->palette->colours[0]);
    for (size_t i = 0; i < header->text_count; i++)
        size += PICTURE_CHUNK_BYTES + text_size(&header->texts[i]);
    return size;
}

static size_t row_size(const struct picture_header *header)
{
    return 1 + (size_t)header->width * header->colour; /* with its filter byte */
}

/* Returns the size of the IDAT chunk's contents: one zlib stream of stored blocks. */
static uint64_t image_size(const struct picture_header *header)
{
    uint64_t raw = (uint64_t)row_size(header) * header->height;

    return PICTURE_ZLIB_HEAD + raw +
           (raw + PICTURE_BLOCK_MAX - 1) / PICTURE_BLOCK_MAX * PICTURE_BLOCK_HEAD +
           PICTURE_ZLIB_TAIL;
}

static bool is_valid(const struct picture_header *header)
{
    return header->width >= 1 && header->width <= PICTURE_MAX && header->height >= 1 &&
           header->height <= PICTURE_MAX && image_size(header) <= MAX_CHUNK;
}

uint64_t picture_size(const struct picture_header *header)
{
    if (!is_valid(header))
        return 0;
    return head_size(header) + PICTURE_CHUNK_BYTES + image_size(header) + PICTURE_CHUNK_BYTES;
}

/* Callbacks for libpng. Errors leave libpng by longjmp(). */

static void fail(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void append_to_text(png_structp png, png_bytep bytes, size_t size)
{
    struct text *text = png_get_io_ptr(png);

    text_add_bytes(text, (const char *)bytes, size);
    if (text_status(text) < 0)
        png_error(png, "out of memory");
}

/* Where the next bytes of a stored picture go, and how many fit there. */
struct place {
    uint8_t *next;
    size_t room;
};

static void write_in_place(png_structp png, png_bytep bytes, size_t size)
{
    struct place *place = png_get_io_ptr(png);

    if (size > place->room)
        png_error(png, "more than was counted");
    memcpy(place->next, bytes, size);
    place->next += size;
    place->room -= size;
}

static int png_colour_type(const struct picture_header *header)
{
    switch (header->colour) {
    case PICTURE_GREY:
        return has_palette(header) ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY;
    case PICTURE_GREY16:
        return PNG_COLOR_TYPE_GRAY;
    case PICTURE_RGBA:
    case PICTURE_RGBA16:
        return PNG_COLOR_TYPE_RGB_ALPHA;
    case PICTURE_RGB:
        break;
    }
    return PNG_COLOR_TYPE_RGB;
}

static void write_text_chunk(png_structp png, const struct picture_text *text)
{
    png_write_chunk_start(png, (png_const_bytep) "tEXt", (png_uint_32)text_size(text));
    png_write_chunk_data(png, (png_const_bytep)text->keyword, strlen(text->keyword) + 1);
    png_write_chunk_data(png, (png_const_bytep)text->text, strlen(text->text));
    png_write_chunk_end(png);
}

static void set_palette(png_structp png, png_infop info, const struct picture_palette *palette)
{
    png_color colours[PNG_MAX_PALETTE_LENGTH];

    for (size_t i = 0; i < palette->count && i < PNG_MAX_PALETTE_LENGTH; i++)
        colours[i] =
            (png_color){palette->colours[i][0], palette->colours[i][1], palette->colours[i][2]};
    png_set_PLTE(png, info, colours, (int)palette->count);
}

/* Writes all chunks before the image data. */
static void write_head(png_structp png, png_infop info, const struct picture_header *header)
{
    uint8_t bits = header->significant_bits;
    png_color_8 significant = {bits, bits, bits, bits, 8};

    png_set_IHDR(png, info, header->width, header->height, is_16bit(header) ? 16 : 8,
                 png_colour_type(header), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (has_palette(header))
        set_palette(png, info, header->palette);
    if (has_significant_bits(header))
        png_set_sBIT(png, info, &significant);
    png_write_info(png, info);
    for (size_t i = 0; i < header->text_count; i++)
        write_text_chunk(png, &header->texts[i]);
}

/* What run_libpng() should write. */
struct png_job {
    const struct picture_header *header;
    struct place place;    /* stored: for the head, then for the end */
    uint8_t *end;          /* stored: place of IEND */
    const uint8_t *pixels; /* small */
    size_t stride;
    struct text *text; /* small: output; NULL if stored */
};

static void write_stored(png_structp png, png_infop info, struct png_job *job)
{
    png_set_write_fn(png, &job->place, write_in_place, flush_nothing);
    write_head(png, info, job->header);
    png_write_chunk_start(png, (png_const_bytep) "IDAT", (png_uint_32)image_size(job->header));
    job->place = (struct place){job->end, PICTURE_CHUNK_BYTES};
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

static void write_small(png_structp png, png_infop info, struct png_job *job)
{
    png_set_write_fn(png, job->text, append_to_text, flush_nothing);
    png_set_compression_level(png, 6);
    write_head(png, info, job->header);
    for (uint32_t y = 0; y < job->header->height; y++)
        png_write_row(png, job->pixels + y * job->stride);
    png_write_end(png, NULL);
}

static int run_libpng(struct png_job *job)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    int status = -ENOMEM;

    if (info == NULL)
        goto out;
    if (setjmp(png_jmpbuf(png))) /* only for lack of memory: headers were checked */
        goto out;
    if (job->text == NULL)
        write_stored(png, info, job);
    else
        write_small(png, info, job);
    png_destroy_write_struct(&png, &info);
    return 0;

out:
    png_destroy_write_struct(&png, &info);
    return status;
}

static int encode_small(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                        struct blob **out)
{
    struct text text = TEXT_INIT;
    struct png_job job = {.header = header, .pixels = pixels, .stride = stride, .text = &text};
    int status = is_valid(header) ? run_libpng(&job) : -EINVAL;

    if (status == 0)
        return text_blob(&text, out);
    if (text_status(&text) < 0)
        status = text_status(&text);
    text_clear(&text);
    return status;
}

static int encode_stored(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                         struct blob **out)
{
    struct picture_writer writer;
    int status = picture_begin(header, &writer);

    if (status < 0)
        return status;
    for (uint32_t y = 0; y < header->height; y++)
        picture_put_row(&writer, y, pixels + y * stride);
    return picture_finish(&writer, out);
}

int picture_encode(const struct picture_header *header, const uint8_t *pixels, size_t stride,
                   enum picture_encoding encoding, struct blob **out)
{
    if (encoding == PICTURE_SMALL)
        return encode_small(header, pixels, stride, out);
    return encode_stored(header, pixels, stride, out);
}

static size_t raw_size(const struct picture_writer *writer)
{
    return writer->row_bytes * writer->height;
}

/* Writes the zlib header and the headers of all stored blocks. */
static void write_block_heads(struct picture_writer *writer)
{
    uint8_t *p = writer->blob->data + writer->image_offset;
    size_t left = raw_size(writer);

    p[-2] = 0x78; /* deflate, 32 KiB window */
    p[-1] = 0x01; /* fastest; makes both bytes together a multiple of 31 */
    while (left > 0) {
        size_t length = left < PICTURE_BLOCK_MAX ? left : PICTURE_BLOCK_MAX;

        left -= length;
        p[0] = left == 0; /* the last block */
        p[1] = (uint8_t)length;
        p[2] = (uint8_t)(length >> 8);
        p[3] = (uint8_t)~length;
        p[4] = (uint8_t)(~length >> 8);
        p += PICTURE_BLOCK_HEAD + length;
    }
}

int picture_begin(const struct picture_header *header, struct picture_writer *writer)
{
    struct png_job job = {.header = header};
    size_t head, size;
    int status;

    if (!is_valid(header) || picture_size(header) > SIZE_MAX)
        return -EINVAL;
    size = (size_t)picture_size(header);
    head = (size_t)head_size(header) + PICTURE_CHUNK_BYTES - 4; /* its checksum comes last */
    *writer = (struct picture_writer){.image_offset = head + PICTURE_ZLIB_HEAD,
                                      .row_bytes = row_size(header),
                                      .height = header->height};
    status = blob_create(size, &writer->blob);
    if (status < 0)
        return status;
    job.place = (struct place){writer->blob->data, head};
    job.end = writer->blob->data + size - PICTURE_CHUNK_BYTES;
    status = run_libpng(&job);
    if (status < 0)
        blob_unref(&writer->blob);
    else
        write_block_heads(writer);
    return status;
}

/* Returns the place of byte `offset` of the rows, which include their filter bytes. */
static uint8_t *raw_place(const struct picture_writer *writer, size_t offset)
{
    return writer->blob->data + writer->image_offset + offset +
           (offset / PICTURE_BLOCK_MAX + 1) * PICTURE_BLOCK_HEAD;
}

/* Returns how many bytes from `offset` on are contiguous. */
static size_t raw_piece(size_t offset)
{
    return PICTURE_BLOCK_MAX - offset % PICTURE_BLOCK_MAX;
}

uint8_t *picture_row(const struct picture_writer *writer, uint32_t y, uint8_t *scratch)
{
    size_t offset = y * writer->row_bytes + 1;

    if (raw_piece(offset) < writer->row_bytes - 1)
        return scratch;
    return raw_place(writer, offset);
}

void picture_put_row(struct picture_writer *writer, uint32_t y, const uint8_t *pixels)
{
    size_t offset = y * writer->row_bytes;
    size_t left = writer->row_bytes - 1;

    *raw_place(writer, offset++) = 0; /* no filter */
    if (pixels == raw_place(writer, offset))
        return;
    while (left > 0) {
        size_t piece = raw_piece(offset) < left ? raw_piece(offset) : left;

        memcpy(raw_place(writer, offset), pixels, piece);
        pixels += piece;
        offset += piece;
        left -= piece;
    }
}

int picture_finish(struct picture_writer *writer, struct blob **out)
{
    uint8_t *type = writer->blob->data + writer->image_offset - PICTURE_ZLIB_HEAD - 4, *tail;
    size_t size = raw_size(writer);
    uint32_t adler = 1;

    for (size_t offset = 0; offset < size; offset += PICTURE_BLOCK_MAX) {
        size_t piece = size - offset < PICTURE_BLOCK_MAX ? size - offset : PICTURE_BLOCK_MAX;

        adler = libdeflate_adler32(adler, raw_place(writer, offset), piece);
    }
    tail = raw_place(writer, size - 1) + 1;
    bytes_put_be32(tail, adler);
    bytes_put_be32(tail + PICTURE_ZLIB_TAIL,
                   picture_crc32(type, (size_t)(tail + PICTURE_ZLIB_TAIL - type)));
    *out = writer->blob;
    writer->blob = NULL;
    return 0;
}

void picture_abandon(struct picture_writer *writer)
{
    blob_unref(&writer->blob);
}

static int paint_rows(const struct picture_header *header, picture_paint *paint,
                      const void *context, const struct cancel *cancel,
                      struct picture_writer *writer, uint8_t *scratch)
{
    for (uint32_t y = 0; y < header->height; y++) {
        uint8_t *pixels = picture_row(writer, y, scratch);

        if (cancel_requested(cancel))
            return -EINTR;
        paint(context, y, pixels);
        picture_put_row(writer, y, pixels);
    }
    return 0;
}

static int paint_stored(const struct picture_header *header, picture_paint *paint,
                        const void *context, const struct cancel *cancel, struct blob **out)
{
    struct picture_writer writer;
    int status = picture_begin(header, &writer);
    uint8_t *scratch = NULL;

    if (status < 0)
        return status;
    scratch = malloc(writer.row_bytes);
    status =
        scratch == NULL ? -ENOMEM : paint_rows(header, paint, context, cancel, &writer, scratch);
    free(scratch);
    if (status == 0)
        return picture_finish(&writer, out);
    picture_abandon(&writer);
    return status;
}

static int paint_small(const struct picture_header *header, picture_paint *paint,
                       const void *context, const struct cancel *cancel, struct blob **out)
{
    size_t stride = (size_t)row_size(header) - 1;
    uint8_t *pixels = is_valid(header) ? calloc(header->height, stride) : NULL;
    int status = !is_valid(header) ? -EINVAL : pixels == NULL ? -ENOMEM : 0;

    for (uint32_t y = 0; y < header->height && status == 0; y++) {
        paint(context, y, pixels + y * stride);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    if (status == 0)
        status = encode_small(header, pixels, stride, out);
    free(pixels);
    return status;
}

int picture_write(const struct picture_header *header, enum picture_encoding encoding,
                  picture_paint *paint, const void *context, const struct cancel *cancel,
                  struct blob **out)
{
    return encoding == PICTURE_SMALL ? paint_small(header, paint, context, cancel, out)
                                     : paint_stored(header, paint, context, cancel, out);
}

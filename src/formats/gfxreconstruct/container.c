/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/container.h"

#include "base/bytes.h"
#include "base/memory_limit.h"

#include <errno.h>
#include <lz4.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define COMPRESSED UINT32_C(0x80000000)

enum {
    OPTION_SIZE = 8,
    /* RFC 8878, 3.1.1.2: a block begins with 3 bytes, and expands to 128 KiB at most */
    ZSTD_BLOCK_HEADER = 3,
    ZSTD_BLOCK_MAX = 128 * 1024,
};

int gfxreconstruct_header_read(const uint8_t *data, uint64_t size,
                               struct gfxreconstruct_header *out)
{
    uint32_t key = 0, value = 0;

    *out = (struct gfxreconstruct_header){0};
    if (size < 4 || memcmp(data, "GFXR", 4) != 0)
        return -EPROTO;
    if (size < GFXR_FILE_HEADER)
        return -ENODATA;
    out->major = bytes_le32(data + 4);
    out->minor = bytes_le32(data + 8);
    out->options = bytes_le32(data + 12);
    out->readable = out->options;
    if (out->options > (size - GFXR_FILE_HEADER) / OPTION_SIZE)
        out->readable = (uint32_t)((size - GFXR_FILE_HEADER) / OPTION_SIZE);
    out->size = out->readable < out->options
                    ? size
                    : GFXR_FILE_HEADER + (uint64_t)out->options * OPTION_SIZE;
    for (uint32_t i = 0; i < out->readable && i < GFXR_OPTIONS_MAX; i++) {
        gfxreconstruct_option_read(data, i, &key, &value);
        if (key == GFXR_OPTION_COMPRESSION)
            out->compression = value;
    }
    return 0;
}

void gfxreconstruct_option_read(const uint8_t *data, uint32_t number, uint32_t *key,
                                uint32_t *value)
{
    const uint8_t *option = data + GFXR_FILE_HEADER + (uint64_t)number * OPTION_SIZE;

    *key = bytes_le32(option);
    *value = bytes_le32(option + 4);
}

const char *gfxreconstruct_compression_name(uint32_t compression)
{
    static const char *const names[GFXR_COMPRESSIONS] = {"none", "lz4", "zlib", "zstd"};

    return compression < GFXR_COMPRESSIONS ? names[compression] : NULL;
}

/* Blocks. */

/* The rest of a block that is not read yet. */
struct reader {
    const uint8_t *data;
    uint64_t size;
};

static bool read_bytes(struct reader *reader, uint64_t size, const uint8_t **data)
{
    if (size > reader->size)
        return false;
    *data = reader->data;
    reader->data += size;
    reader->size -= size;
    return true;
}

static bool read_u32(struct reader *reader, uint32_t *value)
{
    const uint8_t *data = NULL;

    if (!read_bytes(reader, 4, &data))
        return false;
    *value = bytes_le32(data);
    return true;
}

static bool read_u64(struct reader *reader, uint64_t *value)
{
    const uint8_t *data = NULL;

    if (!read_bytes(reader, 8, &data))
        return false;
    *value = bytes_le64(data);
    return true;
}

static struct gfxreconstruct_slice rest(const struct reader *reader)
{
    return (struct gfxreconstruct_slice){reader->data, reader->size};
}

static bool read_marker(struct reader *reader, struct gfxreconstruct_block *out)
{
    return read_u32(reader, &out->id) && read_u64(reader, &out->number);
}

static bool read_call(struct reader *reader, struct gfxreconstruct_block *out)
{
    out->has_thread = read_u32(reader, &out->id) &&
                      (out->type != GFXR_BLOCK_METHOD || read_u64(reader, &out->number)) &&
                      read_u64(reader, &out->thread);
    if (!out->has_thread || (out->compressed && !read_u64(reader, &out->expanded)))
        return false;
    out->data = rest(reader);
    if (!out->compressed)
        out->expanded = out->data.size;
    return true;
}

/*
 * Returns whether meta data of this type has a thread. The types for acceleration structures have
 * parameters instead.
 */
static bool meta_has_thread(uint32_t id)
{
    return (id & 0xffff) < 28 || (id & 0xffff) > 30;
}

static bool read_meta(struct reader *reader, struct gfxreconstruct_block *out)
{
    uint64_t fields = 0;

    if (!read_u32(reader, &out->id))
        return false;
    out->meta = gfxreconstruct_meta_find(out->id);
    out->has_thread = meta_has_thread(out->id) && read_u64(reader, &out->thread);
    if (!out->has_thread && meta_has_thread(out->id))
        return false;
    out->fields = out->data = rest(reader);
    out->expanded = out->data.size;
    if (out->meta == NULL)
        return true;
    if (!gfxreconstruct_meta_size(out->meta, out->fields, &fields))
        return false;
    out->data.data += fields;
    out->data.size -= fields;
    out->expanded = out->data.size;
    if (out->meta->bytes < 0 || out->meta->data == GFXR_DATA_NONE)
        return true;
    return gfxreconstruct_meta_value(out->meta, out->fields, out->meta->bytes, &out->expanded) &&
           (out->compressed || out->expanded <= out->data.size);
}

static bool read_annotation(struct reader *reader, struct gfxreconstruct_block *out)
{
    uint32_t label = 0;
    uint64_t length = 0;

    out->label.size = 0;
    if (!read_u32(reader, &out->id) || !read_u32(reader, &label) || !read_u64(reader, &length) ||
        !read_bytes(reader, label, &out->label.data) ||
        !read_bytes(reader, length, &out->data.data))
        return false;
    out->label.size = label;
    out->data.size = out->expanded = length;
    return true;
}

static bool read_parts(struct reader *reader, struct gfxreconstruct_block *out)
{
    switch (out->type) {
    case GFXR_BLOCK_FRAME:
    case GFXR_BLOCK_STATE:
        return read_marker(reader, out);
    case GFXR_BLOCK_META:
        return read_meta(reader, out);
    case GFXR_BLOCK_CALL:
    case GFXR_BLOCK_METHOD:
        return read_call(reader, out);
    case GFXR_BLOCK_ANNOTATION:
        return read_annotation(reader, out);
    default:
        out->data = rest(reader);
        out->expanded = reader->size;
        return true;
    }
}

bool gfxreconstruct_block_read(const uint8_t *data, uint64_t size, uint64_t offset,
                               struct gfxreconstruct_block *out)
{
    struct reader reader;
    uint32_t type = 0;
    uint64_t left = 0;

    *out = (struct gfxreconstruct_block){.offset = offset};
    if (!bytes_inside(offset, GFXR_BLOCK_HEADER, size))
        return false;
    out->size = bytes_le64(data + offset);
    type = bytes_le32(data + offset + 8);
    out->type = type & ~COMPRESSED;
    out->compressed = (type & COMPRESSED) != 0;
    left = size - offset - GFXR_BLOCK_HEADER;
    out->there = out->size < left ? out->size : left;
    reader = (struct reader){data + offset + GFXR_BLOCK_HEADER, out->there};
    out->whole = read_parts(&reader, out) && out->there == out->size;
    if (!out->whole) {
        out->label = out->data = (struct gfxreconstruct_slice){NULL, 0};
        out->expanded = 0;
    }
    return true;
}

/* Expansion. */

static int expand_lz4(struct gfxreconstruct_slice data, uint8_t *to, uint64_t size)
{
    if (data.size > LZ4_MAX_INPUT_SIZE)
        return -EIO;
    return LZ4_decompress_safe((const char *)data.data, (char *)to, (int)data.size, (int)size) ==
                   (int)size
               ? 0
               : -EIO;
}

static int expand_zlib(struct gfxreconstruct_slice data, uint8_t *to, uint64_t size)
{
    z_stream stream = {0};
    int status = 0, ended = 0;

    if (data.size > UINT32_MAX)
        return -EIO;
    if (inflateInit(&stream) != Z_OK)
        return -ENOMEM;
    stream.next_in = (Bytef *)(uintptr_t)data.data;
    stream.avail_in = (uInt)data.size;
    stream.next_out = to;
    stream.avail_out = (uInt)size;
    ended = inflate(&stream, Z_FINISH);
    if (ended != Z_STREAM_END || stream.total_out != size)
        status = ended == Z_MEM_ERROR ? -ENOMEM : -EIO;
    inflateEnd(&stream);
    return status;
}

static int expand_zstd(struct gfxreconstruct_slice data, uint8_t *to, uint64_t size)
{
    size_t made = ZSTD_decompress(to, (size_t)size, data.data, (size_t)data.size);

    if (ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation)
        return -ENOMEM;
    return made == size ? 0 : -EIO;
}

bool gfxreconstruct_block_is_plausible(const struct gfxreconstruct_block *block,
                                       uint32_t compression)
{
    static const uint64_t factors[GFXR_COMPRESSIONS] = {[GFXR_LZ4] = 255, [GFXR_ZLIB] = 1032};
    uint64_t max = 0;

    if (!block->compressed)
        return true;
    if (compression == GFXR_NONE || compression >= GFXR_COMPRESSIONS)
        return false;
    if (compression == GFXR_ZSTD)
        return ZSTD_getFrameContentSize(block->data.data, (size_t)block->data.size) ==
                   block->expanded &&
               block->expanded / ZSTD_BLOCK_MAX <= block->data.size / ZSTD_BLOCK_HEADER;
    return !bytes_mul(block->data.size, factors[compression], &max) || block->expanded <= max;
}

uint64_t gfxreconstruct_max_expanded(void)
{
    uint64_t half = memory_limit() / 2;

    return half == 0 || half > GFXR_EXPANDED_MAX ? GFXR_EXPANDED_MAX : half;
}

int gfxreconstruct_block_expand(const struct gfxreconstruct_block *block, uint32_t compression,
                                struct blob **out)
{
    int status = 0;

    if (!block->whole)
        return -EIO;
    if (!block->compressed) {
        if (block->expanded > block->data.size)
            return -EIO;
        return blob_borrow(block->data.data, (size_t)block->expanded, out);
    }
    if (compression == GFXR_NONE || compression >= GFXR_COMPRESSIONS)
        return -EOPNOTSUPP;
    if (block->expanded > gfxreconstruct_max_expanded())
        return -EFBIG;
    if (block->expanded == 0 || !gfxreconstruct_block_is_plausible(block, compression))
        return -EIO;
    status = blob_create((size_t)block->expanded, out);
    if (status < 0)
        return status;
    status = compression == GFXR_LZ4    ? expand_lz4(block->data, (*out)->data, block->expanded)
             : compression == GFXR_ZLIB ? expand_zlib(block->data, (*out)->data, block->expanded)
                                        : expand_zstd(block->data, (*out)->data, block->expanded);
    if (status < 0)
        blob_unref(out);
    return status;
}

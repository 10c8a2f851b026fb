/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/framed.h"

#include "tests/formats/apitrace/open.h"
#include "tests/support/support.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

void framed_add(struct framed *bytes, const void *more, size_t size)
{
    bytes->data = realloc(bytes->data, bytes->size + size + 1);
    assert_non_null(bytes->data);
    if (size > 0)
        memcpy(bytes->data + bytes->size, more, size);
    bytes->size += size;
}

static void framed_add_le32(struct framed *bytes, uint32_t value)
{
    uint8_t four[4];

    bytes_put_le32(four, value);
    framed_add(bytes, four, sizeof(four));
}

void framed_clear(struct framed *bytes)
{
    free(bytes->data);
    *bytes = (struct framed){0};
}

struct framed framed_bare(const struct framed *raw, size_t max)
{
    struct framed bare = {0};

    (void)max;
    framed_add(&bare, raw->data, raw->size);
    return bare;
}

/* Blocks of literals only */
struct framed framed_snappy(const struct framed *raw, size_t max)
{
    struct framed snappy = {0};
    uint64_t random = 3;

    framed_add(&snappy, "at", 2);
    for (size_t at = 0, piece; at < raw->size; at += piece) {
        uint8_t head[6];

        piece = 1 + support_random(&random) % (max < 60000 ? max : 60000);
        piece = piece < raw->size - at ? piece : raw->size - at;
        head[0] = (uint8_t)(piece | 0x80);
        head[1] = (uint8_t)(piece >> 7 | 0x80);
        head[2] = (uint8_t)(piece >> 14);
        head[3] = 61 << 2;
        head[4] = (uint8_t)(piece - 1);
        head[5] = (uint8_t)((piece - 1) >> 8);
        framed_add_le32(&snappy, (uint32_t)(sizeof(head) + piece));
        framed_add(&snappy, head, sizeof(head));
        framed_add(&snappy, raw->data + at, piece);
    }
    return snappy;
}

struct framed framed_gzip(const struct framed *raw, size_t max)
{
    z_stream stream = {0};
    struct framed packed = {0};
    uint8_t room[65536];
    int status = Z_OK;

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = raw->data;
    for (size_t at = 0; status != Z_STREAM_END;) {
        size_t piece = max < raw->size - at ? max : raw->size - at;

        stream.avail_in = (uInt)piece;
        at += piece;
        do {
            stream.next_out = room;
            stream.avail_out = sizeof(room);
            status = deflate(&stream, at == raw->size ? Z_FINISH : Z_SYNC_FLUSH);
            framed_add(&packed, room, sizeof(room) - stream.avail_out);
        } while (stream.avail_out == 0);
    }
    deflateEnd(&stream);
    return packed;
}

static struct framed compress_frames(const struct framed *raw, size_t max, bool table)
{
    struct framed packed = {0}, entries = {0};
    size_t room = ZSTD_compressBound(max);
    void *frame = malloc(room);
    uint32_t count = 0;

    for (size_t at = 0, piece; at < raw->size; at += piece, count++) {
        size_t size;

        piece = max < raw->size - at ? max : raw->size - at;
        size = ZSTD_compress(frame, room, raw->data + at, piece, 1);
        assert_false(ZSTD_isError(size));
        framed_add(&packed, frame, size);
        framed_add_le32(&entries, (uint32_t)size);
        framed_add_le32(&entries, (uint32_t)piece);
    }
    if (table) {
        framed_add_le32(&packed, 0x184D2A5E);
        framed_add_le32(&packed, (uint32_t)entries.size + 9);
        framed_add(&packed, entries.data, entries.size);
        framed_add_le32(&packed, count);
        framed_add(&packed, "", 1);
        framed_add_le32(&packed, 0x8F92EAB1);
    }
    free(frame);
    framed_clear(&entries);
    return packed;
}

struct framed framed_zstd(const struct framed *raw, size_t max)
{
    return compress_frames(raw, max, false);
}

struct framed framed_seekable(const struct framed *raw, size_t max)
{
    return compress_frames(raw, max, true);
}

struct framed framed_stream_of(const char *path)
{
    struct apitrace_opened opened;
    struct framed raw = {0};
    const struct apitrace_stream *stream;

    apitrace_open(path, &opened);
    stream = &apitrace_opened_index(&opened)->stream;
    while (raw.size < stream->size) {
        struct apitrace_stretch stretch;

        assert_int_equal(apitrace_stream_get(stream, raw.size, NULL, &stretch), 0);
        framed_add(&raw, stretch.data + (raw.size - stretch.begin),
                   (size_t)(stretch.begin + stretch.size - raw.size));
        blob_unref(&stretch.blob);
    }
    apitrace_close(&opened);
    return raw;
}

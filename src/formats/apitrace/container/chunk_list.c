/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/parts.h"

#include "base/bytes.h"
#include "source/seekable.h"

#include <errno.h>

enum {
    LENGTH_KNOWN = 10, /* bytes of a block that show whether it may be one */
    RATIO_MAX = 64,    /* a copy element of three bytes yields at most this many */
};

int apitrace_chunks_begin(struct apitrace_stream *stream, uint64_t file)
{
    if (apitrace_grow(&stream->chunks, 0, &stream->room, sizeof(*stream->chunks), &stream->memory) <
        0)
        return -ENOMEM;
    stream->chunks[0] = (struct apitrace_chunk){.file = file};
    return 0;
}

/* Appends a chunk of `raw` bytes; the next one begins at `file`. */
static int add_chunk(struct apitrace_stream *stream, uint64_t max_memory, uint64_t raw,
                     uint64_t file)
{
    if (stream->count + 1 == stream->room && stream->memory.taken > max_memory / 2)
        return -EFBIG;
    if (apitrace_grow(&stream->chunks, stream->count + 1, &stream->room, sizeof(*stream->chunks),
                      &stream->memory) < 0)
        return -ENOMEM;
    stream->chunks[stream->count + 1] = (struct apitrace_chunk){file, stream->size + raw};
    stream->count++;
    stream->size += raw;
    return 0;
}

/*
 * Gets the uncompressed length of a block, of which `size` bytes are there. Returns false if it
 * cannot be valid.
 */
static bool plausible(const uint8_t *block, uint64_t size, uint64_t stated, uint64_t *raw)
{
    size_t head = 0;

    return apitrace_snappy_length(block, (size_t)size, raw, &head) && *raw > 0 &&
           *raw <= APITRACE_CHUNK_MAX && stated <= 32 + *raw + *raw / 6 &&
           *raw <= RATIO_MAX * stated;
}

/* Measures what a block that is cut off or invalid still yields, by expanding it. */
static int measure(const uint8_t *block, uint64_t size, uint64_t *raw)
{
    uint64_t max = APITRACE_CHUNK_MAX;
    struct blob *room = NULL;
    size_t head = 0;
    bool whole;
    int status;

    if (size < max / RATIO_MAX)
        max = size * RATIO_MAX;
    if (!apitrace_snappy_length(block, (size_t)size, raw, &head))
        *raw = 0;
    status = blob_create((size_t)(*raw < max ? *raw : max), &room);
    if (status < 0)
        return status;
    *raw = apitrace_snappy_expand(block, (size_t)size, room->data, room->size, &whole);
    blob_unref(&room);
    return 0;
}

static void report(const struct apitrace_stream_params *params, enum problem_severity severity,
                   uint64_t offset, const char *what)
{
    problems_add(params->problems, severity, offset, PROBLEM_NOWHERE, "container: %s", what);
}

/* Returns whether it is too early to examine a chunk, or the end of the stream. */
static bool is_early(const struct source *source, const struct apitrace_chunk_listing *listing)
{
    uint64_t left = listing->size - listing->file, stated;
    const uint8_t *block = source->data + listing->file + APITRACE_HEAD_BYTES;

    if (!listing->open)
        return false;
    if (left <= APITRACE_HEAD_BYTES)
        return true;
    stated = bytes_le32(block - APITRACE_HEAD_BYTES);
    left -= APITRACE_HEAD_BYTES;
    /* what cannot be a block is reported at once */
    return stated > left && (left < LENGTH_KNOWN || plausible(block, left, stated, &stated));
}

static void report_last(struct apitrace_chunk_listing *listing, bool is_block)
{
    if (listing->told)
        return;
    listing->told = true;
    if (is_block)
        report(listing->params, PROBLEM_WARNING, listing->file, "a chunk is cut off");
    else
        report(listing->params, PROBLEM_ERROR, listing->file, "a chunk is not a Snappy block");
}

/*
 * Adds a chunk after which no other can be found, from `size` bytes of its block. Returns 1 or
 * -errno.
 */
static int list_last(struct apitrace_stream *stream, struct apitrace_chunk_listing *listing,
                     uint64_t size)
{
    uint64_t raw = 0, end = listing->file + APITRACE_HEAD_BYTES + size;
    int status = measure(stream->source->data + (end - size), size, &raw);

    if (status < 0 || raw == 0)
        return status < 0 ? status : 1;
    status = add_chunk(stream, listing->params->max_memory, raw, end + APITRACE_HEAD_BYTES);
    if (status < 0)
        return status;
    listing->file = end;
    return 1;
}

/* Lists one chunk. Returns 0, 1 if there are no more, 2 if the next is not there yet, or -errno. */
static int list_chunk(struct apitrace_stream *stream, struct apitrace_chunk_listing *listing)
{
    const struct apitrace_stream_params *params = listing->params;
    const struct source *source = stream->source;
    uint64_t *file = &listing->file, left = listing->size - *file, raw = 0, size, stated;
    const uint8_t *block = source->data + *file + APITRACE_HEAD_BYTES;
    bool is_block;
    int status;

    if (is_early(source, listing))
        return 2;
    if (left < APITRACE_HEAD_BYTES) {
        if (left > 0)
            report(params, PROBLEM_WARNING, *file, "the head of a chunk is cut off");
        return 1;
    }
    stated = bytes_le32(source->data + *file);
    if (stated == 0) {
        if (left > APITRACE_HEAD_BYTES)
            report(params, PROBLEM_WARNING, *file, "an empty chunk ends the trace here");
        return 1;
    }
    size = stated < left - APITRACE_HEAD_BYTES ? stated : left - APITRACE_HEAD_BYTES;
    is_block = plausible(block, size, stated, &raw);
    if (!is_block || size < stated) {
        report_last(listing, is_block || (size < stated && size < LENGTH_KNOWN));
        return listing->open && size < stated ? 2 : list_last(stream, listing, size);
    }
    status = add_chunk(stream, params->max_memory, raw, *file + 2 * APITRACE_HEAD_BYTES + size);
    if (status < 0)
        return status;
    *file += APITRACE_HEAD_BYTES + size;
    return 0;
}

int apitrace_chunks_list(struct apitrace_stream *stream, struct apitrace_chunk_listing *listing,
                         const struct cancel *cancel)
{
    int status = 0;

    do {
        status = list_chunk(stream, listing);
        if (cancel_requested(cancel))
            return -EINTR;
    } while (status == 0);
    if (status == -EFBIG) {
        report(listing->params, PROBLEM_ERROR, listing->file,
               "there are more chunks than max-memory allows");
        status = 1;
    }
    if (status == 1 && stream->count == 0 && listing->file == APITRACE_MAGIC_BYTES)
        report(listing->params, PROBLEM_WARNING, APITRACE_MAGIC_BYTES, "there are no chunks");
    return status;
}

int apitrace_chunks_list_frames(struct apitrace_stream *stream,
                                const struct apitrace_stream_params *params)
{
    struct seekable seekable = {0};
    uint64_t file = 0;
    int status = apitrace_chunks_begin(stream, 0);

    if (status < 0)
        return status;
    seekable_find(stream->source->data, stream->source->size, &seekable);
    for (uint32_t n = 0; n < seekable.count; n++) {
        uint32_t packed, raw;

        seekable_frame(&seekable, n, &packed, &raw);
        if (raw > APITRACE_CHUNK_MAX) {
            report(params, PROBLEM_ERROR, file, "a frame is too large");
            break;
        }
        file += packed;
        if (raw == 0) /* it belongs to the frame before */
            stream->chunks[stream->count].file = file;
        else
            status = add_chunk(stream, params->max_memory, raw, file);
        if (status < 0)
            break;
    }
    if (status == -EFBIG)
        report(params, PROBLEM_ERROR, stream->chunks[stream->count].file,
               "there are more frames than max-memory allows");
    return status == -EFBIG ? 0 : status;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/parts.h"

#include "base/bytes.h"
#include "source/seekable.h"

#include <errno.h>

uint64_t apitrace_stream_find(const struct apitrace_stream *stream, uint64_t position)
{
    uint64_t low = 0, high = stream->count;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (stream->chunks[middle].raw <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the block of a Snappy chunk. */
static const uint8_t *block_of(const struct apitrace_stream *stream,
                               const struct apitrace_chunk *chunk)
{
    return stream->source->data + chunk->file;
}

static size_t block_size(const struct apitrace_chunk *chunk)
{
    return (size_t)(chunk[1].file - APITRACE_HEAD_BYTES - chunk->file);
}

/*
 * Expands a chunk. Sets *sound to how many bytes it yields: all, unless it is damaged. Returns 0 or
 * -ENOMEM.
 */
static int expand(const struct apitrace_stream *stream, const struct apitrace_chunk *chunk,
                  struct blob *blob, size_t *sound)
{
    const uint8_t *block = block_of(stream, chunk);
    bool whole;

    if (stream->container == APITRACE_ZSTD)
        return seekable_expand(block, (size_t)(chunk[1].file - chunk->file), blob->data, blob->size,
                               sound);
    *sound = apitrace_snappy_expand(block, block_size(chunk), blob->data, blob->size, &whole);
    return 0;
}

/* Provides memory in which to expand a chunk. */
static int make_room(const struct apitrace_stream *stream, uint64_t number, struct blob **out)
{
    const struct apitrace_chunk *chunk = &stream->chunks[number];
    const size_t size = (size_t)(chunk[1].raw - chunk->raw);
    int status = 0;

    *out = NULL;
    if (stream->recent != NULL)
        status = apitrace_recent_place(stream->recent, number, chunk->raw, size, out);
    return status < 0 || *out != NULL ? status : blob_create(size, out);
}

int apitrace_stream_expand(const struct apitrace_stream *stream, uint64_t number, struct blob **out)
{
    const struct apitrace_chunk *chunk = &stream->chunks[number];
    struct blob *blob = NULL;
    int status = make_room(stream, number, &blob);
    size_t sound = 0;

    if (status < 0)
        return status;
    status = expand(stream, chunk, blob, &sound);
    if (status == 0 && sound == blob->size) {
        *out = blob;
        return 0;
    }
    if (status == 0)
        status = sound > 0 ? apitrace_sparse_begin(blob->data, sound, blob->size, out) : -EBADMSG;
    blob_unref(&blob);
    return status;
}

int apitrace_stream_load(const struct apitrace_stream *stream, uint64_t number, struct blob **out)
{
    const struct apitrace_chunk *chunk = &stream->chunks[number];
    int status = 0;

    *out = NULL;
    if (stream->container == APITRACE_SNAPPY)
        status = apitrace_sparse_make(block_of(stream, chunk), block_size(chunk),
                                      (size_t)(chunk[1].raw - chunk->raw), out);
    return status < 0 || *out != NULL ? status : apitrace_stream_expand(stream, number, out);
}

static int make_chunk(void *context, struct cache_key key, const struct cancel *cancel,
                      struct blob **out)
{
    (void)cancel;
    return apitrace_stream_load(context, key.part, out);
}

/* This format's own items in the cache: chunks, which share one rule number. */
static const struct cache_maker chunk_maker = {.work = CACHE_TEXT, .make = make_chunk};
enum { CHUNK_ITEM = 1 };

/*
 * Returns 1 if the chunk is among the recent ones, 0 if it was before, so that it belongs in the
 * cache, or -errno.
 */
static int get_recent(const struct apitrace_stream *stream, uint64_t number, struct blob **out)
{
    bool seen;
    int status = 0;

    *out = apitrace_recent_find(stream->recent, number, &seen);
    if (*out == NULL && !seen) {
        status = apitrace_stream_load(stream, number, out);
        if (status == 0)
            apitrace_recent_add(stream->recent, number, *out);
    }
    return *out != NULL ? 1 : status;
}

static int get_provided(const struct apitrace_stream *stream, uint64_t number, struct blob **out)
{
    int status = stream->provider.provide(stream->provider.context, number, out);

    if (status == 0 && stream->recent != NULL && apitrace_recent_keeps_all(stream->recent))
        apitrace_recent_add(stream->recent, number, *out);
    return status;
}

static int get_chunk(const struct apitrace_stream *stream, uint64_t number,
                     const struct cancel *cancel, struct blob **out)
{
    struct cache_key key = {CHUNK_ITEM, number};
    void *context = (void *)(uintptr_t)stream;
    int status = 0;

    if (stream->provider.provide != NULL)
        return get_provided(stream, number, out);
    if (stream->recent != NULL)
        status = get_recent(stream, number, out);
    if (status != 0)
        return status < 0 ? status : 0;
    return stream->cache != NULL && *stream->cache != NULL
               ? cache_get(*stream->cache, key, &chunk_maker, context, cancel, out)
               : apitrace_stream_load(stream, number, out);
}

/*
 * Sets the stretch to the bytes of its blob around a position in its chunk. Returns false if the
 * position is in a hole.
 */
static bool choose(const struct apitrace_stream *stream, uint64_t position,
                   struct apitrace_stretch *stretch)
{
    const struct apitrace_chunk *chunk = &stream->chunks[stretch->chunk];
    uint64_t raw = chunk[1].raw - chunk->raw;
    size_t begin = 0, size = stretch->blob->size;
    const uint8_t *data = stretch->blob->data;

    if (apitrace_sparse_is(stretch->blob, raw))
        data = apitrace_sparse_find(stretch->blob, block_of(stream, chunk),
                                    (size_t)(position - chunk->raw), &begin, &size);
    if (data == NULL)
        return false;
    stretch->data = data;
    stretch->begin = chunk->raw + begin;
    stretch->size = size;
    return true;
}

uint64_t apitrace_stream_damage(const struct apitrace_stream *stream,
                                const struct apitrace_stretch *stretch)
{
    const struct apitrace_chunk *chunk;
    uint64_t raw, end;

    if (stretch->blob == NULL)
        return UINT64_MAX;
    chunk = &stream->chunks[stretch->chunk];
    raw = chunk[1].raw - chunk->raw;
    if (!apitrace_sparse_is(stretch->blob, raw))
        return UINT64_MAX;
    end = apitrace_sparse_sound(stretch->blob);
    return end < raw ? chunk->raw + end : UINT64_MAX;
}

/* Gets a stretch from what is kept of the chunk. Returns false if that lacks the position. */
static bool get_kept(const struct apitrace_stream *stream, uint64_t position,
                     struct apitrace_stretch *stretch)
{
    if (stream->recent == NULL || stream->provider.provide != NULL)
        return false;
    stretch->blob = apitrace_recent_kept(stream->recent, stretch->chunk);
    if (stretch->blob != NULL && choose(stream, position, stretch))
        return true;
    blob_unref(&stretch->blob);
    return false;
}

bool apitrace_stream_move(const struct apitrace_stream *stream, uint64_t position,
                          struct apitrace_stretch *stretch)
{
    const struct apitrace_chunk *chunk;

    if (stretch->blob == NULL)
        return false;
    chunk = &stream->chunks[stretch->chunk];
    if (position < chunk->raw || position >= chunk[1].raw)
        return false;
    return choose(stream, position, stretch);
}

int apitrace_stream_get(const struct apitrace_stream *stream, uint64_t position,
                        const struct cancel *cancel, struct apitrace_stretch *out)
{
    int status;

    *out = (struct apitrace_stretch){0};
    if (position >= stream->size)
        return -ENODATA;
    if (stream->fed != NULL) {
        *out = (struct apitrace_stretch){NULL, stream->fed, stream->fed_at, stream->fed_size, 0};
        return position - stream->fed_at < stream->fed_size ? 0 : -ENODATA;
    }
    if (stream->mapped != NULL) {
        *out = (struct apitrace_stretch){NULL, stream->mapped, 0, stream->size, 0};
        return 0;
    }
    out->chunk = apitrace_stream_find(stream, position);
    if (!get_kept(stream, position, out)) {
        status = get_chunk(stream, out->chunk, cancel, &out->blob);
        if (status < 0)
            return status;
        if (!choose(stream, position, out)) {
            blob_unref(&out->blob);
            return -EBADMSG;
        }
    }
    if (out->size > stream->size - out->begin)
        out->size = stream->size - out->begin;
    return 0;
}

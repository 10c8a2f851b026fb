/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/bytes.h"
#include "source/growing_source.h"
#include "source/seekable.h"
#include "source/sigbus_guard.h"
#include "source/spool.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MAGIC_BYTES = 2,
    HEAD_BYTES = 4,    /* of a chunk: its compressed length */
    LENGTH_KNOWN = 10, /* bytes of a block that tell whether it may be one */
    RATIO_MAX = 64,    /* a copy of three bytes gives so many at most */
    PEEK_ROOM = 512,
    SCORE_MAGIC = 90,
    SCORE_STREAM = 40, /* a bare stream has no magic, but properties that must parse */
    SCORE_OLD = 3,     /* two bytes alone speak for it */
    SCORE_BROTLI = 1,
    VERSION_WITH_THREADS = 4,
    PROBED_NAME_MAX = 256,
    NAME_MIN = 4,
    BROTLI_MIN = 8, /* bytes: almost anything expands to some as Brotli */
};

/* Probing. */

/* A short varint, as the numbers in a header are; false when there is none. */
static bool peek_number(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 28; shift += 7) {
        uint8_t byte = *(*at)++;

        *value |= (uint64_t)(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

/* Properties up to the empty name; what is cut off by `end` alone may be right. */
static bool peek_properties(const uint8_t *at, const uint8_t *end, uint64_t left)
{
    uint64_t length = 0;

    for (bool name = true; at < end; name = !name) {
        if (!peek_number(&at, end, &length) || length > left)
            return false;
        if (name && length == 0)
            return at == end || *at <= 1;
        if (length > (uint64_t)(end - at))
            return true;
        at += length;
    }
    return true;
}

/*
 * The first call begins with its thread, if the version has threads, its signature and its name,
 * of which some bytes must be there.
 */
static bool peek_call(const uint8_t *at, const uint8_t *end, unsigned version)
{
    uint64_t thread, signature, length;
    const uint8_t *name;

    if (version >= VERSION_WITH_THREADS && !peek_number(&at, end, &thread))
        return false;
    if (!peek_number(&at, end, &signature) || !peek_number(&at, end, &length) || length == 0 ||
        length > PROBED_NAME_MAX)
        return false;
    for (name = at; at < end && length > 0; at++, length--)
        if (!isalnum(*at) && *at != '_' && *at != ':' && *at != '~')
            return false;
    return length == 0 || (at == end && at - name >= NAME_MIN);
}

/* How surely a stream begins like a trace's (apitrace.md 2.3); `size`: all that it has. */
static int score_stream(const uint8_t *data, uint64_t shown, uint64_t size)
{
    const uint8_t *at = data + 1, *end = data + shown;
    uint64_t semantic = 0;

    if (shown < 2 || data[0] > APITRACE_VERSION_MAX)
        return 0;
    if (data[0] < 6)
        return data[1] == 0 && (shown == 2 || peek_call(data + 2, end, data[0])) ? SCORE_OLD : 0;
    if (!peek_number(&at, end, &semantic) || semantic > data[0])
        return 0;
    return peek_properties(at, end, size) ? SCORE_STREAM : 0;
}

/* How much will come of what grows is not known. */
static int score_bare(const struct source *source)
{
    return score_stream(source->data, source->size < PEEK_ROOM ? source->size : PEEK_ROOM,
                        source->growth != NULL ? UINT64_MAX : source->size);
}

/* Of the first chunk's block, or its beginning; false: there is none. */
static bool peek_version(const uint8_t *block, uint64_t size, uint8_t *version)
{
    bool whole;

    if (size > PEEK_ROOM)
        size = PEEK_ROOM;
    return apitrace_snappy_expand(block, (size_t)size, version, 1, &whole) == 1;
}

/* A plausible first chunk, or none at all. */
static int score_snappy(const uint8_t *data, uint64_t size)
{
    uint64_t length = 0;
    size_t head = 0;
    uint8_t first = 0;

    if (size < MAGIC_BYTES || data[0] != 'a' || data[1] != 't')
        return 0;
    data += MAGIC_BYTES;
    size -= MAGIC_BYTES;
    if (size < HEAD_BYTES || bytes_le32(data) == 0)
        return size < HEAD_BYTES + 4 ? SCORE_MAGIC : 0;
    data += HEAD_BYTES;
    size -= HEAD_BYTES;
    if (size > PEEK_ROOM)
        size = PEEK_ROOM;
    if (!apitrace_snappy_length(data, (size_t)size, &length, &head) || length > APITRACE_CHUNK_MAX)
        return 0;
    /* a version that is not known is told by open, which names it */
    return peek_version(data, size, &first) && first < 0x80 ? SCORE_MAGIC : 0;
}

static int score_brotli(const struct source *source)
{
    uint8_t room[PEEK_ROOM];
    size_t shown = 0;

    if (source->container != SOURCE_PLAIN)
        return 0;
    shown = apitrace_brotli_peek(source->data, source->size, room, sizeof(room));
    if (shown < BROTLI_MIN)
        return 0;
    return score_stream(room, shown, UINT64_MAX) > 0 ? SCORE_BROTLI : 0;
}

/* Of a packed source. */
static int score_zstd(const struct source *source)
{
    struct seekable seekable;
    uint8_t room[PEEK_ROOM];
    uint32_t packed, raw;
    size_t shown;

    if (!seekable_find(source->data, source->size, &seekable))
        return 0;
    seekable_frame(&seekable, 0, &packed, &raw);
    shown = seekable_begin(source->data, packed, room, sizeof(room));
    return score_stream(room, shown, UINT64_MAX);
}

int apitrace_stream_probe(const struct source *source)
{
    int score;

    if (source->is_folder || source->size == 0)
        return 0;
    if (source->packed)
        return score_zstd(source);
    score = score_snappy(source->data, source->size);
    if (score == 0)
        score = score_bare(source);
    return score != 0 ? score : score_brotli(source);
}

/* Snappy chunks. */

/* Where the first chunk begins. */
static int begin_chunks(struct apitrace_stream *stream, uint64_t file)
{
    if (apitrace_grow(&stream->chunks, 0, &stream->room, sizeof(*stream->chunks), &stream->memory) <
        0)
        return -ENOMEM;
    stream->chunks[0] = (struct apitrace_chunk){.file = file};
    return 0;
}

/* A chunk of `raw` bytes stands behind those that are known; the next one begins at `file`. */
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

/* The raw length of the block of `size` bytes; false when it cannot be right. */
static bool plausible(const uint8_t *block, uint64_t size, uint64_t stated, uint64_t *raw)
{
    size_t head = 0;

    return apitrace_snappy_length(block, (size_t)size, raw, &head) && *raw > 0 &&
           *raw <= APITRACE_CHUNK_MAX && stated <= 32 + *raw + *raw / 6 &&
           *raw <= RATIO_MAX * stated;
}

/* What a last block that is cut off still gives: found by expanding it. */
static int measure_cut(const uint8_t *block, uint64_t size, uint64_t *raw)
{
    struct blob *room = NULL;
    bool whole;
    int status = blob_create((size_t)*raw, &room);

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

/* What is looked through for chunks. */
struct listing {
    const struct apitrace_stream_params *params;
    uint64_t size; /* bytes of the file */
    bool open;     /* more may come: a chunk that is not whole has to wait */
    uint64_t file; /* where the next chunk's head stands */
};

/* Whether it is too early to look at a chunk, or at an empty one's end. */
static bool is_early(const struct source *source, const struct listing *listing)
{
    uint64_t left = listing->size - listing->file, stated;
    const uint8_t *block = source->data + listing->file + HEAD_BYTES;

    if (!listing->open)
        return false;
    if (left <= HEAD_BYTES)
        return true;
    stated = bytes_le32(block - HEAD_BYTES);
    left -= HEAD_BYTES;
    /* what no block can be is told at once */
    return stated > left && (left < LENGTH_KNOWN || plausible(block, left, stated, &stated));
}

/* One chunk. 1: there are no more, 2: there is none yet. */
static int list_chunk(struct apitrace_stream *stream, struct listing *listing)
{
    const struct apitrace_stream_params *params = listing->params;
    const struct source *source = stream->source;
    uint64_t *file = &listing->file, left = listing->size - *file, raw = 0, size, stated;
    const uint8_t *block = source->data + *file + HEAD_BYTES;
    int status;

    if (is_early(source, listing))
        return 2;
    if (left < HEAD_BYTES) {
        if (left > 0)
            report(params, PROBLEM_WARNING, *file, "the head of a chunk is cut off");
        return 1;
    }
    stated = bytes_le32(source->data + *file);
    if (stated == 0) {
        if (left > HEAD_BYTES)
            report(params, PROBLEM_WARNING, *file, "an empty chunk ends the trace here");
        return 1;
    }
    size = stated < left - HEAD_BYTES ? stated : left - HEAD_BYTES;
    if (!plausible(block, size, stated, &raw)) {
        if (size == stated || size >= LENGTH_KNOWN)
            report(params, PROBLEM_ERROR, *file, "a chunk is not a Snappy block");
        else
            report(params, PROBLEM_WARNING, *file, "a chunk is cut off");
        return 1;
    }
    if (size < stated) {
        report(params, PROBLEM_WARNING, *file, "a chunk is cut off");
        status = measure_cut(block, size, &raw);
        if (status < 0 || raw == 0)
            return status < 0 ? status : 1;
    }
    status = add_chunk(stream, params->max_memory, raw, *file + 2 * HEAD_BYTES + size);
    if (status < 0)
        return status;
    *file += HEAD_BYTES + size;
    return size < stated ? 1 : 0;
}

/* All chunks that are there. 1: there are no more, 2: there may be. */
static int list_chunks(struct apitrace_stream *stream, struct listing *listing,
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
    if (status == 1 && stream->count == 0 && listing->file == MAGIC_BYTES)
        report(listing->params, PROBLEM_WARNING, MAGIC_BYTES, "there are no chunks");
    return status;
}

/* Zstandard with a table of frames. */

static int list_frames(struct apitrace_stream *stream, const struct apitrace_stream_params *params)
{
    struct seekable seekable = {0};
    uint64_t file = 0;
    int status = begin_chunks(stream, 0);

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
        if (raw == 0) /* a part of the frame before */
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

/* Brotli. */

/* What cannot be read back is told as a change of the dump's own file is. */
static int map_spool(struct apitrace_stream *stream, int fd, uint64_t size)
{
    void *mapped;

    if (size == 0)
        return 0;
    if (size > SIZE_MAX / 2)
        return -EFBIG;
    mapped = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED)
        return -errno;
    if (sigbus_guard_add(mapped, (size_t)size, source_lost(stream->source)) != 0) {
        munmap(mapped, (size_t)size);
        return -ENOMEM;
    }
    stream->mapped = mapped;
    stream->spooled = size;
    return 0;
}

static int expand_brotli(struct apitrace_stream *stream,
                         const struct apitrace_stream_params *params)
{
    struct spool_params spool = {.expander = &apitrace_brotli,
                                 .data = stream->source->data,
                                 .size = stream->source->size,
                                 .problems = params->problems};
    uint64_t size = 0;
    int fd = -1, status;

    source_limit_spool(params->source, &spool);
    status = spool_expand(&spool, &fd, &size);
    if (status < 0)
        return status;
    status = map_spool(stream, fd, size);
    close(fd);
    if (status < 0)
        spool_budget_give(spool.budget, size);
    else
        stream->budget = spool.budget;
    stream->size = stream->spooled;
    return status;
}

/* A stream that grows. */

struct apitrace_growing {
    struct growing_source *growth;
    struct apitrace_stream_params params;
    uint64_t seen;          /* bytes of the source that were looked at */
    struct listing listing; /* of Snappy chunks */
    struct spool *spool;    /* of Brotli */
    bool over;              /* nothing that comes is of use any more … */
    bool complete;          /* … and nothing comes */
};

/* Brotli is expanded as it comes, into address space for the maximum that is allowed. */
static int begin_brotli(struct apitrace_stream *stream)
{
    struct apitrace_growing *growing = stream->growing;
    struct spool_params spool = {.expander = &apitrace_brotli,
                                 .data = stream->source->data,
                                 .problems = growing->params.problems};
    int status;

    source_limit_spool(growing->params.source, &spool);
    spool.until = 0;
    status = spool_open(&spool, &growing->spool);
    return status < 0 ? status : map_spool(stream, spool_file(growing->spool), spool.max_size);
}

static int begin_growing(struct apitrace_stream *stream,
                         const struct apitrace_stream_params *params)
{
    struct apitrace_growing *growing = calloc(1, sizeof(*growing));

    stream->growing = growing;
    if (growing == NULL)
        return -ENOMEM;
    growing->growth = stream->source->growth;
    growing->params = *params;
    growing->listing = (struct listing){.params = &growing->params, .file = MAGIC_BYTES};
    if (stream->container == APITRACE_SNAPPY) {
        stream->memory.reserve = apitrace_reserve(params->max_memory);
        return begin_chunks(stream, MAGIC_BYTES + HEAD_BYTES);
    }
    return stream->container == APITRACE_BROTLI ? begin_brotli(stream) : 0;
}

/* Makes what came part of the stream. */
static int take(struct apitrace_stream *stream, bool ended, const struct cancel *cancel)
{
    struct apitrace_growing *growing = stream->growing;
    int status = 0;

    switch (stream->container) {
    case APITRACE_SNAPPY:
        growing->listing.size = growing->seen;
        growing->listing.open = !ended;
        status = list_chunks(stream, &growing->listing, cancel);
        break;
    case APITRACE_BROTLI:
        status = spool_take(growing->spool, growing->seen, !ended);
        stream->size = spool_size(growing->spool);
        break;
    default:
        stream->size = growing->seen;
        break;
    }
    growing->over = status == 1;
    return status < 0 ? status : 0;
}

int apitrace_stream_wait(struct apitrace_stream *stream, uint64_t size, const struct cancel *cancel)
{
    struct apitrace_growing *growing = stream->growing;
    int status = 0;

    if (growing == NULL)
        return -ENODATA;
    while (status == 0 && stream->size <= size && !growing->complete) {
        bool ended = false;

        if (cancel_requested(cancel))
            return -EINTR;
        growing_source_pass(growing->growth, growing->seen);
        if (!growing_source_await(growing->growth, &growing->seen, &ended))
            continue;
        if (!growing->over)
            status = take(stream, ended, cancel);
        growing->complete = ended && status == 0;
    }
    return status == 0 && stream->size <= size ? -ENODATA : status;
}

static int open_whole(struct apitrace_stream *stream, const struct apitrace_stream_params *params)
{
    const struct source *source = stream->source;
    struct listing listing = {.params = params, .size = source->size, .file = MAGIC_BYTES};
    int status;

    switch (stream->container) {
    case APITRACE_ZSTD:
        return list_frames(stream, params);
    case APITRACE_SNAPPY:
        status = begin_chunks(stream, MAGIC_BYTES + HEAD_BYTES);
        if (status == 0)
            status = list_chunks(stream, &listing, params->source->cancel);
        return status < 0 ? status : 0;
    case APITRACE_BARE:
        stream->size = source->size;
        return 0;
    default:
        return expand_brotli(stream, params);
    }
}

static enum apitrace_container container_of(const struct source *source)
{
    if (source->packed)
        return APITRACE_ZSTD;
    if (score_snappy(source->data, source->size) > 0)
        return APITRACE_SNAPPY;
    return score_bare(source) > 0 ? APITRACE_BARE : APITRACE_BROTLI;
}

int apitrace_stream_open(const struct source *source, const struct apitrace_stream_params *params,
                         struct apitrace_stream *out)
{
    int status;

    *out = (struct apitrace_stream){.source = source};
    out->container = container_of(source);
    if (out->container == APITRACE_BARE)
        out->mapped = source->data;
    status = source->growth != NULL ? begin_growing(out, params) : open_whole(out, params);
    if (status == 0 && out->growing == NULL && out->chunks != NULL)
        out->recent = apitrace_recent_create(out->count, out->size);
    return status;
}

void apitrace_stream_close(struct apitrace_stream *stream)
{
    if (stream->spooled > 0) {
        sigbus_guard_remove(stream->mapped);
        munmap((void *)(uintptr_t)stream->mapped, (size_t)stream->spooled);
    }
    spool_budget_give(stream->budget, stream->budget != NULL ? stream->spooled : 0);
    if (stream->growing != NULL)
        spool_close(&stream->growing->spool);
    free(stream->growing);
    apitrace_recent_destroy(&stream->recent);
    apitrace_free(stream->chunks, &stream->memory);
    *stream = (struct apitrace_stream){0};
}

/* Reading. */

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

/* The block of a Snappy chunk. */
static const uint8_t *block_of(const struct apitrace_stream *stream,
                               const struct apitrace_chunk *chunk)
{
    return stream->source->data + chunk->file;
}

static size_t block_size(const struct apitrace_chunk *chunk)
{
    return (size_t)(chunk[1].file - HEAD_BYTES - chunk->file);
}

/* All of a chunk; false when it is damaged. */
static bool expand(const struct apitrace_stream *stream, const struct apitrace_chunk *chunk,
                   struct blob *blob)
{
    const uint8_t *block = block_of(stream, chunk);
    bool whole;

    if (stream->container == APITRACE_ZSTD)
        return seekable_expand(block, (size_t)(chunk[1].file - chunk->file), blob->data,
                               blob->size);
    return apitrace_snappy_expand(block, block_size(chunk), blob->data, blob->size, &whole) ==
           blob->size;
}

/* Memory for a chunk that is to be expanded. */
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

    if (status < 0)
        return status;
    if (!expand(stream, chunk, blob)) {
        blob_unref(&blob);
        return -EBADMSG;
    }
    *out = blob;
    return 0;
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

/* Items of the cache that are the format's own: chunks, all of one number. */
static const struct cache_maker chunk_maker = {.work = CACHE_TEXT, .make = make_chunk};
enum { CHUNK_ITEM = 1 };

/* 1: it is among them; 0: it has been, so that the cache is to have it. */
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

/* What of the stretch's blob holds a position that is in its chunk; false: nothing does. */
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

/* From what is kept of the chunk; false: the position is not in it. */
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
        (void)choose(stream, position, out); /* all of it is there */
    }
    if (out->size > stream->size - out->begin)
        out->size = stream->size - out->begin;
    return 0;
}

uint8_t apitrace_stream_version(const struct apitrace_stream *stream)
{
    const struct source *source = stream->source;
    uint64_t head = MAGIC_BYTES + HEAD_BYTES;
    uint8_t version = 0;

    if (stream->container == APITRACE_BARE)
        return source->data[0];
    if (stream->container == APITRACE_SNAPPY && source->size > head)
        (void)peek_version(source->data + head, source->size - head, &version);
    return version;
}

const char *apitrace_stream_container(const struct apitrace_stream *stream)
{
    if (stream->container == APITRACE_SNAPPY)
        return "snappy";
    if (stream->container == APITRACE_ZSTD)
        return "zstd";
    return stream->container == APITRACE_BROTLI ? "brotli"
                                                : source_container_name(stream->source->container);
}

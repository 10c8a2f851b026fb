/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/parts.h"

#include "base/bytes.h"
#include "source/growing_source.h"
#include "source/seekable.h"

#include <ctype.h>

enum {
    PEEK_ROOM = 512,
    SCORE_MAGIC = 90,
    SCORE_STREAM = 40, /* a bare stream has no magic number, but its properties must be valid */
    SCORE_OLD = 3,     /* only two bytes support it */
    SCORE_BROTLI = 1,
    VERSION_WITH_THREADS = 4,
    PROBED_NAME_MAX = 256,
    NAME_MIN = 4,
    BROTLI_MIN = 8, /* bytes: almost any file expands to some as Brotli */
};

/* Reads a short varint, like the numbers in a header. Returns false if there is none. */
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

/*
 * Checks the properties up to the empty name. Properties that are cut off by `end` count as valid.
 */
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
 * Checks the first call: its thread, if the version has threads, its signature and its name, of
 * which some bytes must be there.
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

/*
 * Returns how likely a stream begins like a trace's (apitrace.md 2.3). `size` is its complete size.
 */
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

/* The final size of a source that grows is unknown. */
int apitrace_probe_bare(const struct source *source)
{
    return score_stream(source->data, source->size < PEEK_ROOM ? source->size : PEEK_ROOM,
                        source->growth != NULL ? UINT64_MAX : source->size);
}

bool apitrace_probe_version(const uint8_t *block, uint64_t size, uint8_t *version)
{
    bool whole;

    if (size > PEEK_ROOM)
        size = PEEK_ROOM;
    return apitrace_snappy_expand(block, (size_t)size, version, 1, &whole) == 1;
}

/* Accepts a plausible first chunk, or none at all. */
int apitrace_probe_snappy(const uint8_t *data, uint64_t size)
{
    uint64_t length = 0;
    size_t head = 0;
    uint8_t first = 0;

    if (size < APITRACE_MAGIC_BYTES || data[0] != 'a' || data[1] != 't')
        return 0;
    data += APITRACE_MAGIC_BYTES;
    size -= APITRACE_MAGIC_BYTES;
    if (size < APITRACE_HEAD_BYTES || bytes_le32(data) == 0)
        return size < APITRACE_HEAD_BYTES + 4 ? SCORE_MAGIC : 0;
    data += APITRACE_HEAD_BYTES;
    size -= APITRACE_HEAD_BYTES;
    if (size > PEEK_ROOM)
        size = PEEK_ROOM;
    if (!apitrace_snappy_length(data, (size_t)size, &length, &head) || length > APITRACE_CHUNK_MAX)
        return 0;
    /* opening, not probing, reports an unknown version, with its number */
    return apitrace_probe_version(data, size, &first) && first < 0x80 ? SCORE_MAGIC : 0;
}

static int score_brotli(const struct source *source)
{
    uint8_t room[PEEK_ROOM];
    size_t shown = 0;
    int status;

    if (source->container != SOURCE_PLAIN)
        return 0;
    status = apitrace_brotli_peek(source->data, source->size, room, sizeof(room), &shown);
    if (status < 0 || shown < BROTLI_MIN)
        return status;
    return score_stream(room, shown, UINT64_MAX) > 0 ? SCORE_BROTLI : 0;
}

/* Scores a packed source. */
static int score_zstd(const struct source *source)
{
    struct seekable seekable;
    uint8_t room[PEEK_ROOM];
    uint32_t packed, raw;
    size_t shown;
    int status;

    if (!seekable_find(source->data, source->size, &seekable))
        return 0;
    seekable_frame(&seekable, 0, &packed, &raw);
    status = seekable_begin(source->data, packed, room, sizeof(room), &shown);
    return status < 0 ? status : score_stream(room, shown, UINT64_MAX);
}

int apitrace_stream_probe(const struct source *source)
{
    int score;

    if (source->is_folder || source->size == 0)
        return 0;
    if (source->packed)
        return score_zstd(source);
    score = apitrace_probe_snappy(source->data, source->size);
    if (score == 0)
        score = apitrace_probe_bare(source);
    return score != 0 ? score : score_brotli(source);
}

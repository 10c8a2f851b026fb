/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "formats/apitrace/container/elements.h"

#include <string.h>

enum {
    LITERAL_MIN = 256, /* bytes: shorter literals are copied like expanded bytes */
    ELEMENT_MEAN = 256,
    /*
     * A chunk is too dense to be sparse if its elements have fewer than ELEMENT_MEAN bytes on
     * average. Since the first elements say little about the average, it is computed as if
     * 1/AHEAD_SHARE of the chunk more had been decoded.
     */
    AHEAD_SHARE = 16,
};

/* Flag of a span's place: an offset in the block instead of among the kept bytes. */
#define IN_BLOCK (UINT32_C(1) << 31)

/* The place of a span that is a hole. */
#define LEFT_OUT UINT32_MAX

/* Bytes of the chunk from `raw` to the `raw` of the next span. */
struct span {
    uint32_t raw, place;
};

/* The beginning of a sparse chunk's memory. */
struct sparse {
    uint32_t count; /* of spans, without the terminating one */
    uint32_t kept;  /* offset of the kept bytes */
    uint32_t sound; /* bytes of the chunk before its first fault: all, unless it is damaged */
    struct span spans[];
};

/* What a sparse chunk will consist of. */
struct measure {
    uint64_t elements, literals, in_block;
};

static size_t room_for(uint64_t spans, uint64_t kept)
{
    return sizeof(struct sparse) + (size_t)(spans + 1) * sizeof(struct span) + (size_t)kept;
}

/*
 * Goes through the tags of a block. Returns false if it is damaged, or has too many elements to be
 * sparse. The latter is detected early, since tags that are far apart are slow to read.
 */
static bool measure_block(const uint8_t *block, size_t size, size_t raw, struct measure *out)
{
    uint64_t length = 0;
    size_t at = 0, done = 0;

    if (!apitrace_snappy_length(block, size, &length, &at) || length != raw)
        return false;
    while (at < size) {
        struct apitrace_snappy_element element = {0};
        size_t tag = apitrace_snappy_element(block + at, size - at, &element);

        if (tag == 0 || element.length > raw - done ||
            ++out->elements > (done + raw / AHEAD_SHARE) / ELEMENT_MEAN)
            return false;
        at += tag;
        if (element.literal && element.length > size - at)
            return false;
        if (!element.literal && (element.offset == 0 || element.offset > done))
            return false;
        at += element.literal ? element.length : 0;
        done += element.length;
        if (element.literal && element.length >= LITERAL_MIN) {
            out->literals++;
            out->in_block += element.length;
        }
    }
    return done == raw;
}

/* Returns the last of `count` > 0 spans that begins at or before `raw`. */
static size_t find_span(const struct span *spans, size_t count, size_t raw)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (spans[middle].raw <= raw)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A sparse chunk being built: the spans and kept bytes so far, and the room for them. */
struct making {
    const uint8_t *block;
    struct sparse *sparse;
    uint8_t *kept;
    size_t count, used, done;
    size_t spans_max, kept_max;
};

static const uint8_t *bytes_of(const struct making *making, const struct span *span)
{
    return (span->place & IN_BLOCK) != 0 ? making->block + (span->place & ~IN_BLOCK)
                                         : making->kept + span->place;
}

static bool add_span(struct making *making, uint32_t place)
{
    if (making->count == making->spans_max)
        return false;
    making->sparse->spans[making->count++] = (struct span){(uint32_t)making->done, place};
    return true;
}

static bool keep(struct making *making, const uint8_t *bytes, size_t size)
{
    const struct span *last = making->count > 0 ? &making->sparse->spans[making->count - 1] : NULL;

    if (size > making->kept_max - making->used)
        return false;
    if ((last == NULL || (last->place & IN_BLOCK) != 0) && /* LEFT_OUT has the flag as well */
        !add_span(making, (uint32_t)making->used))
        return false;
    memcpy(making->kept + making->used, bytes, size);
    making->used += size;
    making->done += size;
    return true;
}

/* Keeps the bytes at `offset` back; the copy may overlap its own result. */
static bool keep_back(struct making *making, size_t offset, size_t length)
{
    if (offset == 0 || offset > making->done)
        return false;
    while (length > 0) {
        size_t from = making->done - offset;
        size_t number = find_span(making->sparse->spans, making->count, from);
        const struct span *span = &making->sparse->spans[number];
        size_t end = number + 1 < making->count ? span[1].raw : making->done;
        size_t some = end - from < length ? end - from : length;

        if (!keep(making, bytes_of(making, span) + (from - span->raw), some))
            return false;
        length -= some;
    }
    return true;
}

static bool make_literal(struct making *making, size_t at, size_t length)
{
    if (length < LITERAL_MIN)
        return keep(making, making->block + at, length);
    if (!add_span(making, (uint32_t)at | IN_BLOCK))
        return false;
    making->done += length;
    return true;
}

/*
 * Allocates memory for `spans` spans and `kept` bytes of a chunk of `raw` bytes. Its size always
 * differs from `raw`, which distinguishes a sparse chunk from an expanded one.
 */
static int begin_sparse(struct making *making, uint64_t spans, uint64_t kept, size_t raw,
                        struct blob **out)
{
    const size_t size = room_for(spans, kept);
    int status = blob_create(size != raw ? size : size + 1, out);

    if (status < 0)
        return status;
    making->sparse = (struct sparse *)(uintptr_t)(*out)->data;
    making->sparse->kept = (uint32_t)room_for(spans, 0);
    making->kept = (*out)->data + making->sparse->kept;
    making->spans_max = spans;
    making->kept_max = kept;
    return 0;
}

static void end_sparse(struct making *making)
{
    making->sparse->spans[making->count] = (struct span){(uint32_t)making->done, 0};
    making->sparse->count = (uint32_t)making->count;
    making->sparse->sound = (uint32_t)making->done;
}

/*
 * Builds the spans. The block was measured before, but another program may have written to the file
 * since: returns false if the block differs from what was measured.
 */
static bool make_spans(struct making *making, size_t size, size_t raw)
{
    uint64_t length = 0;
    size_t at = 0;

    if (!apitrace_snappy_length(making->block, size, &length, &at))
        return false;
    while (at < size) {
        struct apitrace_snappy_element element = {0};
        size_t tag = apitrace_snappy_element(making->block + at, size - at, &element);

        at += tag;
        if (tag == 0 || element.length > raw - making->done)
            return false;
        if (!element.literal) {
            if (!keep_back(making, element.offset, element.length))
                return false;
            continue;
        }
        if (element.length > size - at || !make_literal(making, at, element.length))
            return false;
        at += element.length;
    }
    return making->done == raw;
}

int apitrace_sparse_make(const uint8_t *block, size_t size, size_t raw, struct blob **out)
{
    struct measure measure = {0};
    struct making making = {.block = block};
    uint64_t spans, kept;
    int status;

    *out = NULL;
    if (size >= IN_BLOCK || raw >= IN_BLOCK || !measure_block(block, size, raw, &measure))
        return 0;
    spans = 2 * measure.literals + 1;
    kept = raw - measure.in_block;
    if (room_for(spans, kept) > raw / 2)
        return 0;
    status = begin_sparse(&making, spans, kept, raw, out);
    if (status < 0)
        return status;
    if (!make_spans(&making, size, raw)) {
        blob_unref(out); /* expand it instead, which reads the block only once */
        return 0;
    }
    end_sparse(&making);
    return 0;
}

/* Adds a span of `size` bytes, kept or left out (`bytes` NULL), unless it is empty. */
static void add_part(struct making *making, const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return;
    if (bytes != NULL) {
        (void)keep(making, bytes, size); /* there is room, since the holes were counted */
        return;
    }
    (void)add_span(making, LEFT_OUT);
    making->done += size;
}

/* Returns the number of bytes outside of the holes. */
static size_t count_kept(size_t raw, const struct apitrace_hole *holes, size_t count)
{
    for (size_t n = 0; n < count; n++)
        raw -= holes[n].end - holes[n].begin;
    return raw;
}

int apitrace_sparse_without(const uint8_t *bytes, size_t raw, size_t max,
                            const struct apitrace_hole *holes, size_t count, struct blob **out)
{
    const size_t kept = count_kept(raw, holes, count), spans = 2 * count + 1;
    struct making making = {0};
    int status;

    *out = NULL;
    if (raw >= IN_BLOCK || count > raw || room_for(spans, kept) > max)
        return 0;
    status = begin_sparse(&making, spans, kept, raw, out);
    if (status < 0)
        return status;
    for (size_t n = 0; n < count; n++) {
        add_part(&making, bytes + making.done, holes[n].begin - making.done);
        add_part(&making, NULL, holes[n].end - holes[n].begin);
    }
    add_part(&making, bytes + making.done, raw - making.done);
    end_sparse(&making);
    return 0;
}

int apitrace_sparse_begin(const uint8_t *bytes, size_t sound, size_t raw, struct blob **out)
{
    const struct apitrace_hole hole = {sound, raw};
    int status = apitrace_sparse_without(bytes, raw, SIZE_MAX, &hole, 1, out);

    if (*out != NULL)
        ((struct sparse *)(uintptr_t)(*out)->data)->sound = (uint32_t)sound;
    return status;
}

bool apitrace_sparse_is(const struct blob *blob, uint64_t raw)
{
    return blob->size != raw;
}

size_t apitrace_sparse_sound(const struct blob *blob)
{
    return ((const struct sparse *)(uintptr_t)blob->data)->sound;
}

const uint8_t *apitrace_sparse_find(const struct blob *blob, const uint8_t *block, size_t raw,
                                    size_t *begin, size_t *size)
{
    const struct sparse *sparse = (const struct sparse *)(uintptr_t)blob->data;
    const struct span *span = &sparse->spans[find_span(sparse->spans, sparse->count, raw)];

    *begin = span->raw;
    *size = span[1].raw - span->raw;
    if (span->place == LEFT_OUT)
        return NULL;
    return (span->place & IN_BLOCK) != 0 ? block + (span->place & ~IN_BLOCK)
                                         : blob->data + sparse->kept + span->place;
}

/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/bytes.h"
#include "formats/apitrace/container/elements.h"

#include <endian.h>

enum {
    LENGTH_BYTES_MAX = 5, /* of the varint at the beginning */
    LITERAL_INLINE = 60,  /* lengths up to this are in the tag itself */
    WIDE = 16,            /* bytes that are copied at a time where there is room for excess bytes */
    HALF = 8,
    ELEMENT_MAX = 64,           /* bytes of a copy, or of a literal whose length is in its tag */
    IN_SLACK = 5 + ELEMENT_MAX, /* bytes of the block that one such element may read */
    OUT_SLACK = ELEMENT_MAX + WIDE, /* bytes that it may write, with a wide copy's excess */
};

bool apitrace_snappy_length(const uint8_t *block, size_t size, uint64_t *length, size_t *head)
{
    *length = 0;
    for (size_t n = 0; n < size && n < LENGTH_BYTES_MAX; n++) {
        *length |= (uint64_t)(block[n] & 0x7F) << 7 * n;
        if ((block[n] & 0x80) == 0) {
            *head = n + 1;
            return true;
        }
    }
    return false;
}

/* Reads a literal whose length is in one to four bytes after the tag. */
static size_t long_literal(const uint8_t *in, size_t left, struct apitrace_snappy_element *element)
{
    size_t count = (in[0] >> 2) - LITERAL_INLINE + 1;

    if (left <= count)
        return 0;
    element->length = (size_t)bytes_le(in + 1, count) + 1;
    return 1 + count;
}

size_t apitrace_snappy_element(const uint8_t *in, size_t left,
                               struct apitrace_snappy_element *element)
{
    unsigned high = in[0] >> 2;

    element->length = high + 1;
    element->literal = (in[0] & 3) == 0;
    switch (in[0] & 3) {
    case 0:
        return high < LITERAL_INLINE ? 1 : long_literal(in, left, element);
    case 1:
        if (left < 2)
            return 0;
        element->length = (high & 7) + 4;
        element->offset = (size_t)(high >> 3) << 8 | in[1];
        return 2;
    case 2:
        if (left < 3)
            return 0;
        element->offset = bytes_le16(in + 1);
        return 3;
    default:
        if (left < 5)
            return 0;
        element->offset = bytes_le32(in + 1);
        return 5;
    }
}

static inline void put_half(uint8_t *out, uint64_t bytes)
{
    bytes = htole64(bytes);
    memcpy(out, &bytes, sizeof(bytes));
}

/*
 * Copies from less than WIDE bytes back, which repeats a pattern. The pattern is kept in registers,
 * since reading bytes that were just written would take longer. May write WIDE excess bytes.
 */
static inline void copy_pattern(uint8_t *out, size_t offset, size_t length)
{
    static const uint8_t turns[HALF] = {0, 8, 8, 6, 8, 5, 6, 7}; /* of whole repetitions in HALF */
    uint64_t first = bytes_le64(out - offset), last;

    if (offset >= HALF) {
        last = bytes_le64(out - HALF);
        for (size_t n = 0; n < length; n += offset) {
            put_half(out + n, first);
            put_half(out + n + offset - HALF, last);
        }
        return;
    }
    first &= (UINT64_C(1) << 8 * offset) - 1;
    for (size_t filled = offset; filled < HALF; filled *= 2)
        first |= first << 8 * filled;
    for (size_t n = 0; n < length; n += turns[offset])
        put_half(out + n, first);
}

/* Copies from `offset` bytes back; source and destination may overlap. */
static inline void copy_back(uint8_t *out, size_t offset, size_t length, size_t room)
{
    const uint8_t *from = out - offset;

    if (room >= length + WIDE && offset >= WIDE) {
        for (size_t n = 0; n < length; n += WIDE)
            memcpy(out + n, from + n, WIDE);
        return;
    }
    if (room >= length + WIDE) {
        copy_pattern(out, offset, length);
        return;
    }
    for (size_t n = 0; n < length; n++)
        out[n] = from[n];
}

static inline void copy_literal(uint8_t *out, size_t room, const uint8_t *in, size_t left,
                                size_t length)
{
    if (length <= WIDE && room >= WIDE && left >= WIDE)
        memcpy(out, in, WIDE);
    else
        memcpy(out, in, length);
}

/*
 * Returns how many bytes of an element there is input and room for; 0 if a copy comes from outside.
 */
static inline size_t within(const struct apitrace_snappy_element *element, size_t left, size_t done,
                            size_t room)
{
    size_t max = element->length;

    if (element->literal && max > left)
        max = left;
    if (!element->literal && (element->offset == 0 || element->offset > done))
        max = 0;
    return max < room ? max : room;
}

/* Does the same far from the ends of block and room. */
static inline void copy_back_wide(uint8_t *out, size_t offset, size_t length)
{
    const uint8_t *from = out - offset;

    if (offset < WIDE) {
        copy_pattern(out, offset, length);
        return;
    }
    memcpy(out, from, WIDE);
    for (size_t n = WIDE; n < length; n += WIDE)
        memcpy(out + n, from + n, WIDE);
}

static inline void copy_literal_wide(uint8_t *out, const uint8_t *in, size_t length)
{
    memcpy(out, in, WIDE);
    for (size_t n = WIDE; n < length; n += WIDE)
        memcpy(out + n, in + n, WIDE);
}

/*
 * Expands most of a block: elements for which all that any of them may touch is in bounds, so that
 * only the source of each copy is checked. Stops at an element that is rare or invalid. `done`
 * bytes have been written before; returns the new total.
 */
static size_t expand_middle(const uint8_t **block, const uint8_t *end, uint8_t *out, size_t room,
                            size_t done)
{
    static const uint32_t masks[] = {0, 0xFF, 0xFFFF, 0xFFFFFFFF};
    const uint8_t *in = *block;

    while (end - in >= IN_SLACK && room - done >= OUT_SLACK) {
        unsigned tag = in[0], kind = tag & 3, high = tag >> 2;
        size_t length = high + 1, offset;

        if (kind == 0) {
            if (high >= LITERAL_INLINE)
                break;
            copy_literal_wide(out + done, in + 1, length);
            in += 1 + length;
            done += length;
            continue;
        }
        offset = bytes_le32(in + 1) & masks[kind];
        if (kind == 1) {
            length = (high & 7) + 4;
            offset |= (size_t)(high >> 3) << 8;
        }
        if (offset - 1 >= done)
            break;
        copy_back_wide(out + done, offset, length);
        in += 1 + (kind == 3 ? 4 : kind);
        done += length;
    }
    *block = in;
    return done;
}

size_t apitrace_snappy_expand(const uint8_t *block, size_t size, uint8_t *out, size_t room,
                              bool *whole)
{
    const uint8_t *in = block, *end = block + size;
    uint64_t length = 0;
    size_t head = 0, done = 0;

    *whole = false;
    if (!apitrace_snappy_length(block, size, &length, &head))
        return 0;
    if (room > length)
        room = (size_t)length;
    in += head;
    while ((done = expand_middle(&in, end, out, room, done)), in < end) {
        struct apitrace_snappy_element element = {0};
        size_t tag = apitrace_snappy_element(in, (size_t)(end - in), &element);
        if (tag == 0)
            return done;
        in += tag;
        size_t count = within(&element, (size_t)(end - in), done, room - done);
        if (element.literal) {
            copy_literal(out + done, room - done, in, (size_t)(end - in), count);
            in += count;
        } else if (count > 0) {
            copy_back(out + done, element.offset, count, room - done);
        }
        done += count;
        if (count < element.length)
            return done;
    }
    *whole = done == length;
    return done;
}

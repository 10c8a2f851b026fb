/* SPDX-License-Identifier: MIT */
/*
 * Reading the event stream number by number (apitrace.md 2.4). A reader stands at a
 * position, holds the chunk around it, and goes on to the next one by itself, so
 * that nothing needs to lie in one piece. The first failure sticks: from then on
 * zeros are read, and loops over counts check `status`. One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_READER_H
#define GPUDUMPFS_APITRACE_DECODE_READER_H

#include "base/bytes.h"
#include "formats/apitrace/container/container.h"

struct apitrace_definition;

struct apitrace_reader {
    const uint8_t *at, *end; /* what is in memory from here on */
    uint64_t end_position;   /* of `end` in the stream */
    const struct apitrace_stream *stream;
    uint64_t size;                     /* of the stream when the reader was made, or has waited */
    struct apitrace_stream *following; /* the same: waits for what it does not have; or NULL */
    const struct cancel *cancel;
    bool defines; /* what is read for the first time is added to the definitions */
    /* Told of each id of a definition that is known, and of the place behind it; NULL: nobody. */
    void (*refers)(void *context, const struct apitrace_definition *definition, uint64_t position);
    void *refers_context;
    struct apitrace_stretch stretch;
    /*
     * 0; -ENODATA: the stream ended in the middle; -EBADMSG: what stands there cannot be
     * right (see `fault`), or a damaged chunk; -EINTR, -ENOMEM.
     */
    int status;
    char fault[64];       /* of -EBADMSG; empty: a damaged chunk */
    uint64_t fault_place; /* in the stream */
};

void apitrace_reader_init(struct apitrace_reader *reader, const struct apitrace_stream *stream,
                          const struct cancel *cancel);
void apitrace_reader_clear(struct apitrace_reader *reader);

/* From now on it waits for bytes that the stream does not have yet, until its end. */
void apitrace_reader_follow(struct apitrace_reader *reader, struct apitrace_stream *stream);

static inline uint64_t apitrace_reader_position(const struct apitrace_reader *reader)
{
    return reader->end_position - (uint64_t)(reader->end - reader->at);
}

/* Goes to a position, and forgets a failure. */
static inline void apitrace_reader_seek(struct apitrace_reader *reader, uint64_t position)
{
    const struct apitrace_stretch *stretch = &reader->stretch;

    reader->status = 0;
    reader->fault[0] = '\0';
    if (position - stretch->begin < stretch->size) { /* also false for what is before it */
        reader->at = stretch->data + (position - stretch->begin);
        reader->end = stretch->data + stretch->size;
        reader->end_position = stretch->begin + stretch->size;
    } else { /* nothing is in memory */
        reader->at = reader->end;
        reader->end_position = position;
    }
}

/* Bytes of the stream from here on. */
static inline uint64_t apitrace_reader_left(const struct apitrace_reader *reader)
{
    return reader->size - apitrace_reader_position(reader);
}

/* Makes the next bytes be there; false at the end of the stream or after a failure. */
bool apitrace_reader_refill(struct apitrace_reader *reader);

/* Fails with -EBADMSG at `place`, unless it has failed before. */
void apitrace_reader_fault(struct apitrace_reader *reader, uint64_t place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with any other status where it stands, unless it has failed before. */
void apitrace_reader_fail(struct apitrace_reader *reader, int status);

/* The caller's errno after a failure: -EINTR and -ENOMEM as they are, else -EIO; 0: none. */
int apitrace_reader_error(const struct apitrace_reader *reader);

/* Whether another byte follows. */
static inline bool apitrace_reader_more(struct apitrace_reader *reader)
{
    return reader->at < reader->end || apitrace_reader_refill(reader);
}

/* One byte, with -ENODATA where there is none. */
uint8_t apitrace_read_slow_byte(struct apitrace_reader *reader);

static inline uint8_t apitrace_read_byte(struct apitrace_reader *reader)
{
    return reader->at < reader->end ? *reader->at++ : apitrace_read_slow_byte(reader);
}

uint64_t apitrace_read_long_number(struct apitrace_reader *reader, uint64_t first);

/* A varint; most are of one byte or two. */
static inline uint64_t apitrace_read_number(struct apitrace_reader *reader)
{
    uint8_t first = apitrace_read_byte(reader);

    if (first < 0x80)
        return first;
    if (reader->at < reader->end && *reader->at < 0x80)
        return (first & 0x7FU) | (uint64_t)*reader->at++ << 7;
    return apitrace_read_long_number(reader, first);
}

/* A count of things that each take at least `min` bytes, which must still be there. */
uint64_t apitrace_read_count(struct apitrace_reader *reader, unsigned min);

/* Fixed sizes, wherever they stand. */
uint32_t apitrace_read_far_le32(struct apitrace_reader *reader);
uint64_t apitrace_read_far_le64(struct apitrace_reader *reader);

static inline uint32_t apitrace_read_le32(struct apitrace_reader *reader)
{
    if (reader->end - reader->at < 4)
        return apitrace_read_far_le32(reader);
    reader->at += 4;
    return bytes_le32(reader->at - 4);
}

static inline uint64_t apitrace_read_le64(struct apitrace_reader *reader)
{
    if (reader->end - reader->at < 8)
        return apitrace_read_far_le64(reader);
    reader->at += 8;
    return bytes_le64(reader->at - 8);
}

/* Some bytes that follow, at most `max` > 0 of them, in place: how many; 0 after a failure. */
size_t apitrace_read_some(struct apitrace_reader *reader, uint64_t max, const uint8_t **bytes);

/* Copies `count` bytes; false after a failure. */
bool apitrace_read_bytes(struct apitrace_reader *reader, void *to, size_t count);

/* Bytes of the stream from a position on, as a blob. 0, -EINTR, -ENOMEM, -EIO. */
int apitrace_read_blob(const struct apitrace_stream *stream, uint64_t position, uint64_t size,
                       const struct cancel *cancel, struct blob **out);

/* Leaves out bytes that must be there, and fails where their chunk is known to be damaged. */
void apitrace_skip_far(struct apitrace_reader *reader, uint64_t count);

static inline void apitrace_skip_bytes(struct apitrace_reader *reader, uint64_t count)
{
    if (count <= (uint64_t)(reader->end - reader->at))
        reader->at += count;
    else
        apitrace_skip_far(reader, count);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reads the event stream number by number (apitrace.md 2.4). A reader has a position, holds the
 * chunk around it, and continues with the next chunk by itself, so that nothing needs to be
 * contiguous. The first failure sticks: from then on all numbers read as zero, and loops over
 * counts must check `status`. One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_READER_H
#define GPUDUMPFS_APITRACE_DECODE_READER_H

#include "base/bytes.h"
#include "formats/apitrace/container/container.h"

struct apitrace_definition;

struct apitrace_reader {
    const uint8_t *at, *end; /* the bytes in memory from the position on */
    uint64_t end_position;   /* offset of `end` in the stream */
    const struct apitrace_stream *stream;
    uint64_t size;                     /* of the stream when the reader was made or last waited */
    struct apitrace_stream *following; /* the same stream, to wait for its bytes; or NULL */
    const struct cancel *cancel;
    bool defines; /* new definitions are added when they are read */
    /*
     * Called for each id of a known definition that is read, with the offset after the id; may be
     * NULL.
     */
    void (*refers)(void *context, const struct apitrace_definition *definition, uint64_t position);
    void *refers_context;
    struct apitrace_stretch stretch;
    /*
     * 0; -ENODATA: the stream ended too early; -EBADMSG: the bytes cannot be valid (see `fault`),
     * or a chunk is damaged; -EINTR, -ENOMEM or another errno.
     */
    int status;
    char fault[64];       /* the reason of -EBADMSG; empty if a chunk is damaged */
    uint64_t fault_place; /* offset in the stream */
};

/*
 * Begins at the start of the stream, which must outlive the reader. apitrace_reader_clear() drops
 * the stretch that the reader holds. `cancel` may be NULL.
 */
void apitrace_reader_init(struct apitrace_reader *reader, const struct apitrace_stream *stream,
                          const struct cancel *cancel);
void apitrace_reader_clear(struct apitrace_reader *reader);

/* Makes the reader wait for bytes that the stream does not have yet, until the stream ends. */
void apitrace_reader_follow(struct apitrace_reader *reader, struct apitrace_stream *stream);

static inline uint64_t apitrace_reader_position(const struct apitrace_reader *reader)
{
    return reader->end_position - (uint64_t)(reader->end - reader->at);
}

/* Moves to a position, and clears a failure. */
static inline void apitrace_reader_seek(struct apitrace_reader *reader, uint64_t position)
{
    const struct apitrace_stretch *stretch = &reader->stretch;

    reader->status = 0;
    reader->fault[0] = '\0';
    if (position - stretch->begin < stretch->size) { /* also false before the stretch */
        reader->at = stretch->data + (position - stretch->begin);
        reader->end = stretch->data + stretch->size;
        reader->end_position = stretch->begin + stretch->size;
    } else { /* nothing is in memory */
        reader->at = reader->end;
        reader->end_position = position;
    }
}

/* Returns the bytes of the stream after the position. */
static inline uint64_t apitrace_reader_left(const struct apitrace_reader *reader)
{
    return reader->size - apitrace_reader_position(reader);
}

/*
 * Makes at least one byte available in memory. Returns false at the end of the stream or after a
 * failure.
 */
bool apitrace_reader_refill(struct apitrace_reader *reader);

/* Fails with -EBADMSG at `place`, unless the reader has failed before. */
void apitrace_reader_fault(struct apitrace_reader *reader, uint64_t place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with any other status at the position, unless the reader has failed before. */
void apitrace_reader_fail(struct apitrace_reader *reader, int status);

/*
 * Returns the error for the caller after a failure: -EINTR and -ENOMEM are kept, all others become
 * -EIO. Returns 0 if there is no failure.
 */
int apitrace_reader_error(const struct apitrace_reader *reader);

/* Returns whether another byte follows. */
static inline bool apitrace_reader_more(struct apitrace_reader *reader)
{
    return reader->at < reader->end || apitrace_reader_refill(reader);
}

/* Reads one byte; fails with -ENODATA if there is none. */
uint8_t apitrace_read_slow_byte(struct apitrace_reader *reader);

static inline uint8_t apitrace_read_byte(struct apitrace_reader *reader)
{
    return reader->at < reader->end ? *reader->at++ : apitrace_read_slow_byte(reader);
}

/* Reads the rest of a varint after its first byte. */
uint64_t apitrace_read_long_number(struct apitrace_reader *reader, uint64_t first);

/* Reads a varint; most have one byte or two. */
static inline uint64_t apitrace_read_number(struct apitrace_reader *reader)
{
    uint8_t first = apitrace_read_byte(reader);

    if (first < 0x80)
        return first;
    if (reader->at < reader->end && *reader->at < 0x80)
        return (first & 0x7FU) | (uint64_t)*reader->at++ << 7;
    return apitrace_read_long_number(reader, first);
}

/*
 * Reads a count of things that each take at least `min` bytes; fails if the stream is too short for
 * them.
 */
uint64_t apitrace_read_count(struct apitrace_reader *reader, unsigned min);

/* Reads a value whose bytes may be in several chunks: the slow path of apitrace_read_le32(). */
uint32_t apitrace_read_far_le32(struct apitrace_reader *reader);
/* The slow path of apitrace_read_le64(). */
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

/*
 * Provides some of the next bytes in place, at most `max` > 0. Returns how many; 0 after a failure.
 */
size_t apitrace_read_some(struct apitrace_reader *reader, uint64_t max, const uint8_t **bytes);

/* Copies `count` bytes. Returns false after a failure. */
bool apitrace_read_bytes(struct apitrace_reader *reader, void *to, size_t count);

/*
 * Reads `size` bytes of the stream from a position on into a blob. Returns 0, -EINTR, -ENOMEM,
 * -EIO.
 */
int apitrace_read_blob(const struct apitrace_stream *stream, uint64_t position, uint64_t size,
                       const struct cancel *cancel, struct blob **out);

/*
 * Skips bytes that must exist in the stream, and fails where the current chunk is known to be
 * damaged.
 */
void apitrace_skip_far(struct apitrace_reader *reader, uint64_t count);

static inline void apitrace_skip_bytes(struct apitrace_reader *reader, uint64_t count)
{
    if (count <= (uint64_t)(reader->end - reader->at))
        reader->at += count;
    else
        apitrace_skip_far(reader, count);
}

#endif

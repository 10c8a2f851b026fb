/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON (RFC 8259) from untrusted bytes, value by value and without building a tree: the
 * memory it needs does not depend on the input. Strings may be in any encoding. The first error is
 * final: all functions fail after it. For one thread at a time.
 *
 *     if (json_reader_enter(&reader, JSON_READ_OBJECT))
 *         while (json_reader_more(&reader))
 *             if (json_reader_key(&reader, &key) && json_reader_text_is(&key, "size"))
 *                 json_reader_u64(&reader, &size);
 *             else
 *                 json_reader_skip(&reader);
 */
#ifndef GPUDUMPFS_BASE_JSON_READER_H
#define GPUDUMPFS_BASE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_read_kind {
    JSON_READ_END,
    JSON_READ_LITERAL,
    JSON_READ_NUMBER,
    JSON_READ_STRING,
    JSON_READ_ARRAY,
    JSON_READ_OBJECT
};

enum { JSON_READ_DEPTH = 32 }; /* maximum nesting of arrays and objects */

struct json_reader {
    const uint8_t *data;
    size_t size, at;
    unsigned depth;
    uint64_t objects, begun; /* one bit for each depth: it is an object; it has had an element */
    const char *error;       /* what is wrong at `at`; NULL if nothing is */
};

/* A string as it is written in the input, without its quotes. */
struct json_text {
    const uint8_t *bytes;
    size_t length;
};

static inline struct json_reader json_reader(const uint8_t *data, size_t size)
{
    return (struct json_reader){.data = data, .size = size};
}

/* Returns the kind of the next value, after skipping blanks. */
enum json_read_kind json_reader_peek(struct json_reader *reader);

/* Enters the next value, which must be an array or object of that kind. */
bool json_reader_enter(struct json_reader *reader, enum json_read_kind kind);

/* Returns whether there is another element. If not, leaves the array or object. */
bool json_reader_more(struct json_reader *reader);

/* Reads the key of an object's next element, and the colon. */
bool json_reader_key(struct json_reader *reader, struct json_text *key);

/*
 * Reads the next value, which must be a string. Like all functions here, it returns false after an
 * error.
 */
bool json_reader_string(struct json_reader *reader, struct json_text *string);

/* Reads the next value, which must be a number that has only digits. */
bool json_reader_u64(struct json_reader *reader, uint64_t *number);

/* Reads past the next value, of any kind. */
bool json_reader_skip(struct json_reader *reader);

/* Ends reading with an error that the caller has found, unless there is one. Returns false. */
bool json_reader_fail(struct json_reader *reader, const char *error);

/* Returns whether a string, with its escapes resolved, equals `text`. */
bool json_reader_text_is(const struct json_text *string, const char *text);

/*
 * Writes the bytes of a string with its escapes resolved: at most string->length bytes. Returns
 * their number.
 */
size_t json_reader_text_bytes(const struct json_text *string, uint8_t *out);

/* Finds the line and column, in bytes and counted from 1, of the offset `at`. */
void json_reader_place(const struct json_reader *reader, size_t at, uint64_t *line,
                       uint64_t *column);

#endif

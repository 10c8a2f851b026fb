/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON (RFC 8259) from bytes that nobody vouches for, value by value and without a tree: what
 * it holds does not depend on the input. Strings may be of any encoding. The first fault ends it:
 * everything fails from then on. For one thread at a time.
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

enum { JSON_READ_DEPTH = 32 }; /* arrays and objects in each other, at most */

struct json_reader {
    const uint8_t *data;
    size_t size, at;
    unsigned depth;
    uint64_t objects, begun; /* of each depth, whether it is an object, and has an element */
    const char *error;       /* what is wrong at `at`; NULL: nothing */
};

/* Between its quotes, as it is written. */
struct json_text {
    const uint8_t *bytes;
    size_t length;
};

static inline struct json_reader json_reader(const uint8_t *data, size_t size)
{
    return (struct json_reader){.data = data, .size = size};
}

/* What comes next, behind blanks. */
enum json_read_kind json_reader_peek(struct json_reader *reader);

/* Into the array or object that comes next. */
bool json_reader_enter(struct json_reader *reader, enum json_read_kind kind);

/* Whether there is another element; if not, its array or object is left. */
bool json_reader_more(struct json_reader *reader);

/* The key of an object's element. */
bool json_reader_key(struct json_reader *reader, struct json_text *key);

bool json_reader_string(struct json_reader *reader, struct json_text *string);
bool json_reader_u64(struct json_reader *reader, uint64_t *number); /* digits alone */
bool json_reader_skip(struct json_reader *reader);                  /* any value */

/* Ends reading with a fault of the caller's finding. Always false. */
bool json_reader_fail(struct json_reader *reader, const char *error);

bool json_reader_text_is(const struct json_text *string, const char *text);

/* The bytes that it stands for, at most as many as it is long. How many. */
size_t json_reader_text_bytes(const struct json_text *string, uint8_t *out);

/* Line and column, in bytes, from 1 on, of a place. */
void json_reader_place(const struct json_reader *reader, size_t at, uint64_t *line,
                       uint64_t *column);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Values, and the events that contain them (apitrace.md 2.5, 2.6). Texts, blobs, shaders, textures
 * and the state all use this one decoder, which reads the head of a value. What the head announces
 * (bytes of a string, elements of an array) the caller reads or skips next. One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_EVENTS_H
#define GPUDUMPFS_APITRACE_DECODE_EVENTS_H

#include "formats/apitrace/decode/definitions.h"

/*
 * The types of values. For each type, the members of struct apitrace_value that its head fills in,
 * by name; `number` is explained where it is not just the value.
 */
enum apitrace_type {
    APITRACE_NULL,
    APITRACE_FALSE,
    APITRACE_TRUE,
    APITRACE_NEGATIVE, /* `number` is the magnitude */
    APITRACE_POSITIVE, /* `number` */
    APITRACE_FLOAT,    /* `single` */
    APITRACE_DOUBLE,   /* `real` */
    APITRACE_STRING,   /* `number` bytes follow */
    APITRACE_BLOB,     /* `number` bytes follow */
    APITRACE_ENUM,     /* `number` is the value, signed; `enumeration` */
    APITRACE_BITMASK,  /* `number` has the bits; `bitmask` */
    APITRACE_ARRAY,    /* `number` values follow */
    APITRACE_STRUCT,   /* `number` values follow; `structure` */
    APITRACE_OPAQUE,   /* `number` */
    APITRACE_REPR,     /* `number` is 2: a form for humans and a form for machines follow */
    APITRACE_WSTRING,  /* `number` code units follow, each encoded as a number */
    APITRACE_TYPES,
};

enum { APITRACE_NESTING_MAX = 64 };

struct apitrace_value {
    unsigned type; /* enum apitrace_type; APITRACE_NULL after a failure */
    float single;
    uint64_t number;
    double real;
    union {
        const struct apitrace_enum *enumeration;
        const struct apitrace_bitmask *bitmask;
        const struct apitrace_struct *structure;
    };
};

enum {
    APITRACE_NUMBER_MAX = 10, /* bytes of a varint */
    APITRACE_PLAIN_MAX = 32,  /* maximum of bytes for a plain value and what precedes it */
};

/*
 * Reads a number in place; APITRACE_PLAIN_MAX bytes must be readable at the value's beginning.
 * Returns the address after the number at `at`, or NULL if it is too long.
 */
static inline const uint8_t *apitrace_plain_number(const uint8_t *at, uint64_t *number)
{
    *number = *at & 0x7F;
    for (unsigned shift = 7; *at++ >= 0x80; shift += 7) {
        if (shift == 7 * APITRACE_NUMBER_MAX)
            return NULL;
        *number |= (uint64_t)(*at & 0x7F) << shift;
    }
    return at;
}

/* Reads the head of the next value. */
void apitrace_read_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         struct apitrace_value *value);

/* Called for each blob that apitrace_skip_value() skips. */
typedef void apitrace_blob_met(void *context, uint64_t position, uint64_t size);

/*
 * Skips a complete value, however deeply nested. Calls `met` (which may be NULL) for each blob in
 * the order of the stream, except in the form for humans of a representation.
 */
void apitrace_skip_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         apitrace_blob_met *met, void *context);

/* Skips what follows a head: the bytes of a string, the elements of an array. */
void apitrace_skip_rest(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        const struct apitrace_value *value);

/* Returns whether a value is an integer, in any of the encodings that writers use for one. */
bool apitrace_value_integer(const struct apitrace_value *value, int64_t *integer);

/* Reads a complete value. Returns whether it is an integer, which is stored in *integer. */
bool apitrace_read_integer(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           int64_t *integer);

/*
 * Converts a value to what it would be as a GLfloat or GLdouble argument. Returns false if it is no
 * number.
 */
bool apitrace_value_real(const struct apitrace_value *value, double *real);

/*
 * Scans events without keeping their contents, for the index pass, which needs only offsets and
 * sizes.
 */
enum { APITRACE_EVENT_ENTER, APITRACE_EVENT_LEAVE };

enum apitrace_detail {
    APITRACE_DETAIL_END,
    APITRACE_DETAIL_ARGUMENT,
    APITRACE_DETAIL_RESULT,
    APITRACE_DETAIL_THREAD,
    APITRACE_DETAIL_BACKTRACE,
    APITRACE_DETAIL_FLAGS,
};

enum { APITRACE_ARGUMENTS_SPARE = 1024 }; /* argument numbers below this are always accepted */

/* Functions that receive the details of an event; any may be NULL. */
struct apitrace_details {
    void *context;
    bool plain; /* `argument` need not be called for plain numbers and floats */
    /* The reader is at the value, which the function must read or skip. */
    void (*argument)(void *context, struct apitrace_reader *reader, uint32_t number);
    void (*result)(void *context, struct apitrace_reader *reader);
    void (*thread)(void *context, uint64_t thread);
    void (*backtrace)(void *context, uint64_t position);
    void (*flags)(void *context, uint64_t flags);
};

/*
 * Reads details up to their end. `arguments` is the number in the signature. Returns false after a
 * failure of the reader.
 */
bool apitrace_scan_details(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           uint32_t arguments, const struct apitrace_details *details);

/* A call that returns at once and has only plain numbers. */
struct apitrace_plain_call {
    uint32_t thread;
    const struct apitrace_function *function;
    uint64_t enter_bytes, leave_bytes;
};

/*
 * Reads the enter and leave events of call `number`, if they follow each other, are in memory, and
 * have only plain numbers; for streams whose calls have threads. Otherwise, or if they need a more
 * careful reading, returns false without having read anything.
 */
bool apitrace_scan_plain_call(struct apitrace_reader *reader,
                              const struct apitrace_definitions *definitions, uint64_t number,
                              struct apitrace_plain_call *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Values and the events that hold them (apitrace.md 2.5, 2.6). The one decoder of values reads a
 * value's head, from which texts, blobs, shaders, textures and the state are made alike. What a
 * head announces (bytes of a string, elements of an array) the caller reads next, or leaves out.
 * One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_EVENTS_H
#define GPUDUMPFS_APITRACE_DECODE_EVENTS_H

#include "formats/apitrace/decode/definitions.h"

enum apitrace_type {
    APITRACE_NULL,
    APITRACE_FALSE,
    APITRACE_TRUE,
    APITRACE_NEGATIVE, /* number: the magnitude */
    APITRACE_POSITIVE, /* number */
    APITRACE_FLOAT,    /* single */
    APITRACE_DOUBLE,   /* real */
    APITRACE_STRING,   /* number: of bytes that follow */
    APITRACE_BLOB,     /* number: of bytes that follow */
    APITRACE_ENUM,     /* number: the value, signed; enumeration */
    APITRACE_BITMASK,  /* number: the bits; bitmask */
    APITRACE_ARRAY,    /* number: of values that follow */
    APITRACE_STRUCT,   /* number: of values that follow; structure */
    APITRACE_OPAQUE,   /* number */
    APITRACE_REPR,     /* number: 2, for the human and for the machine */
    APITRACE_WSTRING,  /* number: of code units that follow, a number each */
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
    APITRACE_NUMBER_MAX = 10, /* bytes of a number */
    APITRACE_PLAIN_MAX = 32,  /* bytes that a plain value and what is before it have at most */
};

/*
 * For what is read in place, APITRACE_PLAIN_MAX bytes of which are there: behind the number at
 * `at`; NULL: it is too long.
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

/* The head of the value at hand. */
void apitrace_read_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         struct apitrace_value *value);

/* Told of each blob that apitrace_skip_value() leaves out. */
typedef void apitrace_blob_met(void *context, uint64_t position, uint64_t size);

/*
 * Leaves out a whole value, however deep. Blobs are told to `met` (may be NULL) in
 * the order of the stream, the human side of a representation left out.
 */
void apitrace_skip_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         apitrace_blob_met *met, void *context);

/* Leaves out what follows a head: of a string its bytes, of an array its elements. */
void apitrace_skip_rest(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        const struct apitrace_value *value);

/* Whether a value is an integer, in any of the shapes that writers give one. */
bool apitrace_value_integer(const struct apitrace_value *value, int64_t *integer);

/* Reads a whole value: whether it is an integer, and which. */
bool apitrace_read_integer(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           int64_t *integer);

/* A number as a GLfloat or GLdouble argument would be; false for what is none. */
bool apitrace_value_real(const struct apitrace_value *value, double *real);

/*
 * Events, read without keeping what they say: for the index pass, which needs places and sizes
 * alone.
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

enum { APITRACE_ARGUMENTS_SPARE = 1024 }; /* numbers up to this are taken in any case */

/* What the details of an event are told to; any function may be NULL. */
struct apitrace_details {
    void *context;
    bool plain; /* arguments that are plain numbers, or floats, need not be told */
    /* The value stands where the reader is, and is to be read or left out. */
    void (*argument)(void *context, struct apitrace_reader *reader, uint32_t number);
    void (*result)(void *context, struct apitrace_reader *reader);
    void (*thread)(void *context, uint64_t thread);
    void (*backtrace)(void *context, uint64_t position);
    void (*flags)(void *context, uint64_t flags);
};

/* Reads details up to their end; false after a failure. `arguments`: of the signature. */
bool apitrace_scan_details(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           uint32_t arguments, const struct apitrace_details *details);

/* A call that returns at once, and says nothing but plain numbers. */
struct apitrace_plain_call {
    uint32_t thread;
    const struct apitrace_function *function;
    uint64_t enter_bytes, leave_bytes;
};

/*
 * Reads the enter and the leave event of call `number`, if they follow each other, stand in
 * memory, and are such; of a stream whose calls have threads. False: they are not, or are to be
 * read with more care, and nothing was read.
 */
bool apitrace_scan_plain_call(struct apitrace_reader *reader,
                              const struct apitrace_definitions *definitions, uint64_t number,
                              struct apitrace_plain_call *out);

#endif

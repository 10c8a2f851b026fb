/*
 * The one decoder of values (apitrace.md 2.6): it reads a value's head, from which
 * texts, blobs, shaders, textures and the state are made alike. What a head announces
 * (bytes of a string, elements of an array) the caller reads next, or leaves out.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_VALUE_H
#define GPUDUMPFS_APITRACE_DECODE_VALUE_H

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

/* A number as a GLfloat or GLdouble argument would be; false for what is none. */
bool apitrace_value_real(const struct apitrace_value *value, double *real);

#endif

/*
 * Events of the stream (apitrace.md 2.5), read without keeping what they say: used by
 * the index pass, which needs places and sizes alone. One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_SCAN_H
#define GPUDUMPFS_APITRACE_DECODE_SCAN_H

#include "formats/apitrace/decode/value.h"

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

/*
 * Events of the stream (apitrace.md 2.5), read without keeping what they say: used by
 * the index pass, which needs places and sizes alone. One thread a reader.
 */
#ifndef GPUDUMPFS_APITRACE_SCAN_H
#define GPUDUMPFS_APITRACE_SCAN_H

#include "formats/apitrace/value.h"

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

#endif

/* SPDX-License-Identifier: MIT */
/*
 * One call, read again: where its arguments and its result stand in the stream, from
 * both of its events. Texts, shaders and the rest then read the values that they want.
 * One thread a call.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALL_H
#define GPUDUMPFS_APITRACE_INDEX_CALL_H

#include "formats/apitrace/decode/events.h"
#include "formats/apitrace/index/index.h"

/* Places are never 0, where the header stands: 0 is for what was not given. */
struct apitrace_call {
    const struct apitrace_index *index;
    struct apitrace_definitions *definitions; /* they are only read */
    struct apitrace_reader reader;
    struct apitrace_walk walk;

    const struct apitrace_record *record;
    const struct apitrace_function *function; /* NULL: cut off before it */
    uint64_t *arguments;                      /* the places of their values */
    uint32_t argument_count;                  /* of the signature, or more if more were given */
    uint32_t argument_room;
    uint64_t result, backtrace;
};

void apitrace_call_init(struct apitrace_call *call, const struct apitrace_index *index,
                        const struct cancel *cancel);
void apitrace_call_clear(struct apitrace_call *call);

/* Reads call `number`, in place of the one before. 0, -EINTR, -ENOMEM, -EIO. */
int apitrace_call_read(struct apitrace_call *call, uint64_t number);

/*
 * The steps of that, for callers that read details in passing: takes the record, and goes to
 * the details of its enter or leave event; false when there is none, or after a failure.
 */
void apitrace_call_choose(struct apitrace_call *call, uint64_t number);
bool apitrace_call_enter(struct apitrace_call *call);
bool apitrace_call_leave(struct apitrace_call *call);

/*
 * Reads the head of argument `n`'s value, or of what is in it: an array of one element
 * is as good as the element. False: there is none, or it was not given.
 */
bool apitrace_call_argument(struct apitrace_call *call, uint32_t n, struct apitrace_value *value);

/*
 * The number of the argument that has the first of these names that there is one of; the list
 * ends with NULL. UINT32_MAX: there is none.
 */
uint32_t apitrace_call_named(const struct apitrace_call *call, const char *name, ...)
    __attribute__((sentinel));

/* The integer that an argument, or the result, is; `otherwise` when it is none. */
int64_t apitrace_call_integer(struct apitrace_call *call, uint32_t n, int64_t otherwise);
int64_t apitrace_call_result(struct apitrace_call *call, int64_t otherwise);
/* The same of the one that the function's row of the table tells n-th (gl_calls.h), else 0. */
int64_t apitrace_call_operand(struct apitrace_call *call, unsigned n);
/* The same of the argument of that name; `otherwise` also where the function has none. */
int64_t apitrace_call_integer_named(struct apitrace_call *call, const char *name,
                                    int64_t otherwise);

/* The first integers of an argument that is an array, at most `max`, or one value: how many. */
size_t apitrace_call_array(struct apitrace_call *call, uint32_t n, int64_t *out, size_t max);

/* What a reader is told of a failure of the call's: -EINTR and -ENOMEM, else -EIO; 0: none. */
int apitrace_call_status(const struct apitrace_call *call);

#endif

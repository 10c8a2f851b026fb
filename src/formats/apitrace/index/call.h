/* SPDX-License-Identifier: MIT */
/*
 * One call, read again: the offsets in the stream of its arguments and its result, from both of its
 * events. Texts, shaders and others then read the values that they need. One thread a call.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALL_H
#define GPUDUMPFS_APITRACE_INDEX_CALL_H

#include "formats/apitrace/decode/events.h"
#include "formats/apitrace/index/index.h"

/* Offsets are never 0, where the header is: 0 stands for what was not given. */
struct apitrace_call {
    const struct apitrace_index *index;
    struct apitrace_definitions *definitions; /* only read */
    struct apitrace_reader reader;
    struct apitrace_walk walk;

    const struct apitrace_record *record;
    const struct apitrace_function *function; /* NULL: cut off before it */
    uint64_t *arguments;                      /* offsets of the values in the stream */
    uint32_t argument_count;                  /* of the signature, or more if more were given */
    uint32_t argument_room;
    uint64_t result, backtrace;
};

/* Begins without a call. The index must outlive it; `cancel` may be NULL. */
void apitrace_call_init(struct apitrace_call *call, const struct apitrace_index *index,
                        const struct cancel *cancel);
void apitrace_call_clear(struct apitrace_call *call);

/* Reads call `number`, replacing the one read before. Returns 0, -EINTR, -ENOMEM or -EIO. */
int apitrace_call_read(struct apitrace_call *call, uint64_t number);

/*
 * The steps of apitrace_call_read(), for callers that process details while reading them: choose
 * the record, and move the reader to the details of its enter or leave event. The latter return
 * false if there is no such event, or after a failure.
 */
void apitrace_call_choose(struct apitrace_call *call, uint64_t number);
bool apitrace_call_enter(struct apitrace_call *call);
bool apitrace_call_leave(struct apitrace_call *call);

/*
 * Reads the head of argument `n`'s value, or of the element if the value is an array of one.
 * Returns false if there is no argument `n`, if it was not given, or after a failure.
 */
bool apitrace_call_argument(struct apitrace_call *call, uint32_t n, struct apitrace_value *value);

/*
 * Returns the number of the argument with the first of these names that the function has; the list
 * ends with NULL. UINT32_MAX if it has none of them.
 */
uint32_t apitrace_call_named(const struct apitrace_call *call, const char *name, ...)
    __attribute__((sentinel));

/* Returns argument `n` as an integer; `otherwise` if it is none. */
int64_t apitrace_call_integer(struct apitrace_call *call, uint32_t n, int64_t otherwise);
/* Returns the call's result as an integer; `otherwise` if it is none. */
int64_t apitrace_call_result(struct apitrace_call *call, int64_t otherwise);
/*
 * Returns the n-th argument that the function's row of the table names (gl_calls.h); 0 if it is no
 * integer.
 */
int64_t apitrace_call_operand(struct apitrace_call *call, unsigned n);
/*
 * Returns the argument of that name as an integer; `otherwise` if it is none, or the function has
 * no argument of that name.
 */
int64_t apitrace_call_integer_named(struct apitrace_call *call, const char *name,
                                    int64_t otherwise);

/*
 * Reads the first integers, at most `max`, of an argument that is an array, or one if it is a
 * single value. Returns how many; 0 after a failure.
 */
size_t apitrace_call_array(struct apitrace_call *call, uint32_t n, int64_t *out, size_t max);

/*
 * Returns the error of the call for its reader: -EINTR, -ENOMEM, or -EIO for any other failure; 0
 * if there is none.
 */
int apitrace_call_status(const struct apitrace_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reads the values of a call's arguments and of its result from the stream, into memory that is
 * reused for the next call. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_VALUES_H

#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

/*
 * Returns `size` zero bytes, valid until the next call of the trace. Returns NULL if there is no
 * memory.
 */
void *retrace_scratch_take(struct retrace_scratch *scratch, uint64_t size);
void retrace_scratch_reset(struct retrace_scratch *scratch);
void retrace_scratch_clear(struct retrace_scratch *scratch);

/* Reads a call's values. Returns 0 or -ENOMEM. */
int retrace_call_read(struct retrace *retrace, struct retrace_event *event,
                      struct retrace_binding *binding, struct retrace_call *call);

/* Returns an argument as an integer; floats are truncated toward zero. */
int64_t retrace_integer(const struct retrace_call *call, unsigned n);
/* Returns element `n` of an argument that points to integers, or 0 beyond its end. */
int64_t retrace_element(const struct retrace_call *call, unsigned argument, uint64_t n);
/* Returns the result that the call had in the trace. */
uint64_t retrace_result(const struct retrace_call *call);

#endif

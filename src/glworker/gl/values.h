/* SPDX-License-Identifier: MIT */
/*
 * Values of a call's arguments and of its result, read out of the stream into memory that is free
 * for the next call. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_VALUES_H

#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

/* `size` bytes until the next call, zero; NULL: there are not so many. */
void *retrace_scratch_take(struct retrace_scratch *scratch, uint64_t size);
void retrace_scratch_reset(struct retrace_scratch *scratch);
void retrace_scratch_clear(struct retrace_scratch *scratch);

/* Reads what the trace has of a call. 0 or -ENOMEM. */
int retrace_call_read(struct retrace *retrace, struct retrace_event *event,
                      struct retrace_binding *binding, struct retrace_call *call);

/* The integer that an argument is; of floats the nearest. */
int64_t retrace_integer(const struct retrace_call *call, unsigned n);
/* Element `n` of an argument's memory, of integers; 0 beyond its end. */
int64_t retrace_element(const struct retrace_call *call, unsigned argument, uint64_t n);
/* What the call returned in the trace. */
uint64_t retrace_result(const struct retrace_call *call);

#endif

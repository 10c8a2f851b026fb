/* SPDX-License-Identifier: MIT */
/*
 * What stands between glBegin() and glEnd(), kept to be made more than once: calls with what they
 * point to, none of which the driver has seen. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RECORDING_H
#define GPUDUMPFS_GLWORKER_GL_RECORDING_H

#include "glworker/gl/gl.h"

struct retrace_recording;

/* Calls of the context are kept from here on. */
void retrace_recording_begin(struct retrace_context *context);

/*
 * A call as libffi takes it, if those of its context are kept; true: it is made later. One that
 * writes memory, or takes more than there is room for, ends that: what was kept is made at once.
 */
bool retrace_recording_take(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values);

/* What was kept, for retrace_recording_free(); none is kept from here on. NULL: there is none. */
struct retrace_recording *retrace_recording_end(struct retrace_context *context);

/* Makes all calls in their order; the context is current. */
void retrace_recording_make(const struct retrace_recording *recording);
void retrace_recording_free(struct retrace_recording *recording);

/* Of all contexts of threads: what was kept is made. */
void retrace_recording_abandon(struct retrace *retrace);

#endif

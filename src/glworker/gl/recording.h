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

/* For what is kept of calls that are made at once (immediate.h). NULL: no memory. */
struct retrace_recording *retrace_recording_new(void);
/* False: it cannot be kept. */
bool retrace_recording_add(struct retrace_recording *recording, const struct retrace_call *call,
                           void *const *values);
/* A call that has so many bytes, zeros so far, in place of arguments; it is not made. NULL: there
 * is no room. */
void *retrace_recording_add_bytes(struct retrace_recording *recording,
                                  struct retrace_binding *binding, size_t size);
/* Memory that it takes, of NULL none; and it takes no more than it needs. */
size_t retrace_recording_bytes(const struct retrace_recording *recording);
void retrace_recording_trim(struct retrace_recording *recording);
/* All that was kept goes. */
void retrace_recording_clear(struct retrace_recording *recording);
/* Makes all calls, the first one, which is glBegin(), with this mode. */
void retrace_recording_make_as(const struct retrace_recording *recording, GLenum mode);

/* One of the calls. */
struct retrace_recorded {
    struct retrace_binding *binding;
    void *entry;
};
/* That at *at, which goes on to the next; it begins as 0. False: there are no more. */
bool retrace_recording_next(const struct retrace_recording *recording, size_t *at,
                            struct retrace_recorded *out);
/* Where the value of an argument is, or what it points to; NULL: that is no memory. */
const uint8_t *retrace_recorded_argument(const struct retrace_recorded *call, unsigned n);
/* Bytes that it has in place of arguments, which are all 0 then; NULL: it has none. */
const void *retrace_recorded_bytes(const struct retrace_recorded *call);
/* Whether it is one of that name. */
bool retrace_recorded_is(const struct retrace_recorded *call, const char *name);
/* Makes that one. */
void retrace_recorded_make(const struct retrace_recorded *call);

/* Of all contexts of threads: what was kept is made. */
void retrace_recording_abandon(struct retrace *retrace);

#endif

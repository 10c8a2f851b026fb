/* SPDX-License-Identifier: MIT */
/*
 * Keeps the calls between glBegin() and glEnd() with what they point to, to make them more than
 * once. The driver has seen none of them yet. Called on the worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RECORDING_H
#define GPUDUMPFS_GLWORKER_GL_RECORDING_H

#include "glworker/gl/gl.h"

struct retrace_recording;

/* Starts to keep calls of the context. */
void retrace_recording_begin(struct retrace_context *context);

/*
 * Keeps a call, with its arguments as libffi takes them, if calls of its context are being kept.
 * Returns true if the call will be made later. If the call writes memory, or does not fit, makes
 * all kept calls immediately and stops keeping them.
 */
bool retrace_recording_take(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values);

/*
 * Stops keeping calls and returns those that were kept; the caller calls retrace_recording_free().
 * Returns NULL if none were being kept.
 */
struct retrace_recording *retrace_recording_end(struct retrace_context *context);

/* Makes all calls in their order. The context is current. */
void retrace_recording_make(const struct retrace_recording *recording);
void retrace_recording_free(struct retrace_recording *recording);

/*
 * Creates a recording for calls that are also made immediately (immediate.h). Returns NULL without
 * memory.
 */
struct retrace_recording *retrace_recording_new(void);
/* Appends a call. Returns false if it cannot be kept. */
bool retrace_recording_add(struct retrace_recording *recording, const struct retrace_call *call,
                           void *const *values);
/*
 * Appends a call with `size` zero bytes of its own instead of arguments; it cannot be made. Returns
 * the bytes, or NULL if there is no room.
 */
void *retrace_recording_add_bytes(struct retrace_recording *recording,
                                  struct retrace_binding *binding, size_t size);
/* Returns the bytes that a recording has, 0 for NULL. */
size_t retrace_recording_bytes(const struct retrace_recording *recording);
/* Frees memory that a recording does not need. */
void retrace_recording_trim(struct retrace_recording *recording);
/* Drops all calls. */
void retrace_recording_clear(struct retrace_recording *recording);
/* Makes all calls, using `mode` for the first one, which is glBegin(). */
void retrace_recording_make_as(const struct retrace_recording *recording, GLenum mode);

/* A call of a recording. */
struct retrace_recorded {
    struct retrace_binding *binding;
    void *entry;
};
/*
 * Gets the call at *at, and moves *at to the next one. *at must be 0 at first. Returns false if
 * there are no more.
 */
bool retrace_recording_next(const struct retrace_recording *recording, size_t *at,
                            struct retrace_recorded *out);
/*
 * Returns the address of an argument's value, or of what it points to. Returns NULL if it points to
 * no memory.
 */
const uint8_t *retrace_recorded_argument(const struct retrace_recorded *call, unsigned n);
/*
 * Returns the bytes that the call has instead of arguments, which are all 0 then. Returns NULL if
 * it has none.
 */
const void *retrace_recorded_bytes(const struct retrace_recorded *call);
/* Returns whether it is a call of that function. */
bool retrace_recorded_is(const struct retrace_recorded *call, const char *name);
/* Makes this call. */
void retrace_recorded_make(const struct retrace_recorded *call);

/* Makes the calls that are being kept in the contexts of all threads, and stops keeping them. */
void retrace_recording_abandon(struct retrace *retrace);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Keeps a copy of the calls between a context's last glBegin() and glEnd(). The calls themselves
 * are made as they come; the copy serves to read their vertices, and to make them again. Called on
 * the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_IMMEDIATE_H
#define GPUDUMPFS_GLWORKER_GL_IMMEDIATE_H

#include "glworker/gl/draw_call.h"

struct retrace_immediate;

/*
 * Copies a call that is being made, with its arguments as libffi takes them. Ignores calls outside
 * of glBegin() and glEnd().
 */
void retrace_immediate_note(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values);
/* Marks the copy as incomplete, because a list has begun or ended a primitive. */
void retrace_immediate_lose(struct retrace_context *context);
void retrace_immediate_free(struct retrace_immediate *immediate);

/* Returns whether a call is glEnd(). */
bool retrace_is_immediate(const struct retrace_call *call);

/*
 * Reads the draw at hand, of any kind, with its arrays; call retrace_draw_call_free() on the
 * result. For glEnd(), values set since glBegin() become arrays in memory. The result is valid
 * until the next call. Returns NULL, with the reason in *why, on failure.
 */
struct retrace_draw_call *retrace_draw_read(struct retrace *retrace, const char **why);
/* Returns NULL, or the reason why the draw cannot be made again unchanged; see `late`. */
const char *retrace_immediate_obstacle(const struct retrace *retrace,
                                       const struct retrace_draw_call *draw);

#endif

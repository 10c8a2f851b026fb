/* SPDX-License-Identifier: MIT */
/*
 * What stood between the last glBegin() and glEnd() of a context: a copy of its calls, which are
 * made as they come, so that its vertices can be told, and made again. The worker's one thread; the
 * context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_IMMEDIATE_H
#define GPUDUMPFS_GLWORKER_GL_IMMEDIATE_H

#include "glworker/gl/draw_call.h"

struct retrace_immediate;

/* A call that is made, as libffi takes it. What stands elsewhere is not kept. */
void retrace_immediate_note(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values);
/* A list has begun a primitive, or ended it: its calls are not all there. */
void retrace_immediate_lose(struct retrace_context *context);
void retrace_immediate_free(struct retrace_immediate *immediate);

/* Whether a call is glEnd(). */
bool retrace_is_immediate(const struct retrace_call *call);

/*
 * The draw at hand, whatever it is, with its arrays, for retrace_draw_call_free(). What such a call
 * ended has all that was set there as arrays in memory, and lives until the next call.
 */
struct retrace_draw_call *retrace_draw_read(struct retrace *retrace, const char **why);
/* NULL, or why it cannot be made again as it was: see `late`. */
const char *retrace_immediate_obstacle(const struct retrace *retrace,
                                       const struct retrace_draw_call *draw);

#endif

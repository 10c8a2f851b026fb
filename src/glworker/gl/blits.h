/* SPDX-License-Identifier: MIT */
/*
 * The worker's own copies between the bound framebuffers. No state that the trace has set prevents
 * them, and all of that state is restored afterwards. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BLITS_H
#define GPUDUMPFS_GLWORKER_GL_BLITS_H

#include "glworker/gl/surfaces.h"

struct retrace_rectangle {
    GLint x, y, width, height;
};
/*
 * Copies planes (GL_COLOR_BUFFER_BIT and so on) of a rectangle from the framebuffer bound for
 * reading to a rectangle of the one bound for drawing.
 */
void retrace_blit(const struct retrace_context *context, const struct retrace_rectangle *from,
                  const struct retrace_rectangle *to, GLbitfield planes);

/*
 * Clears the first colour buffer that is drawn to, except channels that its mask excludes, in the
 * same way.
 */
void retrace_clear(const struct retrace_context *context, const GLfloat colour[4]);

/* Starts conditional rendering for the trace. */
void retrace_condition_begin(struct retrace_context *context, GLuint query, GLenum mode);
/*
 * Suspends conditional rendering. Returns whether it was active; pass that to
 * retrace_condition_resume().
 */
bool retrace_condition_suspend(const struct retrace_context *context);
void retrace_condition_resume(const struct retrace_context *context, bool suspended);

#endif

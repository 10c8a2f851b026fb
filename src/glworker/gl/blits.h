/* SPDX-License-Identifier: MIT */
/*
 * Copies of our own between the framebuffers that are bound, which nothing that the trace has set
 * keeps from being made, and all of which is afterwards as it was. One thread; the context is
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BLITS_H
#define GPUDUMPFS_GLWORKER_GL_BLITS_H

#include "glworker/gl/surfaces.h"

struct retrace_rectangle {
    GLint x, y, width, height;
};
void retrace_blit(const struct retrace_context *context, const struct retrace_rectangle *from,
                  const struct retrace_rectangle *to, GLbitfield planes);

/* Clears the first colour of what is drawn on, but for what its mask leaves out, in the same way.
 */
void retrace_clear(const struct retrace_context *context, const GLfloat colour[4]);

/* Rendering is conditional from here on, by the trace's will. */
void retrace_condition_begin(struct retrace_context *context, GLuint query, GLenum mode);
/* It is not, for a while, if it was; true: then it is to be resumed. */
bool retrace_condition_suspend(const struct retrace_context *context);
void retrace_condition_resume(const struct retrace_context *context, bool suspended);

#endif

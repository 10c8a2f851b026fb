/* SPDX-License-Identifier: MIT */
/*
 * A program with the vertex shader of another one, its uniforms and attributes, that gives what
 * gl_Position becomes to transform feedback. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H
#define GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H

#include "glworker/gl/gl.h"

/*
 * Of the programs that draws use, or of fixed functions where none of them has a vertex shader. It
 * is the current program then, in place of *current, which is to be used again before it is
 * deleted. 0: it cannot be made, nothing is changed, and *why says why.
 */
GLuint retrace_program_copy(const struct retrace *retrace, GLuint *current, const char **why);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Uniforms of a program in a copy of it, which is current: values, units of samplers and images,
 * and bindings of uniform blocks. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_UNIFORM_COPY_H
#define GPUDUMPFS_GLWORKER_GL_UNIFORM_COPY_H

#include "glworker/gl/gl.h"

/* By their names. False: some are of doubles, which are not copied. */
bool retrace_uniforms_copy(GLuint from, GLuint to);

/*
 * By locations and bindings, as SPIR-V need not have names. `pristine` is linked of all that the
 * program was, so that it has the same numbers, and is as the modules say. False: the numbers are
 * others, or some are of doubles.
 */
bool retrace_uniforms_copy_places(GLuint from, GLuint pristine, GLuint to);

#endif

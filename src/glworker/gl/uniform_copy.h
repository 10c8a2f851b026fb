/* SPDX-License-Identifier: MIT */
/*
 * Copies the uniforms of a program to a copy of it, which is current: values, units of samplers and
 * images, and bindings of uniform blocks. Called on the worker's one thread, with the context
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_UNIFORM_COPY_H
#define GPUDUMPFS_GLWORKER_GL_UNIFORM_COPY_H

#include "glworker/gl/gl.h"

/* Copies by names. Returns false if some uniforms are doubles, which are not copied. */
bool retrace_uniforms_copy(GLuint from, GLuint to);

/*
 * Copies by locations and bindings, because SPIR-V may lack names. `pristine` is linked from all
 * modules of the program, so it has the same numbers, and values as in the modules. Returns false
 * if the numbers differ, or some uniforms are doubles.
 */
bool retrace_uniforms_copy_places(GLuint from, GLuint pristine, GLuint to);

#endif

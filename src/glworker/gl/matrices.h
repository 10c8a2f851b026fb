/* SPDX-License-Identifier: MIT */
/*
 * The stacks of matrices of a context for compatibility: the model view's, the projection's, and
 * textures', one for each unit. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MATRICES_H
#define GPUDUMPFS_GLWORKER_GL_MATRICES_H

#include "glworker/gl/gl.h"

enum {
    RETRACE_UNITS_MAX = 32,
    RETRACE_MATRIX_STACKS = 2 + RETRACE_UNITS_MAX, /* in the order above */
};

/* Units with a matrix of textures, at most that many. */
GLint retrace_matrix_units(void);

/* A mode of glMatrixMode() that is looked after. */
bool retrace_is_matrix(int64_t mode);

/* The number of the stack that is chosen, how deep it is and may be; -1: none of them. */
int retrace_matrix_stack(GLint *depth, GLint *max);

/* Calls `act` with each stack chosen; what was chosen is so afterwards. */
void retrace_matrices_each(void (*act)(void *context, unsigned stack), void *context);

#endif

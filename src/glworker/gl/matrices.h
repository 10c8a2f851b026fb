/* SPDX-License-Identifier: MIT */
/*
 * The matrix stacks of a compatibility context: model view, projection, and one texture stack for
 * each unit. Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MATRICES_H
#define GPUDUMPFS_GLWORKER_GL_MATRICES_H

#include "glworker/gl/gl.h"

enum {
    RETRACE_UNITS_MAX = 32,
    RETRACE_MATRIX_STACKS = 2 + RETRACE_UNITS_MAX, /* in the order above */
};

/* Returns the number of units that have a texture matrix, RETRACE_UNITS_MAX at most. */
GLint retrace_matrix_units(void);

/* Returns whether a mode of glMatrixMode() selects one of these stacks. */
bool retrace_is_matrix(int64_t mode);

/*
 * Returns the number of the selected stack, and sets its depth and its maximal depth. Returns -1 if
 * none of these stacks is selected.
 */
int retrace_matrix_stack(GLint *depth, GLint *max);

/* Calls `act` with each stack selected in turn, then restores the selection. */
void retrace_matrices_each(void (*act)(void *context, unsigned stack), void *context);

#endif

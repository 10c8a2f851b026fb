/* SPDX-License-Identifier: MIT */
/*
 * Checks how far glArrayElement() may read. The driver does not check this: it reads every enabled
 * array at the requested element, whatever the array's size. Called on the worker's one thread,
 * with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ARRAY_ELEMENTS_H
#define GPUDUMPFS_GLWORKER_GL_ARRAY_ELEMENTS_H

#include "glworker/gl/surfaces.h"

/*
 * Returns whether functions of that name change which arrays are enabled, where they are, or how
 * large they are.
 */
bool retrace_changes_arrays(const char *name);

/*
 * Queries the arrays' limits before glBegin(), because the driver answers no queries between
 * glBegin() and glEnd(). Does nothing there.
 */
void retrace_elements_begin(struct retrace *retrace);

/* The rule of glArrayElement(), which is checked like a draw of one vertex. */
retrace_rule retrace_array_element;

#endif

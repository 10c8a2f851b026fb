/* SPDX-License-Identifier: MIT */
/*
 * How far glArrayElement() may go, which the driver does not check: it reads every array that is
 * on, wherever that stands. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ARRAY_ELEMENTS_H
#define GPUDUMPFS_GLWORKER_GL_ARRAY_ELEMENTS_H

#include "glworker/gl/surfaces.h"

/* Whether functions of that name change what is on, where it stands, or how large that is. */
bool retrace_changes_arrays(const char *name);

/* Before glBegin(), behind which the driver does not tell; there it does nothing. */
void retrace_elements_begin(struct retrace *retrace);

/* Of glArrayElement(), a draw of one vertex. */
retrace_rule retrace_array_element;

#endif

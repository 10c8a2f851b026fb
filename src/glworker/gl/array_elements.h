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

/*
 * The last element that all arrays which are on have, of those in buffers and those without a
 * pointer; arrays.c looks after memory of the trace. INT64_MAX: there is no such array, -1: there
 * is no such element.
 */
int64_t retrace_last_element(struct retrace *retrace);

#endif

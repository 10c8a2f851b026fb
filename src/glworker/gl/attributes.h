/* SPDX-License-Identifier: MIT */
/* Finds the attributes that the draw at hand reads. One thread; the context is current. */
#ifndef GPUDUMPFS_GLWORKER_GL_ATTRIBUTES_H
#define GPUDUMPFS_GLWORKER_GL_ATTRIBUTES_H

#include <stdint.h>

enum { RETRACE_ATTRIBUTES_MAX = 32 }; /* of a vertex, for any driver */

/* Returns one bit for each location that is read, or all bits if there is no GLSL program. */
uint32_t retrace_attributes_read(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which attributes the draw at hand reads. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ATTRIBUTES_H
#define GPUDUMPFS_GLWORKER_GL_ATTRIBUTES_H

#include <stdint.h>

enum { RETRACE_ATTRIBUTES_MAX = 32 }; /* of a vertex, as far as any driver has them */

/* A bit for each location; all where there is no program of GLSL. */
uint32_t retrace_attributes_read(void);

#endif

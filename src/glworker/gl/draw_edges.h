/* SPDX-License-Identifier: MIT */
/*
 * The edges of a draw's primitives (draw_vertices.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_EDGES_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_EDGES_H

#include "glworker/gl/call.h"

#include <stdint.h>

/*
 * Pairs of vertices that the edges of a draw's primitives join, and of how many
 * instances, for free(). The call is at hand. NULL: nobody can tell.
 */
uint32_t *retrace_draw_edges(const struct retrace_call *call, uint32_t *count, int64_t *instances);

#endif

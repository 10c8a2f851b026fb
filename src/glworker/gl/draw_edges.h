/* SPDX-License-Identifier: MIT */
/* The edges of a draw's primitives (draw_vertices.c). One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_EDGES_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_EDGES_H

#include "glworker/gl/call.h"

#include <stdint.h>

/*
 * Finds the edges of the primitives that a call draws, as pairs of vertices. Sets *count to the
 * number of vertices in these pairs, and *instances to the number of instances. The caller frees
 * the result. Returns NULL if the edges are unknown.
 */
uint32_t *retrace_draw_edges(const struct retrace_call *call, uint32_t *count, int64_t *instances);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reads the vertices of calls between glBegin() and glEnd(), from a recording or from lists, each
 * with the values that were current for it. Called on the worker's one thread, with the context
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BEGUN_VERTICES_H
#define GPUDUMPFS_GLWORKER_GL_BEGUN_VERTICES_H

#include "glworker/gl/draw_call.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/list_state.h"
#include "glworker/gl/lists.h"

/* Where the calls come from. */
struct retrace_begun_source {
    const void *calls;
    const char *(*walk)(const void *calls, struct retrace_list_walk *walk);
    enum retrace_sets sets;                   /* set by the calls */
    const struct retrace_list_before *before; /* state before the calls; NULL if it is unknown */
};

/*
 * Writes the vertices as arrays in memory, their blocks, and `late`: whether the vertices depend on
 * values that were current before and are not in `before`. The caller must have checked
 * retrace_can_push(). Returns NULL, or the reason why the vertices are not known.
 */
const char *retrace_begun_read(const struct retrace *retrace,
                               const struct retrace_begun_source *source,
                               struct retrace_draw_call *out);

#endif

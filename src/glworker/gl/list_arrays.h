/* SPDX-License-Identifier: MIT */
/*
 * Keeps what glDrawArrays(), its variants and glArrayElement() read when a list is compiled from
 * them: the list uses the arrays of that time. The values are kept with the list's calls
 * (list_calls.h). Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_ARRAYS_H
#define GPUDUMPFS_GLWORKER_GL_LIST_ARRAYS_H

#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/vertex_values.h"

/*
 * The bytes kept for such a call. The values of each vertex for each array follow; if `places` is
 * false, those of the last vertex alone.
 */
struct retrace_list_arrays {
    GLenum mode;
    bool element; /* of glArrayElement() */
    bool places;  /* an array has the vertices' positions, so there are vertices */
    uint32_t vertices, count;
    struct {
        uint32_t slot, components;
        GLenum type; /* GL_FLOAT, GL_INT or GL_UNSIGNED_INT */
    } list[RETRACE_FETCHES_MAX];
};

/* Keeps the arrays that a call reads, if it is compiled into a list whose calls are kept. */
void retrace_list_arrays_note(struct retrace *retrace, const struct retrace_call *call);

/* Reads the value of the n-th array for a vertex. */
void retrace_list_arrays_get(const struct retrace_list_arrays *arrays, uint32_t vertex, uint32_t n,
                             union retrace_current *out);
/*
 * Makes a vertex's values current, between glBegin() and glEnd(). `with_place` includes the
 * position, which creates the vertex.
 */
void retrace_list_arrays_make(const struct retrace_list_arrays *arrays, uint32_t vertex,
                              bool with_place);

#endif

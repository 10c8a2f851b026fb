/* SPDX-License-Identifier: MIT */
/*
 * What glDrawArrays() and its kin, and glArrayElement(), read where a list is compiled of them: the
 * arrays are those of that time. It is kept with the list's calls (list_calls.h). The worker's one
 * thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_ARRAYS_H
#define GPUDUMPFS_GLWORKER_GL_LIST_ARRAYS_H

#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/vertex_values.h"

/* Bytes of such a call; behind them are values of each vertex for each array, or, without places,
 * of the last one alone. */
struct retrace_list_arrays {
    GLenum mode;
    bool element; /* one of glArrayElement() */
    bool places;  /* an array has the vertices' places, so there are some */
    uint32_t vertices, count;
    struct {
        uint32_t slot, components;
        GLenum type; /* GL_FLOAT, GL_INT or GL_UNSIGNED_INT */
    } list[RETRACE_FETCHES_MAX];
};

/* A call that is made: if it reads arrays for a list whose calls are kept, they are kept, too. */
void retrace_list_arrays_note(struct retrace *retrace, const struct retrace_call *call);

/* What the n-th array has for a vertex. */
void retrace_list_arrays_get(const struct retrace_list_arrays *arrays, uint32_t vertex, uint32_t n,
                             union retrace_current *out);
/* Makes that current, between glBegin() and glEnd(); with its place it is a vertex. */
void retrace_list_arrays_make(const struct retrace_list_arrays *arrays, uint32_t vertex,
                              bool with_place);

#endif

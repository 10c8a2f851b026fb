/* SPDX-License-Identifier: MIT */
/*
 * The vertices of calls as glBegin() and glEnd() have them, of what was recorded between them or of
 * lists: each with what is set for it. The worker's one thread; the context is current.
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
    enum retrace_sets sets;                   /* by them */
    const struct retrace_list_before *before; /* what it was then; NULL: nobody knows */
};

/*
 * Their vertices as arrays in memory, their blocks, and `late`: what was current before, and is not
 * in `before`, has a part in them. NULL, or why that is not known. The caller has asked
 * retrace_can_push().
 */
const char *retrace_begun_read(const struct retrace *retrace,
                               const struct retrace_begun_source *source,
                               struct retrace_draw_call *out);

#endif

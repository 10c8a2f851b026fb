/* SPDX-License-Identifier: MIT */
/*
 * Repeats the draw after which the session has stopped, with rasterisation off, and captures it by
 * transform feedback. Restores all state afterwards. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CAPTURE_H
#define GPUDUMPFS_GLWORKER_GL_CAPTURE_H

#include "glworker/gl/draw_call.h"

/* How the draw is made. */
struct retrace_again {
    const struct retrace_draw_call *draw; /* its vertices; NULL to make the call unchanged */
    GLenum mode;                          /* mode of the primitives */
    int64_t instances;                    /* number of instances to draw, from the first on */
    bool as_points;                       /* draw all blocks of lists as points, ignoring `mode` */
    /*
     * Unless `as_points`: draw only the blocks of lists that make these primitives, or all for
     * RETRACE_ANY_KIND.
     */
    GLenum kind;
};

/*
 * Returns NULL, or the reason why the call at hand cannot be made once more: the trace or the
 * driver prevents it.
 */
const char *retrace_capture_obstacle(struct retrace *retrace);

/*
 * Counts the primitives that reach the rasteriser, as GL_POINTS, GL_LINES or GL_TRIANGLES. The
 * program in use must capture something. Returns false if the driver cannot count them.
 */
bool retrace_capture_count(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                           uint64_t *primitives);

/*
 * Captures the first `count` primitives, whose corners have `components` values of four bytes each.
 * Sets *captured to the number of primitives captured. Returns the values, which the caller frees,
 * or NULL on failure.
 */
float *retrace_capture(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                       unsigned components, uint64_t count, uint64_t *captured);

/* Returns the number of corners of a primitive of this kind. */
unsigned retrace_corners(GLenum kind);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The draw behind which the session stands made once more, while nothing is rasterised, for what
 * transform feedback captures of it. State is afterwards as it was. The worker's one thread; the
 * context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CAPTURE_H
#define GPUDUMPFS_GLWORKER_GL_CAPTURE_H

#include "glworker/gl/draw_call.h"

/* How it is made. */
struct retrace_again {
    const struct retrace_draw_call *draw; /* its vertices; NULL: the call as it is */
    GLenum mode;                          /* of them */
    int64_t instances;                    /* the first ones, of all */
    bool as_points;                       /* of lists, instead of `mode`: all blocks … */
    GLenum kind; /* … or those that make these primitives, or RETRACE_ANY_KIND, as they are */
};

/* NULL, or why the trace, or the driver, does not let the call at hand be made once more. */
const char *retrace_capture_obstacle(struct retrace *retrace);

/*
 * How many primitives come to the rasteriser, as GL_POINTS, GL_LINES or GL_TRIANGLES; false: the
 * driver does not tell. The program in use captures something.
 */
bool retrace_capture_count(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                           uint64_t *primitives);

/*
 * Captures the first `count` of them, whose corners have so many components of four bytes: how many
 * there were in *captured, and their values for free(). NULL: it cannot be had.
 */
float *retrace_capture(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                       unsigned components, uint64_t count, uint64_t *captured);

/* Corners of a primitive of such a kind. */
unsigned retrace_corners(GLenum kind);

#endif

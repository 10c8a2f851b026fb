/* SPDX-License-Identifier: MIT */
/*
 * Where the vertex stage of a draw puts its vertices: they are drawn once more, as points that
 * nothing rasterises, by a copy of the program, which transform feedback captures. State is
 * afterwards as it was. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_POSITIONS_H
#define GPUDUMPFS_GLWORKER_GL_POSITIONS_H

#include "glworker/gl/gl.h"

/* The vertices that a draw fetches. */
struct retrace_points {
    const struct retrace_binding *binding; /* of the draw */
    int64_t count, first, base, first_instance;
    GLenum type;         /* of indices; GL_NONE: there are none */
    const void *indices; /* memory, or an offset in the buffer that is bound */
    uint64_t captured;   /* vertices, less what restarts primitives */
};

/* Four floats for each that is captured, for free(); NULL: they cannot be had, and *why says why.
 */
float *retrace_positions(const struct retrace *retrace, const struct retrace_points *points,
                         const char **why);

#endif

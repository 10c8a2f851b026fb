/* SPDX-License-Identifier: MIT */
/*
 * Where the vertex stage of the draw at hand puts its vertices: they are drawn once more, as points
 * that nothing rasterises, by a copy of the program, which transform feedback captures. State is
 * afterwards as it was. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_POSITIONS_H
#define GPUDUMPFS_GLWORKER_GL_POSITIONS_H

#include "glworker/gl/draw_call.h"

/*
 * Four floats for each vertex that is fetched, less what restarts primitives, of one instance that
 * is told after the other, and of several draws one draw after the other, for free(); NULL: they
 * cannot be had, and *why says why.
 */
float *retrace_positions(struct retrace *retrace, const struct retrace_draw_call *draw,
                         const char **why);

#endif

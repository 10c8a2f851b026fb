/* SPDX-License-Identifier: MIT */
/*
 * Finds the positions that the vertex stage computes in the draw at hand: draws its vertices once
 * more, as points that are not rasterised, with a copy of the program, and captures them by
 * transform feedback. Restores all state afterwards. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_POSITIONS_H
#define GPUDUMPFS_GLWORKER_GL_POSITIONS_H

#include "glworker/gl/draw_call.h"

/*
 * Returns four floats for each vertex that is fetched (indices that restart primitives are left
 * out), for as many instances as texts show, instance after instance, and draw after draw if there
 * are several. The caller frees the result. Returns NULL, with the reason in *why, if the positions
 * cannot be captured.
 */
float *retrace_positions(struct retrace *retrace, const struct retrace_draw_call *draw,
                         const char **why);

#endif

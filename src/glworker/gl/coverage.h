/* SPDX-License-Identifier: MIT */
/*
 * Finds which pixels a draw covers and how often, and where the edges of its primitives are. Before
 * the draw itself is made, it is made on a framebuffer of the worker's own, with a copy of the
 * depths and stencil values against which it is tested. Each fragment there halves the value of its
 * pixel by blending, whatever the shader outputs. All state is restored afterwards. Called on the
 * worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_COVERAGE_H
#define GPUDUMPFS_GLWORKER_GL_COVERAGE_H

#include "glworker/gl/gl.h"

/*
 * Returns what can be found of a function's calls in this way, as enum apitrace_covered_by, or 0
 * for nothing.
 */
unsigned retrace_can_cover(const struct retrace *retrace, const struct retrace_binding *binding);

/*
 * Returns whether a function's calls can be captured once more without effects that the trace can
 * see.
 */
bool retrace_can_capture(const struct retrace *retrace, const struct retrace_binding *binding);

/*
 * Adds what the draw covers to `pixels`, in the form of APITRACE_MESSAGE_WATCHED, rows from the
 * bottom. `room` has a float for each pixel. Returns false if the driver failed to do it.
 */
bool retrace_cover(struct retrace *retrace, const struct retrace_repeat *repeat, uint32_t width,
                   uint32_t height, uint32_t *pixels, float *room);

#endif

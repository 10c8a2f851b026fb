/* SPDX-License-Identifier: MIT */
/*
 * Which pixels a draw covers, how often, and where the edges of its primitives are. Before the draw
 * is made it is made on a framebuffer of our own, with a copy of the depths and stencil values that
 * it is tested by: blending there leaves half of what was there, whatever the shader says. All
 * state is afterwards as it was. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_COVERAGE_H
#define GPUDUMPFS_GLWORKER_GL_COVERAGE_H

#include "glworker/gl/gl.h"

/*
 * What can be told of a function's calls where they are made so, of enum apitrace_covered_by; 0:
 * nothing.
 */
unsigned retrace_can_cover(const struct retrace *retrace, const struct retrace_binding *binding);

/* Whether a function's calls can be captured once more, with nothing else seeing that. */
bool retrace_can_capture(const struct retrace *retrace, const struct retrace_binding *binding);

/*
 * Adds what the draw covers to `pixels`, as APITRACE_MESSAGE_WATCHED tells them, rows from below;
 * `room` has a float for each. False: the driver did not do it.
 */
bool retrace_cover(struct retrace *retrace, const struct retrace_repeat *repeat, uint32_t width,
                   uint32_t height, uint32_t *pixels, float *room);

#endif

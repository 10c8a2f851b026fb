/* SPDX-License-Identifier: MIT */
/*
 * Finds what became of the fragments of a draw at a pixel that it left unchanged. The draw is
 * repeated for that pixel alone: a query counts fragments, nothing is written, and tests are
 * disabled and then enabled one by one. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROBE_H
#define GPUDUMPFS_GLWORKER_GL_PROBE_H

#include "glworker/gl/call.h"
#include "glworker/gl/surfaces.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns whether draws in the context leave pixels, and do so immediately. */
bool retrace_draws_pixels(const struct retrace_context *context);
/*
 * Returns whether a function's calls draw the same, and nothing else, when they are repeated by
 * libffi.
 */
bool retrace_can_repeat(const struct retrace *retrace, const struct retrace_binding *binding);
/* Returns whether a repetition has no effect that the trace can see. */
bool retrace_can_probe(const struct retrace *retrace, const struct retrace_call *call);
/*
 * Returns enum apitrace_pixel_outcome, or APITRACE_PIXEL_OUTCOMES if the draw had no fragment
 * there, or the outcome is unknown.
 */
uint32_t retrace_probe(const struct retrace *retrace, const struct retrace_repeat *repeat,
                       uint32_t x, uint32_t y);

#endif

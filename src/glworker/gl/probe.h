/* SPDX-License-Identifier: MIT */
/*
 * What has become of the fragments that a draw had for a pixel which is as it was. The draw is made
 * again for that pixel alone, counting, with nothing written and tests left out. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROBE_H
#define GPUDUMPFS_GLWORKER_GL_PROBE_H

#include "glworker/gl/call.h"
#include "glworker/gl/surfaces.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether draws of the context leave pixels, and at once. */
bool retrace_draws_pixels(const struct retrace_context *context);
/* Whether a function's calls, made with libffi once more, draw what they drew, and nothing else. */
bool retrace_can_repeat(const struct retrace *retrace, const struct retrace_binding *binding);
/* Whether that has no effect on anything that the trace can see. */
bool retrace_can_probe(const struct retrace *retrace, const struct retrace_call *call);
/* enum apitrace_pixel_outcome; APITRACE_PIXEL_OUTCOMES: it had none, or nobody can tell. */
uint32_t retrace_probe(const struct retrace *retrace, const struct retrace_repeat *repeat,
                       uint32_t x, uint32_t y);

#endif

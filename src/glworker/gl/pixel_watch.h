/* SPDX-License-Identifier: MIT */
/*
 * What calls do to a drawable, looked at behind each that may draw on it (worker.md 6.8). One
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PIXEL_WATCH_H
#define GPUDUMPFS_GLWORKER_GL_PIXEL_WATCH_H

#include "glworker/core/serve.h"
#include "glworker/gl/call.h"

#include <stdint.h>

/* How a function's calls may change what framebuffer 0 holds: enum retrace_paints. */
uint8_t retrace_watch_paints(const struct apitrace_function *function);

/* Before what libffi makes, in its midst. */
void retrace_watch_making(struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_repeat *repeat);
/* Before and behind such a call, if the feed watches; and at once behind what is made by libffi. */
void retrace_watch_before(struct retrace *retrace, const struct retrace_call *call);
void retrace_watch_made(struct retrace *retrace, const struct retrace_call *call,
                        const struct retrace_repeat *repeat);
void retrace_watch_after(struct retrace *retrace, const struct retrace_call *call);
/* The watch ends, if there is one. */
void retrace_watch_end(struct retrace *retrace);
serve_handler retrace_handle_watch, retrace_handle_watched;

#endif

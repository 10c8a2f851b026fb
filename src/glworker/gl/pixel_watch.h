/* SPDX-License-Identifier: MIT */
/*
 * Watches what calls do to a drawable, by reading it after each call that may draw on it (worker.md
 * 6.8). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PIXEL_WATCH_H
#define GPUDUMPFS_GLWORKER_GL_PIXEL_WATCH_H

#include "glworker/core/serve.h"
#include "glworker/gl/call.h"

#include <stdint.h>

/* Returns how a function's calls may change what framebuffer 0 holds: enum retrace_paints. */
uint8_t retrace_watch_paints(const struct apitrace_function *function);

/*
 * If the feed watches: call this for a draw or a list, immediately before the driver's function is
 * called.
 */
void retrace_watch_making(struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_repeat *repeat);
/*
 * If the feed watches: call the first function before a call that may draw and the last one after
 * it, and the other one immediately after the driver's function was called.
 */
void retrace_watch_before(struct retrace *retrace, const struct retrace_call *call);
void retrace_watch_made(struct retrace *retrace, const struct retrace_call *call,
                        const struct retrace_repeat *repeat);
void retrace_watch_after(struct retrace *retrace, const struct retrace_call *call);
/* Ends the watch, if there is one. */
void retrace_watch_end(struct retrace *retrace);
serve_handler retrace_handle_watch, retrace_handle_watched;

#endif

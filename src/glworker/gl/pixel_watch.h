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
 * If the feed watches, the next four functions are called around each call that may draw, in the
 * order before, making, made, after. Making is only called for draws and lists, and made only for
 * draws.
 */
/* Immediately before the driver's function is called, for a draw or a list. */
void retrace_watch_making(struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_repeat *repeat);
/* Before retrace_run(). */
void retrace_watch_before(struct retrace *retrace, const struct retrace_call *call);
/* Immediately after the driver's function was called, for a draw. */
void retrace_watch_made(struct retrace *retrace, const struct retrace_call *call,
                        const struct retrace_repeat *repeat);
/* After retrace_run(), if the call was made. */
void retrace_watch_after(struct retrace *retrace, const struct retrace_call *call);
/* Ends the watch, if there is one. */
void retrace_watch_end(struct retrace *retrace);
serve_handler retrace_handle_watch, retrace_handle_watched;

#endif

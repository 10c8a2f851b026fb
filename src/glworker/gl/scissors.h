/* SPDX-License-Identifier: MIT */
/*
 * The boxes of the scissor, which the trace has set, and others for a moment in their place. The
 * worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SCISSORS_H
#define GPUDUMPFS_GLWORKER_GL_SCISSORS_H

#include "glworker/gl/gl.h"

enum { RETRACE_VIEWPORTS = 16 }; /* that a context has at most */

struct retrace_scissors {
    unsigned viewports; /* 1: the context has no more, and others functions */
    GLboolean on[RETRACE_VIEWPORTS];
    GLint boxes[RETRACE_VIEWPORTS][4];
};

void retrace_scissors_save(const struct retrace_context *context, struct retrace_scissors *out);
void retrace_scissors_restore(const struct retrace_scissors *scissors);

/* Whether a viewport's box lets the pixel through. */
bool retrace_scissors_let(const struct retrace_scissors *scissors, unsigned viewport, uint32_t x,
                          uint32_t y);
/* Whether none does. */
bool retrace_scissors_keep_away(const struct retrace_scissors *scissors, uint32_t x, uint32_t y);

/* Of all that is let through that pixel alone is. */
void retrace_scissors_narrow(const struct retrace_scissors *scissors, uint32_t x, uint32_t y);

#endif

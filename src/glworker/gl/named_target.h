/* SPDX-License-Identifier: MIT */
/*
 * Calls that name the framebuffer that they draw on: glClearNamedFramebuffer() and
 * glBlitNamedFramebuffer(). One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_NAMED_TARGET_H
#define GPUDUMPFS_GLWORKER_GL_NAMED_TARGET_H

#include "glworker/gl/gl.h"

/* What retrace_named_target_bind() has changed. */
struct retrace_named_target {
    bool changed;
    GLint drawn; /* the framebuffer that was bound for drawing */
};

/*
 * If the call at hand names the framebuffer that it draws on, binds that for drawing. Call
 * retrace_named_target_end() afterwards.
 */
void retrace_named_target_bind(struct retrace *retrace, struct retrace_named_target *saved);
void retrace_named_target_end(const struct retrace_named_target *saved);

#endif

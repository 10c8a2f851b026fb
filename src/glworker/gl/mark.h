/* SPDX-License-Identifier: MIT */
/*
 * Going back: a mark stands at a place of the trace between two calls, and the session goes back to
 * it as often as wanted, at the cost of what was set since (worker.md 6.11). OpenGL gives nothing
 * back that was made, so while a mark stands calls are run that set what can be pushed, or draw to
 * framebuffer 0; the first other one is not run. What framebuffer 0 holds is not gone back to.
 * The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MARK_H
#define GPUDUMPFS_GLWORKER_GL_MARK_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/* How calls of a function may be run while a mark stands; found out once. */
enum retrace_marked retrace_marked(const char *name);

/* Whether that call may be run; true, too, where no mark stands. */
bool retrace_mark_allows(struct retrace *retrace, const struct retrace_call *call);

/* How much deeper a stack is for a mark's sake, by the enumerator of its depth. */
GLint retrace_mark_depth(GLenum what);

/* Without going back: the session ends. */
void retrace_mark_drop(struct retrace *retrace);

serve_handler retrace_handle_mark, retrace_handle_back;

#endif

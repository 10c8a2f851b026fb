/* SPDX-License-Identifier: MIT */
/*
 * Going back: a mark is set at a place of the trace between two calls. The session can return to it
 * any number of times, at the cost of restoring what was set since (worker.md 6.11). OpenGL cannot
 * undo the creation of objects, so while a mark is set, only calls are run that set state which can
 * be pushed, or draw to framebuffer 0; the session stops before the first other call. The contents
 * of framebuffer 0 are not restored. Called on the worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MARK_H
#define GPUDUMPFS_GLWORKER_GL_MARK_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/* Returns how calls of a function may be run while a mark is set. Called once per function. */
enum retrace_marked retrace_marked(const char *name);

/* Returns whether the call may be run; always true if no mark is set. */
bool retrace_mark_allows(struct retrace *retrace, const struct retrace_call *call);

/*
 * Returns how many entries the mark has pushed on a stack, given by the enumerator of the stack's
 * depth.
 */
GLint retrace_mark_depth(GLenum what);

/* Drops the mark, if there is one, without going back. */
void retrace_mark_drop(struct retrace *retrace);

serve_handler retrace_handle_mark, retrace_handle_back;

#endif

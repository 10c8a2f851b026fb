/* SPDX-License-Identifier: MIT */
/*
 * Makes pictures of what a trace draws on, and of its textures, for the daemon (worker.md 6). One
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PICTURES_H
#define GPUDUMPFS_GLWORKER_GL_PICTURES_H

#include "glworker/core/serve.h"
#include "glworker/gl/surfaces.h"

/*
 * Returns the thread in which the call at hand draws, or the last call if there is none at hand.
 * Returns NULL if no thread has a context.
 */
struct retrace_thread *retrace_drawing_thread(struct retrace *retrace);

serve_handler retrace_handle_picture, retrace_handle_texture;

#endif

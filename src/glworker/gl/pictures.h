/* SPDX-License-Identifier: MIT */
/*
 * Pictures of what a trace draws on, and of its textures, for the daemon (worker.md 6). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PICTURES_H
#define GPUDUMPFS_GLWORKER_GL_PICTURES_H

#include "glworker/core/serve.h"
#include "glworker/gl/surfaces.h"

/* The thread that the call at hand, or the last one, draws in; NULL: none has a context. */
struct retrace_thread *retrace_drawing_thread(struct retrace *retrace);

serve_handler retrace_handle_picture, retrace_handle_texture;

#endif

/* SPDX-License-Identifier: MIT */
/* Sends the daemon what a draw saw (worker.md 6.9). One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_MESSAGE_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_MESSAGE_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/*
 * Makes the context of the last call's thread current. If there is none, refuses the request, sets
 * *status and returns NULL.
 */
struct retrace *retrace_draw_enter(struct serve_answer *answer, int *status);

serve_handler retrace_handle_draw_text;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a draw saw is told to the daemon (worker.md 6.9). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_MESSAGE_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_MESSAGE_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/* Makes the context current that the last call's thread has; NULL, and it is
 * refused with *status, for none. */
struct retrace *retrace_draw_enter(struct serve_answer *answer, int *status);

serve_handler retrace_handle_draw_text;

#endif

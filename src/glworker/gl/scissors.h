/* SPDX-License-Identifier: MIT */
/*
 * The scissor boxes that the trace has set, and other boxes that replace them temporarily. Called
 * on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SCISSORS_H
#define GPUDUMPFS_GLWORKER_GL_SCISSORS_H

#include "glworker/gl/gl.h"

enum { RETRACE_VIEWPORTS = 16 }; /* maximum of a context */

struct retrace_scissors {
    unsigned viewports; /* 1 if the context has only one, set by other functions */
    GLboolean on[RETRACE_VIEWPORTS];
    GLint boxes[RETRACE_VIEWPORTS][4];
};

void retrace_scissors_save(const struct retrace_context *context, struct retrace_scissors *out);
void retrace_scissors_restore(const struct retrace_scissors *scissors);

/* Returns whether a viewport's box lets the pixel through. */
bool retrace_scissors_let(const struct retrace_scissors *scissors, unsigned viewport, uint32_t x,
                          uint32_t y);
/* Returns whether no viewport's box lets the pixel through. */
bool retrace_scissors_keep_away(const struct retrace_scissors *scissors, uint32_t x, uint32_t y);

/* Restricts each viewport to that pixel if its box lets the pixel through, otherwise to nothing. */
void retrace_scissors_narrow(const struct retrace_scissors *scissors, uint32_t x, uint32_t y);

#endif

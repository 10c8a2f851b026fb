/* SPDX-License-Identifier: MIT */
/*
 * Reads the vertices that plain lists (lists.h) draw when the call at hand calls them, in one block
 * for each glBegin() to glEnd(), and makes them again. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CALLED_LISTS_H
#define GPUDUMPFS_GLWORKER_GL_CALLED_LISTS_H

#include "glworker/gl/draw_call.h"

/*
 * Notes that lists are about to be called, given by their names here. If the session may stop after
 * the call, keeps the state before it, because the lists may change that state.
 */
void retrace_called_lists_note(struct retrace *retrace, const uint32_t *names, uint64_t count);
void retrace_called_lists_free(struct retrace *retrace);

/* Returns whether a call calls lists. */
bool retrace_calls_lists(const struct retrace_call *call);
/* Reads what the call draws. The result is valid until the next call. */
retrace_draw_reader retrace_called_lists_read;

enum { RETRACE_ANY_KIND = 0xFFFF };
/* Makes the lists' calls again, and draws all vertices as points. Errors of OpenGL stay set. */
void retrace_called_lists_make_points(const struct retrace *retrace,
                                      const struct retrace_draw_call *draw);
/*
 * Makes the lists' calls again, and draws blocks unchanged: those whose primitives are of `kind`,
 * or all for RETRACE_ANY_KIND. Errors of OpenGL stay set.
 */
void retrace_called_lists_make(const struct retrace *retrace, const struct retrace_draw_call *draw,
                               GLenum kind);

#endif

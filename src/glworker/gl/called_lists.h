/* SPDX-License-Identifier: MIT */
/*
 * What is drawn by plain lists (lists.h) that the call at hand calls: their vertices, in blocks of
 * what stands between a glBegin() and its glEnd(), which may be made again. The worker's one
 * thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CALLED_LISTS_H
#define GPUDUMPFS_GLWORKER_GL_CALLED_LISTS_H

#include "glworker/gl/draw_call.h"

/* Lists are called, by their names here. Behind such a call the session may stop: what is there
 * before is kept, as lists may leave something else. */
void retrace_called_lists_note(struct retrace *retrace, const uint32_t *names, uint64_t count);
void retrace_called_lists_free(struct retrace *retrace);

/* Whether a call calls lists. */
bool retrace_calls_lists(const struct retrace_call *call);
/* What it draws; it lives until the next call. */
retrace_draw_reader retrace_called_lists_read;

enum { RETRACE_ANY_KIND = 0xFFFF };
/*
 * Makes it again, all of it as points; or else, of those that make primitives of a kind, or of
 * RETRACE_ANY_KIND, the blocks as they are. Errors stay.
 */
void retrace_called_lists_make_points(const struct retrace *retrace,
                                      const struct retrace_draw_call *draw);
void retrace_called_lists_make(const struct retrace *retrace, const struct retrace_draw_call *draw,
                               GLenum kind);

#endif

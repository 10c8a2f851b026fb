/* SPDX-License-Identifier: MIT */
/*
 * What glRect() draws: four vertices with what is current. The worker's one thread; the context is
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RECTANGLE_H
#define GPUDUMPFS_GLWORKER_GL_RECTANGLE_H

#include "glworker/gl/draw_call.h"

/* Whether a call is one of glRect(). */
bool retrace_is_rectangle(const struct retrace_call *call);
/* What it draws. */
retrace_draw_reader retrace_rectangle_read;
/* Draws its corners, as points. */
void retrace_rectangle_make_points(const struct retrace_draw_call *draw);

#endif

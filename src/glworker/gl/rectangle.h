/* SPDX-License-Identifier: MIT */
/*
 * Reads what glRect() draws: four vertices with the current values. Called on the worker's one
 * thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RECTANGLE_H
#define GPUDUMPFS_GLWORKER_GL_RECTANGLE_H

#include "glworker/gl/draw_call.h"

/* Returns whether a call is glRect() in one of its variants. */
bool retrace_is_rectangle(const struct retrace_call *call);
/* Reads what the call draws. */
retrace_draw_reader retrace_rectangle_read;
/* Draws its corners as points. */
void retrace_rectangle_make_points(const struct retrace_draw_call *draw);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The current values and matrices before lists are called, to restore them when the lists' draws
 * are read, because lists may change them. Called on the worker's one thread, with a context of
 * fixed functions current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_STATE_H
#define GPUDUMPFS_GLWORKER_GL_LIST_STATE_H

#include "glworker/gl/begun_calls.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/matrices.h"

struct retrace_list_before {
    GLint mode, active; /* matrix mode; active unit */
    GLint units, coordinates;
    GLfloat modelview[16], projection[16], matrices[RETRACE_UNITS_MAX][16];
    GLfloat color[4], secondary[4], normal[3], fog;
    GLfloat coords[RETRACE_BEGUN_UNITS][4];
};

/* Saves the state. */
void retrace_list_before_save(struct retrace_list_before *out);
/*
 * Loads the state. Call this after retrace_push(RETRACE_SETS_STATE); retrace_pop() then restores
 * what was before.
 */
void retrace_list_before_load(const struct retrace_list_before *before);

#endif

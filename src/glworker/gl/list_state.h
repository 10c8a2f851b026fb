/* SPDX-License-Identifier: MIT */
/*
 * What is current and which matrices there are before lists are called, to be so again when what
 * they draw is told: lists may leave others. The worker's one thread; the context is current and
 * one of fixed functions.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_STATE_H
#define GPUDUMPFS_GLWORKER_GL_LIST_STATE_H

#include "glworker/gl/begun_calls.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/matrices.h"

struct retrace_list_before {
    GLint mode, active; /* of matrices, unit */
    GLint units, coordinates;
    GLfloat modelview[16], projection[16], matrices[RETRACE_UNITS_MAX][16];
    GLfloat color[4], secondary[4], normal[3], fog;
    GLfloat coords[RETRACE_BEGUN_UNITS][4];
};

void retrace_list_before_save(struct retrace_list_before *out);
/* Behind retrace_push(RETRACE_SETS_STATE), which has all put back later. */
void retrace_list_before_load(const struct retrace_list_before *before);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What is current for vertices outside of glBegin() and glEnd(), by slots of arrays (arrays.h). The
 * worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_VERTEX_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_VERTEX_VALUES_H

#include "glworker/gl/draw_fetch.h"

/* Of floats, integers or doubles, as the vertex stage gets it. */
union retrace_current {
    GLfloat floats[4];
    GLint integers[4];
    GLuint naturals[4];
    GLdouble doubles[4];
};

/* What is current of that type; a vertex' place never is, and *out stays. */
void retrace_current_ask(unsigned slot, GLenum type, union retrace_current *out);

/* Sets numbers of that type. */
void retrace_current_set(GLenum type, const double numbers[4], union retrace_current *out);

/* What an element of an array makes current, and of which type; attribute 0 is a vertex' place. */
unsigned retrace_current_slot(const struct retrace_fetch *fetch);
GLenum retrace_current_type(const struct retrace_fetch *fetch);

/* The name of the array that has the same. */
void retrace_current_name(const struct retrace *retrace, unsigned slot, char name[64]);

#endif

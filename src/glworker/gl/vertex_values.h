/* SPDX-License-Identifier: MIT */
/*
 * Current values of vertex attributes outside of glBegin() and glEnd(), by slots of arrays
 * (arrays.h). Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_VERTEX_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_VERTEX_VALUES_H

#include "glworker/gl/draw_fetch.h"

/* Floats, integers or doubles, as the vertex stage gets them. */
union retrace_current {
    GLfloat floats[4];
    GLint integers[4];
    GLuint naturals[4];
    GLdouble doubles[4];
};

/*
 * Queries the current value of a slot in that type. Leaves *out unchanged for the position, which
 * is never current.
 */
void retrace_current_ask(unsigned slot, GLenum type, union retrace_current *out);

/* Stores numbers as that type. */
void retrace_current_set(GLenum type, const double numbers[4], union retrace_current *out);

/* Returns the slot that an element of an array makes current. Attribute 0 is the position. */
unsigned retrace_current_slot(const struct retrace_fetch *fetch);

/* Returns the type of that value: GL_FLOAT, GL_INT and so on. */
GLenum retrace_current_type(const struct retrace_fetch *fetch);

/* Writes the name of the array of the same slot. */
void retrace_current_name(const struct retrace *retrace, unsigned slot, char name[64]);

#endif

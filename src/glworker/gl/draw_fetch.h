/* SPDX-License-Identifier: MIT */
/*
 * Arrays that are on, whether attributes' or those of fixed functions. One thread; the context is
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_FETCH_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_FETCH_H

#include "glworker/gl/gl.h"

#include <stdbool.h>
#include <stdint.h>

/* One of them. */
struct retrace_fetch {
    char name[64]; /* of the attribute in its program, or OpenGL's of the array */
    uint32_t slot; /* as arrays.c counts them: attributes from RETRACE_SLOT_NUMBERS on */
    GLenum type;
    GLint components; /* 1 to 4; GL_BGRA: 4, blue first */
    GLint stride;     /* bytes; 0: all have one element */
    GLint divisor;    /* instances that an element is for, 0: a vertex */
    bool normalized, integer;
    GLuint buffer;         /* by its name here; 0: none */
    uint64_t offset;       /* in it */
    const uint8_t *memory; /* of the trace, without a buffer; NULL: none is known */
    uint64_t size;         /* of that */
};

/* How many there are, RETRACE_FETCHES_MAX at most. */
enum { RETRACE_FETCHES_MAX = 64 };
unsigned retrace_fetches(const struct retrace *retrace, struct retrace_fetch *out);
/* The name that the programs have for an attribute's location, and its type; or OpenGL's, and
 * GL_NONE. */
GLenum retrace_fetch_name_attribute(const struct retrace *retrace, GLint location, char name[64]);
/* Bytes of an element of an array. */
unsigned retrace_fetch_bytes(const struct retrace_fetch *fetch);
/* One element as the vertex stage gets it; how many values there are. */
unsigned retrace_fetch_decode(const struct retrace_fetch *fetch, const uint8_t *element,
                              double values[4]);

#endif

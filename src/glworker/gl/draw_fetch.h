/* SPDX-License-Identifier: MIT */
/* The enabled arrays of attributes and of fixed functions. One thread; the context is current. */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_FETCH_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_FETCH_H

#include "glworker/gl/gl.h"

#include <stdbool.h>
#include <stdint.h>

/* An enabled array. */
struct retrace_fetch {
    char name[64]; /* of the attribute in its program, or OpenGL's name of the array */
    uint32_t slot; /* numbered as in arrays.h: attributes from RETRACE_SLOT_NUMBERS on */
    GLenum type;
    GLint components; /* 1 to 4; 4 for GL_BGRA, which has blue first */
    GLint stride;     /* bytes; 0 if all vertices share one element */
    GLint divisor;    /* instances per element; 0 if each vertex has its own element */
    bool normalized, integer;
    GLuint buffer;         /* its name here; 0 if there is none */
    uint64_t offset;       /* in the buffer */
    const uint8_t *memory; /* of the trace, if there is no buffer; NULL if unknown */
    uint64_t size;         /* of `memory` */
};

/* Writes the enabled arrays, RETRACE_FETCHES_MAX at most, and returns their number. */
enum { RETRACE_FETCHES_MAX = 64 };
unsigned retrace_fetches(const struct retrace *retrace, struct retrace_fetch *out);
/*
 * Writes the name that programs have for an attribute's location and returns its type, or writes
 * OpenGL's name of the array and returns GL_NONE.
 */
GLenum retrace_fetch_name_attribute(const struct retrace *retrace, GLint location, char name[64]);
/* Returns the bytes of an element of an array. */
unsigned retrace_fetch_bytes(const struct retrace_fetch *fetch);
/* Converts an element to the values that the vertex stage gets. Returns their number. */
unsigned retrace_fetch_decode(const struct retrace_fetch *fetch, const uint8_t *element,
                              double values[4]);

#endif

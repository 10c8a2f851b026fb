/* SPDX-License-Identifier: MIT */
/*
 * Interprets recorded calls that may occur between glBegin() and glEnd(), by their names: what they
 * set, and to which numbers. One thread. Does not query the driver.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BEGUN_CALLS_H
#define GPUDUMPFS_GLWORKER_GL_BEGUN_CALLS_H

#include "glworker/gl/arrays.h"
#include "glworker/gl/recording.h"

enum {
    RETRACE_BEGUN_UNITS = 8,
    RETRACE_BEGUN_NUMBERS = 32,
    RETRACE_BEGUN_SLOTS = RETRACE_SLOT_NUMBERS + RETRACE_BEGUN_NUMBERS, /* slots as in arrays.h */
};

enum retrace_begun_kind {
    RETRACE_BEGUN_OTHER,    /* not known here */
    RETRACE_BEGUN_VERTEX,   /* a vertex, of slot RETRACE_SLOT_VERTEX */
    RETRACE_BEGUN_SETS,     /* sets a current value for the vertices that follow */
    RETRACE_BEGUN_MATERIAL, /* not an attribute of vertices */
    RETRACE_BEGUN_FLAG,
    RETRACE_BEGUN_ELEMENT, /* glArrayElement() */
    RETRACE_BEGUN_EVALUATES,
};

struct retrace_begun_call {
    enum retrace_begun_kind kind;
    unsigned slot, components;
    GLenum type; /* in which the vertex stage gets the numbers: float, integer or double */
    bool normalized;
    bool packed;
    unsigned first; /* index of the first argument with numbers */
};

/*
 * Interprets a call. The kind is RETRACE_BEGUN_OTHER if the name is unknown or the arguments do not
 * fit it.
 */
void retrace_begun_call(const struct retrace_recorded *call, struct retrace_begun_call *out);

/* Writes four components. Those that the call does not give are 0, except the last, which is 1. */
void retrace_begun_numbers(const struct retrace_recorded *call,
                           const struct retrace_begun_call *begun, double numbers[4]);

/* Reads a number of a type (functions.h) at any address, aligned or not. */
double retrace_number(unsigned type, const uint8_t *at);
/*
 * Returns an argument that is a value, or the n-th number that it points to; 0 if it is not there.
 */
double retrace_recorded_number(const struct retrace_recorded *call, unsigned argument, unsigned n);

/*
 * Writes the corners of a glRect() call: x1, y1, x2 and y2. Returns false if the call is another
 * function, or the corners are not there.
 */
bool retrace_recorded_rectangle(const struct retrace_recorded *call, double corners[4]);

#endif

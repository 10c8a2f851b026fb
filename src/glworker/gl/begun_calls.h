/* SPDX-License-Identifier: MIT */
/*
 * Calls that may stand between glBegin() and glEnd(), as they were recorded, told apart by their
 * names: what they set, and with which numbers. One thread; the driver is not asked.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BEGUN_CALLS_H
#define GPUDUMPFS_GLWORKER_GL_BEGUN_CALLS_H

#include "glworker/gl/arrays.h"
#include "glworker/gl/recording.h"

enum {
    RETRACE_BEGUN_UNITS = 8,
    RETRACE_BEGUN_NUMBERS = 32,
    RETRACE_BEGUN_SLOTS = RETRACE_SLOT_NUMBERS + RETRACE_BEGUN_NUMBERS, /* as arrays.h has them */
};

enum retrace_begun_kind {
    RETRACE_BEGUN_OTHER,    /* none that is known here */
    RETRACE_BEGUN_VERTEX,   /* a vertex, of slot RETRACE_SLOT_VERTEX */
    RETRACE_BEGUN_SETS,     /* what is current for the vertices that follow */
    RETRACE_BEGUN_MATERIAL, /* no attribute of vertices */
    RETRACE_BEGUN_FLAG,
    RETRACE_BEGUN_ELEMENT, /* glArrayElement() */
    RETRACE_BEGUN_EVALUATES,
};

struct retrace_begun_call {
    enum retrace_begun_kind kind;
    unsigned slot, components;
    GLenum type; /* that the vertex stage gets: of floats, integers or doubles */
    bool normalized;
    bool packed;
    unsigned first; /* argument with its numbers */
};

/* A call's meaning; RETRACE_BEGUN_OTHER: also where arguments do not fit the name. */
void retrace_begun_call(const struct retrace_recorded *call, struct retrace_begun_call *out);

/* The components of a vertex; those that the call does not tell are 0, and the last one 1. */
void retrace_begun_numbers(const struct retrace_recorded *call,
                           const struct retrace_begun_call *begun, double numbers[4]);

/* A number of a type (functions.h) that is anywhere in memory. */
double retrace_number(unsigned type, const uint8_t *at);
/* An argument that is a value, or the n-th number behind it; 0: it is not there. */
double retrace_recorded_number(const struct retrace_recorded *call, unsigned argument, unsigned n);

/* Corners of glRect(), and of no other function: x1, y1, x2 and y2; false: they are not there. */
bool retrace_recorded_rectangle(const struct retrace_recorded *call, double corners[4]);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the GLSL programs that the draw at hand uses. One thread; the context is current. */
#ifndef GPUDUMPFS_GLWORKER_GL_PROGRAMS_H
#define GPUDUMPFS_GLWORKER_GL_PROGRAMS_H

#include "glworker/gl/gl.h"

#include <stdint.h>

/* A program that draws use: its name here, and its name in the trace. */
struct retrace_program_here {
    GLuint name;
    uint64_t old;
};
enum { RETRACE_PROGRAMS_MAX = 8 };
/* Writes the current program, or those of the pipeline, each once. Returns their number. */
unsigned retrace_programs(const struct retrace *retrace, struct retrace_program_here *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which programs of GLSL the draw at hand uses. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROGRAMS_H
#define GPUDUMPFS_GLWORKER_GL_PROGRAMS_H

#include "glworker/gl/gl.h"

#include <stdint.h>

/* A program that draws use: by its name here, and as the trace has it. */
struct retrace_program_here {
    GLuint name;
    uint64_t old;
};
enum { RETRACE_PROGRAMS_MAX = 8 };
/* The current program, or those of the pipeline, each once; how many. */
unsigned retrace_programs(const struct retrace *retrace, struct retrace_program_here *out);

#endif

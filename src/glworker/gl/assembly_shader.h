/* SPDX-License-Identifier: MIT */
/*
 * The text of an ARB vertex program (GL_ARB_vertex_program, "!!ARBvp1.0") as a vertex shader of
 * GLSL that computes the same numbers. Pure functions of any text; one thread.
 *
 * The shader has "uniform vec4 parameters[parameter_count]" for what is known when the program
 * runs, attributes "attribute1" and so on for the generic ones of these locations, and "out vec4
 * result1" and so on, or float, for results but the position.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_SHADER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_SHADER_H

#include "glworker/gl/assembly_bindings.h"

#include <stdbool.h>

/* False: *why says why there is none, and *out is empty. */
bool retrace_assembly_translate(const char *text, struct retrace_assembly_shader *out,
                                const char **why);
void retrace_assembly_shader_clear(struct retrace_assembly_shader *shader);

#endif

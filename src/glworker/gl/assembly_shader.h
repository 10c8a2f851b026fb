/* SPDX-License-Identifier: MIT */
/*
 * Translates the text of an ARB vertex program (GL_ARB_vertex_program, "!!ARBvp1.0") to a GLSL
 * vertex shader that computes the same numbers. Pure functions that accept any text; one thread.
 *
 * The shader declares "uniform vec4 parameters[parameter_count]" for values that are known when the
 * program runs, attributes "attribute1" and so on for the generic attributes at these locations,
 * and outputs "out vec4 result1" and so on (some are float) for all results except the position.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_SHADER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_SHADER_H

#include "glworker/gl/assembly_bindings.h"

#include <stdbool.h>

/* Returns false, leaving *out empty, if the text cannot be translated; *why is then the reason. */
bool retrace_assembly_translate(const char *text, struct retrace_assembly_shader *out,
                                const char **why);
void retrace_assembly_shader_clear(struct retrace_assembly_shader *shader);

#endif

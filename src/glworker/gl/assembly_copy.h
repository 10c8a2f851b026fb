/* SPDX-License-Identifier: MIT */
/*
 * Shaders of ARB vertex programs (assembly_shader.h) in programs of GLSL. The worker's one thread;
 * the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_COPY_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_COPY_H

#include "glworker/gl/assembly_shader.h"
#include "glworker/gl/gl.h"

/* Attaches it to a program that is not linked yet, with the places of its attributes. */
bool retrace_assembly_shader_compile(const struct retrace_assembly_shader *shader, GLuint program);

/* Gives the program, which is linked and current, parameters of the ARB program that is bound. */
bool retrace_assembly_shader_fill(const struct retrace_assembly_shader *shader, GLuint program);

#endif

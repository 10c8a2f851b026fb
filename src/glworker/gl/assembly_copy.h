/* SPDX-License-Identifier: MIT */
/*
 * Puts shaders translated from ARB vertex programs (assembly_shader.h) into GLSL programs. Called
 * on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_COPY_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_COPY_H

#include "glworker/gl/assembly_shader.h"
#include "glworker/gl/gl.h"

/*
 * Compiles the shader, attaches it to a program that is not linked yet, and binds the locations of
 * its attributes.
 */
bool retrace_assembly_shader_compile(const struct retrace_assembly_shader *shader, GLuint program);

/*
 * Sets the program's uniforms to the parameters of the ARB program that is bound. The program is
 * linked and current.
 */
bool retrace_assembly_shader_fill(const struct retrace_assembly_shader *shader, GLuint program);

#endif

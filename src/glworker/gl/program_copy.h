/* SPDX-License-Identifier: MIT */
/*
 * Makes a program with the vertex shader of another one, or with all of its shaders up to the
 * geometry stage, and with the same uniforms and attributes, that passes gl_Position to transform
 * feedback. Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H
#define GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H

#include "glworker/gl/outputs.h"

struct retrace_program_copied {
    GLuint program;
    GLuint pipeline; /* the worker's own pipeline that contains the program; 0 if there is none */
    struct retrace_outputs outputs; /* captured after gl_Position */
    bool makes;                     /* the last stage creates primitives */
    GLenum output;                  /* if it does: GL_POINTS, GL_LINES or GL_TRIANGLES */
    GLuint current;                 /* the trace's current program */
    GLint bound;                    /* the trace's bound pipeline */
};

/*
 * Copies the programs that draws use, or fixed functions if none of them has a vertex shader. Draws
 * use the copy until retrace_program_copy_end(). Returns false, leaving all state unchanged, if no
 * copy can be made; *why is then the reason.
 */
bool retrace_program_copy(const struct retrace *retrace, bool all_stages,
                          struct retrace_program_copied *copied, const char **why);
void retrace_program_copy_end(const struct retrace_program_copied *copied);

#endif

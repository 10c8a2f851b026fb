/* SPDX-License-Identifier: MIT */
/*
 * A program with the vertex shader of another one, or with all of its shaders up to the geometry
 * stage, its uniforms and attributes, that gives what gl_Position becomes to transform feedback.
 * The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H
#define GPUDUMPFS_GLWORKER_GL_PROGRAM_COPY_H

#include "glworker/gl/outputs.h"

struct retrace_program_copied {
    GLuint program;
    GLuint pipeline;                /* of our own, that it is in; 0: none */
    struct retrace_outputs outputs; /* that are captured behind gl_Position */
    bool makes;                     /* its last stage makes primitives of its own … */
    GLenum output;                  /* … of these: GL_POINTS, GL_LINES or GL_TRIANGLES */
    GLuint current;                 /* the trace's program … */
    GLint bound;                    /* … and pipeline */
};

/*
 * Of the programs that draws use, or of fixed functions where none of them has a vertex shader. It
 * is used by draws then, until retrace_program_copy_end(). False: it cannot be made, nothing is
 * changed, and *why says why.
 */
bool retrace_program_copy(const struct retrace *retrace, bool all_stages,
                          struct retrace_program_copied *copied, const char **why);
void retrace_program_copy_end(const struct retrace_program_copied *copied);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Assembly programs that the draw at hand runs (ARB_vertex_program, ARB_fragment_program): those of
 * stages that are switched on and that no program of GLSL has. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_H

#include "glworker/gl/gl.h"

#include <stdbool.h>
#include <stdint.h>

enum { RETRACE_ASSEMBLIES_MAX = 2, RETRACE_PARAMETERS_MAX = 4096 };

struct retrace_assembly {
    GLenum target;
    uint32_t stage; /* its place in a pipeline (sources.h) */
    uint64_t old;   /* as the trace names it */
    size_t size;    /* bytes of its text */
};

/* How many there are, in the order of the pipeline. */
unsigned retrace_assemblies(const struct retrace *retrace,
                            struct retrace_assembly out[RETRACE_ASSEMBLIES_MAX]);

/* Whether ARB programs transform vertices that no program of GLSL does; and which one. */
bool retrace_assembly_is_on(void);
bool retrace_assembly_of_vertices(const struct retrace *retrace, struct retrace_assembly *out);

/* Its text, behind which a zero follows, for free(); NULL: it cannot be had. */
char *retrace_assembly_text(const struct retrace_assembly *assembly);

/* What a text names: registers that the program was given, or a texture. */
enum retrace_operand_kind { RETRACE_OPERAND_ENV, RETRACE_OPERAND_LOCAL, RETRACE_OPERAND_TEXTURE };

struct retrace_operand {
    enum retrace_operand_kind kind;
    uint32_t first, last; /* registers; of a texture both are the unit */
    GLenum target;        /* of the texture */
};

/* The next one from *at on, which moves behind it. False: none follows. A pure function. */
bool retrace_assembly_operand(const char **at, struct retrace_operand *out);

/* Four numbers of a register. False: there is no such register. */
bool retrace_assembly_parameter(const struct retrace_assembly *assembly,
                                enum retrace_operand_kind kind, uint32_t number, GLfloat out[4]);

#endif

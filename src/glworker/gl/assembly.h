/* SPDX-License-Identifier: MIT */
/*
 * Assembly programs that the draw at hand runs (ARB_vertex_program, ARB_fragment_program): those of
 * enabled stages for which there is no GLSL program. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_H

#include "glworker/gl/gl.h"

#include <stdbool.h>
#include <stdint.h>

enum { RETRACE_ASSEMBLIES_MAX = 2, RETRACE_PARAMETERS_MAX = 4096 };

struct retrace_assembly {
    GLenum target;
    uint32_t stage; /* its position in the pipeline (sources.h) */
    uint64_t old;   /* name in the trace */
    size_t size;    /* bytes of its text */
};

/* Writes the programs in pipeline order, and returns their number. */
unsigned retrace_assemblies(const struct retrace *retrace,
                            struct retrace_assembly out[RETRACE_ASSEMBLIES_MAX]);

/* Returns whether ARB vertex programs are enabled, even if a GLSL program takes their place. */
bool retrace_assembly_is_on(void);

/*
 * Returns whether an ARB vertex program transforms the vertices of the draw at hand, and sets *out
 * to that program.
 */
bool retrace_assembly_of_vertices(const struct retrace *retrace, struct retrace_assembly *out);

/*
 * Returns the program's text, terminated by a zero; the caller frees it. Returns NULL if the text
 * cannot be read.
 */
char *retrace_assembly_text(const struct retrace_assembly *assembly);

/* What an operand in a text names: parameters that the program was given, or a texture. */
enum retrace_operand_kind { RETRACE_OPERAND_ENV, RETRACE_OPERAND_LOCAL, RETRACE_OPERAND_TEXTURE };

struct retrace_operand {
    enum retrace_operand_kind kind;
    uint32_t first, last; /* registers; of a texture both are the unit */
    GLenum target;        /* of a texture */
};

/*
 * Finds the next operand at or after *at, and moves *at past it. Returns false if none follows. A
 * pure function.
 */
bool retrace_assembly_operand(const char **at, struct retrace_operand *out);

/* Reads the four numbers of a parameter register. Returns false if there is no such register. */
bool retrace_assembly_parameter(const struct retrace_assembly *assembly,
                                enum retrace_operand_kind kind, uint32_t number, GLfloat out[4]);

#endif

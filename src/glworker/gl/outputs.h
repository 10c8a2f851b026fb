/* SPDX-License-Identifier: MIT */
/*
 * Outputs, besides gl_Position, of the last stage before the fragment stage, by their names in its
 * shader, if transform feedback can capture them. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_OUTPUTS_H
#define GPUDUMPFS_GLWORKER_GL_OUTPUTS_H

#include "base/text.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/uniforms.h"

struct retrace_output {
    char name[64];     /* of an array without its index */
    char variable[16]; /* the shader's, if it has a different name for the output; otherwise "" */
    const struct retrace_value_type *type;
    unsigned components; /* of all elements, four bytes each */
};

enum { RETRACE_OUTPUTS_MAX = 32 };

struct retrace_outputs {
    struct retrace_output list[RETRACE_OUTPUTS_MAX];
    unsigned count;
    unsigned components; /* of a vertex: gl_Position and all outputs */
};

/* Leaves only gl_Position. */
void retrace_outputs_clear(struct retrace_outputs *outputs);
/* Finds the outputs of a stage from the sources that a program was linked from. */
void retrace_outputs_find(const struct retrace_context *context,
                          const struct retrace_linked *linked, uint32_t stage,
                          struct retrace_outputs *out);
/*
 * Lists the outputs of a shader translated from an ARB program (assembly_shader.h), given as one
 * bit each.
 */
void retrace_outputs_of_results(uint64_t results, struct retrace_outputs *out);

/* Appends a column's name for each output. */
void retrace_outputs_add_names(const struct retrace_outputs *outputs, struct text *text);

/*
 * Appends a column's value for each output. `values` begins with the four components of
 * gl_Position, which are skipped.
 */
void retrace_outputs_add_values(const struct retrace_outputs *outputs, const float *values,
                                struct text *text);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the last stage before the fragments' gives beside gl_Position, by the names that its shader
 * has, as far as transform feedback captures it. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_OUTPUTS_H
#define GPUDUMPFS_GLWORKER_GL_OUTPUTS_H

#include "base/text.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/uniforms.h"

struct retrace_output {
    char name[64];     /* of an array less its index */
    char variable[16]; /* the shader's, where that has another name; else "" */
    const struct retrace_value_type *type;
    unsigned components; /* of all its elements, four bytes each */
};

enum { RETRACE_OUTPUTS_MAX = 32 };

struct retrace_outputs {
    struct retrace_output list[RETRACE_OUTPUTS_MAX];
    unsigned count;
    unsigned components; /* of a vertex: of gl_Position and all of them */
};

/* gl_Position alone. */
void retrace_outputs_clear(struct retrace_outputs *outputs);
/* Those of a stage, which sources are linked of. */
void retrace_outputs_find(const struct retrace_context *context,
                          const struct retrace_linked *linked, uint32_t stage,
                          struct retrace_outputs *out);
/* Those of an ARB program's shader (assembly_shader.h), a bit each. */
void retrace_outputs_of_results(uint64_t results, struct retrace_outputs *out);

/* A column's name for each, and its values, which begin behind gl_Position's four. */
void retrace_outputs_add_names(const struct retrace_outputs *outputs, struct text *text);
void retrace_outputs_add_values(const struct retrace_outputs *outputs, const float *values,
                                struct text *text);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Shaders that the trace made of SPIR-V, as glSpecializeShader had them: OpenGL gives no module
 * back. They count to what is kept of sources (budget.h). The worker's one thread; a context is
 * current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SPIRV_H
#define GPUDUMPFS_GLWORKER_GL_SPIRV_H

#include "glworker/gl/gl.h"

struct retrace_spirv {
    unsigned uses; /* by a shader, and by programs that were linked of it */
    uint64_t call; /* the number of the one that brought it */
    uint32_t *words;
    size_t count;               /* of words */
    char *entry;                /* point; NULL: not specialized yet */
    GLuint *constants, *values; /* of specialization, by their indices … */
    GLuint constant_count;      /* … so many */
};

/* The rule of glShaderBinary and glSpecializeShader, and what is done behind them. */
retrace_rule retrace_spirv_begin;
retrace_post_hook retrace_spirv_brought, retrace_spirv_specialized;

/* What a shader, by its name here, was specialized of, as used once more; NULL: not known. */
struct retrace_spirv *retrace_spirv_take(struct retrace *retrace, GLuint shader);
void retrace_spirv_drop(struct retrace *retrace, struct retrace_spirv *spirv);
/* A group of contexts is no more. */
void retrace_spirv_end_group(struct retrace *retrace, uint32_t group);
void retrace_spirv_clear(struct retrace *retrace);

/*
 * Makes a shader of that stage, by its place in a pipeline, which has nothing yet, of the module:
 * as it is, or so that it `captures` gl_Position. False: *why says why.
 */
bool retrace_spirv_make(const struct retrace_spirv *spirv, uint32_t stage, bool captures,
                        GLuint shader, const char **why);

#endif

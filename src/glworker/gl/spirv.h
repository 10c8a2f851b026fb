/* SPDX-License-Identifier: MIT */
/*
 * Keeps shaders that the trace creates from SPIR-V, as glSpecializeShader() was called: OpenGL
 * cannot return a module. They count as sources (budget.h). Called on the worker's one thread, with
 * a context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SPIRV_H
#define GPUDUMPFS_GLWORKER_GL_SPIRV_H

#include "glworker/gl/gl.h"

struct retrace_spirv {
    unsigned uses; /* references: from a shader, and from programs that were linked from it */
    uint64_t call; /* number of the call that uploaded it */
    uint32_t *words;
    size_t count;               /* of words */
    char *entry;                /* entry point; NULL if it is not specialized yet */
    GLuint *constants, *values; /* indices and values of specialization constants */
    GLuint constant_count;      /* number of both */
};

/* The rule of glShaderBinary() and glSpecializeShader(). */
retrace_rule retrace_spirv_begin;
/* The post hooks of glShaderBinary() (brought) and glSpecializeShader() (specialized). */
retrace_post_hook retrace_spirv_brought, retrace_spirv_specialized;

/*
 * Returns a reference to the module that a shader, given by its name here, was specialized from;
 * drop it with retrace_spirv_drop(). Returns NULL if it is unknown.
 */
struct retrace_spirv *retrace_spirv_take(struct retrace *retrace, GLuint shader);
void retrace_spirv_drop(struct retrace *retrace, struct retrace_spirv *spirv);
/* Drops the modules of a group of contexts that ended. */
void retrace_spirv_end_group(struct retrace *retrace, uint32_t group);
void retrace_spirv_clear(struct retrace *retrace);

/*
 * Specializes an empty shader of a stage, given by its position in the pipeline, from the module:
 * unchanged, or capturing gl_Position if `captures` is set. Returns false on failure; *why is then
 * the reason.
 */
bool retrace_spirv_make(const struct retrace_spirv *spirv, uint32_t stage, bool captures,
                        GLuint shader, const char **why);

#endif

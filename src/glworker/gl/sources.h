/* SPDX-License-Identifier: MIT */
/*
 * Keeps the sources of the shaders that programs were linked from, as they were at that time: GLSL,
 * or SPIR-V modules (spirv.h). OpenGL forgets shaders that are detached, although the program still
 * works. A session keeps 64 MiB; sources that do not fit are not kept. Called on the worker's one
 * thread, with a context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SOURCES_H
#define GPUDUMPFS_GLWORKER_GL_SOURCES_H

#include "glworker/gl/gl.h"

enum { RETRACE_STAGES = 6 };

/* Returns OpenGL's name of a stage, given by its position in the pipeline. */
GLenum retrace_stage_type(uint32_t stage);

struct retrace_source {
    /* the shader's name in the trace; the program's for glCreateShaderProgramv() */
    uint32_t object;
    uint32_t stage; /* its position in the pipeline; RETRACE_STAGES if unknown */
    size_t size;
    char *text;                  /* zero-terminated; NULL if it is a module */
    struct retrace_spirv *spirv; /* the module; otherwise NULL */
};

struct retrace_linked {
    unsigned count;
    struct retrace_source sources[];
};

/*
 * Compiles a shader, and attaches it to the program, given by its name here. Returns whether it
 * compiled.
 */
bool retrace_compile(GLuint program, GLenum type, const char *const strings[], unsigned count);
/* The same for all sources of some stages, one bit each. */
bool retrace_sources_compile(const struct retrace_linked *linked, unsigned wanted, GLuint program);
/* Compiles all SPIR-V modules that were linked, unchanged. Returns false on failure. */
bool retrace_sources_compile_all(const struct retrace_linked *linked, GLuint program);
/*
 * Compiles the SPIR-V modules of some stages, one bit each, and makes the last of these stages
 * capture gl_Position. Returns false on failure; *why is then the reason.
 */
bool retrace_sources_capture(const struct retrace_linked *linked, unsigned wanted, GLuint program,
                             const char **why);
/* Returns whether the sources are SPIR-V modules. Either all sources of a program are, or none. */
bool retrace_sources_are_modules(const struct retrace_linked *linked);
/* Returns the last stage of a set with one bit each, 0 if the set is empty. */
uint32_t retrace_stages_last(unsigned wanted);

/*
 * Call this after a program, given by its name here, was linked: if the link succeeded, keeps the
 * sources of the attached shaders.
 */
void retrace_sources_link(struct retrace *retrace, GLuint program);
/*
 * Keeps the source of a program that was created from these zero-terminated strings. `old` is its
 * name in the trace.
 */
void retrace_sources_create(struct retrace *retrace, GLuint program, uint64_t old, GLenum type,
                            const struct retrace_argument *strings);
/* Returns NULL if nothing is kept of the program. */
const struct retrace_linked *retrace_sources_find(const struct retrace *retrace, GLuint program);
/* Drops the sources of a program that was replaced by one without sources. */
void retrace_sources_forget(struct retrace *retrace, GLuint program);
/* Drops the sources of a group of contexts that ended. */
void retrace_sources_end_group(struct retrace *retrace, uint32_t group);
void retrace_sources_clear(struct retrace *retrace);

#endif

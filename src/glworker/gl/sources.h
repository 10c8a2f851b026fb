/* SPDX-License-Identifier: MIT */
/*
 * Sources of the shaders that programs were linked of, GLSL or modules of SPIR-V (spirv.h), as they
 * were then: OpenGL forgets those that are detached, and the program goes on. Of a session 64 MiB
 * are kept; programs that are linked behind that have what is attached to them. The worker's one
 * thread; a context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SOURCES_H
#define GPUDUMPFS_GLWORKER_GL_SOURCES_H

#include "glworker/gl/gl.h"

enum { RETRACE_STAGES = 6 };

/* OpenGL's name of a stage, by its place in a pipeline. */
GLenum retrace_stage_type(uint32_t stage);

struct retrace_source {
    uint32_t object; /* the shader as the trace names it; of glCreateShaderProgramv() the program */
    uint32_t stage;  /* its place in a pipeline; RETRACE_STAGES: none that is known */
    size_t size;
    char *text;                  /* a zero follows; NULL: … */
    struct retrace_spirv *spirv; /* … it is a module */
};

struct retrace_linked {
    unsigned count;
    struct retrace_source sources[];
};

/* Compiles a shader, and attaches it to the program, by its name here. */
bool retrace_compile(GLuint program, GLenum type, const char *const strings[], unsigned count);
/* The same of all sources of some stages, a bit each. */
bool retrace_sources_compile(const struct retrace_linked *linked, unsigned wanted, GLuint program);
/*
 * Of modules: all that are linked, as they are; or those of some stages, the last of which captures
 * gl_Position. False: *why says why.
 */
bool retrace_sources_compile_all(const struct retrace_linked *linked, GLuint program);
bool retrace_sources_capture(const struct retrace_linked *linked, unsigned wanted, GLuint program,
                             const char **why);
/* Whether its sources are modules of SPIR-V; all of a program are, or none. */
bool retrace_sources_are_modules(const struct retrace_linked *linked);
/* The last of some stages before the fragments', a bit each. */
uint32_t retrace_stages_last(unsigned wanted);

/* The program, by its name here, was linked: if well, what is attached to it is kept. */
void retrace_sources_link(struct retrace *retrace, GLuint program);
/* A program was made of these strings, which each end with a zero. `old`: as the trace names it. */
void retrace_sources_create(struct retrace *retrace, GLuint program, uint64_t old, GLenum type,
                            const struct retrace_argument *strings);
/* NULL: nothing is kept of it. */
const struct retrace_linked *retrace_sources_find(const struct retrace *retrace, GLuint program);
/* It has become another one, without sources. */
void retrace_sources_forget(struct retrace *retrace, GLuint program);
/* A group of contexts is no more. */
void retrace_sources_end_group(struct retrace *retrace, uint32_t group);
void retrace_sources_clear(struct retrace *retrace);

#endif

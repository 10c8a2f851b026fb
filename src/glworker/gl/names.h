/* SPDX-License-Identifier: MIT */
/*
 * Names that the trace has for objects, and what they are here; numbers that the driver may have
 * given otherwise. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_NAMES_H
#define GPUDUMPFS_GLWORKER_GL_NAMES_H

#include "glworker/gl/gl.h"

/* A program's numbers that the driver may have given otherwise. */
struct retrace_numbers {
    struct retrace_map locations, blocks, storage, subroutines;
};

/* What an old name is here; itself if it is not known. */
uint64_t retrace_name(const struct retrace *retrace, enum retrace_names space, uint64_t old);
void retrace_name_put(struct retrace *retrace, enum retrace_names space, uint64_t old,
                      uint64_t name);
void retrace_name_remove(struct retrace *retrace, enum retrace_names space, uint64_t old);
/* The numbers of a program, by its old name; NULL: none, or no memory to begin some. */
struct retrace_numbers *retrace_numbers(struct retrace *retrace, uint64_t program, bool begin);
void retrace_numbers_clear(struct retrace *retrace);
/* A uniform's location here. */
int64_t retrace_location(struct retrace *retrace, uint64_t program, int64_t old);
/* The program, by its old name, that calls of glUniform… are about. */
uint64_t retrace_program(const struct retrace *retrace);

#endif

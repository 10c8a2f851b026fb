/* SPDX-License-Identifier: MIT */
/*
 * Translates the trace's ("old") names of objects to those that this process's driver has given
 * them ("here"), and numbers of programs that this driver may assign differently. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_NAMES_H
#define GPUDUMPFS_GLWORKER_GL_NAMES_H

#include "glworker/gl/gl.h"

/* A program's numbers that this driver may assign differently. */
struct retrace_numbers {
    struct retrace_map locations, blocks, storage, subroutines;
};

/* Returns the name here of an object's old name, or the old name itself if it is unknown. */
uint64_t retrace_name(const struct retrace *retrace, enum retrace_names space, uint64_t old);
void retrace_name_put(struct retrace *retrace, enum retrace_names space, uint64_t old,
                      uint64_t name);
void retrace_name_remove(struct retrace *retrace, enum retrace_names space, uint64_t old);
/*
 * Returns the numbers of a program, given by its old name. If there are none, creates them if
 * `begin` is set. Returns NULL if there are none, or without memory.
 */
struct retrace_numbers *retrace_numbers(struct retrace *retrace, uint64_t program, bool begin);
void retrace_numbers_clear(struct retrace *retrace);
/* Returns a uniform's location here. */
int64_t retrace_location(struct retrace *retrace, uint64_t program, int64_t old);
/* Returns the old name of the program whose uniforms glUniform…() sets. */
uint64_t retrace_program(const struct retrace *retrace);

#endif

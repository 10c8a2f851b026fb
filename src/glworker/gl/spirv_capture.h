/* SPDX-License-Identifier: MIT */
/*
 * Modules of SPIR-V that give what gl_Position becomes to transform feedback: the words of another
 * module with the decorations that ask for it (SPIR-V 1.6, 3.20; ARB_gl_spirv). Pure functions, for
 * any thread; the words may be anything.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SPIRV_CAPTURE_H
#define GPUDUMPFS_GLWORKER_GL_SPIRV_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

/* More than a module has behind this: words. */
enum { SPIRV_CAPTURE_ADDED = 32 };

/*
 * The words of a module whose entry point `entry` of a stage, by its place in a pipeline, captures
 * gl_Position into buffer 0, 16 bytes a vertex, and nothing else: `*made` of them, for free(), at
 * most SPIRV_CAPTURE_ADDED more than there were. NULL: and *why says why.
 */
uint32_t *spirv_capture_position(const uint32_t *words, size_t count, uint32_t stage,
                                 const char *entry, size_t *made, const char **why);

#endif

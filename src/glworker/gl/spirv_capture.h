/* SPDX-License-Identifier: MIT */
/*
 * Rewrites SPIR-V modules so that transform feedback captures gl_Position, by adding the
 * decorations that request it (SPIR-V 1.6, 3.20; ARB_gl_spirv). Pure functions for any thread; the
 * words may be anything.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SPIRV_CAPTURE_H
#define GPUDUMPFS_GLWORKER_GL_SPIRV_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

/* Words by which a module grows at most. */
enum { SPIRV_CAPTURE_ADDED = 32 };

/*
 * Returns the words of a module whose entry point `entry` of a stage, given by its position in the
 * pipeline, captures gl_Position, and nothing else, into buffer 0, 16 bytes a vertex. Sets *made to
 * their number, at most SPIRV_CAPTURE_ADDED more than `count`. The caller frees them. Returns NULL,
 * with the reason in *why, on failure.
 */
uint32_t *spirv_capture_position(const uint32_t *words, size_t count, uint32_t stage,
                                 const char *entry, size_t *made, const char **why);

#endif

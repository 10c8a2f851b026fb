/* SPDX-License-Identifier: MIT */
/*
 * What objects of the trace may take of the driver's memory, and what they take; and what may be
 * kept of shaders' sources. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BUDGET_H
#define GPUDUMPFS_GLWORKER_GL_BUDGET_H

#include "glworker/core/graphics.h"
#include "glworker/gl/call.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether objects may take so much more; else the call at hand is refused, with a note. */
bool retrace_budget_fits(struct retrace *retrace, uint64_t more);
void retrace_budget_take(struct retrace *retrace, uint64_t bytes);
void retrace_budget_give(struct retrace *retrace, uint64_t bytes);
/* A context: whether there may be one more, which is counted then. */
bool retrace_budget_context(struct retrace *retrace);
void retrace_budget_context_ends(struct retrace *retrace);
/* What so many objects take by their being there. */
uint64_t retrace_budget_names(enum retrace_names space, uint64_t count);
/*
 * Before a call that gives an object (by its name here) memory in place of what it had: whether
 * it may. `image`: retrace_budget_image() of a texture, or RETRACE_ALL_IMAGES; else 0. What the
 * driver made of it is noted by retrace_budget_settle(), which is the call's post hook.
 */
bool retrace_budget_ask(struct retrace *retrace, enum retrace_names space, uint32_t name,
                        unsigned image, uint64_t bytes);
retrace_post_hook retrace_budget_settle;
enum { RETRACE_ALL_IMAGES = 127 };
unsigned retrace_budget_image(GLenum target, int64_t level);
/* Bytes of so many texels of an internal format. */
uint64_t retrace_budget_texels(GLenum format, uint64_t count);
/* An object, by its name here, is no more. */
void retrace_budget_forget(struct retrace *retrace, enum retrace_names space, uint32_t name);

/* The objects that a group of contexts shared are no more. */
void retrace_budget_end_group(struct retrace *retrace, uint32_t group);

/* Whether so many bytes more may be kept of sources (sources.h). */
bool retrace_budget_fits_sources(const struct retrace *retrace, uint64_t more);

#endif

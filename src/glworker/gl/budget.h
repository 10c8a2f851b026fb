/* SPDX-License-Identifier: MIT */
/*
 * Limits the driver's memory that objects of the trace may take, and counts what they take. Also
 * limits what is kept of shaders' sources. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BUDGET_H
#define GPUDUMPFS_GLWORKER_GL_BUDGET_H

#include "glworker/core/graphics.h"
#include "glworker/gl/call.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns whether objects may take `more` bytes. If not, the call at hand is refused with a note.
 */
bool retrace_budget_fits(struct retrace *retrace, uint64_t more);
/* Counts bytes that objects take. */
void retrace_budget_take(struct retrace *retrace, uint64_t bytes);
/* No longer counts bytes that objects have given back. */
void retrace_budget_give(struct retrace *retrace, uint64_t bytes);
/* Returns whether one more context may be made, and counts it if so. */
bool retrace_budget_context(struct retrace *retrace);
void retrace_budget_context_ends(struct retrace *retrace);
/* Returns the bytes that `count` objects take before they have any content. */
uint64_t retrace_budget_names(enum retrace_names space, uint64_t count);
/*
 * Call this in the rule of a call that replaces the memory of an object, given by its name here.
 * Returns whether the object may take `bytes`; if not, the call is refused with a note. `image` is
 * retrace_budget_image() or RETRACE_ALL_IMAGES for a texture, and 0 for other objects.
 */
bool retrace_budget_ask(struct retrace *retrace, enum retrace_names space, uint32_t name,
                        unsigned image, uint64_t bytes);
/* The post hook of such a call: counts the bytes, unless the driver reported an error. */
retrace_post_hook retrace_budget_settle;
enum { RETRACE_ALL_IMAGES = 127 };
/* Returns the number of a texture's image: a level, of a face if the texture is a cube map. */
unsigned retrace_budget_image(GLenum target, int64_t level);
/* Returns the bytes of `count` texels of an internal format. */
uint64_t retrace_budget_texels(GLenum format, uint64_t count);
/* Stops counting an object that was deleted, given by its name here. */
void retrace_budget_forget(struct retrace *retrace, enum retrace_names space, uint32_t name);

/* Stops counting the objects that a group of contexts shared. */
void retrace_budget_end_group(struct retrace *retrace, uint32_t group);

/* Returns whether `more` bytes of sources may be kept (sources.h). */
bool retrace_budget_fits_sources(const struct retrace *retrace, uint64_t more);

#endif

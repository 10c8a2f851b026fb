/* SPDX-License-Identifier: MIT */
/* Rules of functions that upload images of textures, or read pixels. One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_IMAGES_H
#define GPUDUMPFS_GLWORKER_GL_IMAGES_H

#include "glworker/gl/call.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the bytes that glReadPixels() writes under the current pixel store, or UINT64_MAX if that
 * is unknown.
 */
uint64_t retrace_packed_bytes(const struct retrace_call *call);

extern const struct retrace_rule_row retrace_image_rules[];
extern const size_t retrace_image_rule_count;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Mipmaps that calls of the trace have the driver make (worker.md 6.12). It draws them with shaders
 * of its own, which it compiles in each process, since they go to no database: eight of neverball's
 * first frame are 0.2 s. So where it is known to the bit what the driver would make, the levels are
 * made here. A process that draws no pixels (worker.md 4.3) has no use for any, and gives them
 * storage alone: what there is of a texture decides which shaders it is sampled by.
 *
 * The context of the call is current. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MIPMAPS_H
#define GPUDUMPFS_GLWORKER_GL_MIPMAPS_H

#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

/* An upload to a level of what is bound to GL_TEXTURE_2D. */
struct retrace_upload {
    GLenum internal; /* GL_NONE: of a part of an image that is there */
    GLenum format, type;
    uint64_t width, height; /* of what is uploaded */
    bool has_pixels;
};

/* Before that: holds the driver back from making mipmaps; false: no need to. */
bool retrace_mipmaps_hold(const struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_upload *upload);

/* Behind one that was held, and made or refused. */
void retrace_mipmaps_release(struct retrace *retrace, const struct retrace_upload *upload,
                             bool made);

/* The rule of glGenerateMipmap(). */
retrace_rule retrace_generate_mipmap;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Mipmaps that calls of the trace have the driver generate (worker.md 6.12). The driver draws them
 * with shaders of its own, which it compiles in each process because they are in no disk cache: the
 * eight shaders of neverball's first frame take 0.2 s. So where the driver's result is known to the
 * bit, the worker computes the levels itself. A process that draws no pixels (worker.md 4.3) needs
 * no contents, and only allocates the levels: a texture's levels decide which shaders sample it.
 *
 * Called on the worker's one thread, with the call's context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MIPMAPS_H
#define GPUDUMPFS_GLWORKER_GL_MIPMAPS_H

#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

/* An upload to a level of the texture that is bound to GL_TEXTURE_2D. */
struct retrace_upload {
    GLenum internal; /* GL_NONE if it replaces a part of an existing image */
    GLenum format, type;
    uint64_t width, height; /* of the upload */
    bool has_pixels;
};

/*
 * Call this before an upload: prevents the driver from generating mipmaps. Returns false if that is
 * not necessary.
 */
bool retrace_mipmaps_hold(const struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_upload *upload);

/*
 * Call this after an upload for which retrace_mipmaps_hold() returned true. `made` is whether the
 * upload was made or refused.
 */
void retrace_mipmaps_release(struct retrace *retrace, const struct retrace_upload *upload,
                             bool made);

/* The rule of glGenerateMipmap(). */
retrace_rule retrace_generate_mipmap;

#endif

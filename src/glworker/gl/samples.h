/* SPDX-License-Identifier: MIT */
/*
 * Textures of several samples, resolved. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SAMPLES_H
#define GPUDUMPFS_GLWORKER_GL_SAMPLES_H

#include "glworker/core/graphics.h"

#include <stdbool.h>

/* A texture of several samples, by its name here, whose layer is read. */
struct retrace_resolved {
    GLuint name;
    GLint width, height, layer, layers;
    GLenum format; /* what glReadPixels() reads: GL_RGBA, GL_RGBA_INTEGER or GL_DEPTH_COMPONENT */
};

/*
 * Its pixels, resolved, from the first row on, as the pixel store has it; of whole numbers, which
 * have no mean, one sample. False: they cannot be had. What is bound for reading is none then.
 */
bool retrace_read_resolved(const struct retrace_resolved *texture, GLenum type, void *pixels);

#endif

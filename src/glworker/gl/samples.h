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
    bool is_depth;
};

/* Its pixels, resolved, from the first row on, as the pixel store has it; false: they cannot be
 * had. What is bound for reading is none then. */
bool retrace_read_resolved(const struct retrace_resolved *texture, GLenum type, void *pixels);

#endif

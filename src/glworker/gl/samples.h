/* SPDX-License-Identifier: MIT */
/* Reads multisample textures, resolved. One thread; the context is current. */
#ifndef GPUDUMPFS_GLWORKER_GL_SAMPLES_H
#define GPUDUMPFS_GLWORKER_GL_SAMPLES_H

#include "glworker/core/graphics.h"

#include <stdbool.h>

/* A multisample texture, given by its name here, of which a layer is read. */
struct retrace_resolved {
    GLuint name;
    GLint width, height, layer, layers;
    GLenum format; /* for glReadPixels(): GL_RGBA, GL_RGBA_INTEGER or GL_DEPTH_COMPONENT */
};

/*
 * Reads the resolved pixels, from the first row on, with the current pixel store. For integers,
 * which are not averaged, reads one sample. Returns false if they cannot be read. Afterwards
 * framebuffer 0 is bound for reading.
 */
bool retrace_read_resolved(const struct retrace_resolved *texture, GLenum type, void *pixels);

#endif

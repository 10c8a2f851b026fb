/* SPDX-License-Identifier: MIT */
/* Reads depths of attachments with several samples per pixel. One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_SAMPLE_DEPTHS_H
#define GPUDUMPFS_GLWORKER_GL_SAMPLE_DEPTHS_H

#include "glworker/gl/gl.h"

/* Depths with several samples per pixel: a renderbuffer, or a texture without layers. */
struct retrace_sample_depths {
    GLenum type; /* GL_RENDERBUFFER or GL_TEXTURE */
    GLuint name; /* the object's name here */
    GLsizei width, height;
};

/*
 * Reads the depths of each pixel's first sample as floats, rows from the bottom, as glReadPixels()
 * returns them for one sample per pixel. The current thread's context stays current, and its state
 * unchanged. Returns false if they are not integers of 24 bits, which blits copy unchanged, or if
 * they cannot be read.
 */
bool retrace_read_sample_depths(struct retrace *retrace, const struct retrace_sample_depths *from,
                                uint8_t *to);

#endif

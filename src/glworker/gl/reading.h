/* SPDX-License-Identifier: MIT */
/*
 * Pixels are read, and the state of the trace's context is left as it was. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_READING_H
#define GPUDUMPFS_GLWORKER_GL_READING_H

#include "glworker/gl/surfaces.h"

enum { RETRACE_STORES = 8, RETRACE_TRANSFERS = 14 };

/* What is set otherwise while pixels are read. */
struct retrace_reading {
    GLint stores[RETRACE_STORES]; /* the pixel store */
    GLint framebuffer, buffer, read_buffer;
    GLfloat transfers[RETRACE_TRANSFERS]; /* what is done to pixels on their way */
};

/* Whether framebuffers for reading and buffers for packing are there. */
bool retrace_reads_apart(const struct retrace_context *context);
/*
 * From here on glReadPixels() reads that framebuffer, by its name here, into memory, row by row.
 * The context is current.
 */
void retrace_reading_begin(const struct retrace_context *context, GLuint framebuffer,
                           struct retrace_reading *saved);
/* glReadBuffer() meanwhile. */
void retrace_read_buffer(const struct retrace_context *context, GLenum buffer);
/* All as it was before; errors are forgotten. */
void retrace_reading_end(const struct retrace_context *context,
                         const struct retrace_reading *saved);

#endif

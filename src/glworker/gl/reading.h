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

/* Before buffers and textures are read: what shaders have stored in them so far is there then. */
void retrace_await_stores(const struct retrace *retrace);
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
/* GL_INT, GL_UNSIGNED_INT, GL_FLOAT … of colours of the framebuffer that is read; GL_NONE: none. */
GLenum retrace_colour_type(GLenum buffer);
static inline bool retrace_is_integer(GLenum type)
{
    return type == GL_INT || type == GL_UNSIGNED_INT;
}
/* What bytes hold of whole numbers of that type. */
void retrace_narrow_integers(GLenum type, const uint32_t *numbers, size_t count, uint8_t *to);
/* Reads RGBA of such colours, four bytes a pixel. False: there is no memory for it. */
bool retrace_read_integers(GLsizei width, GLsizei height, GLenum type, uint8_t *to);
/* The same of colours that are floats, of which OpenGL ES gives nothing but floats. */
bool retrace_read_floats(GLsizei width, GLsizei height, uint8_t *to);
/* All as it was before; errors are forgotten. */
void retrace_reading_end(const struct retrace_context *context,
                         const struct retrace_reading *saved);

#endif

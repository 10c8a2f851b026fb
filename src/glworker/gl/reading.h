/* SPDX-License-Identifier: MIT */
/* Reads pixels, and leaves the state of the trace's context unchanged. One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_READING_H
#define GPUDUMPFS_GLWORKER_GL_READING_H

#include "glworker/gl/surfaces.h"

enum { RETRACE_STORES = 8, RETRACE_TRANSFERS = 14 };

/* State that is changed while pixels are read, to be restored. */
struct retrace_reading {
    GLint stores[RETRACE_STORES]; /* the pixel store */
    GLint framebuffer, buffer, read_buffer;
    GLfloat transfers[RETRACE_TRANSFERS]; /* operations on pixels while they are transferred */
};

/*
 * Call this before buffers and textures are read: waits until shaders' stores to them are complete.
 */
void retrace_await_stores(const struct retrace *retrace);
/* Returns whether the context has separate framebuffers for reading, and buffers for packing. */
bool retrace_reads_apart(const struct retrace_context *context);
/*
 * Makes glReadPixels() read a framebuffer, given by its name here, into memory, row by row. The
 * context is current. Call retrace_reading_end() afterwards.
 */
void retrace_reading_begin(const struct retrace_context *context, GLuint framebuffer,
                           struct retrace_reading *saved);
/* Calls glReadBuffer(), unless a list is being compiled. */
void retrace_read_buffer(const struct retrace_context *context, GLenum buffer);
/*
 * Returns the type of a colour buffer of the framebuffer that is read: GL_INT, GL_UNSIGNED_INT,
 * GL_FLOAT and so on, or GL_NONE if there is no such buffer.
 */
GLenum retrace_colour_type(GLenum buffer);
static inline bool retrace_is_integer(GLenum type)
{
    return type == GL_INT || type == GL_UNSIGNED_INT;
}
/* Converts integers of that type to bytes, clamping them to 0 to 255. */
void retrace_narrow_integers(GLenum type, const uint32_t *numbers, size_t count, uint8_t *to);
/* Reads integer colours as RGBA, four bytes a pixel. Returns false without memory. */
bool retrace_read_integers(GLsizei width, GLsizei height, GLenum type, uint8_t *to);
/* The same for float colours, which OpenGL ES can only read as floats. */
bool retrace_read_floats(GLsizei width, GLsizei height, uint8_t *to);
/* Restores the state saved by retrace_reading_begin(), and clears OpenGL's error. */
void retrace_reading_end(const struct retrace_context *context,
                         const struct retrace_reading *saved);

#endif

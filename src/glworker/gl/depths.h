/* SPDX-License-Identifier: MIT */
/*
 * Reads depths of what is drawn on (draw_targets.c), and depths and sizes of textures (pictures.c),
 * also in OpenGL ES. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DEPTHS_H
#define GPUDUMPFS_GLWORKER_GL_DEPTHS_H

#include "glworker/gl/gl.h"

/*
 * Returns a format of depths and stencil values to which a blit from the framebuffer for reading
 * copies them unchanged, and sets *planes to those of the two that the framebuffer has.
 */
GLenum retrace_depth_format(GLbitfield *planes);
/*
 * Reads the depths of the framebuffer for reading, rows from the bottom. Of several samples per
 * pixel, reads the first one. The pixel store must be that of retrace_reading_begin().
 * Returns false if there are no depths.
 */
bool retrace_read_depths(struct retrace *retrace, GLsizei width, GLsizei height, uint8_t *to);
/*
 * Reads the depths of level 0 of a texture, given by its name here, through a context that shares
 * with a context of OpenGL ES.
 */
bool retrace_texture_depths(struct retrace *retrace, GLuint name, GLsizei width, GLsizei height,
                            uint8_t *to);
/* Finds the size of a level of a texture, given by its name here. The context stays current. */
bool retrace_texture_size(struct retrace *retrace, GLuint name, GLint level, GLint *width,
                          GLint *height, GLint *depth);

#endif

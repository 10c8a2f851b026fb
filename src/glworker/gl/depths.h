/* SPDX-License-Identifier: MIT */
/*
 * Depths of what is drawn on (draw_targets.c), and depths and sizes of textures (pictures.c), in
 * OpenGL ES, too, which does not tell them. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DEPTHS_H
#define GPUDUMPFS_GLWORKER_GL_DEPTHS_H

#include "glworker/gl/gl.h"

/* A format of depths and stencil values that a blit from the framebuffer for reading copies without
 * a change, and which of the two it has. */
GLenum retrace_depth_format(GLbitfield *planes);
/*
 * Depths of the framebuffer for reading, from below; OpenGL ES, which does not tell them, has them
 * copied to a texture. The pixel store is that of retrace_reading_begin(). False: there are none.
 */
bool retrace_read_depths(struct retrace *retrace, GLsizei width, GLsizei height, uint8_t *to);
/* A layer or face of a level of a texture, by its name here. */
struct retrace_texture_part {
    GLuint name;
    GLint level, layer;
};
/* Its depths, by a context that OpenGL ES shares with. */
bool retrace_texture_depths(struct retrace *retrace, const struct retrace_texture_part *texture,
                            GLsizei width, GLsizei height, uint8_t *to);
/* How large a level of a texture is, by its name here; the context stays current. */
bool retrace_texture_size(struct retrace *retrace, GLuint name, GLint level, GLint *width,
                          GLint *height);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Building blocks for the scenes of gl_scenes with shaders. Each shader begins with the version
 * that the context needs; the vertices are attribute 0, called `place`.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_GL_SCENES_TOOLS_H
#define GPUDUMPFS_TESTS_WORKER_GL_SCENES_TOOLS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <stddef.h>
#include <stdint.h>

extern int scene_es;              /* nonzero if the context is of OpenGL ES */
extern GLuint scene_vertex_array; /* bound when a scene begins, except with compatibility */

extern const float scene_triangle[6], scene_quad[8];
extern const char scene_plain_vertex[], scene_tinted_fragment[];
extern const char scene_textured_vertex[], scene_textured_fragment[];

/* Reports `what` and ends the program. */
void scene_fail(const char *what) __attribute__((noreturn));

GLuint scene_compile(GLenum stage, const char *text);
/*
 * Links and deletes the shaders. `varying` is the output to capture by transform feedback, or NULL.
 */
GLuint scene_link(const GLuint *shaders, int count, const char *varying);
GLuint scene_program(const char *vertex, const char *fragment);

GLuint scene_buffer(GLenum target, const void *bytes, size_t size);
/* Binds vertices of two floats each as attribute 0. */
void scene_place(const float *vertices, size_t size);
/* Fills in texels of four bytes each. */
void scene_texels(uint8_t *texels, int width, int height, unsigned seed);
GLuint scene_texture(int width, int height, const void *texels);
/* Draws the bound texture over the complete window. */
void scene_draw_textured(void);

#endif

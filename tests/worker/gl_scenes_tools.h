/* SPDX-License-Identifier: MIT */
/*
 * What scenes of gl_scenes with shaders are made of. Each shader begins with the version
 * that the context needs; vertices are attribute 0, called `place`.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_GL_SCENES_TOOLS_H
#define GPUDUMPFS_TESTS_WORKER_GL_SCENES_TOOLS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#include <stddef.h>
#include <stdint.h>

extern int scene_es;              /* the context is one of OpenGL ES */
extern GLuint scene_vertex_array; /* that scenes find bound, but with compatibility */

extern const float scene_triangle[6], scene_quad[8];
extern const char scene_plain_vertex[], scene_tinted_fragment[];
extern const char scene_textured_vertex[], scene_textured_fragment[];

/* Ends the program. */
void scene_fail(const char *what) __attribute__((noreturn));

GLuint scene_compile(GLenum stage, const char *text);
/* Deletes the shaders. `varying` is what feedback gives, or NULL. */
GLuint scene_link(const GLuint *shaders, int count, const char *varying);
GLuint scene_program(const char *vertex, const char *fragment);

GLuint scene_buffer(GLenum target, const void *bytes, size_t size);
/* Two floats a vertex. */
void scene_place(const float *vertices, size_t size);
/* Four bytes a texel. */
void scene_texels(uint8_t *texels, int width, int height, unsigned seed);
GLuint scene_texture(int width, int height, const void *texels);
/* All of the window, with the texture that is bound. */
void scene_draw_textured(void);

#endif

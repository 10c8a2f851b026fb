/* SPDX-License-Identifier: MIT */
/*
 * What can be read of a draw besides texts: attachments, levels of textures, buffers, and sources
 * of shaders, as a list that is the same each time the session stops after the draw. One thread;
 * the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_PARTS_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_PARTS_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/* An entry of the list. */
struct retrace_part {
    struct apitrace_draw_part told; /* sent to the daemon */
    GLuint name;                    /* of the buffer or shader, here */
    GLenum attachment;     /* for colours, depths and stencil values; 0 for those of the drawable */
    const uint8_t *memory; /* instead of a buffer or shader; NULL if there is none */
};

enum { RETRACE_PARTS_MAX = 1024 };

struct retrace_parts {
    struct retrace_part list[RETRACE_PARTS_MAX];
    unsigned count;
    uint32_t width, height; /* requested part of the drawable; 0 means all */
};

/*
 * Appends an entry, zeroed except for its kind. If there are too many, returns an entry that is not
 * in the list.
 */
struct retrace_part *retrace_parts_add(struct retrace_parts *parts, enum apitrace_part_kind kind);
/*
 * Appends a buffer, given by its name here, unless the name is 0 or the buffer is there in that
 * role already.
 */
void retrace_parts_add_buffer(const struct retrace *retrace, struct retrace_parts *parts,
                              enum apitrace_buffer_role role, uint32_t slot, GLint name);

/*
 * Each of these functions appends the parts of its kinds that the draw has (draw_targets.c,
 * draw_textures.c, draw_buffers.c, draw_shaders.c).
 */
void retrace_parts_targets(struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_coverage(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_textures(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_buffers(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_shaders(const struct retrace *retrace, struct retrace_parts *parts);
/*
 * Returns the target of a texture, given by its name here; GL_NONE if there is none
 * (draw_textures.c).
 */
GLenum retrace_texture_target(GLuint name);
/* Each of these functions reads a part of its kinds, and returns 0, -ENOENT or -ENOMEM. */
int retrace_part_target(struct retrace *retrace, const struct retrace_part *part,
                        struct blob **out);
int retrace_part_buffer(const struct retrace_part *part, struct blob **out);
int retrace_part_shader(const struct retrace_part *part, struct blob **out);

serve_handler retrace_handle_draw_parts, retrace_handle_draw_part;

#endif

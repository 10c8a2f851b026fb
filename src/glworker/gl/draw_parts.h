/* SPDX-License-Identifier: MIT */
/*
 * What there is to read of a draw beside texts: attachments, levels of textures, buffers and
 * sources of shaders, as a list that is the same each time the session stands there. One thread;
 * the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_PARTS_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_PARTS_H

#include "glworker/core/serve.h"
#include "glworker/gl/gl.h"

/* One of them. */
struct retrace_part {
    struct apitrace_draw_part told; /* as the daemon gets it */
    GLuint name;                    /* of the buffer or shader here */
    GLenum attachment;              /* of colours, depths and stencil values; 0: of the drawable */
    const uint8_t *memory;          /* in place of a buffer or shader; NULL: none */
};

enum { RETRACE_PARTS_MAX = 1024 };

struct retrace_parts {
    struct retrace_part list[RETRACE_PARTS_MAX];
    unsigned count;
    uint32_t width, height; /* of the drawable's part that is asked for; 0: all */
};

/* The next one, all zero; one that is told nowhere when there are too many. */
struct retrace_part *retrace_parts_add(struct retrace_parts *parts, enum apitrace_part_kind kind);
/* A buffer by its name here, unless that is 0, or it is there in that role already. */
void retrace_parts_add_buffer(const struct retrace *retrace, struct retrace_parts *parts,
                              enum apitrace_buffer_role role, uint32_t slot, GLint name);

/* draw_targets.c, draw_textures.c, draw_buffers.c, draw_shaders.c: add what there is … */
void retrace_parts_targets(struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_coverage(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_textures(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_buffers(const struct retrace *retrace, struct retrace_parts *parts);
void retrace_parts_shaders(const struct retrace *retrace, struct retrace_parts *parts);
/* … and read it: 0, -ENOENT, -ENOMEM. */
int retrace_part_target(struct retrace *retrace, const struct retrace_part *part,
                        struct blob **out);
int retrace_part_buffer(const struct retrace_part *part, struct blob **out);
int retrace_part_shader(const struct retrace_part *part, struct blob **out);

serve_handler retrace_handle_draw_parts, retrace_handle_draw_part;

#endif

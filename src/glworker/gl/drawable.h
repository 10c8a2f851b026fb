/* SPDX-License-Identifier: MIT */
/*
 * Reading a part of a drawable, colours, depths and stencil values, with all state left as the
 * trace has it; of several samples a pixel it is resolved. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAWABLE_H
#define GPUDUMPFS_GLWORKER_GL_DRAWABLE_H

#include "glworker/gl/reading.h"

/* A part of a drawable, from below. */
struct retrace_box {
    uint32_t x, y, width, height;
};

/* A framebuffer of one sample a pixel, in which a part of the drawable is; to be deleted. */
struct retrace_drawable_resolved {
    GLuint framebuffer, renderbuffers[2];
};

/* A part of the drawable that is being read. */
struct retrace_drawable {
    const struct retrace_context *context;
    struct retrace_reading saved;
    struct retrace_drawable_resolved resolved;
    bool is_resolved;
    struct retrace_box at; /* where it is in what is read */
    GLenum format;         /* of colours: GL_RGBA or GL_BGRA, a byte each */
};

/* The thread's context is current, and reads what it draws on (retrace_read_drawn()). */
void retrace_drawable_begin(const struct retrace_thread *thread, const struct retrace_box *box,
                            struct retrace_drawable *part);
void retrace_drawable_end(const struct retrace_drawable *part);

/* Some rows of the box, four bytes a pixel; false: the driver does not let them be read. */
bool retrace_drawable_colours(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                              uint32_t *out);
/* 24 bits of depth, and below them 8 of the stencil … */
bool retrace_drawable_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                             uint32_t *out);
/* … and without stencil values, which no colour comes of. */
bool retrace_drawable_only_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                                  uint32_t *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reads a part of a drawable (colours, depths and stencil values), and leaves all state as the
 * trace has it. A drawable of several samples a pixel is resolved. Called on the worker's one
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAWABLE_H
#define GPUDUMPFS_GLWORKER_GL_DRAWABLE_H

#include "glworker/gl/reading.h"

/* A part of a drawable; y counts from the bottom. */
struct retrace_box {
    uint32_t x, y, width, height;
};

/*
 * A framebuffer of one sample a pixel that holds a part of the drawable. Deleted when reading ends.
 */
struct retrace_drawable_resolved {
    GLuint framebuffer, renderbuffers[2];
};

/* A part of the drawable while it is being read. */
struct retrace_drawable {
    const struct retrace_context *context;
    struct retrace_reading saved;
    struct retrace_drawable_resolved resolved;
    bool is_resolved;
    struct retrace_box at; /* position of the part in the framebuffer that is read */
    GLenum format;         /* of colours: GL_RGBA or GL_BGRA, one byte each */
};

/*
 * Starts reading. The thread's context must be current, and must read the surface that the thread
 * draws on (retrace_read_drawn()). Call retrace_drawable_end() afterwards.
 */
void retrace_drawable_begin(const struct retrace_thread *thread, const struct retrace_box *box,
                            struct retrace_drawable *part);
void retrace_drawable_end(const struct retrace_drawable *part);

/*
 * Reads some rows of the box, four bytes a pixel. Returns false if the driver does not permit it.
 */
bool retrace_drawable_colours(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                              uint32_t *out);
/* The same for depths: 24 bits of depth, and stencil values in the 8 bits below. */
bool retrace_drawable_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                             uint32_t *out);
/* The same for depths without stencil values. */
bool retrace_drawable_only_depths(const struct retrace_drawable *part, uint32_t row, uint32_t rows,
                                  uint32_t *out);

#endif

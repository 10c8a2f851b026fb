/* SPDX-License-Identifier: MIT */
/* Uniforms of the programs that draws use. One thread; the context is current. */
#ifndef GPUDUMPFS_GLWORKER_GL_UNIFORMS_H
#define GPUDUMPFS_GLWORKER_GL_UNIFORMS_H

#include "glworker/gl/gl.h"

#include <stdbool.h>
#include <stdint.h>

/* How values of a uniform's type are stored in memory; a sampler or an image is an int. */
enum retrace_base {
    RETRACE_BASE_FLOAT,
    RETRACE_BASE_INT,
    RETRACE_BASE_UNSIGNED,
    RETRACE_BASE_BOOL,
    RETRACE_BASE_DOUBLE
};
struct retrace_value_type {
    GLenum type;
    uint8_t base, columns, rows; /* a vector is one column */
};
const struct retrace_value_type *retrace_value_type(GLenum type);

#endif

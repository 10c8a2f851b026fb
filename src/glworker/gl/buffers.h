/* SPDX-License-Identifier: MIT */
/*
 * Buffers by their names here, of which the state of the trace's context stays as it was. One
 * thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BUFFERS_H
#define GPUDUMPFS_GLWORKER_GL_BUFFERS_H

#include "glworker/core/graphics.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a buffer. */
int64_t retrace_buffer_size(GLuint buffer);

/* Reads a part of it; false: the driver does not let it be read. */
bool retrace_buffer_read(GLuint buffer, int64_t offset, int64_t size, uint8_t *to);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reads buffers, given by their names here, and leaves the state of the trace's context unchanged.
 * One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_BUFFERS_H
#define GPUDUMPFS_GLWORKER_GL_BUFFERS_H

#include "glworker/core/graphics.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the size of a buffer in bytes. */
int64_t retrace_buffer_size(GLuint buffer);

/* Reads a part of a buffer. Returns false if the driver does not permit it. */
bool retrace_buffer_read(GLuint buffer, int64_t offset, int64_t size, uint8_t *to);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Checks what a draw reads of the trace's memory (arrays.h) against the memory's size. Called on
 * the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_RANGE_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_RANGE_H

#include "glworker/gl/call.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What a draw reads: vertices up to `last`, and `instances` instances, whose elements begin at
 * `first_instance`. If `none` is set, the draw reads no vertices.
 */
struct retrace_range {
    bool none;
    int64_t last;
    uint64_t instances, first_instance;
};

/* Returns whether the draw at hand reads any memory of the trace. */
bool retrace_reads_memory(struct retrace *retrace);

/* Checks that all that the draw reads exists. Returns RETRACE_GO_ON or RETRACE_REFUSED. */
enum retrace_outcome retrace_range_check(struct retrace *retrace,
                                         const struct retrace_range *range);

/*
 * The hook of glDeleteBuffers(): arrays may still have offsets into deleted buffers, and the driver
 * would take them for pointers.
 */
retrace_post_hook retrace_buffers_deleted;
/*
 * Queries the arrays before glBegin(), because the driver answers no queries between glBegin() and
 * glEnd().
 */
void retrace_arrays_begin(struct retrace *retrace);

#endif

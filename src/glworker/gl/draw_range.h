/* SPDX-License-Identifier: MIT */
/*
 * What a draw reads of memory that the trace has (arrays.h), which is held against how much there
 * is. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_RANGE_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_RANGE_H

#include "glworker/gl/call.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What a draw reads: vertices up to `last`, and so many instances, whose elements begin at one;
 * `none`: no vertex.
 */
struct retrace_range {
    bool none;
    int64_t last;
    uint64_t instances, first_instance;
};

/* Whether the draw at hand reads memory of the trace's at all. */
bool retrace_reads_memory(struct retrace *retrace);

/* Whether what it reads is there: RETRACE_GO_ON or RETRACE_REFUSED. */
enum retrace_outcome retrace_range_check(struct retrace *retrace,
                                         const struct retrace_range *range);

/* Behind what takes buffers away: their offsets may stay, as pointers. */
retrace_post_hook retrace_buffers_deleted;
/* Before glBegin(), behind which the driver does not tell. */
void retrace_arrays_begin(struct retrace *retrace);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Draws: which vertices they mean, and whether they can be left out (draws.c); those whose numbers
 * stand in buffers (indirect.c).
 * The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAWS_H
#define GPUDUMPFS_GLWORKER_GL_DRAWS_H

#include "glworker/gl/call.h"
#include "glworker/gl/draw_range.h"

#include <stddef.h>

/* The smallest and the largest index; -1: there is none, -2: they cannot be read. */
struct retrace_span {
    int64_t smallest, largest;
};

/* Bytes of an index of that type; 0: there is none such. */
unsigned retrace_index_bytes(int64_t type);

/* So many indices, of so many bytes, of the buffer that is bound, from an offset on. */
struct retrace_span retrace_span_in_buffer(uint64_t offset, unsigned bytes, uint64_t count);

/* The vertices that such indices mean; before the first one there is none. */
void retrace_range_set(struct retrace_range *range, const struct retrace_span *span, int64_t base);

/* Whether they are no more than any program draws at once: RETRACE_GO_ON or RETRACE_REFUSED. */
enum retrace_outcome retrace_amount_check(struct retrace *retrace, uint64_t vertices);

/* A draw whose numbers stand in a buffer, or in memory. `detail`: which argument, and their bytes.
 */
retrace_rule retrace_draw_indirect;
enum { RETRACE_ARRAYS_BYTES = 16, RETRACE_ELEMENTS_BYTES = 20 };
#define RETRACE_INDIRECT(argument, bytes) ((argument) | (bytes) << 4)

enum { RETRACE_VERTICES_MAX = 1 << 26 }; /* of a draw, all instances together */

/* What a draw says of its vertices. */
struct retrace_vertices {
    int64_t mode, count, first, type, base, instances, first_instance;
    bool indexed;
    const struct retrace_argument *indices; /* memory, or an offset into the bound buffer */
};
/* False: it is none of glDrawArrays, glDrawElements and those that tell as much. */
bool retrace_draw_vertices(const struct retrace_call *call, struct retrace_vertices *out);
/*
 * The same of a call that has the numbers of one draw in a buffer, or in memory; its indices are at
 * `indices`. False: it is no such call, has several draws or too many vertices, or its numbers
 * cannot be read.
 */
bool retrace_indirect_vertices(const struct retrace_call *call, struct retrace_vertices *out,
                               struct retrace_argument *indices);
/* Whether a function's calls do. */
bool retrace_tells_vertices(const struct retrace_binding *binding);
/* Before a draw: whether it can be left out, as it will not be seen. */
bool retrace_can_skip_draw(struct retrace *retrace);
/* Before what cannot: tells the driver whether pixels of framebuffer 0 are wanted from here on. */
void retrace_discard_update(struct retrace *retrace);

extern const struct retrace_rule_row retrace_draw_rules[];
extern const size_t retrace_draw_rule_count;

#endif

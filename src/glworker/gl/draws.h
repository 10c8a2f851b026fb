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

/*
 * Draws whose numbers stand in a buffer, or in memory; of the second how many there are does, too.
 * `detail`: which argument, and the bytes of a draw's.
 */
retrace_rule retrace_draw_indirect, retrace_draw_counted;
enum { RETRACE_ARRAYS_BYTES = 16, RETRACE_ELEMENTS_BYTES = 20 };
#define RETRACE_INDIRECT(argument, bytes) ((argument) | (bytes) << 4)

enum {
    RETRACE_VERTICES_MAX = 1 << 26, /* of a draw, all instances together */
    RETRACE_DRAWS_MAX = 1 << 16,    /* of a call */
};

/* What a draw says of its vertices. */
struct retrace_vertices {
    int64_t mode, count, first, type, base, instances, first_instance;
    bool indexed;
    struct retrace_argument indices; /* memory, or an offset into the bound buffer */
};
/*
 * How many draws a call has whose vertices are told: one of glDrawArrays, glDrawElements and their
 * kin, or as many as it says. 0: none, more than RETRACE_DRAWS_MAX, or nobody can tell.
 */
uint32_t retrace_draw_count(const struct retrace_call *call);
/* The n-th of them. False: it has too many vertices, or its numbers cannot be read. */
bool retrace_draw_vertices(const struct retrace_call *call, uint32_t n,
                           struct retrace_vertices *out);
/* The same two of calls that have the numbers of their draws in a buffer, or in memory. */
uint32_t retrace_indirect_count(const struct retrace_call *call);
bool retrace_indirect_vertices(const struct retrace_call *call, uint32_t n,
                               struct retrace_vertices *out);
/* Whether a function's calls are of one draw each, and have its numbers as arguments. */
bool retrace_tells_vertices(const struct retrace_binding *binding);
/* Before a draw: whether it can be left out, as it will not be seen. */
bool retrace_can_skip_draw(struct retrace *retrace);
/* Before what cannot: tells the driver whether pixels of framebuffer 0 are wanted from here on. */
void retrace_discard_update(struct retrace *retrace);

extern const struct retrace_rule_row retrace_draw_rules[];
extern const size_t retrace_draw_rule_count;

#endif

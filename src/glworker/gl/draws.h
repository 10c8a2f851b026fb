/* SPDX-License-Identifier: MIT */
/*
 * Finds the vertices of draws, checks them, and finds draws that can be left out (draws.c). Also
 * handles draws whose parameters are in buffers (indirect.c). Called on the worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAWS_H
#define GPUDUMPFS_GLWORKER_GL_DRAWS_H

#include "glworker/gl/call.h"
#include "glworker/gl/draw_range.h"

#include <stddef.h>

/* The smallest and the largest index; -1 if there are none, -2 if the indices cannot be read. */
struct retrace_span {
    int64_t smallest, largest;
};

/* Returns the bytes of an index of this type, or 0 if there is no such type. */
unsigned retrace_index_bytes(int64_t type);

/*
 * Finds the span of `count` indices of `bytes` bytes each, at `offset` in the bound index buffer.
 */
struct retrace_span retrace_span_in_buffer(uint64_t offset, unsigned bytes, uint64_t count);

/*
 * Sets the range to the vertices of indices in `span`, with `base` added. `last` is -1 if they
 * begin before vertex 0.
 */
void retrace_range_set(struct retrace_range *range, const struct retrace_span *span, int64_t base);

/*
 * Checks that there are no more vertices than any program draws at once. Returns RETRACE_GO_ON or
 * RETRACE_REFUSED.
 */
enum retrace_outcome retrace_amount_check(struct retrace *retrace, uint64_t vertices);

/*
 * Rules of draws whose parameters are in a buffer or in memory. In calls of retrace_draw_counted,
 * the number of draws is in a buffer, too. `detail` is RETRACE_INDIRECT() of the argument with the
 * parameters, and their bytes per draw.
 */
retrace_rule retrace_draw_indirect, retrace_draw_counted;
enum { RETRACE_ARRAYS_BYTES = 16, RETRACE_ELEMENTS_BYTES = 20 };
#define RETRACE_INDIRECT(argument, bytes) ((argument) | (bytes) << 4)

enum {
    RETRACE_VERTICES_MAX = 1 << 26, /* of a draw, over all instances */
    RETRACE_DRAWS_MAX = 1 << 16,    /* of a call */
};

/* A draw's parameters. */
struct retrace_vertices {
    int64_t mode, count, first, type, base, instances, first_instance;
    bool indexed;
    struct retrace_argument indices; /* memory, or an offset into the bound buffer */
};
/*
 * Returns the number of draws that a call makes: 1 for glDrawArrays(), glDrawElements() and their
 * variants, otherwise the number that the call gives. Returns 0 if there are none, or more than
 * RETRACE_DRAWS_MAX, or if the vertices cannot be known.
 */
uint32_t retrace_draw_count(const struct retrace_call *call);
/*
 * Reads the parameters of the call's n-th draw. Returns false if the draw has too many vertices or
 * its parameters cannot be read.
 */
bool retrace_draw_vertices(const struct retrace_call *call, uint32_t n,
                           struct retrace_vertices *out);
/* The same for calls that have their draws' parameters in a buffer or in memory. */
uint32_t retrace_indirect_count(const struct retrace_call *call);
bool retrace_indirect_vertices(const struct retrace_call *call, uint32_t n,
                               struct retrace_vertices *out);
/* Returns whether a function's calls make one draw each, with its parameters as arguments. */
bool retrace_tells_vertices(const struct retrace_binding *binding);
/* Returns whether the draw at hand can be left out, because its pixels will not be seen. */
bool retrace_can_skip_draw(struct retrace *retrace);
/*
 * Enables or disables the rasteriser before a call that cannot be left out, by whether pixels of
 * framebuffer 0 are needed.
 */
void retrace_discard_update(struct retrace *retrace);
/* Does the same before a call that clears whatever framebuffer it names. */
void retrace_discard_own(struct retrace *retrace);

extern const struct retrace_rule_row retrace_draw_rules[];
extern const size_t retrace_draw_rule_count;

#endif

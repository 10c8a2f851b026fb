/* SPDX-License-Identifier: MIT */
/*
 * What a draw reads of memory that the trace has: arrays.c keeps vertices in the program's memory,
 * and holds them against how far a draw will go; draws.c tells how far that is, what a draw's
 * vertices are, and whether it can be left out; indirect.c does so for draws whose numbers stand in
 * buffers.
 * The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ARRAYS_H
#define GPUDUMPFS_GLWORKER_GL_ARRAYS_H

#include "glworker/gl/call.h"
#include "glworker/gl/surfaces.h"

#include <stddef.h>

/*
 * What a draw reads: vertices up to `last`, and so many instances, whose elements begin at one;
 * `none`: no vertex.
 */
struct retrace_range {
    bool none;
    int64_t last;
    uint64_t instances, first_instance;
};

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

/* Whether the draw at hand reads memory of the trace's at all. */
bool retrace_reads_memory(struct retrace *retrace);

/* Behind what takes buffers away: their offsets may stay, as pointers. */
retrace_post_hook retrace_buffers_deleted;
/* Before glBegin(). */
void retrace_arrays_begin(struct retrace *retrace);

/* Whether what the draw at hand reads is there, and no more than any program draws at once:
 * RETRACE_GO_ON or RETRACE_REFUSED. */
enum retrace_outcome retrace_range_check(struct retrace *retrace,
                                         const struct retrace_range *range);
enum retrace_outcome retrace_amount_check(struct retrace *retrace, uint64_t vertices);

/* The copies that a context has at a time, which stay while others take their place. All zero:
 * none. */
struct retrace_kept_arrays {
    struct retrace_array **list;
    uint32_t count;
};
/* 0 or -ENOMEM. */
int retrace_arrays_keep(const struct retrace_context *context, struct retrace_kept_arrays *out);
/* The context has those again, and no others; they are kept on. */
void retrace_arrays_restore(struct retrace_context *context,
                            const struct retrace_kept_arrays *kept);
/* Behind that: they are not kept any more. */
void retrace_arrays_release(struct retrace_kept_arrays *kept);

/* A draw whose numbers stand in a buffer, or in memory. `detail`: which argument, and their bytes.
 */
retrace_rule retrace_draw_indirect;
enum { RETRACE_ARRAYS_BYTES = 16, RETRACE_ELEMENTS_BYTES = 20 };
#define RETRACE_INDIRECT(argument, bytes) ((argument) | (bytes) << 4)

enum { RETRACE_VERTICES_MAX = 1 << 26 }; /* of a draw, all instances together */

/* The context ends. */
void retrace_arrays_clear(struct retrace_context *context);

/* Slots of arrays: of fixed functions, of texture units from there on, of numbers from there on. */
enum retrace_slot {
    RETRACE_SLOT_VERTEX,
    RETRACE_SLOT_NORMAL,
    RETRACE_SLOT_COLOR,
    RETRACE_SLOT_INDEX,
    RETRACE_SLOT_EDGE_FLAG,
    RETRACE_SLOT_FOG,
    RETRACE_SLOT_SECONDARY,
    RETRACE_SLOT_POINT_SIZE,
    RETRACE_SLOTS_FIXED,
    RETRACE_SLOT_TEXTURES = 64,
    RETRACE_SLOT_NUMBERS = 128
};

enum { RETRACE_COORDINATES_MAX = 8 }; /* units whose coordinates are asked for */

/* What the driver is asked of arrays of fixed functions, and of the active unit's coordinates. */
struct retrace_fixed_array {
    const char *name;    /* NULL: of it no draw tells more than that it is read */
    unsigned components; /* where `size` is 0 */
    GLenum enabled, pointer, size, type, stride, buffer;
};
extern const struct retrace_fixed_array retrace_fixed_arrays[RETRACE_SLOTS_FIXED],
    retrace_coordinate_array;

/* The memory of the trace that an array of the bound vertex array object has. False: none. */
bool retrace_array_memory(const struct retrace_context *context, unsigned slot,
                          const uint8_t **bytes, uint64_t *size);

/* What a draw says of its vertices. */
struct retrace_vertices {
    int64_t mode, count, first, type, base, instances, first_instance;
    bool indexed;
    const struct retrace_argument *indices; /* memory, or an offset into the bound buffer */
};
/* False: it is none of glDrawArrays, glDrawElements and those that tell as much. */
bool retrace_draw_vertices(const struct retrace_call *call, struct retrace_vertices *out);
/* Whether a function's calls do. */
bool retrace_tells_vertices(const struct retrace_binding *binding);
/* Before a draw: whether it can be left out, as it will not be seen. */
bool retrace_can_skip_draw(struct retrace *retrace);
/* Before what cannot: tells the driver whether pixels of framebuffer 0 are wanted from here on. */
void retrace_discard_update(struct retrace *retrace);

extern const struct retrace_rule_row retrace_array_rules[], retrace_draw_rules[];
extern const size_t retrace_array_rule_count, retrace_draw_rule_count;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The draw behind which the session stands, whose call is still at hand: its vertices, and the
 * arrays and indices that they are fetched by. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_CALL_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_CALL_H

#include "glworker/gl/arrays.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draws.h"

/* An array, and the bytes that it is in. */
struct retrace_array_source {
    struct retrace_fetch fetch;
    int64_t from;  /* vertices before it have none */
    uint8_t *copy; /* of a buffer, of the first array that is in it */
    const uint8_t *bytes;
    uint64_t size;
};

/* Vertices that make primitives of a mode: a draw's, or what stands from glBegin() to glEnd(). */
struct retrace_draw_block {
    int64_t first, count; /* in the order in which all are fetched */
    int64_t instances, first_instance;
    int64_t told; /* of the instances, where a text tells some */
    GLenum mode;
};

struct retrace_called_lists;

/* All that a draw's vertices are told by. */
struct retrace_draw_call {
    struct retrace_vertices vertices;
    const void *indices_here; /* memory, or an offset, as the driver takes it */
    struct retrace_array_source sources[RETRACE_FETCHES_MAX];
    unsigned source_count;
    uint8_t *copy; /* of the index buffer's part */
    const uint8_t *indices;
    unsigned index_bytes;
    int64_t *order; /* of several draws in a call: what is fetched, -1: a primitive ends; or NULL */
    bool restarts;
    uint32_t restart;
    const struct retrace_recording *recording; /* of glBegin() to glEnd(), instead; NULL: none */
    const struct retrace_called_lists
        *lists; /* lists that it calls, instead (called_lists.h); NULL: none */
    struct retrace_draw_block *blocks; /* of those; or of several draws; else one */
    uint32_t block_count;
    bool rectangle; /* of glRect(): its four corners (rectangle.h) */
    bool late;      /* what was current before that has a part in its vertices */
};

/* Tells what a call draws, of a kind: NULL, or why it is not known. *out is zeroed. */
typedef const char *retrace_draw_reader(const struct retrace *retrace,
                                        const struct retrace_call *call,
                                        struct retrace_draw_call *out);

/* The call behind which the session stands, read anew into scratch memory; false: none is at hand.
 */
bool retrace_call_again(struct retrace *retrace, struct retrace_call *call);

/* All its vertices are one block. False: there is no memory for it. */
bool retrace_draw_call_set_block(struct retrace_draw_call *draw);

/* The arrays that are on, with their bytes. */
void retrace_draw_call_arrays(const struct retrace *retrace, struct retrace_draw_call *draw);

/*
 * What a call draws, for retrace_draw_call_free(): without its arrays, or the call at hand with
 * them. NULL: vertices are told in no such way, and *why says so. What is in memory of the trace
 * stays in the call's scratch memory.
 */
struct retrace_draw_call *retrace_draw_call_of(const struct retrace_call *call, const char **why);
struct retrace_draw_call *retrace_draw_call_read(struct retrace *retrace, const char **why);
void retrace_draw_call_free(struct retrace_draw_call *draw);

/* GL_POINTS, GL_LINES or GL_TRIANGLES: what transform feedback makes of primitives of a mode. */
GLenum retrace_kind(GLenum mode);

/* Whether it is a call of several draws, each of which is a block. */
bool retrace_draw_call_is_several(const struct retrace_draw_call *draw);

/* Whether texts tell its blocks apart: those of several draws, or of what stands in lists. */
bool retrace_draw_call_tells_blocks(const struct retrace_draw_call *draw);

/* The vertex that is fetched as the n-th; -1: a primitive ends there. */
int64_t retrace_draw_call_index(const struct retrace_draw_call *draw, int64_t n);
/* How many of a block are, less what restarts primitives. */
int64_t retrace_draw_call_fetched(const struct retrace_draw_call *draw,
                                  const struct retrace_draw_block *block);
/*
 * What an array has for a vertex of an instance, from 0, of those that begin at one; how many
 * values, 0: they lie beyond what there is.
 */
unsigned retrace_draw_call_fetch(const struct retrace_draw_call *draw, unsigned array,
                                 int64_t index, int64_t first_instance, int64_t instance,
                                 double values[4]);

#endif

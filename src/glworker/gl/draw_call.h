/* SPDX-License-Identifier: MIT */
/*
 * The draw after which the session has stopped, whose call is still available: its vertices, and
 * the arrays and indices from which they are fetched. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_CALL_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_CALL_H

#include "glworker/gl/arrays.h"
#include "glworker/gl/draw_fetch.h"
#include "glworker/gl/draws.h"

/* An array, and the bytes that contain it. */
struct retrace_array_source {
    struct retrace_fetch fetch;
    int64_t from;  /* first vertex that has a value */
    uint8_t *copy; /* of a buffer; owned by the first array in that buffer */
    const uint8_t *bytes;
    uint64_t size;
};

/* Vertices that make primitives of one mode: those of a draw, or from glBegin() to glEnd(). */
struct retrace_draw_block {
    int64_t first, count; /* in the order in which all vertices are fetched */
    int64_t instances, first_instance;
    int64_t told; /* number of instances that a text shows, if texts show any */
    GLenum mode;
};

struct retrace_called_lists;

/* A draw's vertices, and what they are read from. */
struct retrace_draw_call {
    struct retrace_vertices vertices;
    const void *indices_here; /* as the driver takes them: memory, or an offset */
    struct retrace_array_source sources[RETRACE_FETCHES_MAX];
    unsigned source_count;
    uint8_t *copy; /* of the part of the index buffer */
    const uint8_t *indices;
    unsigned index_bytes;
    /*
     * NULL unless the call makes several draws. Then: the vertex fetched at each position, or -1
     * where a primitive ends.
     */
    int64_t *order;
    bool restarts; /* an index with the value `restart` ends a primitive */
    uint32_t restart;
    /* If vertices come from calls from glBegin() to glEnd(): these calls; otherwise NULL. */
    const struct retrace_recording *recording;
    /* If vertices come from lists that the call calls: these (called_lists.h); otherwise NULL. */
    const struct retrace_called_lists *lists;
    struct retrace_draw_block *blocks; /* of lists or of several draws; otherwise one */
    uint32_t block_count;
    bool rectangle; /* four corners of glRect() (rectangle.h) */
    bool late;      /* vertices depend on values that were current before */
};

/*
 * Reads what calls of a certain kind draw into *out, which is zeroed. Returns NULL, or the reason
 * why it is not known.
 */
typedef const char *retrace_draw_reader(const struct retrace *retrace,
                                        const struct retrace_call *call,
                                        struct retrace_draw_call *out);

/*
 * Reads the call after which the session has stopped once more, into scratch memory. Returns false
 * if no call is available.
 */
bool retrace_call_again(struct retrace *retrace, struct retrace_call *call);

/* Makes all vertices one block. Returns false without memory. */
bool retrace_draw_call_set_block(struct retrace_draw_call *draw);

/* Reads the enabled arrays with their bytes. */
void retrace_draw_call_arrays(const struct retrace *retrace, struct retrace_draw_call *draw);

/*
 * Reads what a call draws, without its arrays. Call retrace_draw_call_free() on the result. Returns
 * NULL, with the reason in *why, if the vertices cannot be found out in this way. What is in memory
 * of the trace stays in the scratch memory of the call.
 */
struct retrace_draw_call *retrace_draw_call_of(const struct retrace_call *call, const char **why);

/* Does the same for the call at hand, with its arrays. */
struct retrace_draw_call *retrace_draw_call_read(struct retrace *retrace, const char **why);
void retrace_draw_call_free(struct retrace_draw_call *draw);

/*
 * Returns GL_POINTS, GL_LINES or GL_TRIANGLES: the kind of primitives that transform feedback makes
 * of a mode.
 */
GLenum retrace_kind(GLenum mode);

/* Returns whether the call makes several draws, each of which is a block. */
bool retrace_draw_call_is_several(const struct retrace_draw_call *draw);

/* Returns whether texts distinguish the blocks: those of several draws, or of lists. */
bool retrace_draw_call_tells_blocks(const struct retrace_draw_call *draw);

/* Returns the n-th vertex that is fetched, or -1 if a primitive ends there. */
int64_t retrace_draw_call_index(const struct retrace_draw_call *draw, int64_t n);
/* Returns the number of vertices fetched for a block, without indices that restart primitives. */
int64_t retrace_draw_call_fetched(const struct retrace_draw_call *draw,
                                  const struct retrace_draw_block *block);
/*
 * Fetches an array's values for a vertex of an instance. `instance` counts from 0 at
 * `first_instance`. Returns the number of values, or 0 if they are beyond the array's bytes.
 */
unsigned retrace_draw_call_fetch(const struct retrace_draw_call *draw, unsigned array,
                                 int64_t index, int64_t first_instance, int64_t instance,
                                 double values[4]);

#endif

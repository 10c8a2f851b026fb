/* SPDX-License-Identifier: MIT */
/*
 * Vertex arrays in memory of the trace, by the vertex array object and the slot that point to them.
 * draw_range.h finds out what a draw reads of them. Called on the worker's one thread, with the
 * context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ARRAYS_H
#define GPUDUMPFS_GLWORKER_GL_ARRAYS_H

#include "glworker/gl/call.h"
#include "glworker/gl/surfaces.h"

#include <stddef.h>

/*
 * Slots of arrays: first those of fixed functions, then texture coordinates by unit, then generic
 * attributes by number.
 */
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

enum { RETRACE_COORDINATES_MAX = 8 }; /* texture units whose coordinate arrays are queried */

/* What to query of an array of fixed functions, or of the active unit's texture coordinates. */
struct retrace_fixed_array {
    const char *name;    /* NULL if texts of draws do not show the array's values */
    unsigned components; /* if `size` is 0 */
    GLenum enabled, pointer, size, type, stride, buffer;
};
extern const struct retrace_fixed_array retrace_fixed_arrays[RETRACE_SLOTS_FIXED],
    retrace_coordinate_array;

/*
 * Finds the trace's memory for an array of the bound vertex array object. Returns false if the
 * array has none.
 */
bool retrace_array_memory(const struct retrace_context *context, unsigned slot,
                          const uint8_t **bytes, uint64_t *size);

/* An entry of a context's list. */
struct retrace_array {
    struct retrace_array *next;
    GLint object; /* vertex array object */
    unsigned slot;
    /* References: one of the context's list, and one of each retrace_kept_arrays that has it. */
    unsigned users;
    uint64_t size, stride, element; /* bytes */
    bool read_in_begin;   /* was enabled at glBegin(), after which the driver answers no queries */
    const uint8_t *bytes; /* `copy`, or memory that the program continues to write */
    uint8_t copy[];
};

/*
 * Returns the link that points to the array, or the list's last link, which is NULL, if there is
 * none.
 */
struct retrace_array **retrace_array_find(struct retrace_context *context, GLint object,
                                          unsigned slot);

/* Returns the bytes of an element of `size` components; `size` may be GL_BGRA. */
unsigned retrace_element_bytes(GLenum type, int64_t size);

/*
 * Queries the driver for the pointer of an array of the bound vertex array object. Returns NULL for
 * texture coordinates of a unit that is not active.
 */
const void *retrace_array_pointer(unsigned slot);

/* Queries the driver for a property of a generic attribute, given by its slot. */
GLint retrace_attribute(unsigned slot, GLenum what);

/*
 * References to the arrays that a context has at one time. They stay alive when other arrays
 * replace them in the context. All zero means none.
 */
struct retrace_kept_arrays {
    struct retrace_array **list;
    uint32_t count;
};
/* Takes references to all arrays of the context. Returns 0 or -ENOMEM. */
int retrace_arrays_keep(const struct retrace_context *context, struct retrace_kept_arrays *out);
/* Replaces the context's arrays by those that were kept. `kept` keeps its references. */
void retrace_arrays_restore(struct retrace_context *context,
                            const struct retrace_kept_arrays *kept);
/* Drops the references, and resets `kept` to none. */
void retrace_arrays_release(struct retrace_kept_arrays *kept);

/* Frees all arrays of a context that ends, including those pushed by glPushClientAttrib(). */
void retrace_arrays_clear(struct retrace_context *context);

extern const struct retrace_rule_row retrace_array_rules[];
extern const size_t retrace_array_rule_count;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Vertices in memory that the trace has, by the vertex array object and the slot that point at
 * them. What a draw reads of them: draw_range.h. The worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ARRAYS_H
#define GPUDUMPFS_GLWORKER_GL_ARRAYS_H

#include "glworker/gl/call.h"
#include "glworker/gl/surfaces.h"

#include <stddef.h>

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

/* Of a context's list. */
struct retrace_array {
    struct retrace_array *next;
    GLint object; /* vertex array that it belongs to */
    unsigned slot;
    unsigned users; /* the context's list, and each struct retrace_kept_arrays with it */
    uint64_t size, stride, element; /* bytes */
    bool read_in_begin;             /* was on at glBegin(), behind which the driver does not tell */
    const uint8_t *bytes;           /* the copy, or memory that the program goes on writing */
    uint8_t copy[];
};

/* Where it stands in the list, or the list's end. */
struct retrace_array **retrace_array_find(struct retrace_context *context, GLint object,
                                          unsigned slot);

/* Bytes of an element of so many components, or GL_BGRA. */
unsigned retrace_element_bytes(GLenum type, int64_t size);

/*
 * What the driver has of the bound vertex array object: an array's pointer, but NULL for a texture
 * unit that is not the active one; what it tells of an attribute, of a slot of numbers.
 */
const void *retrace_array_pointer(unsigned slot);
GLint retrace_attribute(unsigned slot, GLenum what);

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

/* The context ends. */
void retrace_arrays_clear(struct retrace_context *context);

extern const struct retrace_rule_row retrace_array_rules[];
extern const size_t retrace_array_rule_count;

#endif

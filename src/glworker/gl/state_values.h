/* SPDX-License-Identifier: MIT */
/*
 * Writes values of the driver's state as text (state_table.h), at the call where the session has
 * stopped (worker.md 6.9). Queries leave the state of the trace's context unchanged. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STATE_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_STATE_VALUES_H

#include "base/text.h"
#include "glworker/gl/state_table.h"
#include "glworker/gl/surfaces.h"

/* An object that is queried. */
struct state_place {
    uint8_t group;
    GLenum target;
    GLuint index;
    GLint level;
    const char *prefix; /* before the rows' names; NULL if there is none */
};

/* Returns enum state_api of the context that calls go to. */
unsigned retrace_state_api(const struct retrace_context *context);

/*
 * Appends all rows of a group in a section, each as `prefix.name = value`. Leaves out what the
 * driver lacks.
 */
void retrace_state_tell(const struct retrace *retrace, const struct state_place *place,
                        enum state_section section, struct text *text);

/* Appends an enumerator's name, or its number. */
void retrace_state_add_enum(struct text *text, uint32_t value);
void retrace_state_add_float(struct text *text, double value);

/* Appends the four coordinates of a position. */
void retrace_state_add_position(struct text *text, const float *position, char separator);

/* Returns the trace's name for an object, or the object's own name if the trace has none. */
uint64_t retrace_old_name(const struct retrace *retrace, enum retrace_names space, uint64_t name);

/*
 * Reads an integer of the driver's state. Returns false, with *value 0 or undefined, if the driver
 * does not know `what`.
 */
bool retrace_state_get(GLenum what, GLint *value);

#endif

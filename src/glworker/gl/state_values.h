/* SPDX-License-Identifier: MIT */
/*
 * Values of the driver's state as text (state_table.h), where the session stands (worker.md 6.9).
 * What is asked leaves the state of the trace's context as it was. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STATE_VALUES_H
#define GPUDUMPFS_GLWORKER_GL_STATE_VALUES_H

#include "base/text.h"
#include "glworker/gl/state_table.h"
#include "glworker/gl/surfaces.h"

/* An object that is asked about. */
struct state_place {
    uint8_t group;
    GLenum target;
    GLuint index;
    GLint level;
    const char *prefix; /* before the rows' names */
};

/* enum state_api of the context that calls go to. */
unsigned retrace_state_api(const struct retrace_context *context);

/* All rows of a group in a section, `prefix.name = value` each; what the driver lacks is left out.
 */
void retrace_state_tell(const struct retrace *retrace, const struct state_place *place,
                        enum state_section section, struct text *text);

/* The name of an enumerant, or its number. */
void retrace_state_add_enum(struct text *text, uint32_t value);
void retrace_state_add_float(struct text *text, double value);

/* The four coordinates of a position. */
void retrace_state_add_position(struct text *text, const float *position, char separator);

/* The name that the trace has for an object; its own where the trace has none. */
uint64_t retrace_old_name(const struct retrace *retrace, enum retrace_names space, uint64_t name);

/* Whether there is something of the kind that can be asked about; a number that the driver tells.
 */
bool retrace_state_get(GLenum what, GLint *value);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Writes the objects of each section of state.txt, which follow the context's own rows. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_STATE_OBJECTS_H
#define GPUDUMPFS_GLWORKER_GL_STATE_OBJECTS_H

#include "base/text.h"
#include "glworker/gl/gl.h"
#include "glworker/gl/state_table.h"

void retrace_state_objects(const struct retrace *retrace, enum state_section section,
                           struct text *text);

#endif

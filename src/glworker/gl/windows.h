/* SPDX-License-Identifier: MIT */
/*
 * Rules of window system functions that create contexts and surfaces, or present what was drawn.
 * One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_WINDOWS_H
#define GPUDUMPFS_GLWORKER_GL_WINDOWS_H

#include "glworker/gl/call.h"

#include <stddef.h>

/* The rule of functions that swap a drawable, which is the argument `detail`. */
retrace_rule retrace_swap;

extern const struct retrace_rule_row retrace_window_rules[];
extern const size_t retrace_window_rule_count;

#endif

/* SPDX-License-Identifier: MIT */
/* Rules of functions that need more than the registry's table. One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_RULES_H
#define GPUDUMPFS_GLWORKER_GL_RULES_H

#include "glworker/gl/call.h"

/*
 * Returns the rule of a function: for its name, or for its name without the vendor's suffix.
 * Returns NULL if it has none.
 */
const struct retrace_rule_row *retrace_rule_find(const char *name);

/* The rule of calls that have no effect on pictures. */
retrace_rule retrace_leave_out;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What is done of some functions otherwise than by the registry's table. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RULES_H
#define GPUDUMPFS_GLWORKER_GL_RULES_H

#include "glworker/gl/call.h"

/* A function's rule: one with that name, or with the name less its vendor's letters; NULL: none. */
const struct retrace_rule_row *retrace_rule_find(const char *name);

/* The rule of what leaves no trace in pictures. */
retrace_rule retrace_leave_out;

#endif

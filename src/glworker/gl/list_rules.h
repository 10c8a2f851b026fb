/* SPDX-License-Identifier: MIT */
/*
 * What is done of display lists otherwise than by the registry's table. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_RULES_H
#define GPUDUMPFS_GLWORKER_GL_LIST_RULES_H

#include "glworker/gl/call.h"

#include <stddef.h>

extern const struct retrace_rule_row retrace_list_rules[];
extern const size_t retrace_list_rule_count;

#endif

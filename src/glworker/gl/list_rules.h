/* SPDX-License-Identifier: MIT */
/* Rules of functions of display lists, which the registry's table does not cover. One thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_RULES_H
#define GPUDUMPFS_GLWORKER_GL_LIST_RULES_H

#include "glworker/gl/call.h"

#include <stddef.h>

extern const struct retrace_rule_row retrace_list_rules[];
extern const size_t retrace_list_rule_count;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What draws besides pixels set, so that it can be put back and they be made once more: display
 * lists, of which it is known what is in them, and what stands between glBegin() and glEnd(). The
 * worker's one thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LISTS_H
#define GPUDUMPFS_GLWORKER_GL_LISTS_H

#include "glworker/gl/gl.h"
#include "glworker/gl/list_steps.h"

/*
 * A list of the trace, by its name here, is compiled from here on, and perhaps executed as well, a
 * call is put into it, and it ends. It is plain if all of its calls draw, or set what
 * retrace_push() puts back and nothing that coverage.c sets.
 */
void retrace_list_begin(struct retrace *retrace, uint64_t name, bool executes);
void retrace_list_add(struct retrace *retrace, const struct retrace_call *call);
void retrace_list_end(struct retrace *retrace);
/* So many of them, from this one on, by their names here, are no more. */
void retrace_lists_delete(struct retrace *retrace, uint32_t first, uint32_t count);
/* A group of contexts is no more, and its lists. */
void retrace_lists_end_group(struct retrace *retrace, uint32_t group);
/* Whether lists are plain, by their names here. */
bool retrace_lists_are_plain(const struct retrace *retrace, const uint32_t *names, uint64_t count);

enum {
    RETRACE_ATTRIBUTES_DEEP = 8, /* so much a plain list may push … */
    RETRACE_MATRICES_DEEP = 4,   /* … of either, and nothing that others push comes on top */
};
/* What plain lists may switch. */
bool retrace_is_switch(int64_t what);

/* What a call that is repeated sets. */
enum retrace_sets {
    RETRACE_SETS_NOTHING,
    RETRACE_SETS_ATTRIBUTES, /* what may stand between glBegin() and glEnd() */
    RETRACE_SETS_STATE,      /* what plain lists set */
};
/* Of functions that can be called so: glEnd() as what it ends, glCallList() and glCallLists() as
 * those that the last call of them names. */
enum retrace_sets retrace_sets(const struct retrace_binding *binding);
/* Whether there is room to keep it, and it can be kept. */
bool retrace_can_push(const struct retrace_context *context, enum retrace_sets sets);
/* Keeps it; and all is as it was then. */
void retrace_push(enum retrace_sets sets);
void retrace_pop(enum retrace_sets sets);

#endif

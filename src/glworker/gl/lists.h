/* SPDX-License-Identifier: MIT */
/*
 * Draws that set state besides leaving pixels, and how that state is restored so that they can be
 * made once more: display lists with known contents, and calls between glBegin() and glEnd().
 * Called on the worker's one thread, with the context current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LISTS_H
#define GPUDUMPFS_GLWORKER_GL_LISTS_H

#include "glworker/gl/gl.h"
#include "glworker/gl/list_steps.h"

/*
 * The next three functions follow the compilation of a list of the trace, to find out whether it is
 * plain: whether all of its calls draw, or set state that retrace_push() saves and coverage.c does
 * not set.
 */
/* The compilation of a list begins. `name`: its name here; `executes`: its calls are made, too. */
void retrace_list_begin(struct retrace *retrace, uint64_t name, bool executes);
/* A call was compiled into the list. */
void retrace_list_add(struct retrace *retrace, const struct retrace_call *call);
/* The compilation ends. */
void retrace_list_end(struct retrace *retrace);
/* Forgets `count` deleted lists, from name `first` here on. */
void retrace_lists_delete(struct retrace *retrace, uint32_t first, uint32_t count);
/* Forgets the lists of a group of contexts that ended. */
void retrace_lists_end_group(struct retrace *retrace, uint32_t group);
/* Returns whether all of the lists, given by their names here, are plain. */
bool retrace_lists_are_plain(const struct retrace *retrace, const uint32_t *names, uint64_t count);

enum {
    RETRACE_ATTRIBUTES_DEEP = 8, /* pushes of attributes that a plain list may nest */
    /* Pushes of matrices that a plain list may nest. While anything is pushed, it calls no list. */
    RETRACE_MATRICES_DEEP = 4,
};
/* Returns whether plain lists may enable or disable `what`. */
bool retrace_is_switch(int64_t what);

/* The state that a repeated call sets. */
enum retrace_sets {
    RETRACE_SETS_NOTHING,
    RETRACE_SETS_ATTRIBUTES, /* what calls between glBegin() and glEnd() may set */
    RETRACE_SETS_STATE,      /* what plain lists set */
};
/*
 * Returns what calls of a function set, if they can be repeated. For glEnd(), this is what the
 * calls since glBegin() set; for glCallList() and glCallLists(), what the lists called last set.
 */
enum retrace_sets retrace_sets(const struct retrace_binding *binding);
/* Returns whether the state can be pushed, and the driver's stacks have room for it. */
bool retrace_can_push(const struct retrace_context *context, enum retrace_sets sets);
/* Saves that state on the driver's stacks. */
void retrace_push(enum retrace_sets sets);
/* Restores the state that retrace_push() has saved. */
void retrace_pop(enum retrace_sets sets);

#endif

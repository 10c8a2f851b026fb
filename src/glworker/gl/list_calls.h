/* SPDX-License-Identifier: MIT */
/*
 * The calls that plain lists (lists.h) are compiled of, kept so that what the lists draw can be
 * told: 64 MiB of all lists of a session. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_CALLS_H
#define GPUDUMPFS_GLWORKER_GL_LIST_CALLS_H

#include "glworker/gl/recording.h"
#include "glworker/gl/surfaces.h"

/* By which lists are kept of all contexts: a list of the current one, by its name here. */
uint64_t retrace_list_key(const struct retrace *retrace, uint64_t name);

/* Whether calls of a function are put into lists, with their arguments. */
bool retrace_list_calls_takes(const char *name);
/* Of the list that the context compiles: a call that is put into it, as libffi takes it. */
void retrace_list_calls_note(struct retrace *retrace, const struct retrace_call *call,
                             void *const *values);
/* The same of a call with bytes of its own in place of arguments (recording.h), for as long as no
 * other is put there. NULL: there is no room, and what the list draws is not told. */
void *retrace_list_calls_note_bytes(struct retrace *retrace, const struct retrace_call *call,
                                    size_t size);
/* What it draws is not told. */
void retrace_list_calls_lose(struct retrace *retrace);
/* Whether calls are still put there. */
bool retrace_list_calls_noting(const struct retrace *retrace);
/* It ends: `plain`, its calls are those of the list with that key; else none are. */
void retrace_list_calls_end(struct retrace *retrace, uint64_t key, bool plain);
/* The context ends with a list that has not ended, or begins another one. */
void retrace_list_calls_drop(struct retrace *retrace, struct retrace_list_state *list);
/* Lists with keys from `first` to `last` are no more. */
void retrace_list_calls_delete(struct retrace *retrace, uint64_t first, uint64_t last);
void retrace_list_calls_clear(struct retrace *retrace);

/* Goes through calls, and those of the lists that they call, in the order in which they are made.
 */
struct retrace_list_walk {
    const struct retrace *retrace;
    /* Is given each but glCallList(). NULL: go on, or why not. */
    const char *(*meet)(void *context, const struct retrace_recorded *call);
    void *context;
    bool may_stop;  /* once the request is withdrawn: between pushes and pops it may not */
    unsigned depth; /* these two are 0 at first */
    uint64_t calls;
};
/* NULL, or why not all was met: what `meet` said, or a list is not kept, or there is too much. */
const char *retrace_list_walk_calls(struct retrace_list_walk *walk,
                                    const struct retrace_recording *recording);
/* Of a list by its name here; of one that is not there, there are none. */
const char *retrace_list_walk(struct retrace_list_walk *walk, uint32_t name);

#endif

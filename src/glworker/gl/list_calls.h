/* SPDX-License-Identifier: MIT */
/*
 * Keeps the calls from which plain lists (lists.h) are compiled, to read what the lists draw: up to
 * 64 MiB for all lists of a session. Called on the worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_CALLS_H
#define GPUDUMPFS_GLWORKER_GL_LIST_CALLS_H

#include "glworker/gl/recording.h"
#include "glworker/gl/surfaces.h"

/*
 * Returns the key of a list of the current context, given by its name here; unique among all
 * contexts' lists.
 */
uint64_t retrace_list_key(const struct retrace *retrace, uint64_t name);

/* Returns whether calls of a function are compiled into lists, with their arguments. */
bool retrace_list_calls_takes(const char *name);
/*
 * Keeps a call that is compiled into the context's list, with its arguments as libffi takes them.
 */
void retrace_list_calls_note(struct retrace *retrace, const struct retrace_call *call,
                             void *const *values);
/*
 * The same for a call with bytes of its own instead of arguments (recording.h). Returns the bytes,
 * which are valid until the next call is kept. Returns NULL if there is no room; then what the list
 * draws stays unknown.
 */
void *retrace_list_calls_note_bytes(struct retrace *retrace, const struct retrace_call *call,
                                    size_t size);
/* Drops the calls of the context's list: what the list draws stays unknown. */
void retrace_list_calls_lose(struct retrace *retrace);
/* Returns whether calls of the context's list are being kept. */
bool retrace_list_calls_noting(const struct retrace *retrace);
/*
 * Ends the context's list. If `plain`, the kept calls become those of the list with that key;
 * otherwise the list has none.
 */
void retrace_list_calls_end(struct retrace *retrace, uint64_t key, bool plain);
/* Drops the calls of a list that has not ended, because the context ends or begins another list. */
void retrace_list_calls_drop(struct retrace *retrace, struct retrace_list_state *list);
/* Forgets deleted lists, whose keys are from `first` to `last`, both included. */
void retrace_list_calls_delete(struct retrace *retrace, uint64_t first, uint64_t last);
void retrace_list_calls_clear(struct retrace *retrace);

/* Visits calls, and the calls of lists that they call, in the order in which they are made. */
struct retrace_list_walk {
    const struct retrace *retrace;
    /*
     * Called with each call except glCallList(). Returns NULL to continue, or the reason to stop.
     */
    const char *(*meet)(void *context, const struct retrace_recorded *call);
    void *context;
    bool may_stop;  /* stop when the request is withdrawn; must be false between pushes and pops */
    unsigned depth; /* this and `calls` are 0 at first */
    uint64_t calls;
};
/*
 * Returns NULL, or the reason why not all calls were visited: the result of `meet`, or the calls of
 * a list are not kept, or there are too many.
 */
const char *retrace_list_walk_calls(struct retrace_list_walk *walk,
                                    const struct retrace_recording *recording);
/* The same for a list, given by its name here; a list that does not exist has no calls. */
const char *retrace_list_walk(struct retrace_list_walk *walk, uint32_t name);

#endif

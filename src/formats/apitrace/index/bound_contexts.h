/* SPDX-License-Identifier: MIT */
/*
 * The texture bindings of each context of a trace, and which context is current in each thread. One
 * thread.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_BOUND_CONTEXTS_H
#define GPUDUMPFS_APITRACE_INDEX_BOUND_CONTEXTS_H

#include "formats/apitrace/index/texture_bindings.h"

struct apitrace_bound_context;

/* Empty if all zero. */
struct apitrace_bound_contexts {
    struct apitrace_bound_context *contexts;
    struct apitrace_map current; /* handles of contexts, by thread */
    uint64_t bytes;              /* of memory taken, about */
};

/*
 * Returns the bindings of the context that is current in a thread, which is a shared one for
 * threads without a context. Returns NULL if memory is short.
 */
struct apitrace_texture_bindings *apitrace_bound_contexts_find(
    struct apitrace_bound_contexts *contexts, uint32_t thread);

/* Counts what the bindings of a context take, after they have changed. */
void apitrace_bound_contexts_count(struct apitrace_bound_contexts *contexts,
                                   struct apitrace_texture_bindings *bindings);

/* Follows a call that was read, and that makes a context current or creates one. 0 or -ENOMEM. */
int apitrace_bound_contexts_follow(struct apitrace_bound_contexts *contexts,
                                   struct apitrace_call *call);

void apitrace_bound_contexts_clear(struct apitrace_bound_contexts *contexts);

#endif

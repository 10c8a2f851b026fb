/* SPDX-License-Identifier: MIT */
/*
 * What is current in each thread of a trace, and what of each context's state decides
 * where draws go and whether a clear covers all, followed from the calls in the order
 * of the listing (apitrace.md 3.6). A call that raised an error counts as if it had
 * worked. One thread at a time.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_CONTEXT_STATE_H
#define GPUDUMPFS_APITRACE_REPLAY_CONTEXT_STATE_H

#include "base/hash.h"
#include "formats/apitrace/index/call.h"

/* What may be other than as it was at first. Set when it is not known. */
enum apitrace_hazard {
    APITRACE_SCISSORED = 1,      /* GL_SCISSOR_TEST */
    APITRACE_DEPTH_TESTED = 2,   /* GL_DEPTH_TEST */
    APITRACE_STENCIL_TESTED = 4, /* GL_STENCIL_TEST */
    APITRACE_COLOUR_MASKED = 8,
    APITRACE_DEPTH_MASKED = 16,
    APITRACE_STENCIL_MASKED = 32,
    APITRACE_OTHER_BUFFER = 64, /* framebuffer 0 is drawn to elsewhere than in back */
    APITRACE_OTHER_BOX = 128,   /* the scissor's box is not the one that was set last */
};

enum { APITRACE_PUSHED_MAX = 16 };

struct apitrace_context {
    uint64_t handle;     /* 0: of threads without a context */
    uint32_t draw, read; /* framebuffers */
    unsigned hazards;
    int64_t scissor[4];   /* x, y, width, height */
    uint32_t viewport[2]; /* its right and upper edge, of the last one for framebuffer 0 … */
    bool viewport_unused; /* … with which nothing has been drawn there */
    unsigned unit;        /* of textures, from 0 */
    bool compiling;       /* a display list, and nothing is executed */
    unsigned in_lists;    /* hazards that lists may change when they are called */
    unsigned pushed[APITRACE_PUSHED_MAX][2]; /* hazards, and which of them come back */
    unsigned pushes;
    UT_hash_handle hh;
};

struct apitrace_binding {
    uint32_t thread;
    uint64_t draw, read; /* drawables */
    struct apitrace_context *context;
    UT_hash_handle hh;
};

struct apitrace_context_states {
    struct apitrace_binding *threads;
    struct apitrace_context *contexts;
    struct apitrace_binding *last; /* that was looked up */
};

void apitrace_context_states_clear(struct apitrace_context_states *states);

/* What a thread has; new threads have nothing. NULL: there is no memory. */
struct apitrace_binding *apitrace_binding_of(struct apitrace_context_states *states,
                                             uint32_t thread);

/* Whether calls of those semantics are followed: others need not be read. */
static inline bool apitrace_context_state_follows(unsigned semantic)
{
    return (semantic & APITRACE_OF_CONTEXT) != 0;
}

/* Follows a call that was read, of such semantics. 0, -ENOMEM, or what the reading says. */
int apitrace_context_state_follow(struct apitrace_context_states *states,
                                  struct apitrace_call *call);

#endif

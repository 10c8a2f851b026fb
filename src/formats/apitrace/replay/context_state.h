/* SPDX-License-Identifier: MIT */
/*
 * What is current in each thread of a trace, and the parts of each context's state that decide
 * where draws go and whether a clear covers everything, followed from the calls in the order of the
 * listing (apitrace.md 3.6). A call that raised an error counts as successful. One thread at a
 * time.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_CONTEXT_STATE_H
#define GPUDUMPFS_APITRACE_REPLAY_CONTEXT_STATE_H

#include "base/hash.h"
#include "formats/apitrace/index/call.h"

/* State that may differ from its initial value. Also set where that is not known. */
enum apitrace_hazard {
    APITRACE_SCISSORED = 1,      /* GL_SCISSOR_TEST */
    APITRACE_DEPTH_TESTED = 2,   /* GL_DEPTH_TEST */
    APITRACE_STENCIL_TESTED = 4, /* GL_STENCIL_TEST */
    APITRACE_COLOUR_MASKED = 8,
    APITRACE_DEPTH_MASKED = 16,
    APITRACE_STENCIL_MASKED = 32,
    APITRACE_OTHER_BUFFER = 64, /* draws to framebuffer 0 do not go to the back buffer */
    APITRACE_OTHER_BOX = 128,   /* the scissor box is not the one in `scissor` */
};

enum { APITRACE_PUSHED_MAX = 16 };

struct apitrace_context {
    uint64_t handle;     /* 0: shared by threads without a context */
    uint32_t draw, read; /* framebuffers that are bound */
    unsigned hazards;
    int64_t scissor[4];   /* x, y, width, height */
    uint32_t viewport[2]; /* right and upper edge of the last viewport for framebuffer 0 */
    bool viewport_unused; /* nothing has been drawn to framebuffer 0 with this viewport yet */
    unsigned unit;        /* active texture unit, from 0 */
    bool compiling;       /* calls are compiled into a display list, and not executed */
    unsigned in_lists;    /* hazards that a call of a display list may cause */
    unsigned pushed[APITRACE_PUSHED_MAX][2]; /* saved hazards, and a mask of those to restore */
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
    struct apitrace_binding *last; /* looked up last */
};

void apitrace_context_states_clear(struct apitrace_context_states *states);

/*
 * Returns what a thread has; a new thread has nothing current. NULL if memory is short. Valid until
 * the states are cleared.
 */
struct apitrace_binding *apitrace_binding_of(struct apitrace_context_states *states,
                                             uint32_t thread);

/* Returns whether calls of that semantic must be passed to apitrace_context_state_follow(). */
static inline bool apitrace_context_state_follows(unsigned semantic)
{
    return (semantic & APITRACE_OF_CONTEXT) != 0;
}

/*
 * Follows a call that was read, with a semantic as above. Returns 0, -ENOMEM, or the error of
 * reading the call.
 */
int apitrace_context_state_follow(struct apitrace_context_states *states,
                                  struct apitrace_call *call);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What exists before a frame, determined by a walk over the trace up to the beginning of that
 * frame. The walk knows which objects are alive, the commands that create them and set the state
 * again, and how many bytes these take, but not the objects' contents (aerogpu.md 7). Only one
 * thread may use a walk at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_INITIAL_STATE_H
#define GPUDUMPFS_AEROGPU_CUT_INITIAL_STATE_H

#include "base/cancel.h"
#include "formats/aerogpu/cut/state_commands.h"
#include "formats/aerogpu/replay/player.h"

/* The sizes of what a cut needs in place of the commands before its frame. */
struct aerogpu_initial_size {
    bool replayed; /* the commands are executed again, since nothing else gives the same result */
    uint64_t records; /* if replayed: bytes of the records to execute */
    uint64_t stream;  /* otherwise: bytes of the stream that restores the state, or 0 */
    uint32_t ranges;  /* otherwise: number of ranges of guest memory that the stream needs */
    uint64_t memory;  /* bytes of each of these ranges */
};

/* A live object, in the order of creation. */
struct aerogpu_initial_life {
    struct aerogpu_initial_life *previous, *next;
    struct aerogpu_object *object;
    struct aerogpu_command command; /* the command that created it */
    uint32_t alloc; /* the object's `alloc` as last seen; no effect reports changes */
    bool written;   /* it may hold something other than zeros */
    bool lossy;     /* an upload cannot restore it fully: it has better texels, or a counter */
};

struct aerogpu_initial_alloc;

struct aerogpu_initial {
    struct aerogpu_player player;
    struct aerogpu_state_commands state;
    struct aerogpu_initial_life *first, *last;
    struct aerogpu_initial_alloc *allocs; /* guest memory that backs live objects */
    uint64_t made;                        /* bytes of commands that create objects */
    uint64_t replayed;                    /* bytes of all records so far, without marks */
    uint64_t memory;                      /* maximum extent of backing memory so far, in bytes */
    uint32_t lossy;                       /* number of lossy lives */
    uint16_t minor;                       /* the newest ABI version of commands so far */
    bool commands;                        /* there were commands */
    bool appendix;                        /* there were commands of Appendix A */
    bool is_inside;                       /* the walk was cancelled inside of a frame */
    enum { AEROGPU_BACK_BLANK, AEROGPU_BACK_CLEARED, AEROGPU_BACK_DRAWN } back;
    uint8_t colour[16]; /* the colour that the implicit back buffer was cleared to */
};

/* Begins a walk. Returns 0 or -ENOMEM. Call aerogpu_initial_clear() even if this fails. */
int aerogpu_initial_init(struct aerogpu_initial *initial, const struct aerogpu_index *index,
                         const struct aerogpu_limits *limits);
void aerogpu_initial_clear(struct aerogpu_initial *initial);

/*
 * Walks to the beginning of the next frame. Returns 0; -EINTR, after which the walk can be
 * continued; or -ENOMEM, after which it must be cleared.
 */
int aerogpu_initial_next(struct aerogpu_initial *initial, const struct cancel *cancel);

/* Gets the sizes for a cut that begins with the next frame. */
void aerogpu_initial_size(const struct aerogpu_initial *initial, struct aerogpu_initial_size *out);

/*
 * Returns whether a record is left out when records are executed again: marks, and packets that
 * present.
 */
bool aerogpu_initial_leaves_out(const struct aerogpu_index *index, uint32_t number);

/* Calls `emit` for each guest allocation that backs live objects, in any order. */
void aerogpu_initial_allocs(const struct aerogpu_initial *initial,
                            void (*emit)(void *context, uint32_t alloc), void *context);

enum {
    AEROGPU_MARKER_BYTES = 8 + 40, /* size of the marker at the beginning of a stream */
    AEROGPU_UPLOAD_BYTES = 32,     /* size of an upload without its data */
    AEROGPU_CLEAR_BYTES = 36,
    AEROGPU_SHARE_BYTES = 24,
    AEROGPU_ALIAS_BYTES = 3 * AEROGPU_SHARE_BYTES,
    AEROGPU_STREAM_BYTES = 24, /* size of the stream's header */
};

#endif

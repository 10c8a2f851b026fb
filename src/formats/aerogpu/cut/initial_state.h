/* SPDX-License-Identifier: MIT */
/*
 * What exists before a frame: a walk over the trace up to where a frame begins. It knows which
 * objects are alive, the commands that make them and the state again, and how many bytes these
 * take, but not the objects' contents (aerogpu.md 7). One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_INITIAL_STATE_H
#define GPUDUMPFS_AEROGPU_CUT_INITIAL_STATE_H

#include "base/cancel.h"
#include "formats/aerogpu/cut/state_commands.h"
#include "formats/aerogpu/replay/player.h"

/* What the commands before a frame take, in its cut. */
struct aerogpu_initial_size {
    bool replayed;    /* the commands are carried out anew, as nothing else gives the same */
    uint64_t records; /* bytes of records, of those that are replayed */
    uint64_t stream;  /* bytes of the stream that makes it again; 0: there is nothing to make */
    uint32_t ranges;  /* guest memory that it needs, … */
    uint64_t memory;  /* … bytes of each */
};

/* An object that lives, in the order of creation. */
struct aerogpu_initial_life {
    struct aerogpu_initial_life *previous, *next;
    struct aerogpu_object *object;
    struct aerogpu_command command; /* that made it */
    uint32_t alloc;                 /* as its object's, which changes unheard */
    bool written;                   /* it may hold something else than zeros */
    bool lossy;                     /* it holds more than can be told: texels, or a counter */
};

struct aerogpu_initial_alloc;

struct aerogpu_initial {
    struct aerogpu_player player;
    struct aerogpu_state_commands state;
    struct aerogpu_initial_life *first, *last;
    struct aerogpu_initial_alloc *allocs; /* that back what lives */
    uint64_t made;                        /* bytes of commands that make objects */
    uint64_t replayed;                    /* bytes of records up to here, marks left out */
    uint64_t memory;                      /* that backing ever reached */
    uint32_t lossy;                       /* lives */
    uint16_t minor;                       /* the newest ABI version of commands */
    bool commands;                        /* there were some */
    bool appendix;                        /* commands of Appendix A */
    bool is_inside;                       /* of a frame: it was cancelled there */
    enum { AEROGPU_BACK_BLANK, AEROGPU_BACK_CLEARED, AEROGPU_BACK_DRAWN } back;
    uint8_t colour[16]; /* that the implicit back buffer was cleared to */
};

/* At the beginning. 0 or -ENOMEM; in either case it is to be cleared. */
int aerogpu_initial_init(struct aerogpu_initial *initial, const struct aerogpu_index *index,
                         const struct aerogpu_limits *limits);
void aerogpu_initial_clear(struct aerogpu_initial *initial);

/* To the beginning of the next frame. 0; -EINTR, to be gone on with; -ENOMEM: to be cleared. */
int aerogpu_initial_next(struct aerogpu_initial *initial, const struct cancel *cancel);

/* Before the frame that is next. */
void aerogpu_initial_size(const struct aerogpu_initial *initial, struct aerogpu_initial_size *out);

/* Whether a record that is replayed is left out: marks, and packets that present. */
bool aerogpu_initial_leaves_out(const struct aerogpu_index *index, uint32_t number);

/* The guest memory that backs what lives, in any order. */
void aerogpu_initial_allocs(const struct aerogpu_initial *initial,
                            void (*emit)(void *context, uint32_t alloc), void *context);

enum {
    AEROGPU_MARKER_BYTES = 8 + 40, /* of the marker that a stream begins with */
    AEROGPU_UPLOAD_BYTES = 32,     /* of an upload without its data */
    AEROGPU_CLEAR_BYTES = 36,
    AEROGPU_SHARE_BYTES = 24,
    AEROGPU_ALIAS_BYTES = 3 * AEROGPU_SHARE_BYTES,
    AEROGPU_STREAM_BYTES = 24, /* of its header */
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a player makes beside what it is asked for, since its session cannot go back (apitrace.md
 * 4.6): readers that step back through frames get more and more of those before with each new
 * beginning, and readers that step back through the draws of a frame what the draws before left, as
 * far as that costs no more than the way there. The thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_REWIND_H
#define GPUDUMPFS_APITRACE_REPLAY_REWIND_H

#include "base/blob.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/pixel_watch.h"
#include "image/reel.h"

struct apitrace_rewind {
    unsigned back;     /* new beginnings that went back, one behind the other, … */
    uint64_t turned;   /* … the last of them for this frame */
    uint64_t last;     /* the frame that was asked for last … */
    unsigned in_order; /* … at the end of so many, each behind the other */
    /* What draws of a frame have left: of the dump as it was. */
    struct reel *reel; /* NULL: of none */
    uint64_t frame, changes;
    uint64_t drawn;   /* one more than the frame of which a draw was asked for last; 0: none was */
    size_t reach;     /* so many draws it was to have */
    uint64_t charged; /* to the cache */
};

void apitrace_rewind_clear(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/* A frame's picture is wanted; `back`: for which the session begins anew. One that is not before
 * the last that was wanted is no step back: draws or pixels have led the session away. */
void apitrace_rewind_note(struct apitrace_rewind *rewind, uint64_t frame, bool back);

/* Frames that are to be drawn before one that is gone back to, before that is noted. */
uint64_t apitrace_rewind_before(const struct apitrace_rewind *rewind, uint64_t frame);

/* Whether frames are read in their order: a session that begins then has many to draw. */
bool apitrace_rewind_reads_in_order(const struct apitrace_rewind *rewind);

/* A draw of a frame is wanted; whether what was wanted before was one of it, too. */
bool apitrace_rewind_note_draw(struct apitrace_rewind *rewind, uint64_t frame);
void apitrace_rewind_note_other(struct apitrace_rewind *rewind);

/* Draws of a frame whose pictures are kept on the way to one, which is so many calls long. */
size_t apitrace_rewind_begin_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump,
                                  uint64_t frame, uint64_t way);

/* Whether what a draw left may have room among these. */
bool apitrace_rewind_may_keep(const struct apitrace_rewind *rewind,
                              const struct apitrace_snapshot *snapshot);

/* The next of these. 0 or -ENOMEM. */
int apitrace_rewind_keep(struct apitrace_rewind *rewind, const struct apitrace_snapshot *snapshot,
                         const struct blob *picture);

/* They are all. */
void apitrace_rewind_end_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/* What a draw left, if it was kept; what was kept of another frame goes. 0, -ENOENT or -ENOMEM. */
int apitrace_rewind_find(struct apitrace_rewind *rewind, struct apitrace_dump *dump, uint64_t frame,
                         const struct apitrace_snapshot *snapshot, struct blob **out);

#endif

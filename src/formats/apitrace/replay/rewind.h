/* SPDX-License-Identifier: MIT */
/*
 * What a player makes beyond what is requested, because its session cannot go back (apitrace.md
 * 4.6). For readers that step back through frames, each new beginning draws more of the frames
 * before. For readers that step back through the draws of a frame, pictures of earlier draws are
 * kept, as long as that costs no more than the way there. For the thread that has acquired the
 * player's worker.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_REWIND_H
#define GPUDUMPFS_APITRACE_REPLAY_REWIND_H

#include "base/blob.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/pixel_watch.h"
#include "image/reel.h"

struct apitrace_rewind {
    unsigned back;     /* consecutive new beginnings that stepped back */
    uint64_t turned;   /* the frame of the last one */
    uint64_t last;     /* the frame that was requested last … */
    unsigned in_order; /* … at the end of this many in ascending order */
    /* The pictures of a frame's draws, with the drawables as they were then. */
    struct reel *reel; /* or NULL */
    uint64_t frame, changes;
    uint64_t drawn;   /* 1 + the frame if a draw was requested last; otherwise 0 */
    size_t reach;     /* number of draws in the reel, as planned */
    uint64_t charged; /* bytes charged to the cache */
};

void apitrace_rewind_clear(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/*
 * Notes a request for a frame's picture; `back`: the session begins again for it. If the frame is
 * not before the one requested last, that is no step back, since draws or pixels have taken the
 * session beyond it.
 */
void apitrace_rewind_note(struct apitrace_rewind *rewind, uint64_t frame, bool back);

/*
 * Returns how many frames before one that is gone back to must be drawn as well. Called before
 * apitrace_rewind_note().
 */
uint64_t apitrace_rewind_before(const struct apitrace_rewind *rewind, uint64_t frame);

/*
 * Returns whether frames are read in ascending order: a session that begins then has many to draw.
 */
bool apitrace_rewind_reads_in_order(const struct apitrace_rewind *rewind);

/*
 * Notes a request for a draw of a frame. Returns whether the request before was for a draw of that
 * frame, too. apitrace_rewind_note_other() notes any other request.
 */
bool apitrace_rewind_note_draw(struct apitrace_rewind *rewind, uint64_t frame);
void apitrace_rewind_note_other(struct apitrace_rewind *rewind);

/*
 * Begins a reel for draws of a frame that come before a requested one. The way to that has `way`
 * calls. Returns how many of the draws to keep, 0 if none can be kept.
 */
size_t apitrace_rewind_begin_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump,
                                  uint64_t frame, uint64_t way);

/* Returns whether the reel may have room for what a draw left. */
bool apitrace_rewind_may_keep(const struct apitrace_rewind *rewind,
                              const struct apitrace_snapshot *snapshot);

/* Adds the next picture to the reel. Returns 0 or -errno. */
int apitrace_rewind_keep(struct apitrace_rewind *rewind, const struct apitrace_snapshot *snapshot,
                         const struct blob *picture);

/* Ends the reel, and charges it to the cache. */
void apitrace_rewind_end_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/*
 * Gets what a draw left, if it was kept, and drops what was kept of another frame. Returns 0,
 * -ENOENT or -ENOMEM.
 */
int apitrace_rewind_find(struct apitrace_rewind *rewind, struct apitrace_dump *dump, uint64_t frame,
                         const struct apitrace_snapshot *snapshot, struct blob **out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a player (player.h) makes beyond what is requested, because its session cannot go back
 * (apitrace.md 4.6): to show an earlier frame or draw, a session begins again at the start of the
 * trace, or at a mark (mark.h), and runs the whole way there. This file plans what else it makes on
 * that way, for two kinds of readers:
 *
 * - Readers that step back through frames, 40, 39, 38 …: a session that begins again also makes
 *   pictures of some frames before the requested one, which go to the cache. It makes twice as many
 *   at each further step back for which it must begin again.
 *
 * - Readers that step back through the draws of a frame: the pictures that some draws before the
 *   requested one leave are kept in a reel (image/reel.h). At first these are so many that keeping
 *   them costs about as much as the way there, and twice as many at each further beginning.
 *
 * For the thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_REWIND_H
#define GPUDUMPFS_APITRACE_REPLAY_REWIND_H

#include "base/blob.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/replay/pixel_watch.h"
#include "image/reel.h"

struct apitrace_rewind {
    /* Frames. */
    unsigned back;     /* how often in succession the session began again for a step back */
    uint64_t turned;   /* the frame of the last such step */
    uint64_t last;     /* the frame whose picture was requested last */
    unsigned in_order; /* how many frames up to `last` were requested in ascending order */

    /* Draws. */
    struct reel *reel; /* pictures that draws of a frame have left; NULL if none are kept */
    /* Of the reel: its frame, and apitrace_dump_changes() when it was begun. */
    uint64_t frame, changes;
    uint64_t drawn;   /* 1 + the frame if the last request was for a draw; otherwise 0 */
    size_t reach;     /* planned number of draws in the reel */
    uint64_t charged; /* bytes charged to the cache for the reel */
};

void apitrace_rewind_clear(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/*
 * Notes a request for a frame's picture. `back` says that there is a session, but it cannot go on
 * to the picture and begins again. This is a step back only if the frame is before the one
 * requested last: otherwise requests for draws or pixels have taken the session beyond it.
 */
void apitrace_rewind_note(struct apitrace_rewind *rewind, uint64_t frame, bool back);

/*
 * Returns of how many frames before `frame` pictures should be made as well when the session begins
 * again for it: 0 unless this is at least the second step back. Called before
 * apitrace_rewind_note().
 */
uint64_t apitrace_rewind_before(const struct apitrace_rewind *rewind, uint64_t frame);

/*
 * Returns whether frames are being read in ascending order. A session that begins then probably has
 * many frames to draw.
 */
bool apitrace_rewind_reads_in_order(const struct apitrace_rewind *rewind);

/*
 * Notes a request for a draw of a frame. Returns whether the previous request was for a draw of
 * that frame, too.
 */
bool apitrace_rewind_note_draw(struct apitrace_rewind *rewind, uint64_t frame);

/* Notes a request for anything but a draw. */
void apitrace_rewind_note_other(struct apitrace_rewind *rewind);

/*
 * Begins a reel for draws of a frame before a requested draw. The session runs `way` calls to reach
 * the requested draw. Returns how many of the draws before it to keep, 0 if none can be kept.
 */
size_t apitrace_rewind_begin_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump,
                                  uint64_t frame, uint64_t way);

/* Returns whether the reel may have room for the picture that a draw leaves. */
bool apitrace_rewind_may_keep(const struct apitrace_rewind *rewind,
                              const struct apitrace_snapshot *snapshot);

/* Adds the next picture to the reel. Returns 0 or -errno. */
int apitrace_rewind_keep(struct apitrace_rewind *rewind, const struct apitrace_snapshot *snapshot,
                         const struct blob *picture);

/* Ends the reel, and charges it to the cache. */
void apitrace_rewind_end_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump);

/*
 * Gets the picture that a draw left, if it was kept. Drops the reel if it is of another frame.
 * Returns 0, -ENOENT or -ENOMEM.
 */
int apitrace_rewind_find(struct apitrace_rewind *rewind, struct apitrace_dump *dump, uint64_t frame,
                         const struct apitrace_snapshot *snapshot, struct blob **out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Looking at pixels while frames or a draw change them: what wrote one, what wrote each, how often.
 * For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_PIXEL_WATCH_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_PIXEL_WATCH_H

#include "formats/apitrace/replay/replay_feed.h"

/* A draw, and the picture of what it has drawn on. */
struct apitrace_snapshot {
    uint64_t call, order;
    uint32_t width, height;
    uint32_t base;     /* it is what frames from this one on have drawn */
    uint64_t drawable; /* handle of what it is drawn on; APITRACE_WATCH_ANY: no drawable */
};

/*
 * What frames from `first` up to `frame` do to the drawable that `frame` shows, in the part that
 * its picture has: to all of it, or to the pixel at that column and line of the picture.
 */
struct apitrace_watch {
    enum apitrace_watch_kind kind;
    uint64_t first, frame;
    uint32_t column, line;
    uint32_t base; /* what it sees is made of what frames from this one on draw */

    /* Of APITRACE_WATCH_COVERAGE: of this draw alone, in that part of what it is drawn on, whose
     * colours are read as the part with that place, in so many bytes (0: it has none). */
    const struct apitrace_snapshot *draw; /* NULL: what frames do to the drawable, as above */
    uint64_t begin, begin_order;          /* the call before which it begins, mostly its own */
    uint32_t width, height, place;
    uint64_t bytes;
};

/* How often pixels were written; rows from the top. */
struct apitrace_coverage {
    uint32_t width, height;
    uint32_t told;         /* enum apitrace_covered_by */
    struct blob *pixels;   /* u32 at its end: enum apitrace_covered_pixel */
    struct blob *colours;  /* as they are afterwards, at its end; NULL: there are none */
    unsigned colour_bytes; /* of a pixel */
};
void apitrace_coverage_clear(struct apitrace_coverage *coverage);

/* What such a watch has seen. */
struct apitrace_watched {
    struct apitrace_pixel_changes pixel; /* its list is for free(), in any case */
    struct blob *ids; /* numbers of calls at its end, u32, rows from the top; the caller's */
    struct apitrace_coverage coverage; /* the same */
};

/*
 * Where the session is to stand for it: before the first frame's first call, or before the call
 * `begin`.
 */
struct apitrace_replay_goal apitrace_watch_begin(const struct apitrace_dump *dump,
                                                 const struct apitrace_watch *watch);

/*
 * With the session there, goes on to where the last frame's picture is, or behind the draw. As
 * apitrace_replay_feed_run(), or -EFBIG: the pixel changes too often; -ERANGE: what it changes has
 * another size than it should.
 */
int apitrace_watch_run(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                       const struct cancel *cancel, struct apitrace_watched *out);

/*
 * Whether its frame is drawn for the pixel alone, since nothing reads what else it draws, and
 * nothing before it shows: then it is as if it had been skipped.
 */
bool apitrace_watch_narrows(const struct apitrace_dump *dump, const struct apitrace_watch *watch);

/* The handle by which a watch names a drawable, from its place in the list. */
uint64_t apitrace_watch_handle(const struct apitrace_presentation *presentation, uint32_t drawable);

#endif

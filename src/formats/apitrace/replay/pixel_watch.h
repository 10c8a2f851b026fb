/* SPDX-License-Identifier: MIT */
/*
 * Watches pixels while frames or a draw change them: what wrote one, what wrote each, how often.
 * For a thread that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_PIXEL_WATCH_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_PIXEL_WATCH_H

#include "formats/apitrace/replay/replay_feed.h"

/* A draw, and the size and contents of the picture of what it has drawn on. */
struct apitrace_snapshot {
    uint64_t call, order;
    uint32_t width, height;
    uint32_t base;     /* the picture consists of what frames from this one on have drawn */
    uint64_t drawable; /* handle of the drawable; APITRACE_WATCH_ANY if it is none */
};

/*
 * A watch of what frames from `first` up to `frame` do to the drawable that `frame` shows, inside
 * its picture: to all of it, or to the pixel at that column and line of the picture.
 */
struct apitrace_watch {
    enum apitrace_watch_kind kind;
    uint64_t first, frame;
    uint32_t column, line;
    uint32_t base; /* what is seen consists of what frames from this one on draw */

    /*
     * For APITRACE_WATCH_COVERAGE: watches only this draw, in a part of that size of what it is
     * drawn on. The colours of that are read as part `place` of `bytes` bytes (0: it has none).
     */
    const struct apitrace_snapshot *draw; /* NULL: watch frames, as above */
    /* The call before which the watch begins, usually the draw itself. */
    uint64_t begin, begin_order;
    uint32_t width, height, place;
    uint64_t bytes;
};

/* How often pixels were written; rows from the top. */
struct apitrace_coverage {
    uint32_t width, height;
    uint32_t told;         /* enum apitrace_covered_by */
    struct blob *pixels;   /* an enum apitrace_covered_pixel for each, as u32, at its end */
    struct blob *colours;  /* afterwards, at its end; NULL if there are none */
    unsigned colour_bytes; /* bytes of a pixel */
};
void apitrace_coverage_clear(struct apitrace_coverage *coverage);

/* What a watch has seen. */
struct apitrace_watched {
    struct apitrace_pixel_changes pixel; /* the caller frees its list, even after a failure */
    struct blob *ids; /* call numbers at its end, u32, rows from the top; owned by the caller */
    struct apitrace_coverage coverage; /* owned by the caller */
};

/*
 * Returns where the session must be when the watch begins: before the first frame's first call, or
 * before the call `begin`.
 */
struct apitrace_replay_goal apitrace_watch_begin(const struct apitrace_dump *dump,
                                                 const struct apitrace_watch *watch);

/*
 * Runs the session from there to the last frame's picture, or to after the draw. Returns as
 * apitrace_replay_feed_run(), -EFBIG if the pixel changes too often, or -ERANGE if the result has
 * another size than it should.
 */
int apitrace_watch_run(struct apitrace_replay_feed *feed, const struct apitrace_watch *watch,
                       const struct cancel *cancel, struct apitrace_watched *out);

/*
 * Returns whether the watched frame is drawn only for the pixel, since nothing reads what else it
 * draws and nothing before it is visible. Afterwards the frame counts as skipped.
 */
bool apitrace_watch_narrows(const struct apitrace_dump *dump, const struct apitrace_watch *watch);

/* Returns the handle by which a watch names the drawable at an index of the list. */
uint64_t apitrace_watch_handle(const struct apitrace_presentation *presentation, uint32_t drawable);

#endif

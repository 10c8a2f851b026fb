/* SPDX-License-Identifier: MIT */
/*
 * Pictures of frames, made by the graphics worker (apitrace.md 4.6): a session that
 * stands at a place of the trace goes on to later frames, and begins again for earlier
 * ones. Any thread; one at a time is served.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_REPLAY_H
#define GPUDUMPFS_APITRACE_REPLAY_REPLAY_H

#include "formats/apitrace/dump.h"
#include "worker/apitrace_session.h"
#include "worker/worker.h"

/* A draw, and the picture of what it has drawn on. */
struct apitrace_snapshot {
    uint64_t call, order;
    uint32_t width, height;
    uint32_t base;     /* it is what frames from this one on have drawn */
    uint64_t drawable; /* handle of what it is drawn on; APITRACE_WATCH_ANY: no drawable */
};

/* Makes the file of a frame's picture from pixels: dump_ops' finish_picture. */
typedef int apitrace_encode(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *stage, struct blob **out);

/*
 * The draws with a picture that are nearest before one of a frame, `max` at most, in the order in
 * which they are drawn. What frames show is known. 0, -EINTR or -ENOMEM; then nothing.
 */
typedef int apitrace_earlier(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *than, const struct cancel *cancel,
                             struct apitrace_snapshot *out, size_t max, size_t *count);

/* Starts no process yet. 0 or -ENOMEM. `dump` outlives it. */
int apitrace_player_create(struct apitrace_dump *dump, apitrace_encode *encode,
                           apitrace_earlier *earlier, struct apitrace_player **out);
void apitrace_player_destroy(struct apitrace_player **player);

/*
 * The pixels of a frame's picture: RGB, at the end of *out, with CACHE_FIRST_STAGE; or 0 and its
 * file, which another request has made meanwhile. Pictures of frames that are drawn on the way are
 * encoded and offered to the cache. What frames show is known. -EIO comes with a problem that
 * tells why.
 */
int apitrace_player_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/*
 * A level of a texture as it is at a frame's end, as a PNG in RGBA; slices and faces stand one
 * below the other. As above.
 */
int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out);

/* The same behind a draw of the frame. */
int apitrace_player_draw_level(struct dump *dump, uint64_t frame,
                               const struct apitrace_snapshot *snapshot,
                               const struct apitrace_level *level, const struct cancel *cancel,
                               struct blob **out);

/*
 * The pixels that are there right after a draw of a frame: RGB, at the end of *out. The same. Where
 * a reader steps back, those of draws before are kept for the next steps.
 */
int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out);

/*
 * What is asked of the session where it stands: behind a draw, or at a frame's picture. As
 * apitrace_session_feed() returns; *out is what was made, and may stay NULL.
 */
typedef int apitrace_visitor(void *context, struct apitrace_session *session,
                             const struct cancel *cancel, struct blob **out);

/*
 * Leads the session behind a draw of a frame (`snapshot` NULL: to the frame's picture), with depths
 * and stencil values as they are there, and has it asked. May ask again when the process died. The
 * same.
 */
int apitrace_player_visit(struct dump *dump, uint64_t frame,
                          const struct apitrace_snapshot *snapshot, apitrace_visitor *visit,
                          void *context, const struct cancel *cancel, struct blob **out);

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

/* The frame has a picture. As apitrace_player_level(). */
int apitrace_player_watch(struct dump *dump, const struct apitrace_watch *watch,
                          const struct cancel *cancel, struct apitrace_watched *out);

/*
 * replay_feed.c: leading a session of the graphics worker along the trace: it is begun with the
 * drawables as they are known, and fed with the stream's bytes until it has come to a call. The
 * caller has acquired the session's worker.
 */
struct apitrace_replay_feed {
    struct apitrace_dump *dump;
    struct apitrace_session *session;
    uint64_t order;   /* the session has run the first so many calls of the listing */
    uint64_t next;    /* offset of the byte to be fed next */
    bool hungry;      /* it needs bytes to go on … */
    bool dry;         /* … and was told that there are none for now */
    uint64_t changes; /* of the drawables that it was begun with */
};

/* A place to come to: before or behind a call, so many calls being done. */
struct apitrace_replay_goal {
    uint64_t order, call;
    uint32_t flags; /* APITRACE_FEED_AFTER, or 0 */
};

/*
 * Where the picture of a frame is: before its swap; without one, behind the last draw of all. If
 * that call never returned, and its thread went on, behind the one before it.
 */
struct apitrace_replay_goal apitrace_replay_goal_of(const struct apitrace_dump *dump,
                                                    uint64_t frame);

/* Begins anew. As apitrace_session_reset(), or -ENOMEM. */
int apitrace_replay_feed_begin(struct apitrace_replay_feed *feed, const struct cancel *cancel);

/*
 * Runs all calls before the goal; `flags` are of enum apitrace_feed_flag. As
 * apitrace_session_feed(), or -ENODATA: the trace ends before, or what leads there has not come
 * yet; -EIO: it cannot be read.
 */
int apitrace_replay_feed_run(struct apitrace_replay_feed *feed,
                             const struct apitrace_replay_goal *goal, uint32_t flags,
                             const struct cancel *cancel);

/* Learns how far a run came that was cancelled. As apitrace_session_feed(). */
int apitrace_replay_feed_sync(struct apitrace_replay_feed *feed, const struct cancel *cancel);

/*
 * pixel_watch.c: with the session where the watch's first frame begins, goes on to where its last
 * one's picture is. As apitrace_replay_feed_run(), or -EFBIG: the
 * pixel changes too often.
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

/* Where that is. */
struct apitrace_replay_goal apitrace_watch_begin(const struct apitrace_dump *dump,
                                                 const struct apitrace_watch *watch);

/*
 * shader_prewarm.c: compiles shaders ahead of a player that begins with nothing compiled: most of
 * the way to its first pictures is compiling, which the driver does in one thread. A second
 * session, with a process and a thread of its own, keeps ahead of the player on the same range of
 * frames, so that the player finds the shaders compiled (apitrace.md 4.6). It draws no pixels, and
 * its failure changes nothing else. One owner.
 *
 * What it is worth: without it the first frame of neverball's trace takes 1.5 times as long (1.8 s
 * for 1.3), frame 40 1.4 times, frame 76 1.3 times (1.2 s for 0.9), all frames in order 1.1 times.
 * It takes 1.1 to 1.3 times the processor time. Where little is compiled it gains nothing (glmark2
 * 1.04, xscreensaver's boing 0.98 times). Medians of 5 interleaved runs (3 of all frames) on two
 * idle processors, nothing kept from an earlier mount.
 */
struct apitrace_shader_prewarm;

/* Where it goes. */
struct apitrace_prewarm_range {
    uint32_t first, last; /* frames that are drawn; those before are skipped */
    bool
        fast_compile; /* the player compiles compiling fast, and draws the last or one soon after */
};

/*
 * The dump does not grow; `leader` is acquired, and its process runs. Calls that its session
 * leaves out as deadly are left out. 0, and *out is NULL when prewarming is of no use; -errno.
 */
int apitrace_shader_prewarm_start(struct apitrace_dump *dump, const struct worker *leader,
                                  const struct apitrace_session *session,
                                  const struct apitrace_prewarm_range *range,
                                  struct apitrace_shader_prewarm **out);

/* Ends it, wherever it is; NULL inside: nothing. True: a call has killed its process. */
bool apitrace_shader_prewarm_end(struct apitrace_shader_prewarm **prewarm);

#endif

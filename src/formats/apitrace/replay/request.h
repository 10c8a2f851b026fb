/* SPDX-License-Identifier: MIT */
/*
 * A request to the player (player.h) as a value: where the session must be for it, and what the
 * result is made of. For a thread that has acquired the player's worker; functions that use no
 * session are for any thread.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_REQUEST_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_REQUEST_H

#include "formats/apitrace/replay/pixel_watch.h"

/*
 * Uses the session at its place: after a draw, or at a frame's picture. Returns as
 * apitrace_session_feed(); *out is the result, and may stay NULL.
 */
typedef int apitrace_visitor(void *context, struct apitrace_session *session,
                             const struct cancel *cancel, struct blob **out);

/*
 * A request for one of these: a frame's picture, a level of a texture at a frame's end or after a
 * draw, the picture that a draw left, a visit, or what frames do to pixels (a watch). The members
 * that are not NULL say which; if all are NULL, it is the frame's picture.
 */
struct apitrace_request {
    uint64_t frame;                           /* of a watch: the first of its frames */
    const struct apitrace_level *level;       /* the level to read */
    const struct apitrace_snapshot *snapshot; /* after this draw, instead of at the frame's end */
    apitrace_visitor *visit;                  /* called at that place, to make the result */
    void *context;                            /* for `visit` */
    const struct apitrace_watch *watch;       /* the watch to run */
    struct apitrace_watched *watched;         /* receives the result of the watch */
};

/* Returns where the session must be. */
struct apitrace_replay_goal apitrace_request_goal(const struct apitrace_dump *dump,
                                                  const struct apitrace_request *request);

/* Returns the first frame whose draws are part of the result. */
uint32_t apitrace_request_base(const struct apitrace_dump *dump,
                               const struct apitrace_request *request);

/* Returns whether a frame's end is requested, rather than something within the frame. */
bool apitrace_request_is_of_frame(const struct apitrace_request *request);

/* Returns whether what a draw left is requested, and nothing else. */
bool apitrace_request_is_of_draw(const struct apitrace_request *request);

/*
 * Reports a problem that says why there is no result: by -ERANGE, -ENODATA, or the session's
 * reason.
 */
void apitrace_request_report(const struct apitrace_request *request,
                             const struct apitrace_dump *dump,
                             const struct apitrace_session *session, int status);

#endif
